"""What a run computes with while its noise is unknown.

Numbers that do not depend on noise are plain: an ``int`` where Python has an int, a
``Fraction`` where it has a float, a :class:`Power` or an :class:`Irrational` where it is none.
What depends on noise is :class:`Affine` in the draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from ...dsl.errors import LimitReached, ShiftproofError
from ...dsl.terms.linear import Rational, shortest
from .irrational import Irrational, exp_of, is_irrational, number_of_form, over, sign
from .powers import Mixed, Plain, Power, exponential


class NotAffine(ShiftproofError):
    """Noise is multiplied with noise, or rounded."""


class Failure(Exception):
    """The run raises: an index out of range, a division by zero, a scale that is not positive."""


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + Σ factor · draw``; draws are numbers from 0 on, factors are not zero.

    Negative numbers stand for the real values that were released (the j-th from -1 down), once
    an outcome says what they are.  ``whole``: Python has an int.
    """

    parts: Mapping[int, Rational]
    constant: Rational
    whole: bool

    def __add__(self, other: Amount) -> Amount:
        if not isinstance(other, Affine):
            constant = self.constant + _rational(other)
            return Affine(self.parts, shortest(constant), self.whole and isinstance(other, int))
        parts = dict(self.parts)
        for draw, f in other.parts.items():
            total = parts.get(draw, 0) + f
            if total:
                parts[draw] = total
            else:
                del parts[draw]
        return Affine(
            parts, shortest(self.constant + other.constant), self.whole and other.whole
        ).settled

    __radd__ = __add__

    def __neg__(self) -> Affine:
        parts = {draw: -f for draw, f in self.parts.items()}
        return Affine(parts, -self.constant, self.whole)

    def __sub__(self, other: Amount) -> Amount:
        return self + -other

    def __rsub__(self, other: Plain) -> Amount:
        return -self + other

    def __mul__(self, other: Amount) -> Amount:
        if isinstance(other, Affine):
            raise NotAffine("noise times noise")
        factor, whole = _rational(other), self.whole and isinstance(other, int)
        if factor == 0:
            return 0 if whole else Fraction(0)
        parts = {draw: shortest(f * factor) for draw, f in self.parts.items()}
        return Affine(parts, shortest(self.constant * factor), whole)

    __rmul__ = __mul__

    def __truediv__(self, other: Amount) -> Amount:
        if isinstance(other, Affine):
            raise NotAffine("division by noise")
        return self * over(1, _rational(other))

    def __rtruediv__(self, other: Plain) -> Amount:
        raise NotAffine("division by noise")

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
    def is_rational(self) -> bool:
        """Whether all numbers in it are."""
        # Asked of every release and outcome, so without a call for each number.
        kinds: set[type] = {type(self.constant), *map(type, self.parts.values())}
        return Irrational not in kinds

    @property
    def draws(self) -> tuple[int, ...]:
        """The draws that it depends on."""
        return tuple(d for d in self.parts if d >= 0)

    @property
    def settled(self) -> Affine | int | Fraction:
        """The number; a plain one if nothing is left that it depends on."""
        if self.parts:
            return self
        if is_irrational(self.constant):
            return self.constant
        return int(self.constant) if self.whole else Fraction(self.constant)


Amount: TypeAlias = int | Fraction | Power | Affine
#: A released or computed value: a truth value, an atom, a number, or a list of these.
Value = bool | str | None | Amount | tuple["Value", ...]


def _rational(value: Plain) -> Rational:
    """A number that noise may meet."""
    if isinstance(value, Power) and value.of == "ln 2":
        raise Mixed("noise and ε in one number")
    if isinstance(value, Power):
        return number_of_form(value.form)
    return value


def divide(left: Amount, right: Amount) -> Amount:
    """``left / right``, always a float in Python; the divisor is not zero."""
    if isinstance(left, int) and isinstance(right, int):
        return Fraction(left, right)
    return cast(Amount, left / right)


def exp(exponent: Amount) -> Fraction | Power:
    """``math.exp``: a power of 2 for a multiple of ln 2, else one of e."""
    if isinstance(exponent, Affine):
        raise NotAffine("a power with noise in the exponent")
    if is_irrational(exponent):
        return exp_of(real(exponent))
    if not isinstance(exponent, Power):
        return exponential("e", Fraction(plain(exponent)))
    if exponent.of != "ln 2":
        raise LimitReached("POWERS", "a power with a power in the exponent")
    amount, power = exponent.multiple()
    if power != 1:
        raise Mixed("ε is no factor of an exponent")
    return exponential("2", amount)


def sign_of(value: Amount) -> int:
    """-1, 0 or 1: the sign of a number without noise."""
    if isinstance(value, Affine):
        raise NotAffine("the sign of noise")
    return value.sign if isinstance(value, Power) else sign(value)


def real(value: object) -> Fraction:
    """A number, rational or not, that depends neither on noise nor on an irrational ε.

    Raises:
        Mixed, NotAffine: it does.
    """
    if isinstance(value, Power):
        return number_of_form(value.form)
    return cast(Fraction, value) if is_irrational(value) else Fraction(plain(value))


def plain(value: object) -> int | Fraction:
    """A rational number that depends neither on noise nor on an irrational ε.

    Raises:
        Mixed, NotAffine: it does.
        LimitReached: it is a power that is irrational.
    """
    if isinstance(value, Affine):
        raise NotAffine("noise is rounded, or indexes something")
    if isinstance(value, Power) and value.of == "ln 2":
        raise Mixed("ε is rounded or compared")
    if isinstance(value, Power):
        raise LimitReached("POWERS", "an irrational power is rounded, released or a scale")
    if is_irrational(value):
        raise LimitReached("POWERS", "a root or logarithm is rounded, released or counted with")
    assert isinstance(value, int | Fraction), value
    return value


def in_units(value: Value) -> tuple[Rational, int]:
    """A number without noise, as a rational and the power of ε's unit that it is times.

    Raises:
        NotAffine: it depends on noise.
    """
    if isinstance(value, Power) and value.of == "ln 2":
        return value.multiple()
    return real(value), 0
