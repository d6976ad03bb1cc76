"""A mechanism: what it claims, under which preconditions, and its code.  Nothing is proved."""

from __future__ import annotations

from typing import Any

from ...checkers.walking.claims import assumptions, claim_text, precondition_texts
from ...dsl.errors import ShiftproofError, cell_of
from ...dsl.language.declaration import source_of
from ...dsl.mechanism import Mechanism
from ...dsl.relations.program import Program
from ..account import Account, Fact, facts_of
from ..explaining.claim import claim_blocks
from ..explaining.noises import notation_of
from ..explaining.source import listing
from ..printable import relative
from ..words import Display, Maths, Section


def of_mechanism(mechanism: Mechanism[..., Any]) -> Account:
    """What there is to say of a mechanism; of one that cannot be read, the reason."""
    name = mechanism.function.__name__
    stands = where(mechanism.location.file, mechanism.location.line)
    try:
        program = mechanism.program
        formulas = claim_formulas(program)
        facts = facts_of(
            {
                "claim": claim_text(program),
                "if": ", ".join(precondition_texts(program)),
                "given": "\n".join(assumptions(program)),
                "expected": "" if mechanism.expect == "proved" else f"to be {mechanism.expect}",
            }
        )
    except ShiftproofError as error:
        claimed = Fact("claim", str(mechanism.privacy))
        reasons = tuple(str(error).split("\n"))
        return Account(
            name, "cannot be read", mood="open", facts=(claimed, stands), evidence=reasons
        )
    code = Section("", (listing(source_of(mechanism.function)),))
    return Account(name, "mechanism", claim=formulas, facts=(*facts, stands), sections=(code,))


def claim_formulas(program: Program) -> tuple[Maths, ...]:
    """The claimed inequality."""
    blocks = claim_blocks(program, (), (), notation_of(program))
    return tuple(block.formula for block in blocks if isinstance(block, Display))


def where(file: str, line: int) -> Fact:
    """In which cell of a notebook, or in which file, a mechanism stands."""
    return Fact("in", f"{cell_of(file) or relative(file)}, line {line}")
