"""Exact numbers that are not rational: what ``exp`` gives, and an ε that is a multiple of ln 2.

Kept in a canonical form, so that equality is decided exactly: an element of Q(2^(1/n)), or a
rational function of e^(1/n) or of ln 2 in lowest terms.  Two forms are the same number only if
they are the same form: x^n - 2 is irreducible, and e^(1/n) and ln 2 are transcendental.  Signs
of numbers that are not zero are found by balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from operator import add
from typing import Literal, TypeAlias

from flint import arb, arb_poly, fmpq, fmpq_poly

from ...dsl.errors import LimitReached, ShiftproofError
from ...dsl.terms.enclosures import MOST_PRECISION, settled, sign_of_ball
from ...dsl.terms.exponentials import exponential as exponential_of
from ...dsl.terms.linear import Linear, Opaque, Rational, number, term
from .numbers import LONGEST, ZERO, Base, Number, Unit, rational

#: Of which degree a number may be in e^(1/n), and what n may be for 2^(1/n).
DEGREE, ROOTS = 2_000, 96

_X = fmpq_poly([0, 1])
_ONE = fmpq_poly([1])
_Quotient: TypeAlias = tuple[fmpq_poly, fmpq_poly]
Generator = Literal["e", "2", "ln 2"]


class Mixed(ShiftproofError):
    """ε enters otherwise than as the inverse of a scale; a rational ε is needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """An irrational number ``top(t) / bottom(t)`` with t = e^(1/root), 2^(1/root), or ln 2.

    For base 2 the bottom is 1, and the top's degree is below the root; else they have no
    common factor, and the bottom's leading coefficient is 1.  Operators give exact results.

    Raises:
        Mixed: numbers of two kinds meet.
        LimitReached: the result is too long.
        ZeroDivisionError: the divisor is zero.
    """

    of: Generator
    root: int
    top: fmpq_poly
    bottom: fmpq_poly

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Power)
            and (self.of, self.root) == (other.of, other.root)
            and bool(self.top == other.top and self.bottom == other.bottom)
        )

    def __hash__(self) -> int:
        return hash((self.of, self.root, *self.top.coeffs(), *self.bottom.coeffs()))

    def __neg__(self) -> Power:
        return Power(self.of, self.root, -self.top, self.bottom)

    def __add__(self, other: Plain) -> Fraction | Power:
        return _combined(self, other, lambda a, b, c, d: (a * d + c * b, b * d))

    def __sub__(self, other: Plain) -> Fraction | Power:
        return _combined(self, other, lambda a, b, c, d: (a * d - c * b, b * d))

    def __rsub__(self, other: Plain) -> Fraction | Power:
        return -self + other

    def __mul__(self, other: Plain) -> Fraction | Power:
        if other and isinstance(other, int | Fraction):  # the form stays the shortest one
            return Power(self.of, self.root, self.top * rational(other), self.bottom)
        return _combined(self, other, lambda a, b, c, d: (a * c, b * d))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Plain) -> Fraction | Power:
        if not isinstance(other, int | Fraction | Power):
            return NotImplemented
        return self * (other.inverse() if isinstance(other, Power) else 1 / Fraction(other))

    def __rtruediv__(self, other: Rational) -> Fraction | Power:
        return self.inverse() * other

    def __pow__(self, exponent: int) -> Fraction | Power:
        factor = self if exponent > 0 else self.inverse()
        return math.prod([factor] * abs(exponent), start=Fraction(1))

    def inverse(self) -> Power:
        """One divided by the number."""
        if self.of == "2":
            common, inverse, _ = self.top.xgcd(_modulus(self.root))
            return Power(self.of, self.root, inverse / common[0], _ONE)
        lead = self.top[self.top.degree()]
        return Power(self.of, self.root, self.bottom / lead, self.top / lead)

    @property
    def form(self) -> Linear:
        """A power of e or of 2 as a term.

        Raises:
            Mixed: ε is in it.
        """
        if self.of == "ln 2":
            raise Mixed("ε and a root or logarithm in one number")
        t = number(1) if self.of == "e" else term(Opaque("log", (number(2),), False))
        t = t.scaled(Fraction(1, self.root))
        top, bottom = (
            reduce(add, (exponential_of(t.scaled(k)).scaled(_fraction(c)) for k, c in enumerate(p)))
            for p in (self.top.coeffs(), self.bottom.coeffs())
        )
        return top / bottom

    def by_root(self, root: int) -> _Quotient:
        """Top and bottom in a finer root."""
        step = _X ** (root // self.root)
        return (self.top, self.bottom) if step == _X else (self.top(step), self.bottom(step))

    def ball(self) -> arb:
        """The number in a ball of the working precision."""
        if self.of == "ln 2":
            top, bottom = _in_ln2(self.top), _in_ln2(self.bottom)
            return top if self.bottom == _ONE else top / bottom
        one = arb(1) / self.root
        t = one.exp() if self.of == "e" else arb(2) ** one
        return arb_poly(self.top)(t) / arb_poly(self.bottom)(t)

    @property
    def sign(self) -> int:
        """-1 or 1; an irrational number is not zero.

        Raises:
            LimitReached: it is closer to zero than can be told.
        """
        why = f"{MOST_PRECISION} bits are not enough for a comparison"
        return settled(lambda: sign_of_ball(self.ball()), "PRECISION", why)

    def multiple(self) -> tuple[Fraction, int]:
        """A number in ln 2 as ``amount · (ln 2)^power``.

        Raises:
            Mixed: it is no such number.
        """
        *below, amount = self.top.coeffs()
        others = self.bottom.coeffs()[:-1]
        if self.of != "ln 2" or any(below) or any(others):
            raise Mixed("ε is added to another number")
        return _fraction(amount), len(below) - len(others)


#: An exact number without noise.
Plain: TypeAlias = int | Fraction | Power
#: What an ε is a multiple of that is irrational.
LN2 = Power("ln 2", 1, _X, _ONE)


def number_of(value: Plain) -> Number:
    """A number as one to integrate with: a ball of the working precision if it is irrational."""
    return value.ball() if isinstance(value, Power) else rational(value)


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
        return _shortest("2", n, fmpq(2) ** whole * _X**rest, _ONE)
    if abs(p) > DEGREE:
        raise LimitReached("EXPONENT", f"a power of e of degree {abs(p)}")
    power = _X ** abs(p)
    return _shortest("e", n, power, _ONE) if p >= 0 else _shortest("e", n, _ONE, power)


def _combined(
    left: Power,
    right: Plain,
    operation: Callable[[fmpq_poly, fmpq_poly, fmpq_poly, fmpq_poly], _Quotient],
) -> Fraction | Power:
    """What an operation on quotients makes of a / b and c / d."""
    root = left.root
    if isinstance(right, Power):
        if left.of != right.of:
            raise Mixed("ε, powers of 2 and powers of e in one number")
        root = math.lcm(root, right.root)
        if root > (ROOTS if left.of == "2" else DEGREE):
            raise LimitReached("EXPONENT", f"powers in fractions of {root}")
        c, d = right.by_root(root)
    elif isinstance(right, int | Fraction):
        c, d = fmpq_poly([rational(right)]), _ONE
    else:
        return NotImplemented
    a, b = left.by_root(root)
    return _shortest(left.of, root, *operation(a, b, c, d))


@cache
def _modulus(root: int) -> fmpq_poly:
    """What 2^(1/root) is a root of: Q(2^(1/root)) is a field."""
    return _X**root - fmpq_poly([2])


def _shortest(of: Generator, root: int, top: fmpq_poly, bottom: fmpq_poly) -> Fraction | Power:
    """The number in its one form; a fraction if it is rational."""
    if of == "2":
        top = top % _modulus(root)
    else:
        common = top.gcd(bottom)
        if common.degree() > 0:
            top, bottom = top // common, bottom // common
        lead = bottom[bottom.degree()]
        top, bottom = top / lead, bottom / lead
    if top.degree() <= 0 and bottom.degree() == 0:
        return _fraction(top[0])
    if max(top.degree(), bottom.degree()) > DEGREE:
        raise LimitReached("EXPONENT", f"a number of degree above {DEGREE} in a power of e")
    if of == "ln 2":
        return Power(of, 1, top, bottom)
    step = root
    for polynomial in (top, bottom):
        if step > 1:
            step = math.gcd(step, *(k for k, c in enumerate(polynomial.coeffs()) if c != 0))
    return Power(of, root // step, *(fmpq_poly(p.coeffs()[::step]) for p in (top, bottom)))


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _in_ln2(polynomial: fmpq_poly) -> arb:
    """The polynomial at ln 2, as narrow as can be: most have one term."""
    t, terms = Unit("2").nats(1), enumerate(polynomial.coeffs())
    return arb(sum((c * t**k for k, c in terms if c != 0), start=ZERO))
