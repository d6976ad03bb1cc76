"""``docs/auditing.md`` and the README: their audits print what they show."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shiftproof.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "auditing.md"
PAGES = [PAGE, ROOT / "README.md"]

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def without_numbers(text: str) -> str:
    """How a processor computes logarithms decides on the last bits of thresholds."""
    return re.sub(r"[0-9][0-9.,e-]*", "#", text).rstrip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "pairs.json").write_text("[[0, 1], [1, 0]]", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"```console\n\$ shiftproof (audit [^\n]*)\n(.*?)```", text, re.DOTALL)
    assert found
    for command, shown in found:
        printed = CliRunner().invoke(main, shlex.split(command)).stdout
        assert without_numbers(printed) == without_numbers(shown)


def keys(value: Any) -> Iterator[str]:
    """The keys of objects, inside of them too; not those of inputs."""
    if isinstance(value, list):
        for inner in value:
            yield from keys(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in ("public", "left", "right"):
                yield from keys(inner)


def test_keys() -> None:
    command = ["audit", "noisy_argmax", "--samples", "20000", "--judge", "code", "--json"]
    found = set(keys(json.loads(CliRunner().invoke(main, command).stdout)))
    table = PAGE.read_text(encoding="utf-8").partition("## JSON")[2]
    documented = set(re.findall(r"`([a-z_]+)`", table)) - {"null"}
    assert documented == found
