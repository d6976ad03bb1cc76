"""What a run computes with while its noise is unknown.

Numbers that do not depend on noise are plain: an ``int`` where Python has an int, a
``Fraction`` where it has a float.  What depends on noise is :class:`Affine` in the draws.
An ε that is a multiple of ln 2 is :class:`Scaled`: it may enter scales and exponents, and
nothing else.  What ``exp`` gives is a ``Fraction`` or, if it is irrational, a :class:`Power`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ...dsl.errors import LimitReached, ShiftproofError
from ...dsl.terms.linear import Rational, shortest
from .numbers import Incomparable, Operator, Plain, Power, combined, exponential


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
        if isinstance(other, Power):
            raise _noisy_power()
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


Amount: TypeAlias = int | Fraction | Affine | Scaled | Power


def add(left: Amount, right: Amount, sign: int = 1) -> Amount:
    """``left + sign · right``."""
    if isinstance(left, Affine):
        return left.plus(right, sign)
    if isinstance(right, Affine):
        return (-right if sign < 0 else right).plus(left)
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        return _scaled_sum(left, right, sign)
    if isinstance(left, Power) or isinstance(right, Power):
        return _combined(left, right, "-" if sign < 0 else "+")
    return left + sign * right


def _scaled_sum(left: Plain | Scaled, right: Plain | Scaled, sign: int) -> Amount:
    if isinstance(left, Power) or isinstance(right, Power):
        raise Mixed("ε is added to a power")
    if not isinstance(right, Scaled):
        right = Scaled(Fraction(right), 0) if right else Scaled(Fraction(0), _power(left))
    if not isinstance(left, Scaled):
        left = Scaled(Fraction(left), 0) if left else Scaled(Fraction(0), right.power)
    if left.power != right.power:
        raise Mixed("ε is added to another number")
    return Scaled(left.amount + sign * right.amount, left.power)


def _power(value: Plain | Scaled) -> int:
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
        if isinstance(plain, Power):
            raise _noisy_power()
        return noisy.scaled(plain, noisy.whole and type(plain) is int)
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        amount = _amount(left) * _amount(right)
        return _unscaled(amount, _power(left) + _power(right))
    if isinstance(left, Power) or isinstance(right, Power):
        return _combined(left, right, "*")
    return left * right


def divide(left: Amount, right: Amount) -> Amount:
    """``left / right``, always a float in Python; the divisor is not zero."""
    if isinstance(right, Affine):
        raise NotAffine("division by noise")
    if isinstance(left, Affine):
        if isinstance(right, Scaled):
            raise Mixed("noise divided by ε")
        if isinstance(right, Power):
            raise _noisy_power()
        return left.scaled(1 / Fraction(right))
    if isinstance(left, Scaled) or isinstance(right, Scaled):
        return _unscaled(_amount(left) / _amount(right), _power(left) - _power(right))
    if isinstance(left, Power) or isinstance(right, Power):
        return _combined(left, right, "/")
    return Fraction(left) / right


def exp(exponent: Amount) -> Fraction | Power:
    """``math.exp``: a power of 2 for a multiple of ln 2, else one of e."""
    if isinstance(exponent, Affine):
        raise NotAffine("a power with noise in the exponent")
    if isinstance(exponent, Power):
        raise LimitReached("POWERS", "a power with a power in the exponent")
    if not isinstance(exponent, Scaled):
        return exponential("e", Fraction(exponent))
    if exponent.amount and exponent.power != 1:
        raise Mixed("ε is no factor of an exponent")
    return exponential("2", exponent.amount)


def sign_of(value: Amount) -> int:
    """-1, 0 or 1: the sign of a number without noise."""
    if isinstance(value, Affine):
        raise NotAffine("the sign of noise")
    if isinstance(value, Power):
        return value.sign
    exact = value.amount if isinstance(value, Scaled) else value
    return (exact > 0) - (exact < 0)


def _combined(left: Plain, right: Plain, operator: Operator) -> Fraction | Power:
    try:
        return combined(left, right, operator)
    except Incomparable:
        raise Mixed("powers of 2 and powers of e in one number") from None


def _noisy_power() -> LimitReached:
    return LimitReached("POWERS", "noise and an irrational power in one number")


def _amount(value: Plain | Scaled) -> Fraction:
    if isinstance(value, Power):
        raise Mixed("ε times a power")
    return value.amount if isinstance(value, Scaled) else Fraction(value)


def _unscaled(amount: Fraction, power: int) -> Amount:
    return Scaled(amount, power) if power else amount


def plain(value: object) -> int | Fraction:
    """A rational number that depends neither on noise nor on an irrational ε.

    Raises:
        Mixed, NotAffine: it does.
        LimitReached: it is a power that is irrational.
    """
    if isinstance(value, Scaled):
        raise Mixed("ε is rounded or compared")
    if isinstance(value, Affine):
        raise NotAffine("noise is rounded, or indexes something")
    if isinstance(value, Power):
        raise LimitReached("POWERS", "an irrational power is rounded, released or a scale")
    assert isinstance(value, int | Fraction), value
    return value
