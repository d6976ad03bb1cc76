"""Functions of one variable in pieces, each a sum of terms ``c · y^k · e^(n y)``.

Breakpoints are exact rationals, so a function that is zero is known to be zero.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest
from .numbers import ONE, ZERO, Number, Unit, exactly, is_zero, rational

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


# Sums of terms ``c · y^k · e^(n y)``: the class in which all one-dimensional integrals stay.
#
# On the reals y is the position in units of rate (so that rates n are whole numbers); on the
# integers y^k is the plain position and only the power carries the unit.  The two calculi
# differ in what undoes a sum: an integral, or a difference.

#: The coefficient of each ``y^k e^(n y)`` by (k, n).
Sum: TypeAlias = dict[tuple[int, Rational], Number]

#: How many terms a sum may have.
TERMS = 4000


def plus(left: Sum, right: Sum) -> Sum:
    """The sum of two sums."""
    found = dict(left)
    for key, c in right.items():
        total = found[key] + c if key in found else c
        if is_zero(total):
            del found[key]
        else:
            found[key] = total
    return found


def times(left: Sum, right: Sum) -> Sum:
    """The product of two sums.

    Raises:
        LimitReached: it has too many terms.
    """
    found: Sum = {}
    for (k, n), c in left.items():
        for (m, p), d in right.items():
            key = (k + m, n + p)
            found[key] = found[key] + c * d if key in found else c * d
    if len(found) > TERMS:
        raise LimitReached("TERMS", f"a probability is a sum of more than {TERMS} terms")
    return {key: c for key, c in found.items() if not is_zero(c)}


@dataclass(frozen=True, slots=True)
class Calculus:
    """How to integrate (on the reals) or to add up (on the integers), in one unit."""

    unit: Unit
    lattice: bool
    _known: dict[tuple[int, Rational], Sum] = field(default_factory=dict, compare=False)

    def position(self, x: Rational) -> Number:
        """The position x as it enters polynomials."""
        return rational(x) if self.lattice else self.unit.nats(x)

    def value(self, terms: Sum, x: Rational | float) -> Number:
        """The value at a position; at infinity the limit, which must exist."""
        total: Number = ZERO
        if isinstance(x, float):
            for (k, n), c in terms.items():
                if k == 0 and n == 0:
                    total = total + c
                elif not (n < 0 < x or n > 0 > x):
                    raise LimitReached("CONVERGENCE", "an intermediate integral has no limit")
            return total
        for (k, n), c in terms.items():
            part = c * self.unit.power(n * x)
            total = total + (part * self.position(x) ** k if k else part)
        return total

    def undone(self, terms: Sum) -> Sum:
        """A sum G whose derivative (or difference ``G(j + 1) - G(j)``) is the given one."""
        found: Sum = {}
        for key, c in terms.items():
            if key not in self._known:
                self._known[key] = self._undo(*key)
            found = plus(found, {k: c * d for k, d in self._known[key].items()})
        return found

    def _undo(self, k: int, n: Rational) -> Sum:
        if not self.lattice:
            if n == 0:
                return {(k + 1, 0): fmpq(1, k + 1)}
            found: Sum = {}
            c: Number = ONE / exactly(n)
            for i in range(k, -1, -1):
                found[i, n] = c
                c = -c * i / exactly(n)
            return found
        # P(j + 1) q^(j + 1) - P(j) q^j = j^k q^j, coefficient by coefficient from the top.
        q = self.unit.power(n)
        flat = n == 0
        p: dict[int, Number] = {}
        for i in range(k, -1, -1):
            owed: Number = ONE if i == k else ZERO
            owed = owed - sum((q * p[m] * math.comb(m, i) for m in p if m > i + flat), start=ZERO)
            p[i + flat] = owed / (q * (i + 1)) if flat else owed / (q - 1)
        return {(i, n): c for i, c in p.items() if not is_zero(c)}

    def moved(self, terms: Sum, slope: Rational, offset: Rational) -> Sum:
        """The sum at ``slope · x + offset`` as a sum in x."""
        found: Sum = {}
        for (k, n), c in terms.items():
            scale = c * self.unit.power(n * offset)
            rate = shortest(n * slope) if slope != 1 else n
            if k == 0:
                found = plus(found, {(0, rate): scale})
                continue
            shift, s = self.position(offset), rational(slope)
            for i in range(k + 1):
                part = scale * math.comb(k, i) * s**i * shift ** (k - i)
                if not is_zero(part):
                    found = plus(found, {(i, rate): part})
        return found
