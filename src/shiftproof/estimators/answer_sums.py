"""A search on known values, round by round, by drawing the sums of the users' answers.

The estimate depends on the answers by their sum alone, so only sums are drawn: a search costs a
few numbers a round however many users there are.  In law it is the same as asking each user.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from .binary_response import draw_ones
from .binary_search import BinarySearch, MinimumEstimate

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
