"""The arguments of a call, as the callee's own conditions see them; and what its kinds ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from .calls import Call, Callee
from .errors import Unsupported
from .formulas import Formula
from .inputs import Bound, Queries, Value
from .syntax import NOWHERE, Comparison, Constant, Expression, Name, Span
from .terms import Linear
from .values import Num, exact
from .values import Value as Meaning
from .views import View


class Arguments:
    """One run of a callee as its preconditions see it: its scalars, and the caller's sequences."""

    def __init__(self, step: Call, values: Mapping[str, Num], caller: View) -> None:
        self._callee = step.callee
        self._values = values
        self._passed = dict(step.sequences)
        self._caller = caller

    def variable(self, name: str, span: Span) -> Num:
        """A scalar argument."""
        return self._values[name]

    def cell(self, array: str, index: Linear, span: Span) -> Meaning:
        """An element of a sequence that was passed on."""
        return self._caller.cell(self._passed[array], index, span)

    def length(self, array: str) -> Linear:
        """The length of a sequence that was passed on."""
        return self._caller.length(self._passed[array])

    def attributes(self, data: str) -> int:
        """There is no data set in a precondition."""
        raise AssertionError("no data set here")

    def counted(self, data: str, test: Formula) -> Num:
        """There is no data set in a precondition."""
        raise AssertionError("no data set here")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """There is no prophecy before a run."""
        raise AssertionError("preconditions hold no prophecy")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place of the callee."""
        return self._callee.refuse(span, message, advice)


def asked(callee: Callee) -> Iterator[tuple[Expression, str]]:
    """What a call checks before the callee runs, as conditions on its parameters, with words.

    What the kinds of sequences ask holds of every sequence of that kind.
    """
    for name, kind in callee.inputs.items():
        named = kind.sensitivity if isinstance(kind, Queries) else None
        if isinstance(named, str) and named in callee.inputs:
            yield _compared(named, ">=", Fraction(0)), f"{named} is not negative"
        if kind.array:
            continue
        if kind.positive:
            yield _compared(name, ">", Fraction(0)), f"{name} is positive"
        elif kind.minimum is not None:
            least = Fraction(kind.minimum)
            yield _compared(name, ">=", least), f"{name} is at least {least}"
        if isinstance(kind, Value):
            words = f"{name} lies in [{kind.low}, {kind.high}]"
            for operator, bound in ((">=", kind.low), ("<=", kind.high)):
                yield Comparison(NOWHERE, operator, Name(NOWHERE, name), _bound(bound)), words
    for precondition in callee.preconditions:
        yield precondition, "its precondition holds"


def _bound(bound: Bound) -> Expression:
    """A number, or the parameter that a bound names."""
    if isinstance(bound, str):
        return Name(NOWHERE, bound)
    return Constant(NOWHERE, exact(bound), "float")


def _compared(name: str, operator: str, bound: Fraction) -> Expression:
    return Comparison(NOWHERE, operator, Name(NOWHERE, name), Constant(NOWHERE, bound, "float"))
