"""A mechanism: what it claims, under which preconditions, and its code.  Nothing is proved."""

from __future__ import annotations

import textwrap
from typing import Any

from ...checkers.walking.claims import claim_text
from ...dsl.errors import ShiftproofError, cell_of
from ...dsl.language.declaration import source_of
from ...dsl.mechanism import Mechanism
from ..formats.record import relative
from .card import Card, Fact, Listing, claim_formulas, fact, terms


def of_mechanism(mechanism: Mechanism[..., Any]) -> Card:
    """The card of a mechanism; of one that cannot be read, with the reason."""
    name = mechanism.function.__name__
    stands = where(mechanism.location.file, mechanism.location.line)
    try:
        program = mechanism.program
        claim, formulas = claim_text(program), claim_formulas(program)
        facts = (*terms(program), *_expected(mechanism), stands)
    except ShiftproofError as error:
        reason = Listing(tuple(str(error).split("\n")))
        claimed = fact("claim", str(mechanism.privacy))
        return Card(name, "cannot be read", "open", facts=(claimed, stands), listings=(reason,))
    return Card(
        name,
        "mechanism",
        formulas=formulas,
        facts=(fact("claim", claim), *facts),
        listings=(_code(mechanism),),
    )


def where(file: str, line: int) -> Fact:
    """In which cell of a notebook, or in which file, a mechanism stands."""
    return fact("in", f"{cell_of(file) or relative(file)}, line {line}")


def _expected(mechanism: Mechanism[..., Any]) -> tuple[Fact, ...]:
    if mechanism.expect == "proved":
        return ()
    return (fact("expected", f"to be {mechanism.expect}"),)


def _code(mechanism: Mechanism[..., Any]) -> Listing:
    """Its lines, numbered as errors number them."""
    source = source_of(mechanism.function)
    first, tree = mechanism.location.line, source.tree
    text = "".join(source.lines[first - 1 : tree.end_lineno])
    return Listing(tuple(textwrap.dedent(text).rstrip("\n").split("\n")), first)
