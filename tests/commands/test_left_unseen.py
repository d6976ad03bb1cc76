"""What a gate must not pass over: files with other names for things, copies, tests of one name."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main

pytest_plugins = ["pytester"]

HEAD = "from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample\n"
RIGHT = """
@mechanism(DP("add-remove"))
def m(f: Count, eps: Epsilon):
    noise = sample(Laplace(1 / eps))
    yield f + noise
"""
WRONG = '\n@mechanism(DP("add-remove"))\ndef m(f: Count, eps: Epsilon):\n    yield f\n'


def status(*arguments: str | Path) -> int:
    return CliRunner().invoke(main, list(map(str, arguments))).exit_code


@pytest.fixture
def certified(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "a.py"
    source.write_text(HEAD + RIGHT)
    assert status("verify", source, "--certificates", tmp_path / "certs") == 0
    assert status("check", tmp_path / "certs") == 0
    return source, tmp_path / "certs"


def test_a_name_for_the_old_one(certified: tuple[Path, Path]) -> None:
    source, certificates = certified
    source.write_text(HEAD + RIGHT + "\nkeep = m\n" + WRONG)
    assert status("check", certificates) != 0


def test_an_old_copy_elsewhere(certified: tuple[Path, Path]) -> None:
    source, certificates = certified
    (source.parent / "old_copy.py").write_text(source.read_text())
    source.write_text(HEAD + RIGHT.replace("Laplace(1", "Laplace(1 / 2"))
    assert status("check", certificates, "--source", source.parent) != 0


@pytest.mark.parametrize("name", ["private", "dp"])
def test_a_decorator_of_another_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "conv.py").write_text(
        "from shiftproof import DP, mechanism\nfrom shiftproof import mechanism as dp\n"
        'private = mechanism(DP("add-remove"))\n'
    )
    used = name if name == "private" else 'dp(DP("add-remove"))'
    leaks = tmp_path / "m.py"
    leaks.write_text(
        f"from shiftproof import DP, Count, Epsilon\nfrom conv import {name}\n\n"
        f"@{used}\ndef leak(f: Count, eps: Epsilon) -> int:\n    return f\n"
    )
    right = tmp_path / "ok.py"
    right.write_text(HEAD + RIGHT)
    assert status("verify", "--allow-empty", leaks, right) != 0


def test_a_test_of_the_same_name(pytester: pytest.Pytester) -> None:
    text = HEAD + WRONG.replace("def m(", "def test_a(") + "wrong = [test_a]\ndef test_a(): pass\n"
    pytester.makepyfile(test_x=text)
    found = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--shiftproof", "test_x.py")
    assert found.ret != 0
