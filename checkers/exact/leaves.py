"""Integrating out a draw that is tied to one other draw only: a factor of the other's function."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from ...dsl.terms import Rational, shortest
from .affine import Affine
from .mixed import on_integers, steps
from .numbers import ONE
from .pieces import End, Piecewise
from .sums import Calculus
from .ties import first_whole, last_whole

#: A bound ``slope · x + offset`` by another draw x.
Bound: TypeAlias = tuple[Rational, Rational]


def factor(
    function: Piecewise, bounds: list[tuple[bool, Affine, bool]], calculus: Calculus
) -> Piecewise:
    """What a leaf becomes: a function of the draw in its bounds, in that draw's calculus."""
    if function.calculus.lattice and not calculus.lattice:
        return steps(function, bounds, calculus)
    found = integrated(function, bounds)
    if calculus.lattice and not function.calculus.lattice:
        return on_integers(found, calculus)
    return found


def integrated(function: Piecewise, bounds: list[tuple[bool, Affine, bool]]) -> Piecewise:
    """A leaf's integral between its bounds, as a function of the draw in the bounds."""
    lattice = function.calculus.lattice
    lower: list[Bound] = []
    upper: list[Bound] = []
    for below, bound, strict in bounds:
        (slope,) = bound.parts.values()
        offset = bound.constant
        if lattice:  # bounds as where the integers begin that are in, and that are out again
            offset = first_whole(offset, strict) if below else last_whole(offset, strict) + 1
        (lower if below else upper).append((slope, offset))
    total: list[Piecewise] = []
    for low in _extreme(lower, max):
        for high in _extreme(upper, min):
            region = _region(low, high, lower, upper, function)
            if region is None:
                continue
            part = _between(function, low, high)
            total.append(part.restricted(*region))
    return _stacked(function, total)


def _extreme(
    bounds: list[Bound], choose: Callable[[Rational, Rational], Rational]
) -> list[Bound | None]:
    """The bounds that may count somewhere: of equal slopes the tightest."""
    best: dict[Rational, Rational] = {}
    for slope, offset in bounds:
        known = best.get(slope)
        best[slope] = offset if known is None else choose(known, offset)
    return [*best.items()] or [None]


def _region(
    low: Bound | None,
    high: Bound | None,
    lower: list[Bound],
    upper: list[Bound],
    function: Piecewise,
) -> tuple[End, End] | None:
    """Where these two bounds are the ones that count, with something between them."""
    lattice = function.calculus.lattice
    a: End = -math.inf
    b: End = math.inf
    pairs: list[tuple[Bound, Bound, bool]] = []
    if low is not None:
        pairs += [
            (low, other, low < other) for other in _extreme(lower, max) if other not in (low, None)
        ]
    if high is not None:
        pairs += [
            (other, high, high < other)
            for other in _extreme(upper, min)
            if other not in (high, None)
        ]
    if low is not None and high is not None:
        pairs.append((high, low, False))
    first, last = function.support
    if low is not None and not isinstance(last, float):
        pairs.append(((0, last), low, False))
    if high is not None and not isinstance(first, float):
        pairs.append((high, (0, first + function.step), False))
    for (s, c), (t, d), strict in pairs:  # s x + c >= t x + d; strictly where ties go elsewhere
        slope, gap = s - t, d - c
        if slope == 0:
            if gap > 0 or (gap == 0 and strict):
                return None
            continue
        cut = shortest(Fraction(gap) / slope)
        if slope > 0:
            a = max(a, first_whole(cut, strict) if lattice else cut)
        else:
            b = min(b, last_whole(cut, strict) if lattice else cut)
    return (a, b) if a < b or (lattice and a == b) else None


def _between(
    function: Piecewise,
    low: Bound | None,
    high: Bound | None,
) -> Piecewise:
    """The integral between two bounds as a function of the draw in them."""
    if low is None:
        assert high is not None
        return function.before().moved(*high)
    if high is None:
        return function.after().moved(*low)
    # From a finite point on: weighted by an exponential, a function may have no total.
    undone = function.before() if function.calculus.lattice else function.from_zero()
    return undone.moved(*high) + undone.moved(*low).weighted(0, 0, -ONE)


def _stacked(function: Piecewise, parts: list[Piecewise]) -> Piecewise:
    """The sum of several functions."""
    found = Piecewise(function.calculus, ())
    for part in parts:
        found = found + part
    return found
