"""An alignment: for each sample of the program, the shift it takes in the paired run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Literal

from ..dsl.language.syntax import NOWHERE, BooleanConstant, Constant, Expression, Span
from ..dsl.language.unparse import unparse
from ..dsl.relations.program import Program
from ..dsl.terms.formulas import Formula

Origin = Literal["annotated", "found"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Shifts by sample site; an expression over what is known when the sample is drawn."""

    shifts: Mapping[int, Expression]
    origin: Origin

    def described(self, program: Program) -> dict[str, str]:
        """The shifts as the source would write them, by variable and line."""
        found: dict[str, str] = {}
        for node in program.flow.sites:
            name = f"{node.step.target} (line {node.step.span.line})"
            found[name] = unparse(self.shifts[node.site])
        return found


def no_shift(lattice: str) -> Expression:
    """Leave the sample as it is."""
    if lattice == "booleans":
        return BooleanConstant(NOWHERE, False)
    return Constant(NOWHERE, Fraction(0), "int")


def annotated_shifts(program: Program) -> dict[int, Expression]:
    """The shifts that the author wrote, by site."""
    return {n.site: n.step.shift for n in program.flow.sites if n.step.shift is not None}


# What a proof owes: one obligation for each use of one of the eight conditions.
#
# The numbers follow the soundness theorem of the documentation.


class Condition(Enum):
    """The conditions under which an alignment proves privacy, with a name for reports.

    The last one is none of them: it stands for the claims that a program makes of its answers.
    """

    SUPPORT = "support"
    SAME_SAMPLES = "same samples"
    SAME_OUTPUT = "same output"
    COST = "cost"
    MEASURE = "measure"
    PROPHECY = "prophecy"
    DEFINEDNESS = "definedness and end"
    PRECONDITIONS = "preconditions and positivity"
    ONE_SIDED = "one-sided claim"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is owed: the condition, what it says here, and where."""

    condition: Condition
    detail: str
    span: Span


@dataclass(frozen=True, slots=True)
class Obligation:
    """Under ``facts`` (from the last cut on), ``claim`` must hold."""

    facts: tuple[Formula, ...]
    claim: Formula
    reason: Reason
