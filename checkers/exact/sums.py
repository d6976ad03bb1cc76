"""Sums of terms ``c · y^k · e^(n y)``: the class in which all one-dimensional integrals stay.

On the reals y is the position in units of rate (so that rates n are whole numbers); on the
integers y^k is the plain position and only the power carries the unit.  The two calculi
differ in what undoes a sum: an integral, or a difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from flint import fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms import Rational, shortest
from .numbers import ONE, ZERO, Number, Unit, is_zero, rational

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
            c: Number = ONE / rational(n)
            for i in range(k, -1, -1):
                found[i, n] = c
                c = -c * i / rational(n)
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
