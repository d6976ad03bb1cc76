"""The exact mean error of Algorithm 2 with two rounds, over all fixed data."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil

from .coins import yes_weights


def largest_excess(users: int, growth: int, tau: Fraction, share: Fraction) -> Fraction:
    """The largest E|x̂ - x_min| - (F*(share) - x_min) of all data of so many users.

    e^(ε/2) = growth.  Only how many users lie in each of the four intervals matters to the search.
    Within its interval F*(share) is worst at the left end.  As a function of x_min the excess is
    convex, so worst at an end of its interval; and it grows where F*(share) lies in another.
    """
    total = (growth + 1) ** users
    left = [_left_weight(ones, users, growth, tau) for ones in range(users + 1)]
    rank, worst = ceil(share * users), -total * total
    for counts in combinations_with_replacement(range(users + 1), 3):
        first, half, last = (left[count] for count in counts)
        weights = [
            half * first,
            half * (total - first),
            (total - half) * last,
            (total - half) * (total - last),
        ]
        below = (*counts, users)
        cell = next(k for k in range(4) if below[k] > 0)
        quantile = next(k for k in range(4) if below[k] >= rank)
        # In quarters: estimates at 1, 3, 5, 7 above -1, ends of intervals at even places.
        for least in (2 * cell, 2 * cell + 2) if quantile == cell else (2 * cell + 2,):
            gap = 0 if quantile == cell else 2 * quantile - least
            error = sum(w * abs(2 * k + 1 - least) for k, w in enumerate(weights))
            worst = max(worst, error - gap * total * total)
    return Fraction(worst, 4 * total * total)


def _left_weight(ones: int, users: int, growth: int, tau: Fraction) -> int:
    """The weight of answers by which a query goes left, if so many users are below it."""
    return sum(
        weight
        for k, weight in enumerate(yes_weights(ones, users, growth))
        if (growth + 1) * Fraction(k, users) - 1 >= tau * (growth - 1)
    )
