"""``shiftproof audit``: what it prints, how it ends, and what it says to bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shiftproof.commands.cli import main
from shiftproof.dsl.simulation.machine import Machine

FUNCTIONS = '''
import time
import numpy as np
from shiftproof import *

def twice(x, rng, size):
    """ε = 2 for steps of 1."""
    return x + rng.laplace(0, 0.5, size)

def slow(x, seed):
    time.sleep(0.002)
    return x + np.random.default_rng(seed).normal()

def raises(x):
    return 1 / 0

def noise_of_its_own(x):
    return int(np.random.default_rng().integers(10))

number = 3

@mechanism(DP())
def shouted(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (3 * eps)))
    return f + noise
'''

RANGE = ["--relation", "number", "--epsilon", "1", "--seed", "1"]


@pytest.fixture
def functions(tmp_path: Path) -> str:
    path = tmp_path / "functions.py"
    path.write_text(FUNCTIONS, encoding="utf-8")
    return str(path)


def audit(*arguments: Any) -> Result:
    return CliRunner().invoke(main, ["audit", *map(str, arguments)])


class TestAnswer:
    def test_of_a_function(self, functions: str) -> None:
        result = audit(f"{functions}::twice", "--import", *RANGE, "--judge", "ideal")
        assert result.exit_code == 1
        assert result.stdout.startswith("twice: violation found\n  claim  ε = 1, on 4 ordered")
        assert "confidence 95 %" in result.stdout

    def test_of_a_mechanism(self, functions: str) -> None:
        result = audit(f"{functions}::shouted", "--seed", 1, "--set", "eps=1/2")
        assert result.exit_code == 1 and "eps = 0.5" in result.stdout

    def test_nothing_found(self) -> None:
        result = audit("laplace", "--seed", 1, "--samples", "1e5", "--black-box")
        assert result.exit_code == 0
        assert result.stdout.endswith(
            "That no violation was found does not mean that there is none.\n"
        )

    def test_only_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("shiftproof.showing.formats.text.prints_unicode", lambda: False)
        text = audit("laplace", "--seed", 1, "--samples", "1e5", "--black-box").stdout
        assert text.isascii() and "eps >=" in text

    @pytest.mark.parametrize("form", ["markdown", "github", "sarif", "junit"])
    def test_every_format(self, functions: str, form: str) -> None:
        command = [f"{functions}::twice", "--import", *RANGE, "--judge", "ideal"]
        result = audit(*command, "--format", form)
        assert result.exit_code == 1 and result.stderr == ""
        assert "twice" in result.stdout and "iolation found" in result.stdout
        assert ("on 4 ordered pairs" in result.stdout) == (form != "github")

    def test_json(self, functions: str) -> None:
        result = audit(f"{functions}::twice", "--import", *RANGE, "--json")
        found = json.loads(result.stdout)
        assert found["verdict"] == "violation found" and found["epsilon"] == 1
        assert found["code"]["p_value"] <= 0.05 and found["runs"] <= found["asked"]
        assert found["events"][0]["left"] in (0, 1, 2)

    @pytest.mark.parametrize("suffix", ["png", "svg"])
    def test_a_picture(self, functions: str, tmp_path: Path, suffix: str) -> None:
        file = tmp_path / f"events.{suffix}"
        audit(f"{functions}::twice", "--import", *RANGE, "--plot", file)
        assert file.stat().st_size > 5_000

    def test_a_picture_of_nothing(self, functions: str, tmp_path: Path) -> None:
        file = tmp_path / "events.png"
        result = audit(
            f"{functions}::noise_of_its_own", "--import", *RANGE, "--samples", 2000, "--plot", file
        )
        assert result.exit_code == 0 and file.exists()

    def test_more_processes(self, functions: str) -> None:
        command = [f"{functions}::twice", "--import", *RANGE, "--bound", "--samples", "1e5"]
        here = audit(*command).stdout.splitlines()
        there = audit(*command, "--executor", "processes:2").stdout.splitlines()
        assert [line for line in here if "runs" not in line] == [
            line for line in there if "runs" not in line
        ]

    def test_noise_that_workers_would_share(self, functions: str) -> None:
        result = audit(
            f"{functions}::noise_of_its_own", "--import", *RANGE, "--samples", 2000,
            "--executor", "processes:2",
        )  # fmt: skip
        assert "All runs were made in one process" in result.stdout

    def test_pairs_of_a_file(self, functions: str, tmp_path: Path) -> None:
        file = tmp_path / "pairs.json"
        file.write_text('[[0, 1], {"name": "back", "left": 1, "right": 0}]')
        result = audit(f"{functions}::twice", "--import", "--pairs", file, "--epsilon", 1)
        assert result.exit_code == 1 and "on 2 ordered pairs" in result.stdout

    def test_one_sided(self) -> None:
        wrong = audit("location_monitor_wrong_safe", "--one-sided", "--samples", 1000)
        right = audit("threshold_decision", "--one-sided", "--samples", 1000, "--json")
        assert (wrong.exit_code, right.exit_code) == (1, 0)
        assert json.loads(right.stdout)["verdict"] == "no wrong answer found"

    def test_a_program(self, tmp_path: Path) -> None:
        program = tmp_path / "coin.py"
        program.write_text(
            textwrap.dedent("""
                import json, random, sys
                for line in sys.stdin:
                    request = json.loads(line)
                    rng = random.Random(request["seed"])
                    for _ in range(request["runs"]):
                        answer = rng.random() < 0.9
                        print(json.dumps(request["input"] if answer else 1 - request["input"]))
                    sys.stdout.flush()
            """)
        )
        pairs = tmp_path / "pairs.json"
        pairs.write_text("[[0, 1]]")
        command = f"'{sys.executable}' '{program}'"
        result = audit("--command", command, "--pairs", pairs, "--epsilon", 1, "--samples", 20_000)
        assert result.exit_code == 1 and "the output is 0" in result.stdout


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "want either TARGET or --command"),
            (["laplace", "--command", "x"], "want either TARGET or --command"),
            (["laplace", "--confidence", "1.5"], "confidence: got 1.5"),
            (["laplace", "--samples", "10"], "samples: got 10"),
            (["laplace", "--samples", "x"], "want a whole number"),
            (["laplace", "--set", "f=1"], "'f'"),
            (["laplace", "--epsilon", "nan"], "epsilon: got nan"),
            (["laplace", "--plot", "x.gif"], "what kind of picture"),
            (["laplace", "--executor", "moon"], "no such executor"),
            (["nothing_like_it"], "no file, module or mechanism of the gallery"),
            (["--command", "'", *RANGE], "No closing quotation"),
            (["--command", "/no/such/program", *RANGE], "cannot be started"),
            (["laplace", "--pairs", "nowhere.json"], "cannot be read"),
            (["laplace", "--one-sided"], "no ensure"),
            (["laplace", "--one-sided", "--epsilon", "1"], "--one-sided goes with"),
        ],
    )
    def test_one_clear_message(self, arguments: list[str], message: str) -> None:
        result = audit(*arguments)
        assert result.exit_code == 3 and message in result.stderr
        assert "Traceback" not in result.stderr and result.stdout == ""

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("raises", "ZeroDivisionError"),
            ("number", "is no function"),
            ("nothing", "has no 'nothing'"),
        ],
    )
    def test_of_functions(self, functions: str, name: str, message: str) -> None:
        result = audit(f"{functions}::{name}", "--import", *RANGE)
        assert result.exit_code == 3 and message in result.stderr

    def test_a_function_is_not_executed_unasked(self, functions: str) -> None:
        result = audit(f"{functions}::twice", *RANGE)
        assert result.exit_code == 3 and "--import" in result.stderr

    @pytest.mark.parametrize(
        ("text", "message"),
        [("{", "is no JSON"), ("[]", "want a JSON list"), ("[[1]]", "pair 1 is [1]")],
    )
    def test_pairs(self, functions: str, tmp_path: Path, text: str, message: str) -> None:
        file = tmp_path / "pairs.json"
        file.write_text(text)
        result = audit(f"{functions}::twice", "--import", "--pairs", file)
        assert result.exit_code == 3 and message in result.stderr


class TestInterrupted:
    @pytest.fixture(autouse=True)
    def ctrl_c_is_heard(self) -> Iterator[None]:
        """Whoever runs the tests in the background of a script has them ignore it."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    def test_the_evidence_so_far(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, blocks = Machine.run, []

        def interrupting(machine: Machine, size: int, noise: Any) -> Any:
            blocks.append(size)
            if sum(blocks) > 400_000:
                blocks.clear()
                signal.raise_signal(signal.SIGINT)
            return run(machine, size, noise)

        monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
        monkeypatch.setattr(Machine, "run", interrupting)
        result = audit("laplace", "--black-box", "--seed", 1, "--samples", "1e7")
        assert result.exit_code == 130
        assert "interrupted after" in result.stdout and "  event  " in result.stdout

    def test_in_a_process(self, functions: str) -> None:
        command = [
            sys.executable, "-m", "shiftproof", "audit", f"{functions}::slow", "--import", *RANGE,
            "--samples", "1e8", "--executor", "processes:1", "--json",
        ]  # fmt: skip
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=4)
        os.killpg(process.pid, signal.SIGINT)
        text, errors = process.communicate(timeout=30)
        assert process.returncode == 130 and "Traceback" not in errors
        assert json.loads(text)["interrupted"] is True


