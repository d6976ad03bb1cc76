"""What a draw may give, each value with its probability, for counting again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ...dsl.syntax import Sample
from ...dsl.terms import Linear
from .enumeration_numbers import Numbers, Quotient
from .enumeration_signs import Signs
from .enumeration_values import NO, YES, Held, Open, Wrong, term_of

#: From how many values one may choose.
VALUES = 4_096

#: Values of positive probability.
Row = list[tuple[Held, Quotient]]


class Draws:
    """The draws of one check; equal ones are worked out once."""

    def __init__(self, numbers: Numbers, signs: Signs) -> None:
        self._numbers = numbers
        self._signs = signs
        self._rows: dict[object, Row] = {}

    def of(self, step: Sample, arguments: Sequence[Held]) -> Row:
        """The values of a draw; it raises if the distribution does not surely exist."""
        key = step.distribution, tuple(arguments)
        if key not in self._rows:
            self._rows[key] = self._row(step, [term_of(a) for a in arguments])
        return self._rows[key]

    def _row(self, step: Sample, terms: Sequence[Linear]) -> Row:
        if step.distribution is Bernoulli:
            p = self._numbers.of(terms[0])
            rest = self._numbers.add(self._numbers.one, self._numbers.negative(p))
            if not (self._signs.holds(p, True) and self._signs.holds(rest, True)):
                raise Open(f"{p.text} is not shown to lie strictly between 0 and 1")
            return [(NO, rest), (YES, p)]
        if step.distribution is Categorical:
            return self._weighted(terms)
        if step.distribution is DiscreteUniform:
            return self._uniform(*terms)
        raise Wrong(f"{step.distribution.__name__} is not finite")

    def _weighted(self, terms: Sequence[Linear]) -> Row:
        if not terms:
            raise Open("a choice among nothing")
        if len(terms) > VALUES:
            raise Wrong(f"a draw from {len(terms)} values")
        weights = [self._numbers.of(t) for t in terms]
        total = self._numbers.zero
        for weight in weights:
            if not self._signs.holds(weight, False):
                raise Open(f"the weight {weight.text} may be negative")
            total = self._numbers.add(total, weight)
        if not self._signs.holds(total, True):
            raise Open(f"the weights {total.text} may all be zero")
        unit = self._numbers.inverse(total)
        shares = [self._numbers.multiply(w, unit) for w in weights]
        return [(k, p) for k, p in enumerate(shares) if p is not self._numbers.zero]

    def _uniform(self, low: Linear, high: Linear) -> Row:
        if not (low.is_constant and high.is_constant and low.integral and high.integral):
            raise Wrong(f"the bounds {low} and {high} of a draw are no integers")
        first, last = int(low.constant), int(high.constant)
        if last < first:
            raise Open(f"no integers from {first} to {last}")
        if last - first >= VALUES:
            raise Wrong(f"a draw between {first} and {last}")
        p = self._numbers.plain(Fraction(1, last - first + 1))
        return [(k, p) for k in range(first, last + 1)]
