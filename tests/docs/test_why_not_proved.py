"""``docs/why_not_proved.md`` names every message of a failed proof, with an example of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import shiftproof.checkers.walking.runs
from shiftproof.checkers.walking.runs.state import Condition
from tests.docs.blocks import blocks_of
from tests.places import ROOT

PAGE = ROOT / "docs" / "why_not_proved.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def rows() -> list[tuple[str, str]]:
    table = text().partition("| the message says | look at |")[2].partition("\n\n")[0]
    return re.findall(r"^\| (.*) \| \[.*?\]\(#(.*?)\) \|$", table, re.MULTILINE)


def anchors() -> set[str]:
    titles = re.findall(r"^## (.*)$", text(), re.MULTILINE)
    return {re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_message_leads_to_a_section() -> None:
    assert len(rows()) > 15
    assert {anchor for _, anchor in rows()} <= anchors()


def test_every_section_is_led_to() -> None:
    assert anchors() == {anchor for _, anchor in rows()}


@pytest.mark.parametrize("condition", sorted({*get_args(Condition)} - {"loop invariant"}))
def test_every_condition_has_a_row(condition: str) -> None:
    assert any(f"'{condition}'" in message for message, _ in rows())


def details(folder: Path) -> Iterator[str]:
    """The details of what a walk owes: texts called ``detail``, or given to ``owe`` as such."""
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="detail")], value=ast.Constant(value=str(said)))
                    | ast.Call(
                        func=ast.Attribute(attr="owe"),
                        args=[_, _, _, ast.Constant(value=str(said)), _],
                    )
                ):
                    yield said


@pytest.mark.parametrize(
    "said",
    sorted(
        {*details(Path(next(iter(shiftproof.checkers.walking.runs.__path__))))}
        - {"no pair of runs takes this way"}
    ),
)
def test_every_detail_is_in_the_table(said: str) -> None:
    assert any(said in message for message, _ in rows())


def test_every_example_is_shown_before_and_after() -> None:
    blocks = list(blocks_of(PAGE))
    files = [b.file for b in blocks if b.language == "python"]
    shown = [b for b in blocks if b.language == "console"]
    assert [f"$ shiftproof verify {file}" for file in files] == [b.first for b in shown]
    for block in shown:
        verdicts = dict(re.findall(r"^(before|after) +(\w+)", block.text, re.MULTILINE))
        assert verdicts["after"] == "proved"
        assert verdicts["before"] != "proved" or "expected" in block.text.splitlines()[-1]
