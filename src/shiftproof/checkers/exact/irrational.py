"""Numbers that are not rational: what roots and logarithms give, as ``log(1 / delta) / eps``.

Kept as terms in which whatever is seen to cancel is gone.  Two numbers of one form are the same;
that two others differ is shown by balls, and where these do not show it, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, cast

import flint
from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms.enclosures import enclosed, fraction, sign_of_number
from ...dsl.terms.exponentials import exponent_of, exponential
from ...dsl.terms.linear import (
    Atom,
    Linear,
    Opaque,
    Product,
    Rational,
    monomial,
    number,
    term,
)

#: What is taken out of roots and logarithms of integers: 6 and 8 have roots of one form then.
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
#: By how many bits an enclosure by rational numbers is finer than the working precision.
_FINER = 32
#: How long fractions are that stand for a number near them.
_NEXT = 1_000


class Irrational:
    """A real number by its form; operators give exact results, rational where that is seen.

    Where it meets noise it is taken for one of the rational numbers there: it can all that is
    asked of these, and is enclosed by two of them before anything is integrated.
    """

    __slots__ = ("form",)

    #: No number: so nobody takes it for a whole one.
    denominator = 0

    def __init__(self, form: Linear) -> None:
        self.form = form

    def __repr__(self) -> str:
        return str(self.form)

    def __hash__(self) -> int:
        return hash(self.form)

    def __eq__(self, other: object) -> bool:
        """Whether the forms are the same: unequal ones may be one number."""
        return isinstance(other, Irrational) and self.form == other.form

    def __neg__(self) -> Irrational:
        return Irrational(-self.form)

    def __add__(self, other: Exact) -> Exact:
        return _of(other, lambda form: self.form + form)

    def __sub__(self, other: Exact) -> Exact:
        return _of(other, lambda form: self.form - form)

    def __rsub__(self, other: Exact) -> Exact:
        return _of(other, lambda form: form - self.form)

    def __mul__(self, other: Exact) -> Exact:
        return _of(other, lambda form: self.form * form)

    def __truediv__(self, other: Exact) -> Exact:
        return _of(other, lambda form: self.form / form)

    def __rtruediv__(self, other: Exact) -> Exact:
        return _of(other, lambda form: form / self.form)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Irrational:
        return self if self.sign > 0 else -self

    def __lt__(self, other: Exact | float) -> bool:
        return self._beside(other) < 0

    def __le__(self, other: Exact | float) -> bool:
        return self._beside(other) <= 0

    def __gt__(self, other: Exact | float) -> bool:
        return self._beside(other) > 0

    def __ge__(self, other: Exact | float) -> bool:
        return self._beside(other) >= 0

    def __floor__(self) -> int:
        return _same(math.floor, self, "whether a number that is not rational is whole")

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __trunc__(self) -> int:
        return math.floor(self) if self.sign > 0 else math.ceil(self)

    def __round__(self) -> int:
        return _same(round, self, "to which whole number one that is not rational is rounded")

    def __floordiv__(self, other: Exact) -> Fraction:
        return Fraction(math.floor(self / other))

    def __rfloordiv__(self, other: Exact) -> Fraction:
        return Fraction(math.floor(other / self))

    def _beside(self, other: Exact | float) -> int:
        if isinstance(other, float):
            return -1 if other > 0 else 1
        gap = self - other
        return gap.sign if isinstance(gap, Irrational) else (gap > 0) - (gap < 0)

    @property
    def sign(self) -> int:
        """-1 or 1.

        Raises:
            LimitReached: it is zero, or closer to zero than can be told.
        """
        return _sign(self.form)

    def ball(self) -> arb:
        """The number in a ball of the working precision."""
        return enclosed(self.form)


#: An exact number.
Exact: TypeAlias = int | Fraction | Irrational


def _of(other: object, operation: Callable[[Linear], Linear]) -> Fraction | Irrational:
    form = number(other) if isinstance(other, int | Fraction) else getattr(other, "form", None)
    return NotImplemented if form is None else simplest(operation(form))


def simplest(form: Linear) -> Fraction | Irrational:
    """The number of a form; a fraction if that is seen to be one."""
    form = sum((_upwards(atom, k) for atom, k in form.parts), start=number(form.constant))
    return Fraction(form.constant) if form.is_constant else Irrational(form)


def _upwards(atom: Atom, k: Rational) -> Linear:
    """A product in which no root of an integer is divided by: 1 / √2 is √2 / 2."""
    if not isinstance(atom, Product):
        return Linear(0, ((atom, k),))
    powers = dict(atom.powers)
    for base, power in atom.powers:
        if power == -1 and isinstance(base, Opaque) and base.operation == "sqrt":
            inside = base.arguments[0]
            if inside.is_constant:
                powers[base] = 1
                k = Fraction(k) / inside.constant
    return monomial(tuple(powers.items()), k)


@lru_cache(4096)
def _sign(form: Linear) -> int:
    return sign_of_number(form)


@lru_cache(4096)
def _ends(form: Linear, precision: int) -> tuple[Fraction, Fraction]:
    with flint.ctx.workprec(precision):
        value = enclosed(form)
        if not value.is_finite():
            raise LimitReached("PRECISION", f"what {str(form)[:80]} is")
        return fraction(value.lower()), fraction(value.upper())


def _same(rounding: Callable[[Fraction], int], value: Irrational, what: str) -> int:
    low, high = map(rounding, ends(value))
    if low != high:
        raise LimitReached("PRECISION", what)
    return low


def sign(value: Exact) -> int:
    """-1, 0 or 1.

    Raises:
        LimitReached: it is zero, or closer to zero than can be told.
    """
    return value.sign if isinstance(value, Irrational) else (value > 0) - (value < 0)


# What is asked of exact numbers that may be rational, as most of them are.


def is_irrational(value: object) -> bool:
    """Whether a number is one of these."""
    return isinstance(value, Irrational)


def over(one: Exact, two: Exact) -> Fraction:
    """``one / two``, never a float."""
    if isinstance(one, Irrational) or isinstance(two, Irrational):
        return cast(Fraction, one / two)
    return Fraction(one) / two


def ball(value: Exact) -> arb:
    """The number in a ball."""
    if isinstance(value, Irrational):
        return value.ball()
    return arb(fmpq(value.numerator, value.denominator))


def ends(value: Exact) -> tuple[Fraction, Fraction]:
    """Two rational numbers between which it lies, closer to each other than is reckoned."""
    if isinstance(value, Irrational):
        return _ends(value.form, flint.ctx.prec + _FINER)
    return Fraction(value), Fraction(value)


def nearby(value: Exact) -> Fraction:
    """A rational number next to it, or it itself."""
    if isinstance(value, Irrational):
        return ends(value)[0].limit_denominator(_NEXT)
    return Fraction(value)


def number_of_form(form: Linear) -> Fraction:
    """The number, in the place of a rational one."""
    return cast(Fraction, simplest(form))


def root_of(value: Exact) -> Fraction:
    """The square root of a number that is not negative."""
    if not isinstance(value, Irrational):
        return number_of_form(_root(Fraction(value)))
    lead, rest = value.form.split()
    inside = rest if lead > 0 else -rest
    return number_of_form(_called("sqrt", inside) * _root(abs(Fraction(lead))))


def log_of(value: Exact) -> Fraction:
    """The logarithm of a positive number."""
    if isinstance(value, Irrational):
        (atom, factor), *others = value.form.parts
        power = None if others or value.form.constant or factor < 0 else exponent_of(atom)
        if power is not None:
            return number_of_form(power) + log_of(factor)
        return number_of_form(_called("log", value.form))
    found = number(0)
    for side, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime, times in _factors(side):
            found = found + _called("log", number(prime)).scaled(sign * times)
    return number_of_form(found)


def exp_of(value: Exact) -> Fraction:
    """e to a power that is not rational."""
    assert isinstance(value, Irrational)
    return number_of_form(exponential(value.form))


def _root(value: Fraction) -> Linear:
    found = number(Fraction(1, value.denominator))
    for prime, times in _factors(value.numerator * value.denominator):
        found = found.scaled(prime ** (times // 2))
        if times % 2:
            found = found * _called("sqrt", number(prime))
    return found if value else number(0)


def _called(function: str, inside: Linear) -> Linear:
    return term(Opaque(function, (inside,), False))


def _factors(value: int) -> list[tuple[int, int]]:
    """Small primes, and what is left, with their powers."""
    found = []
    for prime in _PRIMES:
        times = 0
        while value and value % prime == 0:
            value //= prime
            times += 1
        found += [(prime, times)] if times else []
    root = math.isqrt(value)
    if value > 1:
        found.append((root, 2) if root * root == value else (value, 1))
    return found
