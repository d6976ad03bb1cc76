"""Options that are given more than once."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from shiftproof.commands.cli import main


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["audit", "mangat", "--epsilon", "1", "--epsilon=2"], "--epsilon"),
        (["explain", "--format", "latex", "mangat", "--format", "markdown"], "--format"),
        (["experiment", "top-k", "--seed", "1", "--seed", "1"], "--seed"),
    ],
)
def test_none_is_taken_silently(arguments: list[str], option: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 3
    assert f"Error: {option} is given more than once" in result.stderr
    assert f"shiftproof {arguments[0]}" in result.stderr
    assert result.stdout == ""


def test_what_may_stand_several_times_may() -> None:
    several = ["bound", "nosuch", "--set", "p=1/4", "--set", "eps=1", "--json", "--json"]
    assert "no file, module or mechanism" in CliRunner().invoke(main, several).stderr


def test_a_wrong_option_is_told_by_its_command() -> None:
    wrong = ["explain", "mangat", "--fromat", "latex", "--fromat", "latex"]
    assert "No such option '--fromat'" in CliRunner().invoke(main, wrong).stderr
