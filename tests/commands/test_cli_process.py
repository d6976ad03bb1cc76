"""The command line in a process of its own: what pipes, terminals and Ctrl-C see."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import shiftproof
from shiftproof.__main__ import start

FINE = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def fine(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
#: A command in the background would ignore Ctrl-C, and so would what it starts.
SCRIPT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from shiftproof.commands.cli import main
main()
"""


def command(
    *arguments: str, stderr: int = subprocess.PIPE, encoding: str = "utf-8"
) -> subprocess.Popen[str]:
    """The command line in a process of its own."""
    folder = str(Path(shiftproof.__file__).parents[1])
    environment = {"PYTHONPATH": folder, "PYTHONIOENCODING": encoding, "TERM": "xterm"}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        stdout=subprocess.PIPE, stderr=stderr, encoding="utf-8", env=os.environ | environment,
    )  # fmt: skip


def test_a_pipe_gets_plain_text() -> None:
    text, errors = command("verify", "laplace").communicate()
    assert "laplace" in text
    assert "\x1b" not in text
    assert errors == ""


def test_a_reader_that_stops_early_is_no_error() -> None:
    process = command("verify", "laplace", "sparse_vector")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("seconds", [0, 0.3, 0.6])
def test_an_interrupt_ends_it(tmp_path: Path, seconds: float) -> None:
    file = tmp_path / "own.py"
    file.write_text(FINE + "print('ready')")
    process = command("verify", "--import", str(file), *["shiftproof.mechanisms"] * 10)
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "staircase" not in text  # what was decided before is kept, and that is not all
    assert "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_keeps_what_is_decided(tmp_path: Path) -> None:
    process = command("verify", "--gallery", "-j", "2", "--certificates", str(tmp_path / "kept"))
    for _ in range(600):
        if list(tmp_path.glob("kept/*.json")):
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted: no verdict of " in errors and "Traceback" not in errors
    kept = {file.stem.partition(".")[2] for file in tmp_path.glob("kept/*.json")}
    assert kept and all(name in text for name in kept)
    missing = errors.partition("interrupted: no verdict of ")[2].strip().split(", ")
    assert missing and not kept & set(missing)


def test_an_interrupt_while_it_loads_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loading(ModuleType):
        def __getattr__(self, name: str) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "shiftproof.commands.cli", Loading("shiftproof.commands.cli"))
    with pytest.raises(SystemExit) as ended:
        start()
    assert ended.value.code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
def test_progress_on_a_terminal() -> None:
    import pty

    leader, follower = pty.openpty()
    process = command("verify", "--json", "laplace", stderr=follower)
    text, _ = process.communicate()
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert len(json.loads(text)) == 1
    assert "laplace" in shown
    assert "0/1" in shown


def test_ascii_where_the_pipe_is_ascii() -> None:
    process = command("verify", "laplace", "--json", encoding="ascii")
    text, errors = process.communicate()
    assert process.returncode == 0, errors
    assert text.isascii()
    assert "ε" in json.loads(text)[0]["claim"]
