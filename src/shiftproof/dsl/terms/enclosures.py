"""Numbers that are not rational in rigorous balls, never in floats; signs decided by them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from ..errors import LimitReached
from .linear import Atom, Exp, Group, Linear, Opaque, Product, Rational

if TYPE_CHECKING:
    from flint import arb

T = TypeVar("T")

#: The precision of balls in bits, at first and at most.
PRECISION, MOST_PRECISION = 128, 4096


def settled(attempt: Callable[[], T | None], limit: str, why: str) -> T:
    """What an attempt gives with as much precision as it needs to give anything.

    Raises:
        LimitReached: the greatest precision is not enough; with this limit and these words.
    """
    import flint

    precision = PRECISION
    while precision <= MOST_PRECISION:
        with flint.ctx.workprec(precision):
            found = attempt()
            if found is not None:
                return found
        precision *= 2
    raise LimitReached(limit, why)


def sign_of_ball(value: arb) -> int | None:
    """-1 or 1 for a ball that is away from zero."""
    return 1 if value > 0 else -1 if value < 0 else None


def is_plain(subject: Linear) -> bool:
    """Whether the term is a number, though one that is not rational."""
    return all(map(_is_plain, (atom for atom, _ in subject.parts)))


def _is_plain(atom: Atom) -> bool:
    if isinstance(atom, Exp):
        return is_plain(atom.power)
    if isinstance(atom, Product):
        return all(_is_plain(base) for base, _ in atom.powers)
    if isinstance(atom, Opaque):
        return atom.operation in ("sqrt", "log") and is_plain(atom.arguments[0])
    return isinstance(atom, Group) and is_plain(atom.inner)


def sign_of_number(subject: Linear) -> int:
    """-1 or 1: the sign of a plain number that is not rational.

    Raises:
        LimitReached: it is zero, or closer to zero than can be told.
    """
    why = f"whether {str(subject)[:80]} is zero"
    return settled(lambda: sign_of_ball(enclosed(subject)), "PRECISION", why)


def rational_ends(subject: Linear) -> tuple[Fraction, Fraction]:
    """Two rationals close to each other between which a plain number lies."""
    import flint

    with flint.ctx.workprec(PRECISION):
        value = enclosed(subject)
        return fraction(value.lower()), fraction(value.upper())


def fraction(end: arb) -> Fraction:
    """An end of a ball, exactly."""
    mantissa, exponent = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def enclosed(subject: Linear) -> arb:
    """A plain number in a ball of the working precision."""
    total = _rational(subject.constant)
    for atom, k in subject.parts:
        total += _rational(k) * _enclosed(atom)
    return total


def _enclosed(atom: Atom) -> arb:
    if isinstance(atom, Exp):
        return enclosed(atom.power).exp()
    if isinstance(atom, Group):
        return enclosed(atom.inner)
    if isinstance(atom, Opaque):
        return applied(atom.operation, enclosed(atom.arguments[0]))
    assert isinstance(atom, Product)
    total = _rational(1)
    for base, power in atom.powers:
        total *= _enclosed(base) ** power
    return total


def applied(function: str, inside: arb) -> arb:
    """A root or logarithm; where there surely is none, less than any number."""
    if inside < 0 or (function == "log" and inside.is_zero()):
        return type(inside)("-inf")
    return inside.sqrt() if function == "sqrt" else inside.log()


def _rational(value: Rational) -> arb:
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))
