"""Programs as mechanisms: what they answer, what they do wrong, and that none of them stays."""

from __future__ import annotations

import gc
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from shiftproof.checkers.auditing.boxes.boxes import Key, checked
from shiftproof.checkers.auditing.boxes.commands import CommandBox
from shiftproof.checkers.auditing.samples import Sample
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.simulation.outcomes import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is refused there")

KEY: Key = (1, 2, 3)

#: A program that is right; what it does for each run stands in an expression.
RIGHT = """
import json, math, os, random, sys
for line in sys.stdin:
    request = json.loads(line)
    data, seed = request["input"], request["seed"]
    rng = random.Random(seed)
    for run in range(request["runs"]):
        print(json.dumps({}))
    sys.stdout.flush()
"""

Make = Callable[..., CommandBox]


@pytest.fixture
def program(tmp_path: Path) -> Make:
    """Makes a box of a Python program."""

    def make(text: str, **settings: Any) -> CommandBox:
        file = tmp_path / "program.py"
        file.write_text(textwrap.dedent(text))
        return CommandBox((sys.executable, "-S", str(file)), **settings)

    return make


@pytest.fixture
def right(program: Make) -> Make:
    """Makes a box of a program that is right, by what it puts out."""
    return lambda expression, **settings: program(RIGHT.format(expression), **settings)


def shown(box: CommandBox, data: Any, size: int = 2) -> list[str]:
    sample = box.on(data)(size, KEY)
    assert len(sample) == size
    return [sample.shown(k) for k in range(size)]


def number(sample: Sample) -> int:
    return int(sample.bits[0, 0])


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for(condition: Callable[[], bool]) -> None:
    """Far longer than it takes, on any machine."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# What is asked and answered.


def test_the_protocol_as_it_is_documented(program: Make) -> None:
    lines = (CommandBox.__doc__ or "").partition("In Python::\n")[2].partition("    It is")[0]
    box = program(
        "import json, random, sys\ndef mechanism(data, rng):\n    return data + rng.random()\n"
        + textwrap.dedent(lines)
    )
    first = box.on(3)(100, KEY)
    assert 3 <= first.bits.view(np.float64).min() <= first.bits.view(np.float64).max() <= 4
    assert first.bits.tolist() == box.on(3)(100, KEY).bits.tolist()
    assert first.bits.tolist() != box.on(3)(100, (1, 2, 4)).bits.tolist()
    assert checked(box, [3, 4], 5) == []


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("1", "1"),
        ("2.5", "2.5"),
        ("10 ** 25", repr(str(10**25))),
        ("math.nan", "nan"),
        ("-math.inf", "-inf"),
        ("'é'", "'é'"),
        ("True", "True"),
        ("None", "None"),
        ("[]", "()"),
        ("[1, [2.5, None]]", "(1, [2.5, None])"),
        ("{'a': 1}", "{'a': 1}"),
        ("{'error': 1}", "{'error': 1}"),
        ("{'error': 'x', 'a': 1}", "{'a': 1, 'error': 'x'}"),
        ("{'error': 'Overflow: 3 is too much'}", "'Overflow', then it raises"),
        ("{'error': ''}", "'', then it raises"),
    ],
)
def test_outputs(right: Make, output: str, expected: str) -> None:
    assert shown(right(output), 0) == [expected] * 2


def test_a_run_that_raises_is_an_output(right: Make) -> None:
    box = right("{'error': 'Odd: ' + str(seed)} if run % 2 else 1.5")
    sample = box.on(0)(4, KEY)
    assert sample.endings.tolist() == [Ending.END, Ending.RAISED] * 2
    assert {*sample.texts.values()} == {"Odd"}


@pytest.mark.parametrize(
    ("data", "received"),
    [
        ({"x": 3, "eps": 0.5}, {"x": 3, "eps": 0.5}),
        (MappingProxyType({"x": (1, 2)}), {"x": [1, 2]}),
        ([np.float32(0.5), np.int64(3), np.bool_(True)], [0.5, 3, True]),
        (np.array([[1, 2]]), [[1, 2]]),
        ("a\nb", "a\nb"),
        (None, None),
        (math.inf, math.inf),
    ],
)
def test_inputs(right: Make, data: Any, received: Any) -> None:
    assert shown(right("json.dumps(data)"), data, 1) == [repr(json.dumps(received))]


@pytest.mark.parametrize("data", [{1, 2}, {"x": Fraction(1, 3)}, object(), {(1, 2): 3}])
def test_inputs_that_are_not_for_json(right: Make, data: Any) -> None:
    with pytest.raises(BadInput, match="cannot be JSON"):
        right("0").on(data)


def test_one_process_answers_many_requests(right: Make) -> None:
    draw = right("os.getpid()").on(0)
    assert len({number(draw(3, (1, k))) for k in range(5)}) == 1
    assert len(draw(0, KEY)) == 0


def test_a_box_is_pickled(right: Make) -> None:
    box = right("seed", timeout=50.0)
    again = pickle.loads(pickle.dumps(box))
    assert again == box
    assert shown(again, 0) == shown(box, 0)


def test_the_last_line_needs_no_end(program: Make) -> None:
    box = program("input(); print(1); print(2, end='')")
    assert shown(box, 0) == ["1", "2"]


def test_a_program_in_python_finds_its_neighbours(
    right: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our workers run with a safe path; the box is made before they start."""
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    box = right("sys.flags.safe_path")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    assert shown(box, 0) == ["False"] * 2
    assert shown(right("sys.flags.safe_path"), 0) == ["True"] * 2


