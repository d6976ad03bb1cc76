"""Whether a polynomial in one unknown is nowhere negative on an open interval: by Sturm's chain.

A polynomial is a row of coefficients, that of the constant first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from ..arithmetic import MOST_BITS, Number, Wrong, spend

#: The highest degree of which a chain is made.
MOST_DEGREE = 300


def nowhere_negative(
    coefficients: Sequence[Number], low: Fraction, high: Fraction | None, strict: bool
) -> bool:
    """Whether a polynomial is at least zero between two bounds, or above it; this is complete.

    The bounds are left out; without ``high`` it goes on for ever.
    """
    if len(coefficients) > MOST_DEGREE:
        raise Wrong(f"a polynomial of a degree above {MOST_DEGREE}")
    row = _without_root(_whole_row(coefficients), low, 1)
    if high is not None:
        row = _without_root(row, high, -1)
    if _at_point(row, low) <= 0:
        return not row and not strict
    # A root of multiplicity m is a root of the first m of: p, gcd(p, p′), the same of that, …
    # It changes the sign if m is odd; so that is how many of those an alternating sum counts.
    level, changing, sign = row, 0, 1
    while len(level) > 1:
        chain = _sturm(level)
        ends = [q[-1] for q in chain] if high is None else [_at_point(q, high) for q in chain]
        roots = _changes_of_sign([_at_point(q, low) for q in chain]) - _changes_of_sign(ends)
        if strict and roots:
            return False
        changing, sign, level = changing + sign * roots, -sign, chain[-1]
    return changing == 0


def _sturm(row: list[int]) -> list[list[int]]:
    """Sturm's chain; its last member is a common divisor of a polynomial and its derivative."""
    chain = [row, _whole_row([k * c for k, c in enumerate(row)][1:])]
    while len(chain[-1]) > 1:
        rest: list[Number] = list(chain[-2])
        divisor = chain[-1]
        while len(rest) >= len(divisor):
            spend(len(divisor) * (1 + divisor[-1].bit_length() // 64))
            k, shift = Fraction(rest[-1]) / divisor[-1], len(rest) - len(divisor)
            for j, c in enumerate(divisor):
                rest[shift + j] -= k * c
            rest.pop()
        found = _whole_row([-c for c in rest])
        if not found:
            break
        chain.append(found)
    return chain


def _whole_row(row: Sequence[Number]) -> list[int]:
    """A positive multiple of a polynomial with whole coefficients, as small as they can be."""
    least = math.lcm(*(c.denominator for c in row))
    found = [int(c * least) for c in row]
    while found and not found[-1]:
        found.pop()
    common = math.gcd(*found) or 1
    if any(c.bit_length() > MOST_BITS for c in found):
        raise Wrong(f"a number of more than {MOST_BITS} bits")
    return [c // common for c in found]


def _without_root(row: list[int], end: Fraction, side: int) -> list[int]:
    """Divided by t - end or end - t, which is positive inside, as often as that is a factor."""
    while row and not _at_point(row, end):
        found: list[Fraction] = []
        for c in reversed(row):
            found.append(found[-1] * end + c if found else Fraction(c))
        row = _whole_row([side * c for c in reversed(found[:-1])])
    return row


def _at_point(row: Sequence[int], point: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(row):
        total = total * point + c
    return total


def _changes_of_sign(values: Sequence[Number]) -> int:
    signs = [v > 0 for v in values if v]
    return sum(a != b for a, b in itertools.pairwise(signs))
