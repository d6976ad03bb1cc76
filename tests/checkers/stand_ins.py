"""Numbers that stand for a whole interval of draws, and say when they cannot.

A mechanism that runs on them decides each comparison for all draws of the interval at
once, or raises :class:`Undecided` with the places at which the interval must be cut.
So a threshold test splits a draw in two instead of in infinitely many, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from shiftproof import (
    Bernoulli,
    Distribution,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
)

#: A draw lies between both ends, which are included; they may be infinite.
Interval = tuple[float, float]
Exact = int | Fraction


class Signal(BaseException):
    """Stops a run; no ``Exception``, so that it is never taken for one of the mechanism."""


class Undecided(Signal):
    """The run depends on where in its interval a draw lies.

    ``cuts`` are the first values of new pieces; ``None`` asks for every value by itself.
    """

    def __init__(self, draw: int, cuts: tuple[int, ...] | None) -> None:
        self.draw, self.cuts = draw, cuts


class NotWhole(Signal):
    """A scale does not fit this ε: α would be no rational number."""


@dataclass(frozen=True)
class Law:
    """The distribution of a draw on the integers; a coin is 1 or 0."""

    kind: type[Distribution]
    parameter: Fraction  # the chance of a coin, else α = exp(-1 / scale)

    @property
    def support(self) -> Interval:
        if self.kind is Bernoulli:
            return 0, 1
        return (
            0 if self.kind is OneSidedGeometric else -math.inf,
            0 if self.kind is NegativeOneSidedGeometric else math.inf,
        )

    def reaches(self, k: float) -> Fraction:
        """The probability of at least k."""
        low, high = self.support
        if not low < k <= high:
            return Fraction(k <= low)
        if math.isinf(k):
            return Fraction(0)
        a, k = self.parameter, int(k)
        if self.kind is Bernoulli:
            return a
        if self.kind is OneSidedGeometric:
            return a**k
        if self.kind is NegativeOneSidedGeometric:
            return 1 - a ** (1 - k)
        return a**k / (1 + a) if k >= 1 else 1 - a ** (1 - k) / (1 + a)

    def mass(self, piece: Interval) -> Fraction:
        return _mass(self, piece)

    def values(self, piece: Interval, least: Fraction) -> list[Interval]:
        """The values of a piece one by one; those left out have at most twice this mass."""
        low, high = _core(self, least)
        return [(v, v) for v in range(int(max(piece[0], low)), int(min(piece[1], high)) + 1)]


@cache
def _mass(law: Law, piece: Interval) -> Fraction:
    return law.reaches(piece[0]) - law.reaches(piece[1] + 1)


@cache
def _core(law: Law, least: Fraction) -> tuple[int, int]:
    low = high = 0
    while 1 - law.reaches(low) > least:
        low -= 1
    while law.reaches(high + 1) > least:
        high += 1
    return low, high


def law_of(distribution: Distribution) -> Law:
    """The law where logarithms are to base 2: a rate of one bit is α = 1/2."""
    (parameter,) = distribution.values
    return _law(type(distribution), parameter)


@cache
def _law(kind: type[Distribution], parameter: Any) -> Law:
    if kind is Bernoulli:
        return Law(kind, Fraction(parameter))
    if kind not in (OneSidedGeometric, NegativeOneSidedGeometric, TwoSidedGeometric):
        raise TypeError(f"{kind.__name__} is not discrete")
    rate = 1 / Fraction(parameter)
    if round(rate) < 1 or abs(rate - round(rate)) > Fraction(1, 10**9):
        raise NotWhole
    return Law(kind, Fraction(1, 2 ** round(rate)))


def _concrete(self: Unknown, *_: object) -> Any:
    """Operations that are not linear need the draw itself."""
    raise Undecided(min(self.parts), None)


class Unknown:
    """``constant + Σ factor · draw`` over draws that are known by their intervals only."""

    __hash__ = None  # type: ignore[assignment]
    __bool__ = __int__ = __index__ = __float__ = __round__ = __trunc__ = __floor__ = _concrete
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rtruediv__ = _concrete

    def __init__(
        self, box: Sequence[Interval], parts: Mapping[int, Exact], constant: Exact, whole: bool
    ) -> None:
        self.box, self.parts, self.constant, self.whole = box, parts, constant, whole

    def _plus(self, other: Any, sign: int) -> Any:
        if isinstance(other, Unknown):
            parts = dict(self.parts)
            for draw, factor in other.parts.items():
                parts[draw] = parts.get(draw, 0) + sign * factor
            constant = self.constant + sign * other.constant
            return self._made(parts, constant, self.whole and other.whole)
        whole = self.whole and isinstance(other, int)
        return self._made(self.parts, self.constant + sign * _exact(other), whole)

    def _times(self, factor: Exact, whole: bool) -> Any:
        parts = {draw: f * factor for draw, f in self.parts.items()}
        return self._made(parts, self.constant * factor, whole)

    def _made(self, parts: Mapping[int, Exact], constant: Exact, whole: bool) -> Any:
        if left := {draw: factor for draw, factor in parts.items() if factor}:
            return Unknown(self.box, left, constant, whole)
        return int(constant) if whole else Fraction(constant)

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __neg__(self) -> Any:
        return self._times(-1, self.whole)

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Unknown):
            return _concrete(self)
        return self._times(_exact(other), self.whole and isinstance(other, int))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Unknown):
            return _concrete(other)
        return self._times(1 / Fraction(other), False)

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __ge__(self, other: Any) -> bool:
        return _reaches_zero(self - other)

    def __gt__(self, other: Any) -> bool:
        return not _reaches_zero(other - self)

    def __le__(self, other: Any) -> bool:
        return _reaches_zero(other - self)

    def __lt__(self, other: Any) -> bool:
        return not _reaches_zero(self - other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | float | Fraction | Unknown):
            return False
        gap = self - other
        if not isinstance(gap, Unknown):
            return bool(gap == 0)
        low, high = gap.ends()
        if low > 0 or high < 0:
            return False
        draw, factor = gap.single()
        at = Fraction(-gap.constant) / factor
        if at.denominator != 1:
            return False
        raise Undecided(draw, (int(at), int(at) + 1))

    def ends(self) -> tuple[Any, Any]:
        """The least and the greatest value."""
        low: Any = self.constant
        high: Any = self.constant
        for draw, factor in self.parts.items():
            one, two = self.box[draw] if factor > 0 else reversed(self.box[draw])
            low, high = low + factor * one, high + factor * two
        return low, high

    def single(self) -> tuple[int, Exact]:
        """The one unknown draw; of several, the first is asked for."""
        if len(self.parts) > 1:
            raise Undecided(min(self.parts), None)
        return next(iter(self.parts.items()))


def _exact(value: Any) -> Exact:
    return value if isinstance(value, int) else Fraction(value)


def _reaches_zero(gap: Any) -> bool:
    """``gap >= 0``."""
    if not isinstance(gap, Unknown):
        return bool(gap >= 0)
    low, high = gap.ends()
    if low >= 0 or high < 0:
        return bool(low >= 0)
    draw, factor = gap.single()
    # From the first value on that reaches zero, or from the first that does not any more.
    cut = -(gap.constant // factor) if factor > 0 else gap.constant // -factor + 1
    raise Undecided(draw, (int(cut),))
