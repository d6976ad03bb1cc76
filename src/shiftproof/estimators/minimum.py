"""The minimum and the maximum of users' values under local differential privacy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from .binary_search import BinarySearch, MinimumEstimate, SearchRound, draw_ones, search_plan
from .minimum_inputs import Seed, checked_range, checked_values, epsilon, generator


def find_minimum(
    values: Any,
    eps: float,
    *,
    alpha: float | None = None,
    low: float = -1.0,
    high: float = 1.0,
    rounds: int | None = None,
    threshold: float | None = None,
    once: bool = False,
    seed: Seed = None,
) -> MinimumEstimate:
    """Estimate the least value by a private binary search.

    In each round users say by randomised response whether their value is below the middle M of
    the interval; if the estimated share of those is at least the threshold τ, the lower half is
    kept, otherwise the upper.  The result is the middle of the last interval.  What is found is
    about the τ-quantile: the estimate is good if some share of the users lies near the minimum,
    and no LDP estimate is good for a single user who lies alone.

    The users are simulated here, by the sums of their answers, which is exact in law.  To ask
    real ones, drive a :class:`BinarySearch` with their answers (:func:`respond`).

    Args:
        values: one number for each user, shape (N,), in [low, high].
        eps: what each user spends in all, ε in nats, above 0.  The transcript of all rounds is
            ε-LDP for any rounds and threshold.
        alpha: a number that α is not below, if one is known; see :func:`search_plan`.
        low: where the search begins; known without looking at the values.
        high: where the search ends; likewise.
        rounds: L, if it is not to be chosen; the last interval is (high - low) / 2^L long.
        threshold: τ in (0, 1], if it is not to be chosen.
        once: ask each user in one round only, with all of ε, instead of in each with ε/L.  The
            error is smaller for ε up to about 2√L, and much smaller for small ε.
        seed: an int for reproducible runs, or a generator of NumPy.

    Raises:
        BadInput: there are no values, one is not in [low, high], or an argument is out of its
            range.

    Source: LDP minimum finding, Algorithm 2 and Corollaries 1 and 2; ``once`` is not in the paper.
    """
    first, last = checked_range(low, high)
    numbers = checked_values(values, first, last)
    plan = search_plan(
        numbers.size, eps, alpha=alpha, rounds=rounds, threshold=threshold, once=once
    )
    return run_search(BinarySearch(plan, first, last), BelowQuery(numbers), generator(seed))


def find_maximum(
    values: Any,
    eps: float,
    *,
    alpha: float | None = None,
    low: float = -1.0,
    high: float = 1.0,
    rounds: int | None = None,
    threshold: float | None = None,
    once: bool = False,
    seed: Seed = None,
) -> MinimumEstimate:
    """Estimate the greatest value: the minimum of the negated values, negated.

    Arguments and errors are those of :func:`find_minimum`; α is that of the upper end.  In the
    rounds of the result ``share`` estimates the share of values above the query.

    Source: LDP minimum finding, Section 4.
    """
    first, last = checked_range(low, high)
    found = find_minimum(
        -checked_values(values, first, last), eps, alpha=alpha, low=-last, high=-first,
        rounds=rounds, threshold=threshold, once=once, seed=seed,
    )  # fmt: skip
    turned = tuple(SearchRound(-r.query, r.share, r.asked) for r in found.rounds)
    return replace(found, value=-found.value, low=-found.high, high=-found.low, rounds=turned)


# The obvious way to a private minimum, and why not to take it.

#: So many users are drawn at a time, to need little memory.
_AT_A_TIME = 1 << 20


def laplace_minimum(
    values: Any, eps: float, *, low: float = -1.0, high: float = 1.0, seed: Seed = None
) -> float:
    """The least of the values, each with Laplace noise of scale (high - low)/ε.  A baseline.

    It is ε-LDP and no estimate: the least of N noises is about -(high - low)/ε ln(N/2), so the
    error grows with N.  Clipped to the range, the result is ``low`` whatever the values are.

    Args:
        values: one number for each user, shape (N,), in [low, high].
        eps: ε in nats, above 0.
        low: no value is below, by what is known without looking.
        high: no value is above.
        seed: an int for reproducible runs, or a generator of NumPy.

    Raises:
        BadInput: there are no values, one is not in [low, high], or an argument is out of its
            range.

    The noise is idealised: of real reports the low bits of the floats would betray the values.

    Source: LDP minimum finding, Section 6.1.
    """
    first, last = checked_range(low, high)
    numbers, rng = checked_values(values, first, last), generator(seed)
    scale, least = (last - first) / epsilon("eps", eps), np.inf
    for begin in range(0, numbers.size, _AT_A_TIME):
        part = numbers[begin : begin + _AT_A_TIME]
        least = min(least, float((part + rng.laplace(scale=scale, size=part.size)).min()))
    return least


# A search on known values, round by round, by drawing the sums of the users' answers.
#
# The estimate depends on the answers by their sum alone, so only sums are drawn: a search costs a
# few numbers a round however many users there are.  In law it is the same as asking each user.

#: How many values are below M.
Below = Callable[[float], int]
#: NumPy draws no hypergeometric numbers from this many users on.
TOO_MANY_TO_SPLIT = 10**9


class BelowQuery:
    """How many values are below M, for the queries of one binary search, in their order.

    Only values in the interval of the search are looked at again, so all rounds together take
    about as long as two passes over values that spread evenly.
    """

    def __init__(self, values: NDArray[np.float64]) -> None:
        self._inside = values
        self._mask: NDArray[np.bool_] | None = None
        self._under = 0  # how many lie below the interval
        self._last = 0.0

    def __call__(self, query: float) -> int:
        """Count the values below the query."""
        if self._mask is not None:
            lower, mask = query < self._last, self._mask
            if not lower:
                self._under += int(np.count_nonzero(mask))
            self._inside = self._inside[mask if lower else ~mask]
        self._mask = self._inside < query
        self._last = query
        return self._under + int(np.count_nonzero(self._mask))


class _Everybody:
    """All users are asked in each round."""

    def __init__(self, below: Below, users: int) -> None:
        self._below, self._users = below, users

    def __call__(self, query: float, asked: int) -> int:
        return self._below(query)


class _RandomGroups:
    """Users are asked once, in groups drawn at random without replacement.

    Who was asked before is drawn only as far as it matters: how many of them lie below, in and
    above the interval of the search.  When the interval is split at M, those who were asked are
    a random subset of those inside, so how many of them lie below M is hypergeometric.
    """

    def __init__(self, below: Below, users: int, rng: np.random.Generator) -> None:
        if users >= TOO_MANY_TO_SPLIT:
            raise BadInput(f"once: got {users} users; random groups can be drawn from below 10^9")
        self._below, self._rng = below, rng
        #: Users below, in the left half, in the right half and above; and who of them was asked.
        self._cells = np.array([0, 0, users, 0], dtype=np.int64)
        self._gone = np.zeros(4, dtype=np.int64)
        self._last: float | None = None

    def __call__(self, query: float, asked: int) -> int:
        if self._last is not None:
            lower = query < self._last
            self._cells, self._gone = _kept(self._cells, lower), _kept(self._gone, lower)
        inside, gone = int(self._cells[2]), int(self._gone[2])
        left = self._below(query) - int(self._cells[0])
        self._cells[1:3] = left, inside - left
        gone_left = int(self._rng.hypergeometric(left, inside - left, gone)) if gone else 0
        self._gone[1:3] = gone_left, gone - gone_left
        drawn = self._rng.multivariate_hypergeometric(
            self._cells - self._gone, asked, method="marginals"
        )
        self._gone += drawn
        self._last = query
        return int(drawn[0] + drawn[1])


def _kept(cells: NDArray[np.int64], lower: bool) -> NDArray[np.int64]:
    """The cells when one half has become the interval, whole in the third place."""
    under, left, right, over = cells
    kept = [under, 0, left, right + over] if lower else [under + left, 0, right, over]
    return np.array(kept, dtype=np.int64)


def run_search(search: BinarySearch, below: Below, rng: np.random.Generator) -> MinimumEstimate:
    """Run a search to its end on a population.

    Args:
        search: as it begins.
        below: how many users have a value below M; called once a round.
        rng: both the users' noise and who is asked when.
    """
    plan = search.plan
    members = (
        _RandomGroups(below, plan.users, rng) if plan.once else _Everybody(below, plan.users)
    )  # fmt: skip
    for asked in plan.group_sizes:
        true = members(search.query, asked)
        search.update_count(draw_ones(true, asked, search.answer_eps, rng), asked)
    return search.estimate
