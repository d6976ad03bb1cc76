"""Evidence against ε that stays valid, however the events are chosen and whenever it stops.

For an event S that was chosen from earlier samples, x from the mechanism on D and y from the
mechanism on D', ε allows p = P(x ∈ S) and q = P(y ∈ S) only with p <= e^ε q.  A bet is the ratio
of the likelihood of what was seen under an alternative (p1, q1) to that under the allowed pair
(p0, q0) next to it in Kullback-Leibler divergence.  If ε is allowed the expectation of a bet is
at most 1 (it is an e-value), so a fortune made by such bets (an e-process) is above 1 / α ever
with probability at most α (Ville).
All bets that are placed at one moment depend on earlier samples only.

Source: Turner, Ly and Grünwald, "Generic E-Variables for Exact Sequential k-Sample Tests that
allow for Optional Stopping" (2021), and Ville's inequality.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: The ε, in nats, for which the evidence is kept: fine where they are small.
GRID: Array = np.concatenate(
    [np.arange(0, 2, 0.001), np.arange(2, 6, 0.005), np.arange(6, 36, 0.02)]
)

#: What stands for "never" in an alternative, and for "always".
NEVER, ALMOST = 1e-15, 1 - 2.0**-53


@dataclass(frozen=True, slots=True)
class Counts:
    """How often an event came in ``runs`` runs on each side of a pair."""

    runs: int = 0
    left: int = 0
    right: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.runs + other.runs, self.left + other.left, self.right + other.right)


def nearest_allowed(p: Any, q: Any, epsilon: Any) -> tuple[Any, Any]:
    """The pair with p0 = e^ε q0 that is next to (p, q), for p > e^ε q: numbers or arrays."""
    c = np.exp(epsilon)
    b = (p + q) * (1 + c) + (1 - p) * c + (1 - q)
    root = np.sqrt(np.maximum(b * b - 8 * c * (p + q), 0))
    q0 = np.where(epsilon == 0, (p + q) / 2, 2 * (p + q) / (b + root))
    return np.minimum(c * q0, ALMOST), q0


def divergence(p: Any, q: Any, epsilon: Any) -> Any:
    """What one pair of runs adds to the log of the fortune, expected, if p and q are known."""
    p0, q0 = nearest_allowed(p, q, epsilon)
    gain = _weighted(p, p / p0) + _weighted(1 - p, (1 - p) / (1 - p0))
    gain = gain + _weighted(q, q / q0) + _weighted(1 - q, (1 - q) / (1 - q0))
    return np.where(p > np.exp(epsilon) * q, gain, 0.0)


def _weighted(weight: Any, ratio: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(weight) > 0, weight * np.log(ratio), 0.0)


def log_bet(p: float, q: float, epsilon: Array, seen: Counts) -> Array:
    """The log of a bet on (p, q), against each ε: 0 where it is no alternative to it."""
    c = np.exp(epsilon)
    against = p > c * q
    p0, q0 = nearest_allowed(p, q, np.where(against, epsilon, 0.0))
    a, b, n = seen.left, seen.right, seen.runs
    with np.errstate(divide="ignore", invalid="ignore"):
        found = _times(a, np.log(p / p0)) + _times(n - a, np.log((1 - p) / (1 - p0)))
        found += _times(b, np.log(q / q0)) + _times(n - b, np.log((1 - q) / (1 - q0)))
    return np.where(against, found, 0.0)


def _times(count: int, logs: Array) -> Array:
    return count * logs if count else np.zeros_like(logs)


class Fortune:
    """What has become of 1 that was bet on one event, against each ε of ``grid``.

    A player takes the frequencies so far for the probabilities.  If the event never came on D'
    before, half of the money is with another one who holds that it is impossible there.
    """

    def __init__(self, before: Counts, grid: Array) -> None:
        self.known = before
        self._grid = grid
        players = 1 if before.right else 2
        self._logs = np.full((players, len(grid)), -math.log(players))

    @property
    def logs(self) -> Array:
        """The log of the fortune, against each ε."""
        return np.asarray(np.logaddexp.reduce(self._logs, axis=0))

    def bet(self, seen: Counts) -> None:
        """Settle the bets that were placed before these runs were seen."""
        n, a, b = self.known.runs, self.known.left, self.known.right
        p, q = (a + 0.5) / (n + 1), (b + 0.5) / (n + 1)
        self._logs[0] += log_bet(p, q, self._grid, seen)
        if len(self._logs) > 1:
            self._logs[1] += log_bet(p, q if b else NEVER, self._grid, seen)
        self.known += seen


class Account:
    """The evidence of all events of an audit, together: shares of 1 are bet on each.

    Every pair of the audit is owed the ε, or a multiple of it that is its own; so whatever is
    bet on which pair, the sum is a fortune against "all pairs keep ε".  Fortunes may have places
    ``more`` than the grid: the last one is against the claim and what is tolerated above it.
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
        """The log of the highest fortune against an ε of the grid."""
        return float(self._highest[np.searchsorted(self.grid, epsilon)])

    @property
    def log_evidence_of_more(self) -> float:
        """The same against the claim and what is tolerated above it."""
        return float(self._highest[-1])

    def lower_bound(self, confidence: float) -> float:
        """The ε that is too small for all pairs, with this confidence, in nats; 0 if none is.

        All ε up to it are refused, so it is above the true one with probability at most
        1 - confidence.
        """
        kept = np.flatnonzero(self._highest[: len(self.grid)] < -math.log1p(-confidence))
        first = int(kept[0]) if len(kept) else len(self.grid)
        return float(self.grid[first - 1]) if first else 0.0
