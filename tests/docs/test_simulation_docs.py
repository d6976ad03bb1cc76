"""``docs/simulation.md``: its commands print what they show."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main
from tests.docs.pages import commands_of, documented_keys, keys
from tests.places import ROOT

PAGE = ROOT / "docs" / "simulation.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def timeless(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("  time ")]


def test_commands() -> None:
    found = commands_of(PAGE, "simulate")
    assert found
    for command, shown in found:
        printed = CliRunner().invoke(main, shlex.split(command)).stdout
        assert timeless(printed) == timeless(shown)


def test_keys() -> None:
    settings = ["--set", "f=1,5,2", "--set", "T=3", "--set", "c=2", "--set", "eps=1", "--json"]
    command = ["simulate", "asymmetric_sparse_vector", "--samples", "1000", *settings]
    printed = json.loads(CliRunner().invoke(main, command).stdout)
    found = set(keys(printed, {"inputs", "quantiles"}))
    assert documented_keys(PAGE) - {"ensure"} == found - {"any"}
