"""Sums of answers by randomised response, in whole numbers.

Each answers the truth with probability g/(1+g) and its opposite with 1/(1+g), g = e^ε whole.
"""

from __future__ import annotations

from functools import cache
from math import comb


@cache
def yes_weights(ones: int, users: int, growth: int) -> tuple[int, ...]:
    """In how many ways, of (1+g)^N, k users say "yes" if so many of N hold a one; k = 0, ..., N.

    Ones say it with weight g against 1, zeros with weight 1 against g.
    """
    zeros = users - ones
    return tuple(
        sum(
            comb(ones, i) * comb(zeros, k - i) * growth ** (i + zeros - (k - i))
            for i in range(max(0, k - zeros), min(ones, k) + 1)
        )
        for k in range(users + 1)
    )
