"""What can be claimed, and how is bet against it: pure ε, (ε, δ), and ρ-zCDP."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .concentrated import ConcentratedDP
from .lines import ROUGHLY, ApproximateDP
from .pure import GRID, Array, Counts, divergence, log_bet


class Notion(Protocol):
    """A notion of privacy: for each amount of its measure the pairs (p, q) that it allows."""

    @property
    def symbol(self) -> str:
        """Of the measure."""
        ...

    @property
    def condition(self) -> str:
        """At what else the amount is claimed, in words; empty for nothing."""
        ...

    @property
    def grid(self) -> Array:
        """The amounts for which the evidence is kept, from 0 on."""
        ...

    @property
    def ladders(self) -> bool:
        """Whether nested events tell more together than the best of them."""
        ...

    def worst(self, p: Any, q: Any) -> Any:
        """The amount that these probabilities break unless it is larger; 0 if they break none."""
        ...

    def gain(self, p: Any, q: Any, amount: Any, /) -> Any:
        """What one pair of runs adds to the log of the fortune, expected, if p and q are known."""
        ...

    def reached(self, p: Array, q: Array, runs: int, needed: float) -> Array:
        """The largest amount, about, against which so many runs can be expected to be enough."""
        ...

    def rarer(self, p: float) -> tuple[Array, Array]:
        """Probabilities on D' of events that have p on D, and what amount each breaks."""
        ...

    def log_bet(self, p: float, q: float, amount: Array, seen: Counts, /) -> Array:
        """The log of a bet on (p, q), against each amount: 0 where it is no alternative to it."""
        ...


class PureDP:
    """ε: P(S on D) <= e^ε P(S on D')."""

    symbol, condition, grid, ladders = "ε", "", GRID, False

    def worst(self, p: Any, q: Any) -> Any:
        """The log of p / q."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.asarray(p) > q, np.log(np.divide(p, q)), 0.0)

    gain = staticmethod(divergence)
    log_bet = staticmethod(log_bet)

    def reached(self, p: Array, q: Array, runs: int, needed: float) -> Array:
        """By halving."""
        low, high = np.zeros(len(p)), np.maximum(np.log(p / q), 0)
        for _ in range(ROUGHLY):
            middle = (low + high) / 2
            enough = runs * divergence(p, q, middle) >= needed
            low, high = np.where(enough, middle, low), np.where(enough, high, middle)
        return low

    def rarer(self, p: float) -> tuple[Array, Array]:
        """For each ε of the grid the event that has it."""
        return p * np.exp(-GRID), GRID


PURE = PureDP()


def notion_of(delta: float, rho: bool) -> Notion:
    """The notion of a claim: ρ-zCDP, or (ε, δ), which at δ = 0 is pure."""
    if rho:
        return ConcentratedDP()
    return ApproximateDP(delta) if delta else PURE