class TestClaims:
    """With a δ, and of ρ."""

    SAME = (
        "--import",
        "--relation",
        "number",
        "--seed",
        "1",
        "--judge",
        "ideal",
        "--samples",
        "1e5",
    )

    def test_a_delta(self, functions: str) -> None:
        told = audit(f"{functions}::twice", *self.SAME, "--epsilon", 1, "--delta", 0.01)
        assert told.exit_code == 1
        assert "  claim  ε = 1 at δ = 0.01, on 4 ordered pairs of inputs\n" in told.stdout
        assert "at δ = 0.01 with confidence 95 %, 1 allowed" in told.stdout
        assert "is seen at best from ε" in told.stdout and "nearly always" not in told.stdout
        kept = audit(f"{functions}::twice", *self.SAME, "--epsilon", 2, "--delta", 0.01)
        assert kept.exit_code == 0

    def test_rho(self, functions: str) -> None:
        told = audit(f"{functions}::twice", *self.SAME, "--rho", 0.3)
        assert told.exit_code == 1
        assert "  claim  ρ = 0.3, on 4 ordered pairs of inputs\n" in told.stdout
        assert "ρ ≥ 0." in told.stdout and "is seen at best from ρ" in told.stdout
        kept = json.loads(audit(f"{functions}::twice", *self.SAME, "--rho", 2, "--json").stdout)
        assert (kept["rho"], kept["epsilon"], kept["delta"]) == (2, None, 0)
        assert kept["verdict"] == "no violation found" and kept["lower_bound"] < 2

    @pytest.mark.parametrize("options", [("--epsilon", 1), ("--delta", 0.1)])
    def test_two_claims_are_refused(self, functions: str, options: tuple[Any, ...]) -> None:
        told = audit(f"{functions}::twice", *self.SAME, "--rho", 1, *options)
        assert told.exit_code == 3 and "rho: want it alone" in told.output

    @pytest.mark.parametrize("options", [("--rho", 1), ("--delta", 0.1)])
    def test_one_sided_claims_have_none(self, options: tuple[Any, ...]) -> None:
        told = audit("threshold_decision", "--one-sided", *options)
        assert told.exit_code != 0 and "--one-sided goes with" in told.output


