"""Numbers that stand for a whole interval of draws, and say when they cannot.

A mechanism that runs on them decides each comparison for all draws of the interval at
once, or raises :class:`Undecided` with the places at which the interval must be cut.
So a threshold test splits a draw in two instead of in infinitely many, exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NoReturn

from shiftproof import (
    Bernoulli,
    Distribution,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
)
from tests.combinations import Combination, Exact

#: A draw lies between both ends, which are included; they may be infinite.
Interval = tuple[float, float]


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


class Unknown(Combination):
    """A combination of draws that are known by their intervals only."""

    __slots__ = ()

    def needs_value(self) -> NoReturn:
        raise Undecided(min(self.parts), None)

    def piece(self, draw: int) -> Interval:
        return self.box[draw]

    def single(self) -> tuple[int, Exact]:
        """The one unknown draw; of several, the first is asked for."""
        if len(self.parts) > 1:
            self.needs_value()
        return next(iter(self.parts.items()))

    def is_zero(self) -> bool:
        low, high = self.ends()
        if low > 0 or high < 0:
            return False
        draw, factor = self.single()
        at = Fraction(-self.constant) / factor
        if at.denominator != 1:
            return False
        raise Undecided(draw, (int(at), int(at) + 1))

    def reaches_zero(self) -> bool:
        low, high = self.ends()
        if low >= 0 or high < 0:
            return bool(low >= 0)
        draw, factor = self.single()
        # From the first value on that reaches zero, or from the first that does not any more.
        constant = self.constant
        cut = -(constant // factor) if factor > 0 else constant // -factor + 1
        raise Undecided(draw, (int(cut),))
