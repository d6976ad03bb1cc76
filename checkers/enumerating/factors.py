"""Products of powers, and powers of e between rational numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

#: A product of whole powers of parameters, in the order of their names; ``()`` is 1.
Exponent = tuple[tuple[str, int], ...]
#: The denominator of a ratio: factors, each by its number, with their powers.
Factors = tuple[tuple[int, int], ...]


def rational(value: int | Fraction) -> Any:
    """A number as flint has it."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def merged(left: Factors, right: Factors, how: Any) -> Factors:
    """Two denominators in one: multiplied (``sum``), or the least that both divide (``max``)."""
    if not left or not right or (left == right and how is max):
        return left or right
    found = dict(left)
    for number, power in right:
        found[number] = how((found[number], power)) if number in found else power
    return tuple(sorted(found.items()))


def without(whole: Factors, part: Factors) -> Factors:
    """What is left of a product if it is divided by a part of it."""
    if not part:
        return whole
    has = dict(part)
    return tuple((n, p - has.get(n, 0)) for n, p in whole if p > has.get(n, 0))


def exponent_text(exponent: Exponent) -> str:
    """A product of powers of parameters; 1 if there is none."""
    return "*".join(n if p == 1 else f"{n}**{p}" for n, p in exponent) or "1"


def power_of_e(power: Fraction) -> tuple[Fraction, Fraction]:
    """e to a power in [0, 1], between two rational numbers 2^-60 apart or less."""
    total, member, k = Fraction(1), Fraction(1), 0
    while member > Fraction(1, 1 << 64):
        k += 1
        member = member * power / k
        total += member
    # What is left out is a series below member · (power/(k+1)) · (1 + 1/2 + 1/4 + …).
    return total, total + 2 * member