def test_inputs_are_looked_for(tmp_path: Path) -> None:
    file, records = tmp_path / "box.py", tmp_path / "records.json"
    file.write_text(
        "def late(x, rng, size):\n    return x + rng.laplace(scale=2 - (x > 90), size=size) / 2\n"
        "def rows(data, rng):\n    return len(data) + (rng.laplace() if len(data) > 2 else 0.)\n"
    )
    records.write_text(
        '{"columns": {"age": {"from": 0, "to": 120}, "city": ["Kyiv", "Lviv"]}, "rows": [0, 4]}'
    )
    given = ["--import", "--epsilon", "1", "--seed", "1", "--samples", "4e4", "--judge", "ideal"]
    for target, *where in (
        ("late", "--relation", "number", "--between", "0", "100"),
        ("rows", "--records", str(records)),
    ):
        told = CliRunner().invoke(main, ["audit", f"{file}::{target}", *given, *where])
        assert told.exit_code == 1 and "violation found" in told.output, told.output


@pytest.mark.parametrize(
    ("options", "records", "said"),
    [
        (["--between", "0", "9"], None, "--between: want --relation beside it"),
        (["--between", "0", ".5", "--relation", "number"], None, "at least low + sensitivity"),
        (["--between", "0", "9", "--relation", "number"], '{"columns": {"a": [1]}}', "without"),
        ([], '{"rows": [0, 3]}', "want a JSON object such as"),
        ([], '{"columns": {"age": [1]}, "row": 3}', "'row' is none of"),
        ([], '{"columns": {"age": 3}}', "columns: got 3 for 'age'"),
        ([], '{"columns": {"age": [1]}, "rows": 3}', "rows: got 3"),
        (["--relation", "number"], '{"columns": {"age": [1]}}', "only one of them"),
    ],
)
def test_what_is_no_space(
    tmp_path: Path, options: list[str], records: str | None, said: str
) -> None:
    file = tmp_path / "box.py"
    file.write_text("def noisy(x, rng):\n    return x + rng.laplace()\n")
    if records is not None:
        (tmp_path / "records.json").write_text(records)
        options += ["--records", str(tmp_path / "records.json")]
    found = CliRunner().invoke(main, ["audit", f"{file}::noisy", "--import", *options])
    assert found.exit_code == 3 and said in " ".join(found.output.split())


def test_a_batch_is_named(tmp_path: Path) -> None:
    file = tmp_path / "box.py"
    file.write_text("def noisy(x, rng, n=20):\n    return x + rng.laplace(scale=2.0, size=n)\n")
    given = ["--import", "--relation", "number", "--samples", "1e4", "--seed", "1"]
    told = CliRunner().invoke(main, ["audit", f"{file}::noisy", *given, "--batch", "n"])
    assert "noisy makes many runs at a time: its parameter 'n' says how many." in told.output
    for wrong, said in (
        (["audit", f"{file}::noisy", *given, "--batch", "m"], "it takes no 'm' beside its input"),
        (["audit", "noisy_max", "--batch", "m"], "--batch: only a function that is run"),
    ):
        found = CliRunner().invoke(main, wrong)
        assert found.exit_code == 3 and said in found.output
