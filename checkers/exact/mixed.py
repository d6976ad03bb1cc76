"""Where an integer draw is tied to a real one: factors that go from one calculus to the other.

A real leaf's integral is continuous in its bounds, so it is known at the integers exactly.  An
integer leaf's sum is constant between the places where one more integer comes in: a step
function, with intervals for what its far tails could still add.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import flint
from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms import Rational, shortest
from .affine import Affine
from .numbers import Number, is_zero
from .pieces import End, Piece, Piecewise
from .sums import Calculus, Sum

#: How many values of an integer draw are looked at one by one.
VALUES = 4_000


def on_integers(function: Piecewise, calculus: Calculus) -> Piecewise:
    """A continuous function of a real variable at the integers, in their calculus."""
    one = function.calculus.position(1)
    found: list[Piece] = []
    for low, high, terms in function.pieces:
        first: End = low if isinstance(low, float) else math.ceil(low)
        last: End = high if isinstance(high, float) else math.floor(high)
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
        Piece(a, b, _constant(_sum(function, before, Fraction(a + b) / 2, lower, upper)))
        for a, b in itertools.pairwise(edges)
    ]
    # Beyond the core: nothing or all of the mass, up to what is in the tails.
    tails = (function.restricted(-math.inf, low - 1), function.restricted(high + 1, math.inf))
    doubts = [tail.total() * arb(0.5, 0.5) if tail.pieces else fmpq(0) for tail in tails]
    total = function.total()
    left = total - doubts[0] if upper is None else doubts[0]
    right = total - doubts[1] if lower is None else doubts[1]
    found = [
        Piece(-math.inf, edges[0], _constant(left)),
        *found,
        Piece(edges[-1], math.inf, _constant(right)),
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


def _constant(value: Number) -> Sum:
    return {} if is_zero(value) else {(0, 0): value}


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
    return ends[0], ends[1]
