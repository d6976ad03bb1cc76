"""Rigorous enclosures of real numbers (Arb): comparisons hold for every number in them."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from ..claim import Undecided


def ball(value: Fraction | int) -> arb:
    """A rational number as a ball."""
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def below(number: arb, bound: Fraction | int | arb) -> bool:
    """Whether a number is below a bound.

    Raises:
        Undecided: the enclosures overlap.
    """
    other = bound if isinstance(bound, arb) else ball(bound)
    if number < other:
        return True
    if number >= other:
        return False
    raise Undecided(f"{number} may be below {other}, and may not")


def shown(number: arb, digits: int = 6) -> str:
    """A number to read; the digits shown are right, up to one in the last."""
    return str(number.str(digits, radius=False))
