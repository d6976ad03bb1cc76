"""``docs/simulation.md`` and the README: their commands print what they show."""

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
PAGE = ROOT / "docs" / "simulation.md"
PAGES = [PAGE, ROOT / "README.md"]

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def timeless(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("  time ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands(page: Path) -> None:
    found = re.findall(
        r"```console\n\$ shiftproof (simulate .*)\n([^`]*)```", page.read_text(encoding="utf-8")
    )
    assert found
    for command, shown in found:
        printed = CliRunner().invoke(main, shlex.split(command)).stdout
        assert timeless(printed) == timeless(shown)


def keys(value: Any) -> Iterator[str]:
    """The keys of objects, inside of them too; not those of inputs and quantiles."""
    if isinstance(value, list):
        for inner in value:
            yield from keys(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in ("inputs", "quantiles"):
                yield from keys(inner)


def test_keys() -> None:
    settings = ["--set", "f=1,5,2", "--set", "T=3", "--set", "c=2", "--set", "eps=1", "--json"]
    command = ["simulate", "asymmetric_sparse_vector", "--samples", "1000", *settings]
    found = set(keys(json.loads(CliRunner().invoke(main, command).stdout)))
    table = PAGE.read_text(encoding="utf-8").partition("## JSON")[2]
    documented = set(re.findall(r"`([a-z_]+)`", table)) - {"null", "ensure"}
    assert documented == found - {"any"}
