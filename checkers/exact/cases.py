"""Ties that form no tree: the integral is cut into cases, each of them simpler.

A real draw falls into cases in which one of its lower and one of its upper bounds is the one
that counts; an integer draw is summed value by value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ...dsl.errors import LimitReached
from ...dsl.terms import Rational, shortest
from .affine import Affine
from .mixed import core, doubts
from .numbers import ONE, Number, is_zero, rational
from .pieces import End, Piecewise
from .ties import OnBoundary, Problem, Tie, neighbours


def cases_of(problem: Problem) -> Iterator[Problem]:
    """A problem whose ties form no tree, cut into simpler ones."""
    near = neighbours(problem.ties)
    whole = [d for d in near if problem.functions[d].calculus.lattice]
    if whole:
        yield from _by_value(problem, whole[0])
    else:
        yield from _by_bounds(problem, min(near, key=lambda d: len(near[d])))


def _by_value(problem: Problem, draw: int) -> Iterator[Problem]:
    """One problem for each value of an integer draw; far tails go into one ball."""
    function = problem.functions[draw]
    others = {d: f for d, f in problem.functions.items() if d != draw}
    low, high = core(function)
    for value in range(low, high + 1):
        mass = function.at(value)
        ties = []
        for tie in problem.ties:
            factor = tie.parts.get(draw, 0)
            parts = {d: f for d, f in tie.parts.items() if d != draw}
            ties.append(replace(tie, parts=parts, constant=shortest(tie.constant + factor * value)))
        yield Problem(problem.weight * mass, others, tuple(ties))
    for doubt in doubts(function, low, high):
        if not is_zero(doubt):
            yield Problem(problem.weight * doubt, others, ())


def _by_bounds(problem: Problem, draw: int) -> Iterator[Problem]:
    """One problem for each piece of a real draw and each pair of bounds that may count."""
    function = problem.functions[draw]
    others = {d: f for d, f in problem.functions.items() if d != draw}
    own = [tie for tie in problem.ties if draw in tie.parts]
    rest = tuple(tie for tie in problem.ties if draw not in tie.parts)
    exposed = any(tie.exposed for tie in own)
    bounds = [tie.bound(draw) for tie in own]
    for piece in function.pieces:
        undone = function.calculus.undone(piece.terms)
        lower = _distinct([b for below, b in bounds if below], piece.low)
        upper = _distinct([b for below, b in bounds if not below], piece.high)
        for end, kind in ((-math.inf, lower), (math.inf, upper)):
            if not kind and not is_zero(function.calculus.value(undone, end)):
                raise LimitReached("CONVERGENCE", "an intermediate integral has no limit")
        for low in lower or [None]:
            for high in upper or [None]:
                ties = [_order(low, other, exposed) for other in lower if other is not low]
                ties += [_order(other, high, exposed) for other in upper if other is not high]
                if low is not None and high is not None:
                    ties.append(_order(high, low, exposed))
                for bound, sign in ((high, ONE), (low, -ONE)):
                    if bound is not None:
                        for key, c in undone.items():
                            part = Problem(problem.weight * c * sign, others, (*rest, *ties))
                            yield from _with_term(part, function, key, bound)


def _distinct(bounds: list[Affine], end: End) -> list[Affine | None]:
    """The bounds and the end of a piece, each once."""
    if not isinstance(end, float):
        bounds = [*bounds, Affine({}, end, False)]
    return [*{(frozenset(b.parts.items()), b.constant): b for b in bounds}.values()]


def _order(above: Affine | None, below: Affine | None, exposed: bool) -> Tie:
    assert above is not None and below is not None
    gap = above.plus(below, -1)
    if isinstance(gap, Affine):
        return Tie(gap.parts, gap.constant, False, exposed)
    return Tie({}, gap, False, exposed)  # type: ignore[arg-type]


def with_law(problem: Problem, law: Piecewise, value: Tie) -> Iterator[Problem]:
    """A problem times a law at a combination of its draws (the subject of ``value``)."""
    real = not law.calculus.lattice
    if not value.parts:
        if value.exposed and law.jumps_at(value.constant):
            raise OnBoundary
        density = law.at(value.constant)
        if not is_zero(density):
            yield replace(problem, weight=problem.weight * density)
        return
    if len(value.parts) == 1:
        ((draw, slope),) = value.parts.items()
        if not problem.functions[draw].calculus.lattice:
            functions = dict(problem.functions)
            functions[draw] = functions[draw] * law.moved(slope, value.constant)
            yield replace(problem, functions=functions)
            return
    at = Affine(value.parts, value.constant, False)
    for piece in law.pieces:
        ties = []
        if not isinstance(piece.low, float):
            ties.append(replace(value, constant=shortest(value.constant - piece.low), strict=False))
        if not isinstance(piece.high, float):
            negative = {d: -f for d, f in value.parts.items()}
            gap = shortest(piece.high - value.constant)
            ties.append(Tie(negative, gap, real, value.exposed))
        for key, c in piece.terms.items():
            part = Problem(problem.weight * c, problem.functions, (*problem.ties, *ties))
            yield from _with_term(part, law, key, at)


def _with_term(
    problem: Problem, function: Piecewise, key: tuple[int, Rational], at: Affine
) -> Iterator[Problem]:
    """A problem times ``y^k e^(n y)`` where y is a combination of its draws."""
    k, n = key
    calculus = function.calculus
    functions = dict(problem.functions)
    weight = problem.weight * calculus.unit.power(n * at.constant)
    if n:
        for draw, slope in at.parts.items():
            functions[draw] = functions[draw].weighted(0, n * slope, ONE)
    if k == 0:
        yield Problem(weight, functions, problem.ties)
        return
    for degrees in _compositions(k, len(at.parts) + 1):
        ways = math.factorial(k)
        c: Number = weight
        found = dict(functions)
        for degree in degrees:
            ways //= math.factorial(degree)
        for (draw, slope), degree in zip(at.parts.items(), degrees[1:], strict=True):
            if degree:
                found[draw] = found[draw].weighted(degree, 0, rational(slope) ** degree)
        if degrees[0]:
            c = c * calculus.position(at.constant) ** degrees[0]
        yield Problem(c * ways, found, problem.ties)


def _compositions(total: int, places: int) -> Iterator[tuple[int, ...]]:
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, places - 1):
            yield (first, *rest)
