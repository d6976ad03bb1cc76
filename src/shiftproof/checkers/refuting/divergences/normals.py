"""The probability of a path with Gaussian noise; what other noise has to meet is as it ever was.

Conditions on Gaussian noise that share a draw are independent given that one, as those on a noisy
threshold, or on the largest of noisy values: then it is an integral over one draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import flint
from flint import acb, arb

from ....dsl.errors import LimitReached
from ....dsl.terms.linear import Rational
from ...exact.affine import Affine
from ...exact.irrational import ball
from ...exact.laws import COUNTING, Law, Normal
from ...exact.numbers import ONE, ZERO, Number, rational
from ...exact.outcomes import Measure
from ...exact.paths import Finished
from ...exact.rounded import without_floor
from ...exact.state import Condition, enclosed
from ...exact.ties import Tie

#: Stands for a draw that nothing is asked of.
_ANY = Law((Fraction(0), Fraction(1)))
#: The most integers of a discrete Gaussian that are summed.
MOST = 20_000
#: How often an integrand is evaluated at most; what is not settled then has a wide enclosure.
EVALUATIONS = 2_000
#: How much work, in cases of an integral, any probability is, and one over a shared draw besides
#: for each further sum.
CHANCE, AROUND = 16, 500

_End: TypeAlias = Rational | float
#: A sum of draws with factors, the first of which is 1.
_Sum: TypeAlias = tuple[tuple[int, Fraction], ...]


def chance(measure: Measure, path: Finished, also: Sequence[Condition] = ()) -> Number:
    """The probability of a path, and that these conditions hold besides.

    Raises:
        LimitReached, NotAffine: it is not computed.
    """
    return enclosed([*path.conditions, *also], partial(_chance, measure, path))


def _chance(measure: Measure, path: Finished, conditions: Sequence[Condition]) -> Number:
    gaussian = [isinstance(law, Normal) for law in path.laws]
    conditions = _of_what_is_rounded(path.laws, gaussian, [*conditions])
    of_gaussians = [c for c in conditions if any(gaussian[d] for d in c.subject.parts)]
    if path.repeats and any(gaussian):
        raise LimitReached("GAUSSIAN", "Gaussian noise is drawn until it fits")
    rest = tuple(c for c in conditions if c not in of_gaussians)
    asked = {d for c in rest for d in c.subject.parts}
    laws = tuple(law if d in asked else _ANY for d, law in enumerate(path.laws)) if rest else ()
    measure.charge(CHANCE)
    others = measure.probability(replace(path, laws=laws, conditions=rest))
    return _all_of(measure, path.laws, of_gaussians) * others


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


def _all_of(measure: Measure, laws: Sequence[Law], conditions: Iterable[Condition]) -> Number:
    """The probability that all conditions hold: an interval for each of some independent sums."""
    intervals: dict[_Sum, tuple[_End, _End]] = {}
    for subject, strict in conditions:
        lead = next(iter(sorted(subject.parts.items())))[1]
        direction = tuple(sorted((d, Fraction(f) / lead) for d, f in subject.parts.items()))
        low, high = intervals.get(direction, (-math.inf, math.inf))
        cut: Rational = Fraction(-subject.constant) / lead
        if strict and all(laws[d].lattice for d in subject.parts):
            cut = math.floor(cut) + 1 if lead > 0 else math.ceil(cut) - 1
        bounds = (max(low, cut), high) if lead > 0 else (low, min(high, cut))
        intervals[direction] = bounds
    variances: dict[int, Fraction] = {}
    for direction in intervals:
        for d, _ in direction:
            law = laws[d]
            if not isinstance(law, Normal) or (law.lattice and len(direction) > 1):
                raise LimitReached("GAUSSIAN", "Gaussian noise is compared with other noise")
            variances[d] = law.variance
    total: Number = ONE
    for group in _groups(intervals):
        (direction, *others), (draw, _) = group, group[0][0]
        if others:
            measure.charge(AROUND * len(others))
            total = total * _around(_shared(group), group, intervals, variances)
        elif laws[draw].lattice:
            total = total * _on_integers(variances[draw], *intervals[direction])
        else:
            total = total * _between(_variance(direction, variances), *intervals[direction])
    return total


def _groups(sums: Iterable[_Sum]) -> list[list[_Sum]]:
    """Sums that share draws, together."""
    groups: list[list[_Sum]] = []
    for one in sums:
        drawn = {d for d, _ in one}
        touched = [g for g in groups if any(drawn & {d for d, _ in other} for other in g)]
        groups = [g for g in groups if g not in touched]
        groups.append([*(other for g in touched for other in g), one])
    return groups


def _variance(terms: _Sum, variances: Mapping[int, Fraction]) -> Fraction:
    return sum((f * f * variances[d] for d, f in terms), start=Fraction(0))


def _shared(group: Sequence[_Sum]) -> int:
    """The draw that all sums of a group have, which share no other one.

    Raises:
        LimitReached: there is none.
    """
    for hub in set.intersection(*({d for d, _ in one} for one in group)):
        others = [d for one in group for d, _ in one if d != hub]
        if len(others) == len(set(others)):
            return hub
    raise LimitReached("GAUSSIAN", "conditions on Gaussian noise depend on one another")


def _around(
    hub: int,
    group: Sequence[_Sum],
    intervals: Mapping[_Sum, tuple[_End, _End]],
    variances: Mapping[int, Fraction],
) -> Number:
    """The probability that sums lie in their intervals, integrated over the draw they share.

    The integrand is an entire function, as :func:`acb.integral` wants it; what is beyond both ends
    of the integral is at most the mass of the shared draw there.
    """
    most = Fraction(math.isqrt(math.ceil(variances[hub] * 2 * flint.ctx.prec)) + 1)
    start, end = -most, most
    leaves = []
    for one in group:
        low, high = intervals[one]
        if low >= high:
            return ZERO
        rest = tuple((d, f) for d, f in one if d != hub)
        slope = dict(one)[hub]
        if not rest:  # it is the shared draw itself, as its factor is 1
            start = start if low <= start else Fraction(low)
            end = end if high >= end else Fraction(high)
            continue
        wide = (2 * ball(_variance(rest, variances))).sqrt()
        leaves.append((arb(rational(slope)), wide, low, high))
    beyond = arb(0).union(2 * arb(_beyond(variances[hub], most)))
    if start >= end:
        return beyond

    def inside(z: acb, _: bool) -> acb:
        total = (-z * z / (2 * ball(variances[hub]))).exp()
        for slope, wide, low, high in leaves:
            # P[X >= low - slope z] - P[X > high - slope z], of which an infinite one is plain.
            above = 2 if isinstance(low, float) else ((rational(low) - slope * z) / wide).erfc()
            if not isinstance(high, float):
                above = above - ((rational(high) - slope * z) / wide).erfc()
            total = total * above / 2
        return total

    ends = acb(rational(start)), acb(rational(end))
    found = acb.integral(inside, *ends, eval_limit=EVALUATIONS).real
    return found / (2 * arb.pi() * ball(variances[hub])).sqrt() + beyond


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
    return (arb(rational(end)) / (2 * ball(variance)).sqrt()).erfc() / 2


def _on_integers(variance: Rational, low: _End, high: _End) -> Number:
    """P[low <= K <= high] for a discrete Gaussian K.

    Beyond ±m, m >= 1, the weights fall by more than e^(-m / variance) from one to the next.
    """
    last = math.isqrt(math.ceil(2 * variance * flint.ctx.prec)) + 1
    if last > MOST:
        raise LimitReached("GAUSSIAN", f"a discrete Gaussian law over more than {MOST} integers")
    half = -1 / (2 * ball(variance))
    weights = [(half * k * k).exp() for k in range(last + 1)]
    rest = weights[-1] / (arb(1) - (2 * half * last).exp())
    either = arb(0).union(rest)  # what the tail on one side may add
    first = -last if isinstance(low, float) else max(math.ceil(low), -last)
    end = last if isinstance(high, float) else min(math.floor(high), last)
    inside = sum((weights[abs(k)] for k in range(first, end + 1)), start=arb(0))
    inside += either * sum(not -last <= end <= last for end in (low, high))
    both = sum([*weights, *weights[1:]], start=arb(0))
    return arb(inside / (both + 2 * either))