# Large amounts.


def test_large_requests_and_answers(right: Make) -> None:
    data = [0.5] * 200_000
    assert shown(right("len(data)"), data, 1) == ["200000"]
    assert right("data").on(data)(3, KEY).lengths.tolist() == [200_000] * 3


def test_it_writes_much_before_it_reads(program: Make) -> None:
    box = program(
        """
        import json
        for _ in range(1000):
            print(json.dumps("x" * 1000))
        input()
        """
    )
    assert len(box.on([0.5] * 200_000)(1000, KEY)) == 1000


def test_it_floods_its_stderr(program: Make) -> None:
    box = program(
        """
        import sys
        for line in sys.stdin:
            for k in range(3):
                sys.stderr.write("x" * 1_000_000)
                print(k, flush=True)
        """
    )
    draw = box.on(0)
    for key in ((1, 1), (1, 2)):
        assert draw(3, key).bits[:, 0].tolist() == [0, 1, 2]


# What goes wrong.


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"ended by itself, with exit status 0, after 0 of 3 lines$"),
        ("input(); print(1)", r"exit status 0, after 1 of 3 lines"),
        (
            "input(); print(1); raise SystemExit('too bad')",
            r"status 1, after 1 of 3 lines; .*:\n    too bad$",
        ),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", r"was killed by signal 15 \("),
        ("input(); print(); print('what?')", r"wrote the line ''; want one JSON value a line"),
        ("input(); print('what?')", r"wrote the line 'what\?'; want"),
        ("input(); print('[' * 100_000)", r"wrote the line '\[{80}…'; want"),
        ("import os; input(); os.write(1, b'\\xff\\n')", "wrote the line '\ufffd'; want"),
        ("input(); print('1\\n2\\n3\\n4', flush=True); input()", "more lines than the 3 it was"),
        ("input(); print('1\\n2\\n3\\n4')", "more lines than the 3 it was"),
        ("input(); print('1\\n2\\n3\\n4', end='')", "more lines than the 3 it was"),
        ("print('[' * 2 ** 25)", r"wrote a line of more than 16,777,216 bytes"),
    ],
)
def test_wrong_answers(program: Make, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        program(text).on(0)(3, KEY)


def test_too_many_lines_before_the_next_request(program: Make, tmp_path: Path) -> None:
    box = program(
        f"""
        import pathlib
        input()
        print(1, flush=True)
        while not pathlib.Path({str(tmp_path)!r}, "go").exists():
            pass
        print(2, flush=True)
        pathlib.Path({str(tmp_path)!r}, "gone").touch()
        input()
        """
    )
    draw = box.on(0)
    draw(1, KEY)
    (tmp_path / "go").touch()
    wait_for((tmp_path / "gone").exists)
    with pytest.raises(BadInput, match="wrote more lines than it was asked for"):
        draw(1, KEY)


def test_it_ends_after_the_first_request(program: Make) -> None:
    draw = program("input(); print(1)").on(0)
    draw(1, KEY)
    with pytest.raises(BadInput, match="exit status 0, after 0 of 1 lines"):
        draw(1, KEY)
    with pytest.raises(BadInput, match="has been ended after an error"):
        draw(1, KEY)


def test_its_last_words_are_short(program: Make) -> None:
    with pytest.raises(BadInput) as caught:
        program("import sys; sys.stderr.write('x' * 100_000 + 'end'); sys.exit(3)").on(0)(1, KEY)
    assert "exit status 3, after 0 of 1 lines; its last words:\n    xxx" in str(caught.value)
    assert str(caught.value).endswith("x" * 497 + "end")


@pytest.mark.parametrize("then", ["os.close(2)\nwhile True: pass", "while True: os.write(2, b'x')"])
def test_it_closes_its_output_and_goes_on(
    program: Make, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    monkeypatch.setattr("shiftproof.checkers.auditing.boxes.commands._GRACE", 0.1)
    text = f"import os\nos.close(1)\n{then}"
    with pytest.raises(BadInput, match="closed its output after 0 of 1 lines"):
        program(text).on(0)(1, KEY)


@pytest.mark.parametrize(
    "text",
    [
        "input(); print(1, flush=True)\nwhile True: time.sleep(0.1)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
        "while True: sys.stderr.write('x' * 1000)",
    ],
)
def test_it_hangs(program: Make, text: str) -> None:
    draw: Any = program(f"import signal, sys, time\n{text}", timeout=0.3).on([0.5] * 100_000)
    message = r"no answer within 0.3 s on the input \[0.5, .*, after [01] of 2 lines; does it hang"
    with pytest.raises(BadInput, match=message):
        draw(2, KEY)
    assert draw._process.returncode == -signal.SIGKILL


def test_a_stopped_program_that_goes_on_does_not_hang(program: Make) -> None:
    text = "import time\ninput(); time.sleep(0.2); print(1, flush=True); time.sleep(9)"
    draw: Any = program(text, timeout=2.5).on(0)
    for seconds, number in ((0.1, signal.SIGSTOP), (4.5, signal.SIGCONT)):
        threading.Timer(seconds, os.kill, (draw._process.pid, number)).start()
    begun = time.monotonic()
    assert len(draw(1, KEY)) == 1 and time.monotonic() - begun > 4


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("no-such-program-anywhere", "x y"), "no-such-program-anywhere 'x y': .*it is not there"),
        (("{folder}",), "cannot be started: Permission denied"),
        (("{folder}/not-executable",), "cannot be started: Permission denied"),
        (("{folder}/no-format",), "cannot be started: Exec format error"),
        (("{folder}/no-interpreter",), "what its first line names is not there"),
        (("a\0b",), "cannot be started: embedded null byte"),
    ],
)
def test_what_cannot_be_started(tmp_path: Path, command: tuple[str, ...], message: str) -> None:
    (tmp_path / "not-executable").write_text("#!/bin/sh\n")
    for name, text in (("no-format", "what?"), ("no-interpreter", "#!/no/such/thing\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o700)
    box = CommandBox(tuple(word.replace("{folder}", str(tmp_path)) for word in command))
    with pytest.raises(BadInput, match=message):
        box.on(0)


@pytest.mark.parametrize("arguments", [((),), ((1,),), (("x",), 0.0), (("x",), math.nan)])
def test_what_no_box_can_be(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(BadInput, match="want"):
        CommandBox(*arguments)


# No process stays.


def test_nobody_wants_it_any_more(right: Make) -> None:
    draw = right("os.getpid()").on(0)
    process = number(draw(1, KEY))
    assert not is_gone(process)
    del draw
    gc.collect()
    assert is_gone(process)


def test_what_it_has_started_goes_as_well(program: Make, tmp_path: Path) -> None:
    import fcntl

    child = (
        f"import fcntl; file = open({str(tmp_path / 'lock')!r}, 'w'); "
        "fcntl.flock(file, fcntl.LOCK_EX); print(1, flush=True)\nwhile True: pass"
    )
    box = program(
        f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {child!r}])"
    )
    draw = box.on(0)
    assert number(draw(1, KEY)) == 1
    with open(tmp_path / "lock") as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        del draw
        gc.collect()
        fcntl.flock(lock, fcntl.LOCK_EX)


def test_an_exception_ends_it(right: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    draw: Any = right("0").on(0)
    monkeypatch.setattr(draw, "_read", lambda size: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        draw(1, KEY)
    assert draw._process.returncode == -signal.SIGKILL


PARENT = """
import os, signal, sys
from shiftproof.checkers.auditing.boxes.commands import CommandBox
draw = CommandBox((sys.executable, "-S", sys.argv[1], sys.argv[2])).on(0)
print(int(draw(1, (1, 2)).bits[0, 0]), flush=True)
{}
"""
#: Tells its number, goes on when its input is closed, and leaves a file then.
CHILD = """
import os, pathlib, sys, time
sys.stdin.readline()
print(os.getpid(), flush=True)
sys.stdin.read()
pathlib.Path(sys.argv[1]).touch()
{}
"""


def run_parent(tmp_path: Path, parent: str, child: str) -> tuple[int, int]:
    """The number of a program that a process has started, and how that process ended."""
    (tmp_path / "child.py").write_text(CHILD.format(child))
    words = [sys.executable, "-c", PARENT.format(parent), str(tmp_path / "child.py")]
    found = subprocess.run([*words, str(tmp_path / "end")], stdout=subprocess.PIPE, check=False)
    return int(found.stdout), found.returncode


def test_the_interpreter_ends(tmp_path: Path) -> None:
    process, status = run_parent(tmp_path, "", "while True: time.sleep(0.1)")
    assert status == 0
    assert is_gone(process)


def test_we_are_killed(tmp_path: Path) -> None:
    _, status = run_parent(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)", "")
    assert status == -signal.SIGKILL
    wait_for((tmp_path / "end").exists)


def test_a_fork_does_not_end_it(right: Make) -> None:
    draw = right("os.getpid()").on(0)
    process = number(draw(1, KEY))
    child = os.fork()
    if child == 0:
        draw._end()  # type: ignore[attr-defined]
        os._exit(0)
    os.waitpid(child, 0)
    assert number(draw(1, KEY)) == process


def test_ctrl_c_is_not_for_it(right: Make) -> None:
    process = number((draw := right("os.getpid()").on(0))(1, KEY))
    assert os.getpgid(process) == process != os.getpgid(0)
    assert number(draw(1, KEY)) == process


# Checks before an audit.


def test_it_ignores_its_seed(program: Make) -> None:
    box = program(RIGHT.format("rng.random()").replace("Random(seed)", "SystemRandom()"))
    (note,) = checked(box, [0], 5)
    assert note.endswith("nothing that is said of them holds.")


def test_it_has_a_seed_of_its_own(program: Make) -> None:
    box = program(
        """
        import json, random, sys
        rng = random.Random(7)
        for line in sys.stdin:
            for _ in range(json.loads(line)["runs"]):
                print(rng.random())
            sys.stdout.flush()
        """
    )
    with pytest.raises(BadInput, match="draws the same noise in every batch"):
        checked(box, [0], 5)


def test_every_run_raises(right: Make) -> None:
    box = right("{'error': 'Overflow: ' + str(data) + ' is too much'}")
    with pytest.raises(BadInput, match="raises Overflow: 3 is too much; so does every run"):
        checked(box, [3, 4], 5)
