"""The minimum and the maximum of users' values under local differential privacy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .answer_sums import BelowQuery, run_search
from .binary_search import BinarySearch, MinimumEstimate, SearchRound
from .minimum_inputs import Seed, checked_range, checked_values, generator
from .search_plan import search_plan


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
