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
from .numbers import Number
from .pieces import Piece, Piecewise, constant, whole_down, whole_up
from .sums import Calculus, Sum

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
