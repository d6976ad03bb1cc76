"""``verify --watch``: a folder that changes, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof import Report, verify
from shiftproof.commands.cli import main
from shiftproof.workspace import watching
from shiftproof.workspace.targets import resolved
from shiftproof.workspace.watching import by_key, different
from tests.commands.test_cli_process import SCRIPT

COUNT = """
@mechanism(DP())
def {name}(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace({scale}))
    return f + noise
"""


def written(file: Path, **scales: str) -> None:
    text = "from shiftproof import *\n"
    file.write_text(text + "".join(COUNT.format(name=n, scale=s) for n, s in scales.items()))


def known(file: Path) -> dict[tuple[str, str], Report]:
    return by_key(verify(mechanism) for mechanism in resolved((str(file),), False))


def test_what_is_different(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    written(file, same="1 / eps", worse="1 / eps", gone="1 / eps")
    before = known(file)
    written(file, new="1 / eps", same="1 / eps", worse="1 / (2 * eps)")
    changed, lines = different(before, known(file))
    assert [report.mechanism for report in changed] == ["new", "worse"]
    assert lines == ["new: proved, new", "worse: proved → refuted", "gone: gone"]


def test_what_moves_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    written(file, one="1 / eps")
    before = known(file)
    file.write_text(f"# a comment\n{file.read_text()}")
    assert different(before, known(file)) == ([], [])


def test_what_it_is_not_for() -> None:
    result = CliRunner().invoke(main, ["verify", "--gallery", "--watch"])
    assert result.exit_code == 3
    assert "leave out --import and --gallery" in result.output


def until(output: Path, text: str) -> None:
    for _ in range(300):
        if text in output.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    raise AssertionError(f"{text!r} is not in\n{output.read_text(encoding='utf-8')}")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_folder_that_changes(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    folder, output = tmp_path / "own", tmp_path / "output.txt"
    folder.mkdir()
    written(folder / "a.py", count="1 / eps")
    written(folder / "b.py", other="1 / eps")
    with output.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, "verify", str(folder), "--watch"],
            stdout=stream, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        until(output, "watching")
        time.sleep(0.5)  # the folder is looked at from now on
        written(folder / "a.py", count="1 / (2 * eps)")
        until(output, "count: proved → refuted\n1 as before")
        (folder / "a.py").write_text("def broken(:\n")
        until(output, "SP-DECLARED")
        written(folder / "a.py", count="1 / eps")
        until(output, "count: proved, new")
    finally:
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=30)
    assert status == 0
    assert "Traceback" not in output.read_text(encoding="utf-8")


def test_what_is_refuted_again_is_the_same_wherever_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    written(file, one="1 / (2 * eps)")
    before = known(file)
    file.write_text(f"# a comment\n\n{file.read_text()}")
    assert different(before, known(file)) == ([], [])


def test_the_package_that_watches_is_looked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["verify", "laplace", "--watch"])
    assert result.exit_code == 3
    assert result.output == "Error: --watch needs watchfiles: pip install 'shiftproof[watch]'\n"
