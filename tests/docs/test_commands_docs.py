"""``docs/commands.md``: every command is on it, and what it shows is what is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main
from tests.places import ROOT

PAGE = ROOT / "docs" / "commands.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def test_every_command_is_on_it() -> None:
    table = re.findall(r"^\| `(\w+)` \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(table) == sorted(main.commands)


def test_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"```console\n\$ shiftproof ([^\n]*)\n(.*?)```", text, re.DOTALL)
    assert len(shown) == 6
    for call, output in shown:
        result = CliRunner(env={"COLUMNS": "100"}).invoke(main, shlex.split(call))
        alike = labels if call == "doctor" else without_times
        assert alike(result.output) == alike(output), call


def without_times(text: str) -> str:
    return re.sub(r" +[0-9.]+ s$", "", text, flags=re.MULTILINE)


def labels(text: str) -> list[str]:
    """The parts that ``doctor`` looks at, and the names in them, without versions."""
    return [line[11:].split()[0] if line[:2] == "  " else line for line in text.splitlines()]
