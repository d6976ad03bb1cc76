"""A binary search that is driven by users' masked answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dsl.errors import BadInput
from .binary_response import estimated_share
from .minimum_inputs import checked_range, whole
from .search_plan import SearchPlan


@dataclass(frozen=True, slots=True)
class SearchRound:
    """One round: the query M, the estimated share of users below it, how many were asked."""

    query: float
    share: float
    asked: int


@dataclass(frozen=True, slots=True)
class MinimumEstimate:
    """Where a search has ended.

    Attributes:
        value: the estimate, the middle of the last interval, in the units of the values.
        low: the lower end of the last interval.
        high: its upper end.
        plan: rounds, threshold and ε.
        rounds: each round, the first one first.  They are the whole transcript up to the single
            answers, so as private as these.
    """

    value: float
    low: float
    high: float
    plan: SearchPlan
    rounds: tuple[SearchRound, ...]


class BinarySearch:
    """The server's side of a search for the minimum: ask ``query``, ``update`` with the answers.

    ::

        search = BinarySearch(search_plan(len(devices), eps=1.0, once=True), low=0, high=100)
        for group in search.plan.groups():
            # on each device: respond(value, query, answer_eps, rng)
            search.update([devices[i].answer(search.query, search.answer_eps) for i in group])
        print(search.estimate.value)

    For a maximum, search for the minimum of the negated values.

    Args:
        plan: rounds, threshold and ε, from :func:`search_plan`.
        low: no value is below, by what is known without asking.
        high: no value is above.

    Raises:
        BadInput: ``low`` is not below ``high``, or one of them is not finite.

    Source: LDP minimum finding, Algorithm 2.
    """

    def __init__(self, plan: SearchPlan, low: float = -1.0, high: float = 1.0) -> None:
        self.plan = plan
        self._low, self._high = checked_range(low, high)
        self._rounds: list[SearchRound] = []

    @property
    def round(self) -> int:
        """The number of the round, from 0."""
        return len(self._rounds)

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self.round >= self.plan.rounds

    @property
    def query(self) -> float:
        """M: users are asked whether their value is below it."""
        return self._low + (self._high - self._low) / 2

    @property
    def answer_eps(self) -> float:
        """The ε with which a user answers, in nats."""
        return self.plan.answer_eps

    def update(self, reports: Any) -> None:
        """Take the answers of this round, a sequence of 0 and 1 or of truth values.

        Users who do not answer may be missing; then the threshold is lower than it would have
        been chosen.

        Raises:
            BadInput: there are none, one is neither 0 nor 1, or the search is over.
        """
        found = np.asarray(reports)
        if found.ndim != 1 or not found.size or found.dtype.kind not in "biuf":
            raise BadInput("reports: want the answers of at least one user, each 0 or 1")
        if not np.isin(found, (0, 1)).all():
            raise BadInput("reports: each answer must be 0 or 1")
        self.update_count(int(np.count_nonzero(found)), found.size)

    def update_count(self, ones: int, asked: int) -> None:
        """Take the sum of this round's answers; the search needs no more than that.

        Raises:
            BadInput: ``ones`` is above ``asked``, one of them is no count, or the search is over.
        """
        if self.done:
            raise BadInput(f"the search is over after {self.plan.rounds} rounds")
        n, k = whole("asked", asked), whole("ones", ones, least=0)
        if k > n:
            raise BadInput(f"ones: got {k} of {n} answers")
        query, share = self.query, estimated_share(k, n, self.answer_eps)
        self._rounds.append(SearchRound(query, share, n))
        if share >= self.plan.threshold:
            self._high = query
        else:
            self._low = query

    @property
    def estimate(self) -> MinimumEstimate:
        """Where the search has come to."""
        return MinimumEstimate(
            self.query, self._low, self._high, self.plan, tuple(self._rounds)
        )  # fmt: skip
