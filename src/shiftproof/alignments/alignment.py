"""An alignment: for each sample of the program, the shift it takes in the paired run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ..dsl.language.syntax import NOWHERE, BooleanConstant, Constant, Expression, Span
from ..dsl.language.unparse import unparse
from ..dsl.relations.program import Program

Origin = Literal["annotated", "found"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Shifts by sample site; an expression over what is known when the sample is drawn.

    ``alike``: lists that are to have the same elements in both runs; ``coefficients``: those of
    the template that make these shifts; ``rough``: what sums come to is paid for roughly.
    """

    shifts: Mapping[int, Expression]
    origin: Origin
    alike: frozenset[str] = frozenset()
    rough: bool = False
    coefficients: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def described(self, program: Program) -> dict[str, str]:
        """The shifts as the source would write them, by the names of the draws."""
        shifts = (unparse(self.shifts[node.site]) for node in program.flow.sites)
        return dict(zip(program.draws, shifts, strict=True))


def no_shift(lattice: str) -> Expression:
    """Leave the sample as it is."""
    if lattice == "booleans":
        return BooleanConstant(NOWHERE, False)
    return Constant(NOWHERE, Fraction(0), "int")


def annotated_shifts(program: Program) -> dict[int, Expression]:
    """The shifts that the author wrote, by site."""
    return {n.site: n.step.shift for n in program.flow.sites if n.step.shift is not None}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is owed: the condition, what it says here, and where."""

    condition: str
    detail: str
    span: Span
