"""Polynomials in one power of e as rows of whole coefficients, and their signs by Sturm's chain.

The constant comes first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from .enumeration_text import Polynomial


def row(subject: Polynomial, unit: int) -> list[int]:
    """Whole coefficients of powers of t = e^(a/unit), the constant first."""
    if not subject:
        return [0]
    powers = {int(dict(m[1]).popitem()[1] * unit) if m[1] else 0: k for m, k in subject.items()}
    scale = math.lcm(*(k.denominator for k in powers.values()))
    return [int(powers.get(k, Fraction(0)) * scale) for k in range(max(powers) + 1)]


def power_of_e(power: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above e to a power in (0, 1]."""
    # (1 + x/n)^n < e^x for all n, and e^x = Σ x^k/k! < partial sum + last member.
    member, low = Fraction(1), Fraction(1)
    for k in range(1, 40):
        member *= power / k
        low += member
    return low, low + member


def positive_between(
    row: Sequence[int], low: Fraction, high: Fraction | None, strict: bool
) -> bool:
    """Whether a polynomial is at least zero on an open interval, or above it."""
    if low == 1 and min(_from_one(row)) >= 0:
        return any(row) or not strict
    row = _without_root(list(row), low, 1)
    if high is not None:
        row = _without_root(row, high, -1)
    if len(row) == 1:
        return row[0] > 0
    repeated = _gcd(row, _derivative(row))
    if _value(row, _between(row, low, high)) <= 0:
        return False
    simple = _divided(row, repeated)  # each root once
    if not _roots(simple, low, high):
        return True
    if strict:
        return False
    # Roots of even multiplicity do no harm: take them out, level by level.
    level, odd = row, [1]
    k = 1
    while len(level) > 1:
        further = _gcd(level, _derivative(level))
        here = _divided(level, further)  # roots of multiplicity at least k
        after = _divided(further, _gcd(further, _derivative(further))) if len(further) > 1 else [1]
        if k % 2:
            odd = product(odd, _divided(here, after))
        level, k = further, k + 1
    return not _roots(odd, low, high)


def _from_one(row: Sequence[int]) -> list[int]:
    """The coefficients in powers of t - 1."""
    found = list(row)
    for start in range(len(found) - 1):
        for k in range(len(found) - 2, start - 1, -1):
            found[k] += found[k + 1]
    return found


def _between(row: Sequence[int], low: Fraction, high: Fraction | None) -> Fraction:
    """A point of the interval that is no root."""
    at = low + 1 if high is None else (low + high) / 2
    while not _value(row, at):
        at = at + 1 if high is None else (at + low) / 2
    return at


def _value(row: Sequence[int], at: Fraction) -> Fraction:
    total = Fraction(0)
    for k in reversed(row):
        total = total * at + k
    return total


def _without_root(row: list[int], end: Fraction, side: int) -> list[int]:
    """The polynomial without its roots at an end of the interval, which lies on one side of it.

    What it is divided by, t - end or end - t, is positive inside.
    """
    while len(row) > 1 and not _value(row, end):
        row = _divided(row, [-side * end.numerator, side * end.denominator])
    return row


def _roots(row: Sequence[int], low: Fraction, high: Fraction | None) -> int:
    """How many roots a polynomial without repeated ones has in an open interval (Sturm)."""
    if len(row) < 2:
        return 0
    chain = [list(row), _derivative(row)]
    while len(chain[-1]) > 1:
        rest = [-k for k in _remainder(chain[-2], chain[-1])]
        if not any(rest):
            break
        chain.append(_primitive(rest))
    upper = [p[-1] if high is None else _value(p, high) for p in chain]
    return _changes([_value(p, low) for p in chain]) - _changes(upper)


def _changes(values: Sequence[Fraction | int]) -> int:
    signs = [v > 0 for v in values if v]
    return sum(one != two for one, two in itertools.pairwise(signs))


def _derivative(row: Sequence[int]) -> list[int]:
    return [k * c for k, c in enumerate(row)][1:] or [0]


def _trimmed(row: list[int]) -> list[int]:
    while len(row) > 1 and not row[-1]:
        row.pop()
    return row


def _primitive(row: list[int]) -> list[int]:
    """The polynomial without a common positive factor of its coefficients."""
    row = _trimmed(row)
    common = math.gcd(*row)
    return [k // common for k in row] if common > 1 else row


def _remainder(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """A positive multiple of the remainder."""
    row, lead = list(left), right[-1]
    size, sign = abs(lead), 1 if lead > 0 else -1
    while len(row) >= len(right) and any(row):
        head, shift = row[-1] * sign, len(row) - len(right)
        row = [k * size for k in row]
        for k, c in enumerate(right):
            row[k + shift] -= head * c
        row.pop()
        row = _trimmed(row) if row else [0]
        if len(row) < len(right):
            break
    return _primitive(row)


def _gcd(left: Sequence[int], right: Sequence[int]) -> list[int]:
    one, two = _primitive(list(left)), _primitive(list(right))
    while any(two) and len(two) > 1:
        one, two = two, _remainder(one, two)
    found = [1] if any(two) else one
    return found if found[-1] > 0 else [-k for k in found]


def _divided(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """An exact quotient, up to a positive factor."""
    row = [Fraction(k) for k in left]
    found = [Fraction(0)] * (len(left) - len(right) + 1)
    for shift in range(len(found) - 1, -1, -1):
        found[shift] = row[shift + len(right) - 1] / right[-1]
        for k, c in enumerate(right):
            row[shift + k] -= found[shift] * c
    assert not any(row), "no factor"
    scale = math.lcm(*(k.denominator for k in found))
    return _primitive([int(k * scale) for k in found])


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials."""
    found = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return found


def difference(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """One polynomial minus another one, without zeros at its end."""
    pairs = itertools.zip_longest(left, right, fillvalue=0)
    return _trimmed([a - b for a, b in pairs])
