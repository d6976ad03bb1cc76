"""What a draw may give, each value with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...dsl.noise import Bernoulli, Categorical
from ...dsl.syntax import Sample
from .meaning import Failure, numeric
from .ratios import Declined, Frame, Ratio
from .shares import Share, Shares
from .values import Value

#: From how many values a draw may choose.
VALUES = 4_096

#: A value with its probability.
Weighted = tuple[Value, Share]


class Draws:
    """The draws of one choice of sizes; equal ones are worked out once."""

    def __init__(self, frame: Frame, shares: Shares) -> None:
        self._frame = frame
        self._shares = shares
        self._known: dict[tuple[object, ...], list[Weighted]] = {}

    def of(self, step: Sample, arguments: Sequence[Value]) -> list[Weighted]:
        """All values of positive probability.

        Raises:
            Failure: the distribution does not exist.
            Declined: it may not exist for some parameters, or has too many values.
        """
        if len(arguments) == 1 and isinstance(arguments[0], tuple):
            arguments = arguments[0]
        numbers = [numeric(a) for a in arguments]
        key = step.distribution, *numbers
        found = self._known.get(key)
        if found is None:
            if step.distribution is Bernoulli:
                values = self._coin(step, numbers[0])
            elif step.distribution is Categorical:
                values = self._choice(step, numbers)
            else:
                values = _range(step, *numbers)
            found = [(value, self._shares.of(p)) for value, p in values if p != 0]
            self._known[key] = found
        return found

    def _coin(
        self, step: Sample, p: int | Fraction | Ratio
    ) -> list[tuple[Value, int | Fraction | Ratio]]:
        rest = self._frame.subtract(Fraction(1), p)
        for part in (p, rest):
            self._owe(step, part, True, "its probability lies strictly between 0 and 1")
        return [(True, p), (False, rest)]

    def _choice(
        self, step: Sample, weights: Sequence[int | Fraction | Ratio]
    ) -> list[tuple[Value, int | Fraction | Ratio]]:
        if len(weights) > VALUES:
            raise Declined(f"a draw from {len(weights)} values")
        if not weights:
            raise Failure(step.span, "a choice among nothing")
        total: int | Fraction | Ratio = Fraction(0)
        for weight in weights:
            self._owe(step, weight, False, "no weight is negative")
            total = self._frame.add(total, weight)
        self._owe(step, total, True, "the sum of the weights is positive")
        return [(k, self._frame.divide(w, total)) for k, w in enumerate(weights)]

    def _owe(self, step: Sample, value: int | Fraction | Ratio, strict: bool, what: str) -> None:
        found = self._frame.sign_of(value, strict)
        if found is None:
            raise Failure(step.span, f"it is not proved for all parameters that {what}")
        if not found:
            raise Failure(step.span, f"it is not so that {what}")


def _range(
    step: Sample, low: int | Fraction | Ratio, high: int | Fraction | Ratio
) -> list[tuple[Value, int | Fraction | Ratio]]:
    if isinstance(low, Ratio) or isinstance(high, Ratio):
        raise Declined("the bounds of a draw are real parameters")
    if low.denominator != 1 or high.denominator != 1 or low > high:
        raise Failure(step.span, f"no integers from {low} to {high}")
    count = int(high) - int(low) + 1
    if count > VALUES:
        raise Declined(f"a draw from {count} values")
    return [(int(low) + k, Fraction(1, count)) for k in range(count)]
