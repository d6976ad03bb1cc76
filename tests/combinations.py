"""Numbers that are linear in draws of which only something is known, in exact arithmetic.

Programs compute with them in place of noise. What a comparison of one with zero comes to, and
what is asked for where that is not known, is for those to say who know the draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NoReturn

Exact = int | Fraction


def _needs_value(self: Combination, *_: object) -> NoReturn:
    self.needs_value()


class Combination:
    """``constant + Σ factor · draw``."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("box", "constant", "parts", "whole")
    __bool__ = __int__ = __index__ = __float__ = __round__ = __trunc__ = __floor__ = _needs_value
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rtruediv__ = _needs_value

    def __init__(self, box: Any, parts: Mapping[int, Exact], constant: Exact, whole: bool) -> None:
        self.box, self.parts, self.constant, self.whole = box, parts, constant, whole

    def needs_value(self) -> NoReturn:
        """An operation that is not linear: it needs the draws themselves."""
        raise NotImplementedError

    def reaches_zero(self) -> bool:
        """``self >= 0``."""
        raise NotImplementedError

    def is_zero(self) -> bool:
        """``self == 0``."""
        raise NotImplementedError

    def piece(self, draw: int) -> tuple[Any, Any]:
        """Between which numbers a draw lies."""
        raise NotImplementedError

    def ends(self) -> tuple[Any, Any]:
        """The least and the greatest value."""
        low: Any = self.constant
        high: Any = self.constant
        for draw, factor in self.parts.items():
            one, two = self.piece(draw)
            if factor < 0:
                one, two = two, one
            low, high = low + factor * one, high + factor * two
        return low, high

    def _made(self, parts: Mapping[int, Exact], constant: Exact, whole: bool) -> Any:
        if left := {draw: factor for draw, factor in parts.items() if factor}:
            return type(self)(self.box, left, constant, whole)
        return int(constant) if whole else Fraction(constant)

    def _plus(self, other: Any, sign: int) -> Any:
        if isinstance(other, Combination):
            parts = dict(self.parts)
            for draw, factor in other.parts.items():
                parts[draw] = parts.get(draw, 0) + sign * factor
            whole = self.whole and other.whole
            return self._made(parts, self.constant + sign * other.constant, whole)
        if not isinstance(other, int | float | Fraction):
            return NotImplemented
        whole = self.whole and isinstance(other, int)
        return self._made(self.parts, self.constant + sign * exact(other), whole)

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
        if isinstance(other, Combination):
            self.needs_value()
        return self._times(exact(other), self.whole and isinstance(other, int))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Combination):
            other.needs_value()
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
        if not isinstance(other, int | float | Fraction | Combination):
            return False
        gap = self - other
        return gap.is_zero() if isinstance(gap, Combination) else bool(gap == 0)


def exact(value: Any) -> Exact:
    """A number as it is held, without rounding."""
    return value if isinstance(value, int) else Fraction(value)


def reaches_zero(gap: Any) -> bool:
    """``gap >= 0``."""
    return gap.reaches_zero() if isinstance(gap, Combination) else bool(gap >= 0)
