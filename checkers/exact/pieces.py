"""Functions of one variable in pieces, each a sum of terms; zero outside of the pieces.

Breakpoints are exact rationals, so a function that is zero is known to be zero.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ...dsl.terms import Rational, shortest
from .numbers import ONE, ZERO, Number, is_zero
from .sums import Calculus, Sum, plus, times

#: A breakpoint, or an infinite end.
End = Rational | float


class Piece(NamedTuple):
    """A sum on [low, high]; on the integers both ends belong to it."""

    low: End
    high: End
    terms: Sum


@dataclass(frozen=True, slots=True)
class Piecewise:
    """A function in pieces from left to right."""

    calculus: Calculus
    pieces: tuple[Piece, ...]

    @property
    def step(self) -> int:
        """From one piece's last point to the next one's first."""
        return int(self.calculus.lattice)

    @property
    def support(self) -> tuple[End, End]:
        """The least interval outside of which it is zero; (inf, -inf) if it is zero."""
        if not self.pieces:
            return math.inf, -math.inf
        return self.pieces[0].low, self.pieces[-1].high

    def restricted(self, low: End, high: End) -> Piecewise:
        """The function on an interval, zero elsewhere."""
        kept = []
        for piece in self.pieces:
            a, b = max(piece.low, low), min(piece.high, high)
            if a < b or (self.calculus.lattice and a == b):
                kept.append(Piece(a, b, piece.terms))
        return Piecewise(self.calculus, tuple(kept))

    def __mul__(self, other: Piecewise) -> Piecewise:
        found = []
        i = j = 0
        while i < len(self.pieces) and j < len(other.pieces):
            left, right = self.pieces[i], other.pieces[j]
            low, high = max(left.low, right.low), min(left.high, right.high)
            if low < high or (self.calculus.lattice and low == high):
                found.append(Piece(low, high, times(left.terms, right.terms)))
            if left.high <= right.high:
                i += 1
            else:
                j += 1
        return Piecewise(self.calculus, tuple(piece for piece in found if piece.terms))

    def __add__(self, other: Piecewise) -> Piecewise:
        """The sum, cut at the breakpoints of both."""
        cuts: set[End] = set()
        for piece in (*self.pieces, *other.pieces):
            cuts |= {piece.low, piece.high + self.step}
        edges = sorted(cuts)
        found = []
        i = j = 0
        for low, high in itertools.pairwise(edges):
            high = high - self.step
            while i < len(self.pieces) and self.pieces[i].high < high:
                i += 1
            while j < len(other.pieces) and other.pieces[j].high < high:
                j += 1
            terms: Sum = {}
            for k, pieces in ((i, self.pieces), (j, other.pieces)):
                if k < len(pieces) and pieces[k].low <= low:
                    terms = plus(terms, pieces[k].terms)
            if terms:
                found.append(Piece(low, high, terms))
        return Piecewise(self.calculus, tuple(found))

    def power(self, exponent: int) -> Piecewise:
        """The function times itself, by squaring."""
        if exponent == 1:
            return self
        half = self.power(exponent // 2)
        whole = half * half
        return whole * self if exponent % 2 else whole

    def weighted(self, k: int, rate: Rational, weight: Number) -> Piecewise:
        """The function times ``weight · y^k e^(rate y)``."""
        factor: Sum = {(k, rate): weight}
        return Piecewise(
            self.calculus, tuple(Piece(p.low, p.high, times(p.terms, factor)) for p in self.pieces)
        )

    def moved(self, slope: Rational, offset: Rational) -> Piecewise:
        """The function of x that is this one at ``slope · x + offset``.

        On the integers slope and offset are whole.
        """
        found = []
        for piece in self.pieces:
            ends = [
                (e if slope > 0 else -e)
                if isinstance(e, float)
                else shortest(Fraction(e - offset) / slope)
                for e in (piece.low, piece.high)
            ]
            low, high = ends if slope > 0 else ends[::-1]
            if self.calculus.lattice:
                low, high = whole_up(low), whole_down(high)
                if low > high:
                    continue
            found.append(Piece(low, high, self.calculus.moved(piece.terms, slope, offset)))
        return Piecewise(self.calculus, tuple(found if slope > 0 else found[::-1]))

    def at(self, x: Rational) -> Number:
        """The value at a point; at a breakpoint of the reals, that of the piece on its left."""
        for piece in self.pieces:
            if piece.low <= x <= piece.high:
                return self.calculus.value(piece.terms, x)
        return ZERO

    def jumps_at(self, x: Rational) -> bool:
        """Whether the function is not known to be continuous at a point of the reals."""
        left: Number = ZERO
        right: Number = ZERO
        if not any(x in (piece.low, piece.high) for piece in self.pieces):
            return False
        for piece in self.pieces:
            if piece.low < x <= piece.high:
                left = self.calculus.value(piece.terms, x)
            if piece.low <= x < piece.high:
                right = self.calculus.value(piece.terms, x)
        return not bool(left == right)

    def total(self) -> Number:
        """The integral, or the sum over the integers, of it all."""
        found: Number = ZERO
        for piece in self.pieces:
            g = self.calculus.undone(piece.terms)
            high = piece.high + self.step
            found = found + self.calculus.value(g, high) - self.calculus.value(g, piece.low)
        return found

    def before(self) -> Piecewise:
        """The function of t that is the total left of t (on the integers: below t)."""
        found: list[Piece] = []
        so_far: Number = ZERO
        edge: End = -math.inf
        for low, high, terms in self.pieces:
            if low > edge and found:
                found.append(Piece(edge + self.step, low, constant(so_far)))
            g, edge = self.calculus.undone(terms), high + self.step
            so_far = so_far - self.calculus.value(g, low)
            found.append(Piece(low + self.step, edge, plus(g, constant(so_far))))
            if edge < math.inf:  # beyond there is nothing left that would need it
                so_far = so_far + self.calculus.value(g, edge)
        if edge < math.inf:
            found.append(Piece(edge + self.step, math.inf, constant(so_far)))
        return Piecewise(self.calculus, tuple(found))

    def after(self) -> Piecewise:
        """The function of t that is the total right of t (on the integers: from t on)."""
        found: list[Piece] = []
        so_far: Number = ZERO
        edge: End = math.inf
        for low, high, terms in reversed(self.pieces):
            if high < edge and found:
                found.append(Piece(high + self.step, edge, constant(so_far)))
            g, edge = self.calculus.undone(terms), low - self.step
            so_far = so_far + self.calculus.value(g, high + self.step)
            negative = {key: -c for key, c in g.items()}
            found.append(Piece(low, high, plus(negative, constant(so_far))))
            if low > -math.inf:
                so_far = so_far - self.calculus.value(g, low)
        if edge > -math.inf:
            found.append(Piece(-math.inf, edge, constant(so_far)))
        return Piecewise(self.calculus, tuple(reversed(found)))

    def from_zero(self) -> Piecewise:
        """On the reals, the function of t that is the integral from 0 to t (with its sign)."""
        left, right = self.restricted(-math.inf, 0), self.restricted(0, math.inf)
        return right.before() + left.after().weighted(0, 0, -ONE)


def constant(value: Number) -> Sum:
    """The sum that is a number everywhere."""
    return {} if is_zero(value) else {(0, 0): value}


def whole_up(x: End) -> End:
    """The least integer that is not below x."""
    return x if isinstance(x, float) else math.ceil(x)


def whole_down(x: End) -> End:
    """The greatest integer that is not above x."""
    return x if isinstance(x, float) else math.floor(x)
