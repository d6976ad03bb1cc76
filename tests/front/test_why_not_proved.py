"""``docs/why_not_proved.md`` names every message of a failed proof, with an example of each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import shiftproof.alignments
from shiftproof.alignments.alignment import Condition
from tests.front.blocks import blocks_of

PAGE = Path(__file__).parents[2] / "docs" / "why_not_proved.md"

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


@pytest.mark.parametrize("condition", Condition, ids=str)
def test_every_condition_has_a_row(condition: Condition) -> None:
    assert any(f"'{condition}'" in message for message, _ in rows())


def details(folder: Path) -> Iterator[str]:
    """The details of what the prover owes: texts in ``Reason(condition, text, place)``."""
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="Reason"), args=[_, ast.Constant(value=str(said)), _]
                ):
                    yield said


@pytest.mark.parametrize(
    "said", sorted(set(details(Path(next(iter(shiftproof.alignments.__path__))))))
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
