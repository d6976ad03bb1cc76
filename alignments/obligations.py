"""What a proof owes: one obligation for each use of one of the eight conditions.

The numbers follow the soundness theorem of the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..dsl.formulas import Formula
from ..dsl.syntax import Span


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
