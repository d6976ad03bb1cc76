"""``docs/language.md``, "Where Python surprises": rows mean what they do in Python, or are refused.

What a row releases is asked of CPython, which runs it, and of the language, which reads it.
"""

from __future__ import annotations

import ast
import re

import pytest

from shiftproof import Unsupported
from shiftproof.dsl.language.runtime import Tape, drawing_from
from shiftproof.dsl.terms.values import as_python
from tests.dsl.making import Given, body, interpret, made
from tests.places import ROOT
from tests.programs.dsl.snippets_read import VALUES

PAGE = ROOT / "docs" / "language.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
#: A line of the table: a program, and what it releases or why it is refused.
ROW = re.compile(
    r"^\| `(?P<text>[^`]+)` \| (`(?P<released>[^`]+)`|refused: (?P<refused>[^|]+)) \|", re.M
)


def rows() -> list[tuple[str, str, str]]:
    """The table's programs, each with what it releases or why it is refused."""
    if not PAGE.exists():
        return []
    page = PAGE.read_text(encoding="utf-8")
    part = page.partition("## Where Python surprises\n")[2].partition("\n## ")[0]
    found = [
        (m["text"], m["released"] or "", (m["refused"] or "").strip()) for m in ROW.finditer(part)
    ]
    assert len(found) == part.count("\n| `")
    return found


def lines_of(text: str) -> str:
    """A program of the table over several lines: after a colon deeper, after ``⏎⏎`` less deep."""
    depth, lines = 0, []
    for k, line in enumerate(re.split(r"⏎", text)):
        if line.strip():
            lines.append("    " * depth + line.strip())
            depth += line.rstrip().endswith(":")
        else:
            depth -= 1
    return "\n".join(lines)


@pytest.mark.parametrize(("text", "released", "refused"), rows(), ids=[r[0] for r in rows()])
def test_a_row_is_true(text: str, released: str, refused: str) -> None:
    mechanism = made(body(lines_of(text)))
    if refused:
        with pytest.raises(Unsupported, match=re.escape(refused)):
            interpret(mechanism.program, Given(VALUES, ()))
        return
    wanted = ast.literal_eval(f"({released},)")
    with drawing_from(Tape([])):
        assert mechanism.run(dict(VALUES)) == wanted
    seen = interpret(mechanism.program, Given(VALUES, ()))
    assert seen.ended and not seen.failed
    assert tuple(map(as_python, seen.outputs)) == wanted


def test_the_table_is_long() -> None:
    assert len(rows()) >= 35
