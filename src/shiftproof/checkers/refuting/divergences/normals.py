"""The probability of a path with Gaussian noise: of conditions on it that do not depend on one
another; what other noise has to meet is integrated as ever.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

import flint
from flint import arb

from ....dsl.errors import LimitReached
from ....dsl.terms.linear import Rational
from ...exact.affine import Affine
from ...exact.laws import COUNTING, Law, Normal
from ...exact.numbers import ONE, Number, rational
from ...exact.outcomes import Measure
from ...exact.paths import Finished
from ...exact.rounded import without_floor
from ...exact.state import Condition
from ...exact.ties import Tie

#: Stands for a draw that nothing is asked of.
_ANY = Law((Fraction(0), Fraction(1)))
#: The most integers of a discrete Gaussian that are summed.
MOST = 20_000

_End = Rational | float


def chance(measure: Measure, path: Finished, also: Sequence[Condition] = ()) -> Number:
    """The probability of a path, and that these conditions hold besides.

    Raises:
        LimitReached, NotAffine: it is not computed.
    """
    gaussian = [isinstance(law, Normal) for law in path.laws]
    conditions = _of_what_is_rounded(path.laws, gaussian, [*path.conditions, *also])
    of_gaussians = [c for c in conditions if any(gaussian[d] for d in c.subject.parts)]
    if path.repeats and any(gaussian):
        raise LimitReached("GAUSSIAN", "Gaussian noise is drawn until it fits")
    rest = tuple(c for c in conditions if c not in of_gaussians)
    asked = {d for c in rest for d in c.subject.parts}
    laws = tuple(law if d in asked else _ANY for d, law in enumerate(path.laws))
    others = measure.probability(replace(path, laws=laws, conditions=rest))
    return _all_of(path.laws, of_gaussians) * others


def _of_what_is_rounded(
    laws: Sequence[Law], gaussian: Sequence[bool], conditions: list[Condition]
) -> list[Condition]:
    """The conditions with those on what Gaussian noise is rounded to as ones on the noise."""
    for draw, law in enumerate(laws):
        own = [c for c in conditions if draw in c.subject.parts]
        if law == COUNTING and any(gaussian[d] for c in own for d in c.subject.parts):
            ties = without_floor([Tie.of(*c, {}) for c in conditions], draw, ())
            conditions = [Condition(Affine(t.parts, t.constant, False), t.strict) for t in ties]
    return conditions


def _all_of(laws: Sequence[Law], conditions: Iterable[Condition]) -> Number:
    """The probability that all conditions hold: an interval for each of some independent sums."""
    intervals: dict[tuple[tuple[int, Fraction], ...], tuple[_End, _End]] = {}
    for subject, strict in conditions:
        lead = next(iter(sorted(subject.parts.items())))[1]
        direction = tuple(sorted((d, Fraction(f) / lead) for d, f in subject.parts.items()))
        low, high = intervals.get(direction, (-math.inf, math.inf))
        cut: Rational = Fraction(-subject.constant) / lead
        if strict and all(laws[d].lattice for d in subject.parts):
            cut = math.floor(cut) + 1 if lead > 0 else math.ceil(cut) - 1
        bounds = (max(low, cut), high) if lead > 0 else (low, min(high, cut))
        intervals[direction] = bounds
    drawn = [d for direction in intervals for d, _ in direction]
    if len(drawn) != len(set(drawn)):
        raise LimitReached("GAUSSIAN", "conditions on Gaussian noise depend on one another")
    total: Number = ONE
    for direction, (low, high) in intervals.items():
        own = [laws[d] for d, _ in direction]
        normal = [law for law in own if isinstance(law, Normal)]
        if len(normal) < len(own) or (len(own) > 1 and any(law.lattice for law in own)):
            raise LimitReached("GAUSSIAN", "Gaussian noise is compared with other noise")
        if own[0].lattice:
            total = total * _on_integers(normal[0].variance, low, high)
        else:
            pairs = zip(direction, normal, strict=True)
            total = total * _between(sum(f * f * law.variance for (_, f), law in pairs), low, high)
    return total


def _between(variance: Rational, low: _End, high: _End) -> Number:
    """P[low <= X <= high] for a Gaussian X."""
    if low >= high:
        return rational(0)
    if low < 0 < high:
        return ONE - _beyond(variance, -low) - _beyond(variance, high)
    one, two = (low, high) if low >= 0 else (-high, -low)
    return _beyond(variance, one) - _beyond(variance, two)


def _beyond(variance: Rational, end: _End) -> Number:
    """P[X > end], for an end that is not negative."""
    if isinstance(end, float):
        return rational(0)
    return (arb(rational(end)) / (2 * arb(rational(variance))).sqrt()).erfc() / 2


def _on_integers(variance: Rational, low: _End, high: _End) -> Number:
    """P[low <= K <= high] for a discrete Gaussian K.

    Beyond ±m, m >= 1, the weights fall by more than e^(-m / variance) from one to the next.
    """
    last = math.isqrt(math.ceil(2 * variance * flint.ctx.prec)) + 1
    if last > MOST:
        raise LimitReached("GAUSSIAN", f"a discrete Gaussian law over more than {MOST} integers")
    half = -1 / (2 * arb(rational(variance)))
    weights = [(half * k * k).exp() for k in range(last + 1)]
    rest = weights[-1] / (arb(1) - (2 * half * last).exp())
    either = arb(0).union(rest)  # what the tail on one side may add
    first = -last if isinstance(low, float) else max(math.ceil(low), -last)
    end = last if isinstance(high, float) else min(math.floor(high), last)
    inside = sum((weights[abs(k)] for k in range(first, end + 1)), start=arb(0))
    inside += either * sum(not -last <= end <= last for end in (low, high))
    both = sum([*weights, *weights[1:]], start=arb(0))
    return arb(inside / (both + 2 * either))
