"""``docs/auditing.md``: its audits print what they show."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main
from tests.docs.pages import commands_of, documented_keys, keys
from tests.places import ROOT

PAGE = ROOT / "docs" / "auditing.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def without_numbers(text: str) -> str:
    """How a processor computes logarithms decides on the last bits of thresholds."""
    return re.sub(r"[0-9][0-9.,e-]*", "#", text).rstrip()


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "pairs.json").write_text("[[0, 1], [1, 0]]", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = commands_of(PAGE, "audit")
    assert found
    for command, shown in found:
        printed = CliRunner().invoke(main, shlex.split(command)).stdout
        assert without_numbers(printed) == without_numbers(shown)


def test_keys() -> None:
    options = ["--samples", "20000", "--judge", "code", "--black-box", "--json"]
    command = ["audit", "noisy_argmax", *options]
    printed = json.loads(CliRunner().invoke(main, command).stdout)
    assert documented_keys(PAGE) == set(keys(printed, {"public", "left", "right"}))
