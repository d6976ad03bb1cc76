"""Evidence that stays valid, however the events are chosen and whenever it stops.

For an event S that was chosen from earlier samples, x from the mechanism on D and y from the
mechanism on D', a claim allows some pairs of p = P(x ∈ S) and q = P(y ∈ S) only.  If what is seen
comes of an allowed pair, the expectation of a bet is at most 1 (it is an e-value), so a fortune
made by such bets (an e-process) is above 1 / α ever with probability at most α (Ville).
All bets that are placed at one moment depend on earlier samples only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .notions import PURE, Notion
from .pure import NEVER, Array, Counts


class Fortune:
    """What has become of 1 that was bet on one event, against each amount of ``grid``.

    A player takes the frequencies so far for the probabilities.  If the event never came on D'
    before, half of the money is with another one who holds that it is impossible there.
    """

    def __init__(self, before: Counts, grid: Array, notion: Notion = PURE) -> None:
        self.known = before
        self._grid, self._notion = grid, notion
        players = 1 if before.right else 2
        self._logs = np.full((players, len(grid)), -math.log(players))

    @property
    def logs(self) -> Array:
        """The log of the fortune, against each amount."""
        return np.asarray(np.logaddexp.reduce(self._logs, axis=0))

    def bet(self, seen: Counts, *rungs: Counts) -> None:
        """Settle the bets that were placed before these runs were seen; rungs are of ladders."""
        n, a, b = self.known.runs, self.known.left, self.known.right
        p, q = (a + 0.5) / (n + 1), (b + 0.5) / (n + 1)
        self._logs[0] += self._notion.log_bet(p, q, self._grid, seen)
        if len(self._logs) > 1:
            self._logs[1] += self._notion.log_bet(p, q if b else NEVER, self._grid, seen)
        self.known += seen


class Account:
    """The evidence of all events of an audit, together: shares of 1 are bet on each.

    Every pair of the audit is owed the amount (the ε, or the ρ), or a multiple of it that is its
    own; so whatever is bet on which pair, the sum is a fortune against "all pairs keep it".
    Fortunes may have places ``more`` than the grid: the last one is against the claim and what is
    tolerated above it.
    """

    def __init__(self, grid: Array, more: int = 0) -> None:
        self.grid = grid
        self._highest = np.zeros(len(grid) + more)

    def note(self, shares: Sequence[tuple[float, Fortune]], kept: float) -> None:
        """Take the present fortunes into account, and what is bet on nothing."""
        parts = [math.log(share) + fortune.logs for share, fortune in shares if share > 0]
        if kept > 1e-9:
            parts.append(np.full(len(self._highest), math.log(kept)))
        self._highest = np.maximum(self._highest, np.logaddexp.reduce(parts, axis=0))

    def log_evidence(self, epsilon: float) -> float:
        """The log of the highest fortune against an amount of the grid."""
        return float(self._highest[np.searchsorted(self.grid, epsilon)])

    @property
    def log_evidence_of_more(self) -> float:
        """The same against the claim and what is tolerated above it."""
        return float(self._highest[-1])

    def lower_bound(self, confidence: float) -> float:
        """The amount that is too small for all pairs, with this confidence; 0 if none is.

        All up to it are refused, so it is above the true one with probability at most
        1 - confidence.
        """
        kept = np.flatnonzero(self._highest[: len(self.grid)] < -math.log1p(-confidence))
        first = int(kept[0]) if len(kept) else len(self.grid)
        return float(self.grid[first - 1]) if first else 0.0
