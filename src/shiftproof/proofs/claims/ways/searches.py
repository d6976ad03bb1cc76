"""Binary searches by randomised answers: their sums, rules and mean error, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil, comb
from typing import NamedTuple

import z3

# Sums of answers by randomised response, in whole numbers.
#
# Each answers the truth with probability g/(1+g) and its opposite with 1/(1+g), g = e^ε whole.


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


# Binary searches on [-1, 1]: their rules for any number of rounds, and all their runs for few.

#: The interval before and after a round.
low, high, next_low, next_high = z3.Reals("l r l' r'")
middle = (low + high) / 2


def halved(left: z3.BoolRef, part: Fraction = Fraction(1, 2)) -> z3.BoolRef:
    """One round: the left part of [l, r] is kept if so decided, else the right one."""
    query = low + z3.RealVal(str(part)) * (high - low)
    return z3.And(
        low < high,
        z3.If(
            left,
            z3.And(next_low == low, next_high == query),
            z3.And(next_low == query, next_high == high),
        ),
    )


class Step(NamedTuple):
    """A round of a run: the interval before it, and whether the left half was kept."""

    low: Fraction
    high: Fraction
    left: bool

    @property
    def query(self) -> Fraction:
        """M."""
        return (self.low + self.high) / 2


class SearchRun(NamedTuple):
    """All rounds of a search, and its estimate, the middle of the last interval."""

    steps: tuple[Step, ...]
    estimate: Fraction


def run(go_left: Callable[[int, Fraction], bool], rounds: int) -> SearchRun:
    """The run in which round t = 0, 1, ... with query M decides like this."""
    low, high, steps = Fraction(-1), Fraction(1), []
    for t in range(rounds):
        step = Step(low, high, go_left(t, (low + high) / 2))
        steps.append(step)
        low, high = (low, step.query) if step.left else (step.query, high)
    return SearchRun(tuple(steps), (low + high) / 2)


def all_runs(rounds: int) -> Iterator[SearchRun]:
    """Every run of so many rounds, whatever decides."""
    for left in product((True, False), repeat=rounds):
        yield run(lambda t, _, left=left: left[t], rounds)  # type: ignore[misc]


def grid(steps: int) -> list[Fraction]:
    """-1, ..., 1 in so many steps."""
    return [Fraction(2 * k, steps) - 1 for k in range(steps + 1)]


# The exact mean error of Algorithm 2 with two rounds, over all fixed data.


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
