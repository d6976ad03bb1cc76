"""What a run computes with while its noise is unknown.

Numbers that do not depend on noise are plain: an ``int`` where Python has an int, a
``Fraction`` where it has a float.  What depends on noise is :class:`Affine` in the draws.
An ε that is a multiple of ln 2 is :class:`Scaled`: it may enter scales, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ...dsl.errors import ShiftproofError
from ...dsl.terms import Rational, shortest


class Mixed(ShiftproofError):
    """ε enters otherwise than as the inverse of a scale; a rational ε is needed."""


class NotAffine(ShiftproofError):
    """Noise is multiplied with noise, or rounded."""


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + Σ factor · draw``; draws are numbers from 0 on, factors are not zero.

    Negative numbers stand for the real values that were released (the j-th from -1 down), once
    an outcome says what they are.  ``whole``: Python has an int.
    """

    parts: Mapping[int, Rational]
    constant: Rational
    whole: bool

    def plus(self, other: Amount, factor: int = 1) -> Amount:
        """The sum with another number, or with its multiple."""
        if isinstance(other, Scaled):
            raise Mixed("noise and ε in one sum")
        if not isinstance(other, Affine):
            whole = self.whole and type(other) is int
            return Affine(self.parts, shortest(self.constant + factor * other), whole)
        parts = dict(self.parts)
        for draw, f in other.parts.items():
            total = parts.get(draw, 0) + factor * f
            if total:
                parts[draw] = total
            else:
                del parts[draw]
        constant = self.constant + factor * other.constant
        return _collapsed(parts, constant, self.whole and other.whole)

    def scaled(self, factor: Rational, whole: bool = False) -> Amount:
        """The number times a plain one."""
        if factor == 0:
            return 0 if whole else Fraction(0)
        parts = {draw: shortest(f * factor) for draw, f in self.parts.items()}
        return Affine(parts, shortest(self.constant * factor), whole)

    def __neg__(self) -> Affine:
        parts = {draw: -f for draw, f in self.parts.items()}
        return Affine(parts, -self.constant, self.whole)

    def with_draw(self, draw: int, value: Affine) -> Affine:
        """The number with what a draw is put in; may be left without draws."""
        f = self.parts.get(draw)
        if f is None:
            return self
        parts = {d: g for d, g in self.parts.items() if d != draw}
        for d, g in value.parts.items():
            total = parts.get(d, 0) + f * g
            if total:
                parts[d] = shortest(total)
            else:
                del parts[d]
        return Affine(parts, shortest(self.constant + f * value.constant), self.whole)

    @property
    def draws(self) -> tuple[int, ...]:
        """The draws that it depends on."""
        return tuple(d for d in self.parts if d >= 0)


def _collapsed(parts: dict[int, Rational], constant: Rational, whole: bool) -> Amount:
    if parts:
        return Affine(parts, shortest(constant), whole)
    return int(constant) if whole else Fraction(constant)


@dataclass(frozen=True, slots=True)
class Scaled:
    """``amount · unit^power`` for the irrational unit of ε."""

    amount: Fraction
    power: int


Amount: TypeAlias = int | Fraction | Affine | Scaled


def add(left: Amount, right: Amount, sign: int = 1) -> Amount:
    """``left + sign · right``."""
    if isinstance(left, Affine):
        return left.plus(right, sign)
    if isinstance(right, Affine):
        return (-right if sign < 0 else right).plus(left)
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        return _scaled_sum(left, right, sign)
    return left + sign * right


def _scaled_sum(left: int | Fraction | Scaled, right: int | Fraction | Scaled, sign: int) -> Amount:
    if not isinstance(right, Scaled):
        right = Scaled(Fraction(right), 0) if right else Scaled(Fraction(0), _power(left))
    if not isinstance(left, Scaled):
        left = Scaled(Fraction(left), 0) if left else Scaled(Fraction(0), right.power)
    if left.power != right.power:
        raise Mixed("ε is added to another number")
    return Scaled(left.amount + sign * right.amount, left.power)


def _power(value: int | Fraction | Scaled) -> int:
    return value.power if isinstance(value, Scaled) else 0


def multiply(left: Amount, right: Amount) -> Amount:
    """The product; one factor must be free of noise."""
    if isinstance(left, Affine) or isinstance(right, Affine):
        noisy, plain = (left, right) if isinstance(left, Affine) else (right, left)
        assert isinstance(noisy, Affine)
        if isinstance(plain, Scaled):
            raise Mixed("noise times ε")
        if isinstance(plain, Affine):
            raise NotAffine("noise times noise")
        return noisy.scaled(plain, noisy.whole and type(plain) is int)
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        amount = _amount(left) * _amount(right)
        return _unscaled(amount, _power(left) + _power(right))
    return left * right


def divide(left: Amount, right: Amount) -> Amount:
    """``left / right``, always a float in Python; the divisor is not zero."""
    if isinstance(right, Affine):
        raise NotAffine("division by noise")
    if isinstance(left, Affine):
        if isinstance(right, Scaled):
            raise Mixed("noise divided by ε")
        return left.scaled(1 / Fraction(right))
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        return _unscaled(_amount(left) / _amount(right), _power(left) - _power(right))
    return Fraction(left) / right


def _amount(value: int | Fraction | Scaled) -> Fraction:
    return value.amount if isinstance(value, Scaled) else Fraction(value)


def _unscaled(amount: Fraction, power: int) -> Amount:
    return Scaled(amount, power) if power else amount


def plain(value: object) -> int | Fraction:
    """A number that depends neither on noise nor on an irrational ε.

    Raises:
        Mixed, NotAffine: it does.
    """
    if isinstance(value, Scaled):
        raise Mixed("ε is rounded or compared")
    if isinstance(value, Affine):
        raise NotAffine("noise is rounded, or indexes something")
    assert isinstance(value, int | Fraction), value
    return value
