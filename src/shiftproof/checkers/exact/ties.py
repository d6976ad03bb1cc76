"""Integrals over draws: a function for each draw, and linear conditions that tie them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import flint
from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest
from .affine import Affine
from .numbers import ONE, Number, is_zero, rational
from .pieces import Calculus, End, Piece, Piecewise, Sum, constant, whole_down, whole_up


class OnBoundary(Exception):
    """A released value lies where the density may jump: ask next to it."""


@dataclass(frozen=True, slots=True)
class Tie:
    """``constant + Σ factor · draw`` is at least zero, or above it.

    ``exposed``: the constant moves with a released real value.
    """

    parts: Mapping[int, Rational]
    constant: Rational
    strict: bool
    exposed: bool = False

    @classmethod
    def of(cls, subject: Affine, strict: bool, released: Mapping[int, Rational]) -> Tie:
        """The condition on a number, with the released values put in."""
        parts = {d: f for d, f in subject.parts.items() if d >= 0}
        constant = subject.constant
        for d, f in subject.parts.items():
            if d < 0:
                constant = constant + f * released[d]
        return cls(parts, shortest(constant), strict, len(parts) < len(subject.parts))

    def met(self) -> bool:
        """Whether it holds, once no draw is left in it."""
        if self.exposed and self.constant == 0:
            raise OnBoundary
        return self.constant > 0 if self.strict else self.constant >= 0

    def bound(self, draw: int) -> tuple[bool, Affine]:
        """As a bound of one of its draws: whether from below, and the bound."""
        factor = self.parts[draw]
        inverse = shortest(Fraction(-1) / factor)
        rest = {d: shortest(f * inverse) for d, f in self.parts.items() if d != draw}
        return factor > 0, Affine(rest, shortest(self.constant * inverse), False)


@dataclass(frozen=True, slots=True)
class Problem:
    """``weight · ∫ Π functions`` over the draws that meet all the ties."""

    weight: Number
    functions: Mapping[int, Piecewise]
    ties: tuple[Tie, ...]


def first_whole(end: Rational, strict: bool) -> int:
    """The least integer at or above an end (or above it)."""
    return math.floor(end) + 1 if strict else math.ceil(end)


def last_whole(end: Rational, strict: bool) -> int:
    """The greatest integer at or below an end (or below it)."""
    return math.ceil(end) - 1 if strict else math.floor(end)


def neighbours(ties: Sequence[Tie]) -> dict[int, set[int]]:
    """To which others each draw is tied."""
    found: dict[int, set[int]] = {}
    for tie in ties:
        for draw in tie.parts:
            found.setdefault(draw, set()).update(d for d in tie.parts if d != draw)
    return found


# Ties that form no tree: the integral is cut into cases, each of them simpler.
#
# A real draw falls into cases in which one of its lower and one of its upper bounds is the one
# that counts; an integer draw is summed value by value.


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
    gap = above - below
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


# Where an integer draw is tied to a real one: factors that go from one calculus to the other.
#
# A real leaf's integral is continuous in its bounds, so it is known at the integers exactly.  An
# integer leaf's sum is constant between the places where one more integer comes in: a step
# function, with intervals for what its far tails could still add.

#: How many values of an integer draw are looked at one by one.
VALUES = 4_000


def on_integers(function: Piecewise, calculus: Calculus) -> Piecewise:
    """A continuous function of a real variable at the integers, in their calculus."""
    one = function.calculus.position(1)
    found: list[Piece] = []
    for low, high, terms in function.pieces:
        first, last = whole_up(low), whole_down(high)
        if found and first <= found[-1].high:
            first = found[-1].high + 1
        if first <= last:
            # A polynomial in y = unit · x becomes one in x.
            plain: Sum = {(k, n): c * one**k if k else c for (k, n), c in terms.items()}
            found.append(Piece(first, last, plain))
    return Piecewise(calculus, tuple(found))


def one_slope(bounds: Sequence[Affine]) -> bool:
    """Whether all bounds move alike with the draw in them."""
    return len({next(iter(bound.parts.values())) for bound in bounds}) == 1


def steps(
    function: Piecewise, bounds: Sequence[tuple[bool, Affine, bool]], calculus: Calculus
) -> Piecewise:
    """An integer leaf's sum between its bounds, as a function of the real draw in the bounds.

    All bounds have one slope s: with z = s · x the sum goes over the integers from z + a to
    z + b; that the ends belong to it or not matters for no x but countably many.
    """
    slope = next(iter(bounds[0][1].parts.values()))
    lower = max((b.constant for below, b, _ in bounds if below), default=None)
    upper = min((b.constant for below, b, _ in bounds if not below), default=None)
    low, high = core(function)
    before = function.before()
    cuts: set[Rational] = set()
    for offset in (lower, upper):
        if offset is not None:
            cuts |= {shortest(j - Fraction(offset)) for j in range(low, high + 2)}
    edges = sorted(cuts)
    found = [
        Piece(a, b, constant(_sum(function, before, Fraction(a + b) / 2, lower, upper)))
        for a, b in itertools.pairwise(edges)
    ]
    # Beyond the core: nothing or all of the mass, up to what is in the tails.
    below, above = doubts(function, low, high)
    total = function.total()
    left = total - below if upper is None else below
    right = total - above if lower is None else above
    found = [
        Piece(-math.inf, edges[0], constant(left)),
        *found,
        Piece(edges[-1], math.inf, constant(right)),
    ]
    by_z = Piecewise(calculus, tuple(piece for piece in found if piece.terms))
    return by_z.moved(slope, 0)


def _sum(
    function: Piecewise,
    before: Piecewise,
    z: Fraction,
    lower: Rational | None,
    upper: Rational | None,
) -> Number:
    """The mass of the integers between ``z + lower`` and ``z + upper``."""
    total = function.total() if upper is None else before.at(math.floor(z + upper) + 1)
    if lower is None:
        return total
    first, last = math.ceil(z + lower), None if upper is None else math.floor(z + upper)
    if last is not None and last < first:
        return fmpq(0)
    return total - before.at(first)


def doubts(function: Piecewise, low: int, high: int) -> tuple[Number, Number]:
    """What conditions may leave of the masses below and above an interval: nothing to all."""
    sides = ((-math.inf, low - 1), (high + 1, math.inf))
    tails = (function.restricted(*side) for side in sides)
    below, above = (t.total() * arb(0.5, 0.5) if t.pieces else fmpq(0) for t in tails)
    return below, above


def core(function: Piecewise) -> tuple[int, int]:
    """The values of an integer draw that matter: what is outside shrinks with the precision.

    Raises:
        LimitReached: they are too many.
    """
    low, high = function.support
    small = function.total() / fmpq(2) ** (flint.ctx.prec // 2)
    ends = []
    for end, other, sign in ((low, high, -1), (high, low, 1)):
        if isinstance(end, float):
            at = start = 0 if isinstance(other, float) else int(other)
            side = function.before() if sign < 0 else function.after()
            while not side.at(at) < small:
                at += sign * 8
                if abs(at - start) > VALUES:
                    raise LimitReached("VALUES", f"an integer draw has over {VALUES} likely values")
            ends.append(at)
        else:
            ends.append(int(end))
    if ends[1] - ends[0] > 2 * VALUES:
        raise LimitReached("VALUES", f"an integer draw has over {2 * VALUES} values")
    return ends[0], ends[1]
