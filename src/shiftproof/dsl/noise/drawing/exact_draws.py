"""Draws of discrete noise without floating point, from binary digits.

The only randomness is ``randrange``, so the only rounding there could be is in what a caller
computes before.  How long a draw takes depends on its value.

Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (NeurIPS
2020), Algorithm 1 (:func:`decaying` for γ <= 1, :func:`accepted`), Algorithm 2 (the geometric
ones) and Algorithm 3 (:func:`gaussian`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..base import Uniforms


def bernoulli(p: Fraction, source: Uniforms) -> bool:
    """``True`` with probability ``p``; ``0 <= p <= 1``."""
    return source.randrange(p.denominator) < p.numerator


def decaying(numerator: int, denominator: int, source: Uniforms) -> bool:
    """``True`` with probability ``exp(-numerator / denominator)``, for quotients γ in [0, 1]."""
    # Coins of γ, γ/2, γ/3, … are thrown until one fails.  More than k are thrown with
    # probability γ^k/k!, so their number is odd with probability 1 - γ + γ²/2! - … = exp(-γ).
    thrown = 1
    while source.randrange(thrown * denominator) < numerator:
        thrown += 1
    return thrown % 2 == 1


def one_sided(scale: Fraction, source: Uniforms) -> int:
    """k = 0, 1, … with probability proportional to ``exp(-k / scale)``; ``scale > 0``."""
    # X = remainder + t · rounds is such a draw for the scale t, and its two parts are
    # independent; for the scale t/s, s neighbouring values of X are one.
    t, s = scale.numerator, scale.denominator
    remainder = source.randrange(t)
    while not decaying(remainder, t, source):
        remainder = source.randrange(t)
    rounds = 0
    while decaying(1, 1, source):
        rounds += 1
    return (remainder + t * rounds) // s


def two_sided(scale: Fraction, source: Uniforms) -> int:
    """k with probability proportional to ``exp(-|k| / scale)`` on the integers; ``scale > 0``."""
    while True:
        size = one_sided(scale, source)
        negative = source.randrange(2) == 1
        if size or not negative:  # else zero would come twice as often as it should
            return -size if negative else size


def gaussian(sigma: Fraction, source: Uniforms) -> int:
    """k with probability proportional to ``exp(-k² / (2 sigma²))``, a whole number; sigma > 0."""
    variance, scale = sigma * sigma, 1 + sigma // 1
    while True:
        drawn = two_sided(Fraction(scale), source)
        if accepted((abs(drawn) - variance / scale) ** 2 / (2 * variance), source):
            return drawn


def accepted(power: Fraction, source: Uniforms) -> bool:
    """``True`` with probability ``exp(-power)``; ``power >= 0``."""
    rounds, rest = divmod(power, 1)
    return all(decaying(1, 1, source) for _ in range(rounds)) and decaying(
        rest.numerator, rest.denominator, source
    )


def among(low: int, high: int, source: Uniforms) -> int:
    """One of the integers from ``low`` to ``high``, each as likely; ``low <= high``."""
    return low + source.randrange(high - low + 1)


def chosen(weights: Sequence[int], source: Uniforms) -> int:
    """k with probability ``weights[k] / sum(weights)``; none is negative, and one is not 0."""
    left = source.randrange(sum(weights))
    for k, weight in enumerate(weights):
        if left < weight:
            return k
        left -= weight
    raise AssertionError(weights)


def whole(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """The smallest whole numbers in the same proportions; one weight is not 0."""
    unit = math.lcm(*(w.denominator for w in weights))
    found = [w.numerator * (unit // w.denominator) for w in weights]
    common = math.gcd(*found)
    return tuple(w // common for w in found)


# Binary digits of exp(-x), for certain, and uniform real numbers drawn digit by digit.

#: How many binary digits are looked at to begin with, and at each further step.
STEP = 64

#: For any number of bits, whole numbers below and above ``2^bits`` times an irrational number.
Enclosure = Callable[[int], tuple[int, int]]


def exponential(x: Fraction) -> Enclosure:
    """Encloses ``exp(-x)``; ``x > 0``."""

    def enclosed(bits: int) -> tuple[int, int]:
        if x > bits:
            return 0, 1  # as e > 2
        halvings = (x.numerator // x.denominator).bit_length()
        precision = bits + halvings + 16
        low, high = _series(x / 2**halvings, precision)
        for _ in range(halvings):
            low, high = times((low, high), (low, high), precision)
        extra = precision - bits
        return low >> extra, -(-high >> extra)

    return enclosed


def times(one: tuple[int, int], other: tuple[int, int], bits: int) -> tuple[int, int]:
    """Encloses a product of positive numbers, of which two enclosures are given."""
    return one[0] * other[0] >> bits, -(-one[1] * other[1] >> bits)


def _series(y: Fraction, bits: int) -> tuple[int, int]:
    """Encloses ``2^bits exp(-y)``; ``0 < y <= 1``."""
    # The terms of 1 - y + y²/2! - … fall, so exp(-y) lies between one partial sum and the next.
    order, term, above = 0, Fraction(1), Fraction(1)
    while True:
        term *= y / (order + 1)
        below = above - term
        term *= y / (order + 2)
        above = below + term
        if term * 2**bits <= 1:
            low, high = below * 2**bits, above * 2**bits
            return low.numerator // low.denominator, -(-high.numerator // high.denominator)
        order += 2


def odds(x: Fraction) -> Enclosure:
    """Encloses ``1 / (1 + exp(-x))``; ``x > 0``."""

    def enclosed(bits: int) -> tuple[int, int]:
        low, high = exponential(x)(bits)
        one = 1 << bits
        return one * one // (one + high), -(-one * one // (one + low))

    return enclosed


def leading(bounds: tuple[int, int], bits: int) -> int | None:
    """The first ``STEP`` digits of an irrational number in (0, 1), if its bounds agree on them."""
    low, high = bounds
    digits = low >> (bits - STEP)
    # The upper bound itself is never reached.
    return digits if (high - 1) >> (bits - STEP) == digits else None


def first_digits(number: Enclosure) -> int:
    """The first ``STEP`` binary digits of an irrational number in (0, 1), as a whole number."""
    bits = 2 * STEP
    while (found := leading(number(bits), bits)) is None:
        bits += STEP
    return found


class UniformReal:
    """A uniform number in [0, 1) whose first ``STEP`` digits are given; others come as needed."""

    def __init__(self, first: int, source: Uniforms) -> None:
        self._digits, self._bits, self._source = first, STEP, source

    def is_below(self, number: Enclosure) -> bool:
        """Whether it is below an irrational number."""
        while True:
            low, high = number(self._bits)
            if self._digits < low:
                return True
            if self._digits >= high:
                return False
            self._digits = self._digits << STEP | self._source.randrange(1 << STEP)
            self._bits += STEP
