"""What expressions see of a run, and what their evaluation owes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .errors import Unsupported
from .formulas import Formula
from .syntax import Span
from .terms import Linear
from .values import Num, Value

#: How the variables begin that hold the integers which the run is going to release or pick.
FORETOLD = "@outcome#"


class View(Protocol):
    """One run, as far as expressions see it."""

    def variable(self, name: str, span: Span) -> Value:
        """The value of a variable or scalar parameter."""
        ...

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """One element of a sequence parameter; the index is known to be in range."""
        ...

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter."""
        ...

    def attributes(self, data: str) -> int:
        """How many attributes the records of a data set have."""
        ...

    def counted(self, data: str, test: Formula) -> Num:
        """How many records meet a test on the generic record."""
        ...

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether an index is among those that ``top_k`` picks next."""
        ...

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        ...


@dataclass(frozen=True, slots=True)
class Duty:
    """A condition that must hold for the evaluation to be defined."""

    condition: Formula
    reason: str
    span: Span
