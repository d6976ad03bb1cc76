"""Bets against pure ε: P(S on D) <= e^ε P(S on D').

A bet is the ratio of the likelihood of what was seen under an alternative (p1, q1) to that under
the allowed pair (p0, q0) next to it in Kullback-Leibler divergence.

Source: Turner, Ly and Grünwald, "Generic E-Variables for Exact Sequential k-Sample Tests that
allow for Optional Stopping" (2021).
"""

from __future__ import annotations

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
