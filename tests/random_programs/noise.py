"""Sums of draws that are known by their intervals: what a program computes with in place of noise.

A comparison is decided for all draws of a box at once, or asks for a cut of one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .laws import End, Exact, Interval, Law, Unknowable


class Signal(BaseException):
    """Stops a run; no ``Exception``, so that no program can take it for one of its own."""


class Undecided(Signal):
    """What comes next depends on where in its interval a draw lies.

    ``cuts`` are where it is cut (the first values of new pieces, of integers); without any, all of
    its values are asked for.
    """

    def __init__(self, draw: int, cuts: tuple[Exact, ...]) -> None:
        self.draw, self.cuts = draw, cuts


class Box:
    """The draws of one run so far: their laws, and where each lies."""

    def __init__(self, pieces: tuple[Interval, ...]) -> None:
        self.pieces, self.laws = pieces, list[Law]()


def _needs_value(self: Sum, *_: object) -> Any:
    """What is not linear needs the draws themselves."""
    for draw in self.parts:
        if self.box.laws[draw].continuous:
            raise Unknowable("an operation on continuous noise that is not linear")
    raise Undecided(min(self.parts), ())


class Sum:
    """``constant + Σ factor · draw``."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("box", "constant", "parts", "whole")
    __bool__ = __int__ = __index__ = __float__ = __round__ = __trunc__ = __floor__ = _needs_value
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rtruediv__ = _needs_value

    def __init__(self, box: Box, parts: Mapping[int, Exact], constant: Exact, whole: bool) -> None:
        self.box, self.parts, self.constant, self.whole = box, parts, constant, whole

    @property
    def continuous(self) -> bool:
        """Whether it has a density."""
        return any(self.box.laws[draw].continuous for draw in self.parts)

    def _made(self, parts: Mapping[int, Exact], constant: Exact, whole: bool) -> Any:
        if left := {draw: factor for draw, factor in parts.items() if factor}:
            return Sum(self.box, left, constant, whole)
        return int(constant) if whole else Fraction(constant)

    def _plus(self, other: Any, sign: int) -> Any:
        if isinstance(other, Sum):
            parts = dict(self.parts)
            for draw, factor in other.parts.items():
                parts[draw] = parts.get(draw, 0) + sign * factor
            whole = self.whole and other.whole
            return self._made(parts, self.constant + sign * other.constant, whole)
        if not isinstance(other, int | float | Fraction):
            return NotImplemented
        whole = self.whole and isinstance(other, int)
        return Sum(self.box, self.parts, self.constant + sign * exact(other), whole)

    def _times(self, factor: Exact, whole: bool) -> Any:
        parts = {draw: f * factor for draw, f in self.parts.items()}
        return self._made(parts, self.constant * factor, whole)

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return self._times(-1, self.whole)._plus(other, 1)

    def __neg__(self) -> Any:
        return self._times(-1, self.whole)

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Sum):
            return _needs_value(other)
        return self._times(exact(other), self.whole and isinstance(other, int))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Sum):
            return _needs_value(other)
        return self._times(1 / Fraction(other), False)

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __ge__(self, other: Any) -> bool:
        return reaches_zero(self - other)

    def __gt__(self, other: Any) -> bool:
        return not reaches_zero(other - self)

    def __le__(self, other: Any) -> bool:
        return reaches_zero(other - self)

    def __lt__(self, other: Any) -> bool:
        return not reaches_zero(self - other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | float | Fraction | Sum):
            return False
        gap = self - other
        if not isinstance(gap, Sum):
            return bool(gap == 0)
        if gap.continuous:
            return False  # almost surely
        low, high = gap.ends()
        if low > 0 or high < 0:
            return False
        if len(gap.parts) > 1:
            raise Undecided(min(gap.parts), ())
        ((draw, factor),) = gap.parts.items()
        at = Fraction(-gap.constant) / factor
        if at.denominator != 1:
            return False
        raise Undecided(draw, (int(at), int(at) + 1))

    def ends(self) -> tuple[End, End]:
        """The least and the greatest value."""
        low: Any = self.constant
        high: Any = self.constant
        for draw, factor in self.parts.items():
            one, two = self.box.pieces[draw]
            if factor < 0:
                one, two = two, one
            low, high = low + factor * one, high + factor * two
        return low, high

    def cut_at(self, places: tuple[Exact, ...]) -> Undecided:
        """What to ask for to know between which of these places it lies."""
        if len(self.parts) > 1:
            return self.halved()
        ((draw, factor),) = self.parts.items()
        cuts = [(Fraction(place) - self.constant) / factor for place in places]
        if self.box.laws[draw].continuous:
            return Undecided(draw, tuple(sorted(cuts)))
        # The first integer that reaches the place, or that does not any more.
        return Undecided(
            draw, tuple(sorted(math.ceil(c) if factor > 0 else math.floor(c) + 1 for c in cuts))
        )

    def halved(self) -> Undecided:
        """A cut of the draw about which least is known."""

        def spread(draw: int) -> float:
            low, high = self.box.pieces[draw]
            law = self.box.laws[draw]
            if math.isinf(low) or math.isinf(high):
                return abs(self.parts[draw]) * float(law.values[0]) * 4
            return abs(float(self.parts[draw] * (high - low)))

        draw = max((d for d in self.parts), key=spread)
        return Undecided(draw, (self.box.laws[draw].middle(self.box.pieces[draw]),))


def exact(value: Any) -> Exact:
    """A number as it is held, without rounding."""
    return value if isinstance(value, int) else Fraction(value)


def reaches_zero(gap: Any) -> bool:
    """``gap >= 0``."""
    if not isinstance(gap, Sum):
        return bool(gap >= 0)
    low, high = gap.ends()
    if low >= 0:
        return True
    if high < 0 or (high == 0 and gap.continuous):
        return False
    raise gap.cut_at((0,))
