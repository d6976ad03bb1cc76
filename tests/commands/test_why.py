"""``shiftproof why``, and the codes that reasons end with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

import shiftproof
from shiftproof import BadInput, verify
from shiftproof.checkers.walking.runs.state import Condition
from shiftproof.commands.cli import main
from shiftproof.showing.codes import DECLARED, code_of, coded, sections
from shiftproof.showing.pages import PAGES, page, section_of
from shiftproof.workspace.targets import resolved
from tests.places import PROGRAMS


def shown(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["why", *arguments])
    return result.exit_code, result.output


@pytest.mark.parametrize("code", sorted(sections()))
def test_each_code_has_its_section(code: str) -> None:
    title, text = sections()[code]
    assert shown(code) == (0, f"{title}\n{'=' * len(title)}\n\n{text}\n")
    assert shown(code.removeprefix("SP-").lower()) == shown(code)


def test_all_are_listed() -> None:
    status, text = shown()
    assert status == 0
    assert [line.split()[0] for line in text.splitlines()] == list(sections())


def test_a_wrong_code_gets_the_nearest_one() -> None:
    status, text = shown("SP-SUPORT")
    assert status == 3
    assert "did you mean 'SP-SUPPORT'?" in text


def test_a_part_of_a_code_gets_all_that_have_it() -> None:
    _, text = shown("same")
    assert "did you mean 'SP-SAME-SAMPLES' or 'SP-SAME-OUTPUT'?" in text


@pytest.mark.parametrize("condition", get_args(Condition))
def test_every_condition_has_a_code(condition: str) -> None:
    code = code_of(f"a.py:1:1: the best alignment found fails on '{condition}': it does")
    assert code in sections() and code != DECLARED


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("a.py:3:5: unsupported (not yet): a dict\n    x = {}\n        ^", "SP-LANGUAGE"),
        ("a.py:3:5: Laplase is not defined", "SP-DECLARED"),
        ("a.py:2:1: m: 'eps' is no plain parameter; leave out '*' and '/'", "SP-DECLARED"),
        ("no counterexample found: the largest log ratio was 1 times the claimed ε", "SP-SEARCH"),
        ("paths: more than 4000 paths between two loop heads", "SP-LIMIT"),
        ("WORK: the search for a proof takes more than 16,000,000 units of work", "SP-LIMIT"),
        ("no loop invariant was found within the solver's resources", "SP-INVARIANT"),
        ("proved with this line at the beginning: assert k >= 1", ""),
        ("a fault of shiftproof itself: KeyError: 'f'; please report it", "SP-FAULT"),
        (
            "the outcome 1 has the probability p on D, which is not proved to be at most q",
            "SP-SUMS",
        ),
    ],
)
def test_reasons_of_other_kinds(reason: str, code: str) -> None:
    assert code_of(reason) == code


def test_the_code_ends_the_first_line() -> None:
    assert coded("a.py:3:5: unsupported (never): print\n    print(x)") == (
        "a.py:3:5: unsupported (never): print [SP-LANGUAGE]\n    print(x)"
    )


def test_what_is_not_proved_has_codes_that_are_explained() -> None:
    """Of many mechanisms that are wrong in many ways, and none of the codes is a last resort."""
    files = [str(PROGRAMS / "checkers" / f"{name}.py") for name in ("overlooked_mechanisms",)]
    for mechanism in resolved(files, False):
        report = verify(mechanism, effort=0)
        codes = set(map(code_of, report.reasons))
        assert codes <= {*sections(), ""} - {DECLARED}, report


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_in_the_package(name: str) -> None:
    assert page(name).startswith("# ")


def test_a_section_of_a_page() -> None:
    assert section_of("language", "noise").startswith("## Noise\n")
    assert "\n## " not in section_of("language", "noise")
    with pytest.raises(BadInput, match="did you mean 'Statements'"):
        section_of("language", "Statemants")


def test_limits_are_those_that_there_are() -> None:
    """Every limit that an error names is known by its name."""
    texts = (
        path.read_text(encoding="utf-8") for path in Path(shiftproof.__file__).parent.rglob("*.py")
    )
    names = {name for text in texts for name in re.findall(r'LimitReached\(\s*"(\w+)"', text)}
    assert len(names) > 20
    assert all(code_of(f"{name}: too much of it") == "SP-LIMIT" for name in names)
