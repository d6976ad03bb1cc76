"""A case of the neighbour relation in words, for people; the kernel derives it anew."""

from __future__ import annotations

from ...dsl.pretty import pretty_formula
from ...dsl.program import Program
from ...dsl.relations import Case
from ..claims import case_text


def relation_texts(program: Program, case: Case) -> tuple[str, ...]:
    """What a case says of D and D': how each private input moves, and facts of its unknowns."""
    return (case_text(program, case), *map(pretty_formula, case.facts))
