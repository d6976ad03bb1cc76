"""Square roots that are not rational: what a deviation of noise is, as in ``1 / sqrt(2 * rho)``.

They may be multiplied and divided, and nothing else: of noise only the square counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from ...dsl.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Root:
    """The positive square root of a rational number that is not the square of one."""

    square: Fraction

    def __mul__(self, other: object) -> Fraction | Root:
        if isinstance(other, Root):
            return root_of(self.square * other.square)
        if not isinstance(other, int | Fraction) or other < 0:
            _refuse()
        return root_of(self.square * Fraction(other) ** 2)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Fraction | Root:
        if isinstance(other, Root):
            return root_of(self.square / other.square)
        if not isinstance(other, int | Fraction):
            _refuse()
        return self * (1 / Fraction(other))

    def __rtruediv__(self, other: object) -> Fraction | Root:
        return Root(1 / self.square) * other

    def __gt__(self, other: object) -> bool:
        if other != 0:
            _refuse()
        return True

    def __lt__(self, other: object) -> bool:
        return not self > other

    def __add__(self, _: object) -> NoReturn:
        _refuse()

    __radd__ = __sub__ = __rsub__ = __add__

    def __neg__(self) -> NoReturn:
        _refuse()


def root_of(square: Fraction) -> Fraction | Root:
    """The square root of a rational number that is not negative."""
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return root if root * root == square else Root(square)


def _refuse() -> NoReturn:
    raise LimitReached("POWERS", "a square root that is not rational, in a sum or a comparison")
