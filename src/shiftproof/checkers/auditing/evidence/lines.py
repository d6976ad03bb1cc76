"""Bets against claims that keep (p, q) below a line, or in a convex set below many lines.

Let p <= c q + d be owed, and (p0, q0) be a point of this line.  With x = 1 where the event came on
D and y = 1 where it came on D', and any λ >= 0 that leaves both factors positive, the bet

    (1 + λ (x - p0)) (1 - λ c (y - q0))

has, if x and y are independent, the expectation (1 + λ (p - p0)) (1 - λ c (q - q0)), which is at
most exp(λ (p - c q - (p0 - c q0))) = exp(λ (p - c q - d)) <= 1: it is an e-value, and so is the
product of such bets over n runs on each side.  This holds for every point and every λ; how well
they are chosen decides only on how fast the fortune grows.  Next to an alternative (p1, q1) in
Kullback-Leibler divergence is the point at which (p1 - p0) / (p0 (1 - p0)) and
(q0 - q1) / (c q0 (1 - q0)) are the same number; with this one as λ the bet is the likelihood ratio
of (p1, q1) and (p0, q0), which grows as fast as any.

Sources: Turner and Grünwald, "Exact Anytime-valid Confidence Intervals for Contingency Tables and
Beyond" (2023), for the nearest point of a convex set; Waudby-Smith and Ramdas, "Estimating means of
bounded random variables by betting" (JRSS B, 2024), for the form of the bet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from .pure import GRID, Array, Counts

#: How closely the nearest point is found, in halvings; and how closely what can be reached.
HALVINGS, ROUGHLY = 40, 14
#: So much less than what is best is bet, lest rounding makes a factor negative.
SAFE = 1 - 1e-12


def nearest_on(p: Array, q: Array, slope: Array, offset: Array) -> tuple[Array, Array]:
    """The point (p0, q0) of the line p = slope q + offset next to (p, q), which lies above it."""
    low, high = q, (p - offset) / slope
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = slope * middle + offset
        # Where the divergence grows with q0.
        grows = (middle - q) * above * (1 - above) > slope * (p - above) * middle * (1 - middle)
        low, high = np.where(grows, low, middle), np.where(grows, middle, high)
    return slope * low + offset, low


def bets_on(p: Array, q: Array, slope: Array, offset: Array) -> tuple[Array, Array, Array, Array]:
    """The logs of the factors: the event came on D, it did not, it came on D', it did not."""
    p0, q0 = nearest_on(p, q, slope, offset)
    stake = np.minimum((p - p0) / (p0 * (1 - p0)), (q0 - q) / (q0 * (1 - q0)) / slope) * SAFE
    stake = np.maximum(stake, 0)
    other = stake * slope
    return (
        np.log1p(stake * (1 - p0)), np.log1p(-stake * p0),
        np.log1p(-other * (1 - q0)), np.log1p(other * q0),
    )  # fmt: skip


class Lines(ABC):
    """A claim that keeps (p, q) below lines, each for an amount: of ε, or of another measure."""

    @abstractmethod
    def lines(self, p: Array, q: Array, amount: Array) -> tuple[Array, Array]:
        """Slope and offset of a line below which the amount keeps all pairs; close to (p, q)."""

    @abstractmethod
    def worst(self, p: Any, q: Any) -> Any:
        """The amount that these probabilities break unless it is larger; 0 if they break none."""

    def log_bet(self, p: float, q: float, amount: Array, seen: Counts) -> Array:
        """The log of a bet on (p, q), against each amount: 0 where it is no alternative to it."""
        came = seen.left, seen.runs - seen.left, seen.right, seen.runs - seen.right
        return self._won(np.array(p), np.array(q), amount, came)

    def gain(self, p: Any, q: Any, amount: Any) -> Any:
        """What one pair of runs adds to the log of the fortune, expected, if p and q are known."""
        return self._won(p, q, amount, (p, 1 - np.asarray(p), q, 1 - np.asarray(q)))

    def _won(self, p: Any, q: Any, amount: Any, came: tuple[Any, Any, Any, Any]) -> Array:
        p, q, amount, *came_ = np.broadcast_arrays(p, q, amount, *came)
        found = np.zeros(p.shape)
        slope, offset = self.lines(p, q, amount)
        against = p > slope * q + offset
        p, q, slope, offset = p[against], q[against], slope[against], offset[against]
        factors = bets_on(p, q, slope, offset)
        found[against] = sum(n[against] * f for n, f in zip(came_, factors, strict=True))
        return found

    def reached(self, p: Array, q: Array, runs: int, needed: float) -> Array:
        """The largest amount, about, against which so many runs can be expected to be enough.

        Allowed pairs are looked for where p0 + q0 = p + q: there the nearest one is where p and q
        are small, or p = 1 - q.
        """
        middle, half = (p + q) / 2, np.maximum(p - q, 0) / 2
        low, high = np.zeros(len(p)), np.ones(len(p))
        for _ in range(ROUGHLY):
            at = (low + high) / 2
            apart = _apart(p, middle + at * half) + _apart(q, middle - at * half)
            enough = runs * apart >= needed
            low, high = np.where(enough, at, low), np.where(enough, high, at)
        return np.asarray(self.worst(middle + low * half, middle - low * half))

    def rarer(self, p: float) -> tuple[Array, Array]:
        """Probabilities on D' of events that have p on D, and what amount each breaks."""
        q = p * np.exp(-GRID)
        return q, np.asarray(self.worst(np.full(len(q), p), q))


def _apart(p: Array, p0: Array) -> Array:
    """The Kullback-Leibler divergence of two coins."""
    return p * np.log(p / p0) + (1 - p) * np.log((1 - p) / (1 - p0))


@dataclass(frozen=True, slots=True)
class ApproximateDP(Lines):
    """(ε, δ): P(S on D) <= e^ε P(S on D') + δ."""

    delta: float
    symbol, grid, ladders = "ε", GRID, False

    @property
    def condition(self) -> str:
        """At which δ."""
        return f"δ = {self.delta:g}"

    def lines(self, p: Array, q: Array, amount: Array) -> tuple[Array, Array]:
        """One line for each ε."""
        return np.exp(amount), np.full(amount.shape, self.delta)

    def worst(self, p: Any, q: Any) -> Any:
        """The log of (p - δ) / q."""
        more = np.maximum(np.asarray(p) - self.delta, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(more > 0, np.maximum(np.log(more / q), 0), 0.0)
