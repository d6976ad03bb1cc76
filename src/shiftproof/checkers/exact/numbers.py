"""Exact numbers: rationals as long as possible, powers of e, and rigorous balls where needed.

A number is a ``flint.fmpq`` while it is known exactly, and a ``flint.arb`` (a ball that holds
the true value) from the first irrational power on.  Arithmetic between the two gives balls, so
nothing has to ask which it is.  Never a float.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal, TypeAlias, cast

import flint
from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms.enclosures import MOST_PRECISION, fraction, settled
from ...dsl.terms.linear import Rational, shortest
from .irrational import ball, is_irrational, over

Number: TypeAlias = fmpq | arb
Base = Literal["e", "2"]
#: The bases in the order in which they are tried: most is rational where ε is a multiple of ln 2.
BASES: tuple[Base, ...] = ("2", "e")

ZERO, ONE = fmpq(0), fmpq(1)
#: How narrow an enclosure is, relative to its value: 2 to this negative power.
ACCURACY = 40
#: How long a fraction may be to be shown as it is.
PLAIN = 24
#: The most bits that a power of two or the end of an enclosure is written out with.
LONGEST = 12_000


def rational(value: Rational) -> fmpq:
    """A rational number as an exact number."""
    return fmpq(value.numerator, value.denominator)


def exactly(value: Rational) -> Number:
    """A number, in a ball if it is not rational."""
    return ball(value) if is_irrational(value) else rational(value)


@dataclass(frozen=True, slots=True)
class Unit:
    """What one unit of rate is in nats: ``grain``, times ln 2 for base 2.

    With an ε that is a multiple of ln 2, powers are powers of two, and most are rational.
    """

    base: Base = "e"
    grain: Rational = 1

    def power(self, exponent: Rational) -> Number:
        """``exp(exponent)`` for an exponent in these units."""
        if exponent == 0:
            return ONE
        exponent = exponent * self.grain
        if self.base == "e":
            return rational_ball(exponent).exp()
        if exponent.denominator == 1 and -LONGEST <= exponent <= LONGEST:
            return fmpq(2) ** int(exponent)
        return arb(2) ** rational_ball(exponent)

    def nats(self, amount: Rational) -> Number:
        """An amount of these units in nats."""
        exact = exactly(amount * self.grain)
        return exact if self.base == "e" else exact * arb.const_log2()

    def grained(self, grain: Rational) -> Unit:
        """The unit with another grain."""
        return Unit(self.base, shortest(grain))


def rational_ball(value: Rational) -> arb:
    """A number as a ball."""
    return ball(value)


def common_grain(values: Iterable[Rational]) -> Rational:
    """The largest rational of which all the values are whole multiples; 1 of none."""
    top, bottom = 0, 1
    for value in values:
        top, bottom = (
            math.gcd(top * value.denominator, value.numerator * bottom),
            bottom * value.denominator,
        )
    return shortest(Fraction(top, bottom)) if top else 1


def grain_of(rates: Iterable[Rational]) -> Rational:
    """A number of which all rates are whole multiples; 1 of none, and where none is seen."""
    found = [*rates]
    first = next((rate for rate in found if is_irrational(rate)), None)
    if first is None:
        return common_grain(found)
    sizes = [over(rate, first) for rate in found]
    return 1 if any(map(is_irrational, sizes)) else first * common_grain(sizes)


def is_zero(value: Number) -> bool:
    """Whether the number is exactly zero; a ball that touches zero is not known to be."""
    return bool(value == 0)


def log(value: Number) -> arb:
    """The natural logarithm of a positive number."""
    return arb(value).log()


def is_writable(value: Number) -> bool:
    """Whether the ends of an enclosure are numbers that can be written out."""
    if isinstance(value, fmpq):
        return True
    return all(abs(end.mid().man_exp()[1]) <= LONGEST for end in (value.lower(), value.upper()))


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number between two rationals, ends included; exact where they are the same."""

    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, value: Number) -> Enclosure:
        """The tightest enclosure with rational ends of a number."""
        if isinstance(value, fmpq):
            exact = Fraction(int(value.p), int(value.q))
            return cls(exact, exact)
        ends = value.lower(), value.upper()
        if not all(end.is_finite() for end in ends):
            raise LimitReached("PRECISION", "a probability could not be enclosed")
        if not is_writable(value):
            raise LimitReached(
                "PRECISION", "a probability is too small, or too large, to be written"
            )
        return cls(*map(fraction, ends))

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.low == self.high

    def __str__(self) -> str:
        if self.exact:
            plain = str(self.low)
            return plain if len(plain) <= PLAIN else decimal(self.low)
        return decimal((self.low + self.high) / 2)


def decimal(value: Fraction, digits: int = 12) -> str:
    """A rational as a decimal number of so many digits, however small or large it is."""
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{found.normalize():.{digits}g}"


def refined(compute: Callable[[], Number]) -> Number:
    """What a computation comes to, with as much precision as it needs.

    Raises:
        LimitReached: the greatest precision is not enough.
    """

    def narrow() -> Number | None:
        value = compute()
        if isinstance(value, fmpq):
            return value
        return value if value.rel_accuracy_bits() >= ACCURACY else None

    why = f"{MOST_PRECISION} bits are not enough for a probability"
    return cast(Number, settled(narrow, "PRECISION", why))


@contextmanager
def working(precision: int) -> Iterator[None]:
    """Balls in the block are computed with this precision in bits."""
    with flint.ctx.workprec(precision):
        yield
