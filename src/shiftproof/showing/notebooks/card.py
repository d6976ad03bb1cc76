"""What a notebook shows of an object, as data: a heading, facts, tables, lines of code.

The card says nothing of a format; each renderer is one function of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...checkers.walking.claims import assumptions, precondition_texts
from ...dsl.relations.program import Program
from ..explaining.claim import claim_section
from ..explaining.explanation import Display, Maths
from ..explaining.noises import notation_of

#: Whether an answer is good, bad, open, or neither.
Mood = Literal["good", "bad", "open", "plain"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something short about the object: a label, and a line or several, of code or of prose."""

    label: str
    lines: tuple[str, ...]
    code: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts below a heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines as they are; numbered from ``first`` if that is a number, folded under a title."""

    lines: tuple[str, ...]
    first: int | None = None
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One object.

    Attributes:
        title: what it is, mostly a mechanism's name.
        badge: the answer in a word or two; may be empty.
        mood: what the answer means for whoever asked.
        formulas: what is claimed, for LaTeX only; HTML says the same in the facts.
        lead: a sentence.
        facts: what is short.
        tables: what has columns.
        listings: what is shown as it is; not in LaTeX.
        note: a last sentence, set smaller.
    """

    title: str
    badge: str = ""
    mood: Mood = "plain"
    formulas: tuple[Maths, ...] = ()
    lead: str = ""
    facts: tuple[Fact, ...] = ()
    tables: tuple[Table, ...] = ()
    listings: tuple[Listing, ...] = ()
    note: str = ""


#: The labels of what is said in words; anything else is text of the program, or numbers.
_PROSE = {"given", "expected", "proof", "in", "tight", "note", "warning", "of", "one record"}


def fact(label: str, text: str) -> Fact:
    """A fact whose text may have several lines."""
    return Fact(label, tuple(text.split("\n")), label not in _PROSE)


# What a card says of a program's claim.


def claim_formulas(program: Program) -> tuple[Maths, ...]:
    """The claimed inequality."""
    section = claim_section(program, (), (), notation_of(program))
    return tuple(block.formula for block in section.blocks if isinstance(block, Display))


def terms(program: Program) -> tuple[Fact, ...]:
    """Under which inputs the claim is made, and what it takes on trust."""
    met = ", ".join(precondition_texts(program))
    given = fact("given", "\n".join(assumptions(program)))
    return (fact("if", met), given) if met else (given,)
