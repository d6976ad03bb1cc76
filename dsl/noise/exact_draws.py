"""Draws of discrete noise without floating point: every probability is exactly the one stated.

The only randomness is ``randrange``, so the only rounding there could be is in what a caller
computes before.  How long a draw takes depends on its value.

Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (NeurIPS
2020), Algorithm 1 with γ <= 1 (:func:`decaying`) and Algorithm 2 (the geometric ones).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from .sources import Uniforms


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
