"""Exact numbers: rationals as long as possible, powers of e, and rigorous balls where needed.

A number is a ``flint.fmpq`` while it is known exactly, and a ``flint.arb`` (a ball that holds
the true value) from the first irrational power on.  Arithmetic between the two gives balls, so
nothing has to ask which it is.  Never a float.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias

import flint
from flint import arb, fmpq, fmpq_poly

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest

Number: TypeAlias = fmpq | arb
Base = Literal["e", "2"]
#: The bases in the order in which they are tried: most is rational where ε is a multiple of ln 2.
BASES: tuple[Base, ...] = ("2", "e")

ZERO, ONE = fmpq(0), fmpq(1)
#: The precision of balls in bits, at first and at most.
PRECISION, MOST_PRECISION = 128, 4096
#: How narrow an enclosure is, relative to its value: 2 to this negative power.
ACCURACY = 40
#: How long a fraction may be to be shown as it is.
PLAIN = 24
#: The most bits that a power of two or the end of an enclosure is written out with.
LONGEST = 12_000


def rational(value: Rational) -> fmpq:
    """A rational number as an exact number."""
    return fmpq(value.numerator, value.denominator)


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
        exact = rational(amount * self.grain)
        return exact if self.base == "e" else exact * arb.const_log2()

    def grained(self, grain: Rational) -> Unit:
        """The unit with another grain."""
        return Unit(self.base, shortest(grain))


def rational_ball(value: Rational) -> arb:
    """A rational number as a ball."""
    return arb(rational(value))


def common_grain(values: Iterator[Rational]) -> Rational:
    """The largest rational of which all the values are whole multiples; 1 of none."""
    top, bottom = 0, 1
    for value in values:
        top, bottom = (
            math.gcd(top * value.denominator, value.numerator * bottom),
            bottom * value.denominator,
        )
    return shortest(Fraction(top, bottom)) if top else 1


def is_zero(value: Number) -> bool:
    """Whether the number is exactly zero; a ball that touches zero is not known to be."""
    return bool(value == 0)


def log(value: Number) -> arb:
    """The natural logarithm of a positive number."""
    return arb(value).log()


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
        return cls(_end(value.lower()), _end(value.upper()))

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


def _end(value: arb) -> Fraction:
    if not value.is_finite():
        raise LimitReached("PRECISION", "a probability could not be enclosed")
    mantissa, exponent = value.mid().man_exp()
    if abs(exponent) > LONGEST:
        raise LimitReached("PRECISION", "a probability is too small, or too large, to be written")
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def narrow(value: Number) -> bool:
    """Whether a number is known well enough to be reported."""
    return isinstance(value, fmpq) or bool(value.rel_accuracy_bits() >= ACCURACY)


def refined(compute: Callable[[], Number]) -> Number:
    """What a computation comes to, with as much precision as it needs.

    Raises:
        LimitReached: the greatest precision is not enough.
    """
    precision = PRECISION
    while precision <= MOST_PRECISION:
        with working(precision):
            value = compute()
            if narrow(value):
                return value
        precision *= 2
    raise LimitReached("PRECISION", f"{MOST_PRECISION} bits are not enough for a probability")


@contextmanager
def working(precision: int) -> Iterator[None]:
    """Balls in the block are computed with this precision in bits."""
    with flint.ctx.workprec(precision):
        yield


# Numbers built from powers of e, or of 2, that are not rational: what ``exp`` gives.
#
# Kept in a canonical form, so that equality is decided exactly: an element of Q(2^(1/n)), or a
# rational function of e^(1/n) in lowest terms.  Two forms are the same number only if they are
# the same form: x^n - 2 is irreducible, and e^(1/n) is transcendental.  Signs of numbers that are
# not zero are found by balls.

#: Of which degree a number may be in e^(1/n), and what n may be for 2^(1/n).
DEGREE, ROOTS = 2_000, 96

_X = fmpq_poly([0, 1])
_ONE = fmpq_poly([1])


class Incomparable(Exception):
    """A number built from powers of e meets one built from powers of 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """An irrational number ``top(t) / bottom(t)`` with t = base^(1/root).

    For base 2 the bottom is 1, and the top's degree is below the root; for base e they have no
    common factor, and the bottom's leading coefficient is 1.
    """

    base: Base
    root: int
    top: fmpq_poly
    bottom: fmpq_poly

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Power)
            and (self.base, self.root) == (other.base, other.root)
            and bool(self.top == other.top and self.bottom == other.bottom)
        )

    def __hash__(self) -> int:
        return hash((self.base, self.root, *self.top.coeffs(), *self.bottom.coeffs()))

    def ball(self) -> arb:
        """The number in a ball of the working precision."""
        one = arb(1) / self.root
        t = one.exp() if self.base == "e" else arb(2) ** one
        return _at(self.top, t) / _at(self.bottom, t)

    @property
    def sign(self) -> int:
        """-1 or 1; an irrational number is not zero.

        Raises:
            LimitReached: it is closer to zero than can be told.
        """
        precision = PRECISION
        while precision <= MOST_PRECISION:
            with working(precision):
                value = self.ball()
                if value > 0:
                    return 1
                if value < 0:
                    return -1
            precision *= 2
        raise LimitReached("PRECISION", f"{MOST_PRECISION} bits are not enough for a comparison")


