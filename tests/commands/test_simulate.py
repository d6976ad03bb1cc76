"""``shiftproof simulate``: what it prints, the same with every executor, and how it ends."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

import shiftproof
from shiftproof import BadInput, Simulation
from shiftproof.commands.cli import main
from shiftproof.showing.summaries.summary import Summary
from shiftproof.workspace import dask_cluster
from shiftproof.workspace.executors import opener
from shiftproof.workspace.interrupts import Interrupts
from shiftproof.workspace.targets import one_mechanism

MECHANISMS = """
from collections.abc import Iterator
from shiftproof import *
print("this file was executed")
@mechanism(DP())
def fails(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    if f + noise > 0:
        yield 1 / (f - f)
    else:
        yield 2
@mechanism(DP())
def endless(f: Count, eps: Epsilon) -> Iterator[int]:
    noise = sample(Laplace(1 / eps))
    yield 1
    while f + noise > 0:
        pass
@mechanism(DP())
def wrong(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "unsafe"
@mechanism(DP())
def silent(f: Counts, eps: Epsilon) -> Iterator[int]:
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(1 / eps))
        if f[i] + noise > 3:
            yield i
"""
LAPLACE = ("laplace", "--set", "f=412", "--set", "eps=0.5")
ASV = (
    "asymmetric_sparse_vector",
    *("--set", "f=1,5,2,8", "--set", "T=3", "--set", "c=2", "--set", "eps=1"),
)


def simulate(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["simulate", *map(str, arguments)])


def answer(*arguments: object) -> dict[str, Any]:
    result = simulate(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout, parse_constant=lambda text: pytest.fail(text))
    assert isinstance(found, dict)
    return found


def timeless(found: dict[str, Any]) -> dict[str, Any]:
    """Without what depends on the machine."""
    return {k: v for k, v in found.items() if k not in ("seconds", "runs_per_second")}


def fault(*arguments: object) -> str:
    """The one error; nothing else is printed."""
    result = simulate(*arguments)
    assert result.exit_code == 3, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    lines = re.split("^Error: ", result.stderr, flags=re.MULTILINE)
    assert len(lines) == 2
    return lines[1].strip()


@pytest.fixture
def mechanisms(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(MECHANISMS)
    return path


class TestJson:
    def test_what_there_is(self) -> None:
        found = answer(*ASV, "--samples", "1e4", "--seed", 3)
        assert found["mechanism"] == "asymmetric_sparse_vector"
        assert found["inputs"] == {"f": [1, 5, 2, 8], "T": [3.0] * 4, "c": 2, "eps": 1.0}
        assert (found["seed"], found["samples"], found["runs"]) == (3, 10_000, 10_000)
        assert found["endings"] == {"end": 10_000, "raised": 0, "unfinished": 0}
        assert found["interrupted"] is False and found["wrong"] == 0
        assert found["seconds"] > 0 and found["runs_per_second"] > 0
        simulation = Simulation(
            one_mechanism("asymmetric_sparse_vector"), f=[1, 5, 2, 8], T=[3] * 4, c=2, eps=1
        )
        runs = simulation.outcomes(10_000, seed=3)
        lengths = Counter(len(run) for run in runs)
        assert found["lengths"]["most"] == max(lengths)
        four = [e for e in found["outcomes"]["most_frequent"] if e["length"] == 4]
        assert sum(entry["count"] for entry in four) == lengths[4]
        assert four[0]["values"] == [None, {"any": "float"}, None, {"any": "float"}]

    def test_a_seed_repeats_and_none_is_told(self) -> None:
        first = answer(*LAPLACE, "--samples", 3000)
        again = answer(*LAPLACE, "--samples", 3000, "--seed", first["seed"])
        assert timeless(first) == timeless(again)
        assert answer(*LAPLACE, "--samples", 3000)["seed"] != first["seed"]

    def test_exact_inputs(self) -> None:
        found = answer("geometric", "--set", "f=3", "--set", "eps=1/2", "--samples", 100)
        assert found["inputs"] == {"f": 3, "eps": "1/2"}
        assert found["positions"][0]["numbers"]["histogram"]["below"] == 0


class TestText:
    def test_of_floats(self) -> None:
        result = simulate(*LAPLACE, "--samples", "20_000", "--seed", 1)
        assert result.exit_code == 0 and result.stderr == ""
        head, table, positions, bars = result.stdout.split("\n\n")
        assert head.startswith(
            "laplace: 20,000 runs\n  inputs  f = 412.0, eps = 0.5\n  seed    1\n"
        )
        assert table.splitlines()[1].split() == ["20,000", "100.00", "%", "<float>"]
        assert positions.splitlines()[1].split()[:2] == ["1", "20,000"]
        assert "410 to 412" in bars and "█" in bars

    def test_long_inputs_are_shortened(self) -> None:
        settings = ("--set", "q=" + ",".join(["1"] * 99), "--set", "eps=1")
        text = simulate("noisy_max", *settings, "--samples", 10).stdout
        assert "q = (1, 1, 1, 1, 1, … 94 more), eps = 1.0" in text

    def test_of_strings(self, mechanisms: Path) -> None:
        own = ("--set", "f=1", "--set", "T=1", "--set", "eps=1", "--samples", 2000, "--seed", 1)
        text = simulate(f"{mechanisms}::wrong", *own).stdout
        assert "  'safe'" in text and "  'unsafe'" in text and "position" not in text
        count = answer(f"{mechanisms}::wrong", *own)["wrong"]
        assert 900 < count < 1100
        assert f"  ensure  {count:,} runs (" in text

    def test_of_what_goes_wrong(self, mechanisms: Path) -> None:
        options = ("--set", "f=0", "--set", "eps=1", "--samples", 1000, "--seed", 1)
        found = answer(f"{mechanisms}::fails", *options)["endings"]
        assert 400 < found["raised"] < 600 and found["raised"] + found["end"] == 1000
        assert "ended with an exception" in simulate(f"{mechanisms}::fails", *options).stdout
        found = answer(f"{mechanisms}::endless", *options)["endings"]
        assert 400 < found["unfinished"] < 600 and found["unfinished"] + found["end"] == 1000
        assert "1, then no end" in simulate(f"{mechanisms}::endless", *options).stdout

    def test_of_runs_that_release_nothing(self, mechanisms: Path) -> None:
        options = ("--set", "f=0,0", "--set", "eps=1", "--samples", 1000, "--seed", 1)
        text = simulate(f"{mechanisms}::silent", *options).stdout
        assert "(nothing)" in text and "  length  0 to " in text
        nobody = simulate(f"{mechanisms}::silent", "--inputs", self.empty(mechanisms), *options[2:])
        assert nobody.exit_code == 0 and "100.00 %  (nothing)" in nobody.stdout

    @staticmethod
    def empty(beside: Path) -> Path:
        file = beside.with_name("empty.json")
        file.write_text('{"f": []}')
        return file

    def test_ascii_where_the_pipe_is_ascii(self) -> None:
        environment = os.environ | {"PYTHONIOENCODING": "ascii"}
        done = subprocess.run(
            [sys.executable, "-m", "shiftproof", "simulate", *LAPLACE, "--samples", "100"],
            capture_output=True, env=environment, check=True,
        )  # fmt: skip
        assert done.stdout.isascii() and b"####" in done.stdout and b"\\u" not in done.stdout


class TestInputs:
    def test_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "inputs.json"
        file.write_text('{"data": [[0, 1], [1, 1], [1, 0]], "eps": "1/3"}')
        found = answer("visitors_of_both", "--inputs", file, "--samples", 100)
        assert found["inputs"] == {"data": [[0, 1], [1, 1], [1, 0]], "eps": "1/3"}

    def test_a_file_and_settings(self, tmp_path: Path) -> None:
        file = tmp_path / "inputs.json"
        file.write_text('{"f": [1, 5, 2]}')
        options = ("--set", "T=3", "--set", "c=1", "--set", "eps=1", "--samples", 100)
        found = answer("asymmetric_sparse_vector", "--inputs", file, *options)
        assert found["inputs"]["T"] == [3.0] * 3
        text = fault("asymmetric_sparse_vector", "--inputs", file, *options, "--set", "f=1,2,3")
        assert text == f"{file}: 'f' is given by --set, too"

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("[1]", "want one JSON object with values by name"),
            ("{", "is no JSON"),
            ('{"f": 1, "f": 2}', "a name is there twice"),
            ('{"f": NaN}', "NaN is no number"),
            ('{"f": 1e999}', "f: a number is too large"),
            ('{"g": 1}', "unknown name 'g': want some of f, eps"),
            ('{"f": "1/0"}', 'f: got "1/0"; want numbers, fractions like "1/3", and lists'),
            ('{"f": {"a": 1}}', 'f: got {"a": 1}; want numbers'),
            ('{"f": [1], "eps": 1}', "f: got tuple (1,); a finite number is needed"),
            ('{"f": true, "eps": 1}', "f: got bool True; a finite number is needed"),
            (None, "cannot be read: No such file"),
        ],
    )
    def test_a_file_that_is_wrong(self, tmp_path: Path, content: str | None, message: str) -> None:
        file = tmp_path / "inputs.json"
        if content is not None:
            file.write_text(content)
        assert message in fault("laplace", "--inputs", file, "--samples", 10)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                ["laplace"],
                "laplace: no value is given for f, eps; give, say, --set f=0.5 --set eps=0.5",
            ),
            (
                ["asymmetric_sparse_vector", "--set", "f=1,2", "--set", "c=1"],
                "asymmetric_sparse_vector: no value is given for T, eps; "
                "give, say, --set T=0.5,0.5 --set eps=0.5",
            ),
            (
                ["visitors_of_both", "--set", "eps=1"],
                "visitors_of_both: no value is given for data; "
                'give, say, --inputs FILE.json (a file with {"data": [[0, 0], [1, 0]]})',
            ),
            (
                ["visitors_of_both", "--set", "data=1,2"],
                "--set 'data=1,2': data is a data set; "
                'give --inputs FILE.json (a file with {"data": [[0, 0], [1, 0]]})',
            ),
            (["laplace", "--set", "g=1"], "--set 'g=1': unknown name 'g': want one of eps, f"),
            (
                ["laplace", "--set", "f=1", "--set", "eps=0"],
                "eps: got int 0; it must be positive",
            ),
            (
                ["asymmetric_sparse_vector", *ASV[1:5], "--set", "c=0", "--set", "eps=1"],
                "asymmetric_sparse_vector: the precondition 'c >= 1' does not hold",
            ),
            (["lapalce"], "no file, module or mechanism of the gallery is called 'lapalce'; "),
        ],
    )
    def test_wrong(self, options: list[str], message: str) -> None:
        assert message in fault(*options, "--samples", 10)

    @pytest.mark.parametrize(
        ("text", "samples"), [("7", 7), ("1e3", 1000), ("1_000", 1000), ("1.5E+2", 150)]
    )
    def test_samples(self, text: str, samples: int) -> None:
        assert answer(*LAPLACE, "--samples", text)["runs"] == samples

    @pytest.mark.parametrize("text", ["0", "0e5", "-1", "1.5", "1e-3", "e3", "", "x", "1e999", "∞"])
    def test_samples_that_are_none(self, text: str) -> None:
        assert "want a whole number from 1 on" in fault(*LAPLACE, "--samples", text)

    def test_nothing_is_executed_unless_asked_for(self, mechanisms: Path) -> None:
        own = (f"{mechanisms}::silent", "--set", "f=1,", "--set", "eps=1", "--samples", 10)
        assert simulate(*own).stderr == ""
        result = simulate(*own, "--import")
        assert result.stderr == "this file was executed\n" and "executed" not in result.stdout

    def test_one_number_too_large(self) -> None:
        settings = ("--set", f"f={2**52}", "--set", "eps=1/1000000000000000")
        text = fault("geometric", *settings, "--samples", 5000, "--executor", "processes:1")
        assert text == "LARGEST: a whole number is 2^53 or more in size"


class TestExecutors:
    @pytest.mark.parametrize("arguments", [LAPLACE, ASV])
    def test_the_same_everywhere(self, arguments: tuple[str, ...]) -> None:
        options = (*arguments, "--samples", 500_000, "--seed", 3)
        here = answer(*options)
        assert timeless(here) == timeless(answer(*options, "--executor", "processes:2"))

    @pytest.mark.parametrize(
        "text", ["there", "processes:0", "processes:x", "processes:", "dask://", "dask:a:1", ""]
    )
    def test_unknown(self, text: str) -> None:
        found = fault(*LAPLACE, "--samples", 10, "--executor", text)
        assert found.startswith(f"--executor {text!r}: no such executor; want here, processes, ")

    def test_a_worker_that_dies(self) -> None:
        with opener("processes:1")() as executor:
            assert executor is not None
            executor.submit(os._exit, 1)
            simulation = Simulation(one_mechanism("laplace"), f=1, eps=1)
            with pytest.raises(BadInput, match="a worker ended before its work was done"):
                list(simulation.map(len, 10**7, executor=executor))

    def test_all_cores(self) -> None:
        with opener("processes")() as executor:
            assert executor is not None and executor.submit(abs, -1).result() == 1

    def test_the_current_folder_is_not_searched(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "pickle.py").write_text("raise SystemExit('pickle.py was executed')")
        monkeypatch.chdir(tmp_path)
        assert answer(*LAPLACE, "--samples", 3000, "--executor", "processes:1")["runs"] == 3000


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def says(greeting: bytes) -> Iterator[str]:
    """A server that greets whoever comes, and hangs up."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                connection.sendall(greeting)
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield f"dask://127.0.0.1:{server.getsockname()[1]}"


class TestCluster:
    """What is wrong with it; that it works is tested with the executors' own tests."""

    def test_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        text = fault(*LAPLACE, "--samples", 10, "--executor", "dask://localhost:1")
        assert text == (
            "--executor dask://localhost:1: Dask is not installed; "
            "pip install 'shiftproof[cluster]'"
        )

    def test_unreachable(self) -> None:
        pytest.importorskip("distributed")
        port = free_port()
        text = fault(*LAPLACE, "--samples", 10, "--executor", f"dask://127.0.0.1:{port}")
        assert f"--executor dask://127.0.0.1:{port}: cannot be reached: " in text
        assert "start one with 'dask scheduler'" in text
        text = fault(*LAPLACE, "--samples", 10, "--executor", "dask://no.such.host.invalid:80")
        assert "cannot be reached: " in text

    def test_another_server(self) -> None:
        pytest.importorskip("distributed")
        with says(b"SSH-2.0") as address:
            text = fault(*LAPLACE, "--samples", 10, "--executor", address)
        assert "cannot be reached: what is there is no Dask scheduler; " in text

    def test_a_scheduler_that_goes_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        started = threading.Event()

        def submit(*arguments: Any) -> Future[Any]:
            started.set()
            return Future()  # which nobody will ever finish

        client = SimpleNamespace(
            get_executor=lambda: SimpleNamespace(submit=submit),
            nthreads=lambda: {"tcp://w:1": 3, "tcp://w:2": 4},
            run=lambda function, on_error: {"tcp://w:1": dask_cluster.versions()},
            wait_for_workers=lambda n, timeout: None,
            close=lambda timeout: None,
            status="running",
        )
        distributed = SimpleNamespace(Client=lambda *arguments, **options: client)
        monkeypatch.setitem(sys.modules, "distributed", distributed)  # type: ignore[arg-type]

        def lose() -> None:
            assert started.wait(20)
            client.status = "closed"

        threading.Thread(target=lose, daemon=True).start()
        with says(b"...pickle-protocol...") as address:
            text = fault(*LAPLACE, "--samples", "1e6", "--executor", address)
        assert text == f"--executor {address}: the scheduler is gone; start again"

    @pytest.mark.parametrize(
        ("workers", "message"),
        [
            ({}, "the scheduler has no workers; start some with 'dask worker 127.0.0.1:"),
            (
                {"tcp://w:1": ModuleNotFoundError("No module named 'shiftproof'")},
                "the worker tcp://w:1 cannot import shiftproof (No module named 'shiftproof'); ",
            ),
            ({"tcp://w:1": {}}, "the worker tcp://w:1 has shiftproof None, here it is "),
            (
                {"tcp://w:1": {**dask_cluster.versions(), "numpy": "1.0"}},
                "the worker tcp://w:1 has numpy 1.0, here it is ",
            ),
            ({"tcp://w:1": OSError("broken")}, "the worker tcp://w:1 fails: OSError('broken')"),
        ],
    )
    def test_workers(
        self, monkeypatch: pytest.MonkeyPatch, workers: dict[str, Any], message: str
    ) -> None:
        closed = []
        client = SimpleNamespace(
            run=lambda function, on_error: workers,
            wait_for_workers=lambda n, timeout: None,
            close=lambda timeout: closed.append(True),
        )
        distributed = SimpleNamespace(Client=lambda *arguments, **options: client)
        monkeypatch.setitem(sys.modules, "distributed", distributed)  # type: ignore[arg-type]
        with says(b"...pickle-protocol...") as address:
            text = fault(*LAPLACE, "--samples", 10, "--executor", address)
        assert text.startswith(f"--executor {address}: ") and message in text
        assert closed == [True]


class TestPlot:
    @pytest.mark.parametrize(
        ("suffix", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")]
    )
    def test_formats(self, tmp_path: Path, suffix: str, magic: bytes) -> None:
        pytest.importorskip("matplotlib")
        file = tmp_path / f"a.{suffix}"
        result = simulate(*ASV, "--samples", 3000, "--plot", file)
        assert result.exit_code == 0 and result.stderr == ""
        assert file.read_bytes().startswith(magic)
        assert os.listdir(tmp_path) == [file.name]

    def test_of_what_has_no_numbers(self, tmp_path: Path, mechanisms: Path) -> None:
        pytest.importorskip("matplotlib")
        own = ("--set", "f=1", "--set", "T=1", "--set", "eps=1", "--samples", 100)
        file = tmp_path / "a.svg"
        assert simulate(f"{mechanisms}::wrong", *own, "--plot", file).exit_code == 0
        nothing = ("--inputs", TestText.empty(mechanisms), "--set", "eps=1", "--samples", 10)
        assert simulate(f"{mechanisms}::silent", *nothing, "--plot", file).exit_code == 0

    @pytest.mark.parametrize("name", ["a.txt", "a", "png", "nowhere/a.png"])
    def test_where_it_cannot_be_drawn(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        def never(*arguments: Any, **options: Any) -> None:
            pytest.fail("it was simulated")

        monkeypatch.setattr("shiftproof.commands.common.simulating.simulated", never)
        text = fault(*LAPLACE, "--samples", "1e9", "--plot", tmp_path / name)
        assert "want a name that ends in .png, .svg or .pdf" in text or "there is no folder" in text
        assert os.listdir(tmp_path) == []

    def test_not_installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def lacking(name: str) -> Any:
            if name.startswith("matplotlib"):
                raise ModuleNotFoundError(name)
            return importlib.__import__(name)

        monkeypatch.setattr(
            "shiftproof.showing.plots.drawing.importlib", SimpleNamespace(import_module=lacking)
        )
        text = fault(*LAPLACE, "--samples", "1e9", "--plot", tmp_path / "a.png")
        assert text.endswith("matplotlib is not installed; pip install 'shiftproof[plot]'")


#: A command in the background would ignore Ctrl-C, and so would what it starts.
SCRIPT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from shiftproof.commands.cli import main
main()
"""


def command(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """The command in a process, and a group of processes, of its own."""
    folder = str(Path(shiftproof.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": folder, "TERM": "xterm", "COLUMNS": "90"}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "simulate", *arguments], text=True, env=environment,
        start_new_session=True, stdout=subprocess.PIPE, **{"stderr": subprocess.PIPE, **options},
    )  # fmt: skip


def group_is_gone(group: int) -> bool:
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")


@contextmanager
def counting(where: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that will not end by itself, once it has counted runs on its terminal."""
    import pty

    leader, follower = pty.openpty()
    options = ("--samples", "1e12", "--seed", "5", "--executor", where, "--json")
    process = command(*LAPLACE, *options, stderr=follower)
    os.close(follower)
    shown = ""
    while not re.search(r"[1-9][0-9,]*/1,000,000,000,000 runs, [0-9.]+ M/s", shown):
        shown += os.read(leader, 10_000).decode()
    yield process, shown
    os.close(leader)


@posix
class TestInterrupted:
    @pytest.fixture(autouse=True)
    def ctrl_c_is_heard(self) -> Iterator[None]:
        """Whoever runs the tests in the background of a script has them ignore it."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.mark.parametrize("where", ["here", "processes:2"])
    def test_what_is_done_is_printed(self, where: str) -> None:
        with counting(where) as (process, shown):
            os.killpg(process.pid, signal.SIGINT)  # to the workers, too, as a terminal does
            text, _ = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "Traceback" not in shown
        assert group_is_gone(process.pid)
        found = json.loads(text)
        assert found["interrupted"] is True and 0 < found["runs"] < found["samples"] == 10**12
        whole = answer(*LAPLACE, "--samples", found["runs"], "--seed", 5)
        for same in ("endings", "lengths", "outcomes", "positions"):
            assert found[same] == whole[same]

    def test_workers_go_with_a_parent_that_is_killed(self) -> None:
        with counting("processes:1") as (process, _):
            process.kill()
            process.communicate()
        assert group_is_gone(process.pid)

    def test_before_any_run_is_done(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*arguments: Any, **options: Any) -> None:
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
        monkeypatch.setattr(Simulation, "outcomes", interrupted)
        result = simulate(*LAPLACE, "--samples", "1e9", "--json")
        assert (result.exit_code, result.stdout) == (130, "")
        assert result.stderr == "Interrupted before any run was done.\n"

    def test_while_a_block_is_added(self, monkeypatch: pytest.MonkeyPatch) -> None:
        add, blocks = Summary.add, []

        def added(summary: Summary, block: Any) -> None:
            add(summary, block)
            blocks.append(block)
            if len(blocks) == 3:
                signal.raise_signal(signal.SIGINT)
                blocks.append("not broken off")

        monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
        monkeypatch.setattr(Summary, "add", added)
        result = simulate(*LAPLACE, "--samples", "1e9")
        assert result.exit_code == 130 and blocks[3:] == ["not broken off"]
        assert result.stdout.startswith("laplace: interrupted after 256 of 1,000,000,000 runs\n")

    def test_a_second_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = SimpleNamespace(monotonic=lambda: now)
        monkeypatch.setattr("shiftproof.workspace.interrupts.time", clock)
        monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
        now = 1.0
        with pytest.raises(KeyboardInterrupt), Interrupts():
            signal.raise_signal(signal.SIGINT)
            now = 1.5
            signal.raise_signal(signal.SIGINT)  # a wrapper may pass it on once more
            now = 2.5
            signal.raise_signal(signal.SIGINT)
            pytest.fail("it goes on")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@posix
def test_memory_does_not_grow() -> None:
    script = (
        "import resource, sys\nfrom shiftproof.commands.cli import main\n"
        "try:\n    main()\nfinally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    most = []
    for samples in ("1e6", "1e7"):
        done = subprocess.run(
            [sys.executable, "-c", script, "simulate", *LAPLACE, "--samples", samples],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        most.append(int(done.stderr) / 1024)
    assert most[1] < most[0] + 20  # MB
