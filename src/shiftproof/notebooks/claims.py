"""What a card says of a program's claim."""

from __future__ import annotations

from ..checkers.claims import assumptions, precondition_texts
from ..dsl.program import Program
from ..explaining.claim import claim_section
from ..explaining.model import Display, Maths
from ..explaining.noises import notation_of
from .card import Fact, fact


def claim_formulas(program: Program) -> tuple[Maths, ...]:
    """The claimed inequality."""
    section = claim_section(program, (), (), notation_of(program))
    return tuple(block.formula for block in section.blocks if isinstance(block, Display))


def terms(program: Program) -> tuple[Fact, ...]:
    """Under which inputs the claim is made, and what it takes on trust."""
    met = ", ".join(precondition_texts(program))
    given = fact("given", "\n".join(assumptions(program)))
    return (fact("if", met), given) if met else (given,)