#: A number without noise that is not a multiple of an irrational ε.
Plain: TypeAlias = int | Fraction | Power
Operator: TypeAlias = Literal["+", "-", "*", "/"]


def exponential(base: Base, exponent: Fraction) -> Fraction | Power:
    """``base ** exponent``.

    Raises:
        LimitReached: it is too large to be written, or too fine a root.
    """
    p, n = exponent.numerator, exponent.denominator
    if base == "2":
        whole, rest = divmod(p, n)
        if abs(whole) > LONGEST:
            raise LimitReached("EXPONENT", "a power is too small, or too large, to be written")
        if n > ROOTS:
            raise LimitReached("EXPONENT", f"a power of 2 in fractions of {n}")
        found = fmpq_poly([0] * rest + [1]) * fmpq_poly([fmpq(2) ** whole])
        return _shortest("2", n, found, _ONE)
    if abs(p) > DEGREE:
        raise LimitReached("EXPONENT", f"a power of e of degree {abs(p)}")
    power = fmpq_poly([0] * abs(p) + [1])
    return _shortest("e", n, power, _ONE) if p >= 0 else _shortest("e", n, _ONE, power)


def combined(left: Plain, right: Plain, operator: Operator) -> Fraction | Power:
    """Sum, difference, product or quotient of two numbers of which one is irrational.

    Raises:
        Incomparable: one is built from powers of e, the other one from powers of 2.
        LimitReached: the result is too long.
        ZeroDivisionError: the divisor is zero.
    """
    bases: set[Base] = {v.base for v in (left, right) if isinstance(v, Power)}
    if len(bases) > 1:
        raise Incomparable
    base = bases.pop()
    n = math.lcm(*(v.root for v in (left, right) if isinstance(v, Power)))
    if n > (ROOTS if base == "2" else DEGREE):
        raise LimitReached("EXPONENT", f"powers in fractions of {n}")
    (a, b), (c, d) = (_polynomials(v, n) for v in (left, right))
    if operator == "/":
        if c.degree() < 0:
            raise ZeroDivisionError
        c, d = (d, c) if base == "e" else (_inverse(c, n), _ONE)
    if operator in ("*", "/"):
        top, bottom = a * c, b * d
    else:
        top = a * d - c * b if operator == "-" else a * d + c * b
        bottom = b * d
    return _shortest(base, n, top, bottom)


def _polynomials(value: Plain, root: int) -> tuple[fmpq_poly, fmpq_poly]:
    """Top and bottom of a number in ``base^(1/root)``."""
    if not isinstance(value, Power):
        return fmpq_poly([fmpq(value.numerator, value.denominator)]), _ONE
    step = root // value.root
    return _spread(value.top, step), _spread(value.bottom, step)


def _spread(polynomial: fmpq_poly, step: int) -> fmpq_poly:
    """The polynomial at ``x^step``."""
    if step == 1 or polynomial.degree() <= 0:
        return polynomial
    found = [fmpq(0)] * (polynomial.degree() * step + 1)
    found[::step] = polynomial.coeffs()
    return fmpq_poly(found)


@cache
def _modulus(root: int) -> fmpq_poly:
    """What 2^(1/root) is a root of: Q(2^(1/root)) is a field."""
    return _X**root - fmpq_poly([2])


def _inverse(value: fmpq_poly, root: int) -> fmpq_poly:
    """The inverse in Q(2^(1/root)) of what is not zero."""
    common, inverse, _ = value.xgcd(_modulus(root))
    return inverse / common[0]


def _shortest(base: Base, root: int, top: fmpq_poly, bottom: fmpq_poly) -> Fraction | Power:
    """The number in its one form; a fraction if it is rational."""
    if base == "2":
        top = top % _modulus(root)
    else:
        common = top.gcd(bottom)
        if common.degree() > 0:
            top, bottom = top // common, bottom // common
        lead = bottom[bottom.degree()]
        top, bottom = top / lead, bottom / lead
    if top.degree() <= 0 and bottom.degree() == 0:
        return Fraction(int(top[0].p), int(top[0].q))
    if max(top.degree(), bottom.degree()) > DEGREE:
        raise LimitReached("EXPONENT", f"a number of degree above {DEGREE} in a power of e")
    step = root
    for polynomial in (top, bottom):
        if step > 1:
            step = math.gcd(step, *(k for k, c in enumerate(polynomial.coeffs()) if c != 0))
    return Power(base, root // step, _narrowed(top, step), _narrowed(bottom, step))


def _narrowed(polynomial: fmpq_poly, step: int) -> fmpq_poly:
    """The polynomial of x that is this one at ``x^step``."""
    return polynomial if step == 1 else fmpq_poly(polynomial.coeffs()[::step])


def _at(polynomial: fmpq_poly, t: arb) -> arb:
    total = arb(0)
    for c in reversed(polynomial.coeffs()):
        total = total * t + arb(c)
    return total
