"""Bets against ρ-zCDP on nested events at once: on in which cell between their edges a run falls.

Of cells with the probabilities P_i on D and Q_i on D', ρ keeps F_α(P, Q) = Σ P_i^α Q_i^(1-α) at or
below exp(α (α-1) ρ) = K.  F_α is convex, and homogeneous of degree 1; so for any (P0, Q0), with
A_i = α (P0_i / Q0_i)^(α-1) / F_α(P0, Q0) and B_i = (α-1) (P0_i / Q0_i)^α / F_α(P0, Q0),

    Σ A_i P_i - Σ B_i Q_i <= F_α(P, Q) / F_α(P0, Q0) <= K / F_α(P0, Q0).

With a and b that differ by the last number, a run in the cell i on D and one in the cell j on D'
multiply the fortune by (1 + λ (A_i - a)) (1 - λ (B_j - b)), which expects at most 1 as it does of
a single line (`lines`), for any λ >= 0 that leaves all factors positive.

Source: as of `concentrated`, for cells in place of an event and its opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .concentrated import LARGEST
from .fortunes import Fortune
from .notions import Notion
from .pure import Array, Counts

#: At how many places between no difference and the alternative the divergences are computed.
PLACES = 40
#: The α that are tried, and how often the point is moved to where the last bet was against.
TRIED: Array = np.array([1.001, 1.35, 1.75, 2.5, 5.0, 13.0, 40.0])
ROUNDS = 2
#: Against an amount below this share of what the cells show the bet is the one against this share:
#: what refuses an amount refuses all below it.
LEAST = 0.2
HALVINGS, SAFE = 24, 1 - 1e-9


def log_bet_on_cells(p: Array, q: Array, amount: Array, left: Array, right: Array) -> Array:
    """The log of a bet on cells of these probabilities, against each ρ.

    Args:
        p, q: of the cells on D and on D', all positive; chosen before the runs were seen.
        amount: the ρ.
        left, right: how many runs on D and on D' fell into each.
    """
    places = np.linspace(0, 1, PLACES + 1)
    shown = _divergences(*_between(p, q, places))
    highest = float(shown[:, -1].max())
    found, against = np.zeros(len(amount)), amount < highest
    some, back = np.unique(np.maximum(amount[against], LEAST * highest), return_inverse=True)
    best, won = np.zeros(len(some)), np.zeros(len(some))
    for order, here in zip(TRIED, shown, strict=True):
        # It is about as the square of the place.
        place = np.interp(np.sqrt(some), np.sqrt(np.maximum.accumulate(here)), places)
        p0, q0 = _between(p, q, place)
        for _ in range(ROUNDS):
            stakes = _staked(p, q, *_tangent(p0, q0, order, some))
            gain = np.log(stakes[0]) @ p + np.log(stakes[1]) @ q
            better = gain > best
            logs = np.log(stakes[0][better]) @ left + np.log(stakes[1][better]) @ right
            best[better], won[better] = gain[better], logs
            p0, q0 = _whole(p / stakes[0]), _whole(q / stakes[1])
    found[against] = won[back]
    return found


def _tangent(p0: Array, q0: Array, order: float, amount: Array) -> tuple[Array, Array]:
    """A_i - a and B_i - b, for each amount, where the tangent touches at these points."""
    parts = np.log(p0) + (order - 1) * np.log(p0 / q0)
    total = np.logaddexp.reduce(parts, axis=1, keepdims=True)
    shares = np.exp(parts - total)
    room = np.exp(np.minimum(order * (order - 1) * amount[:, None] - total, LARGEST))
    # At the point itself the means are α and α - 1; with a = α, b is so much less as is allowed.
    return order * (shares / p0 - 1), (order - 1) * shares / q0 - (order - room)


def _staked(p: Array, q: Array, won: Array, lost: Array) -> tuple[Array, Array]:
    """The factors of each cell on D and on D', with the λ that expects most."""
    low = np.zeros((len(won), 1))
    high = SAFE / np.maximum(-won.min(axis=1), lost.max(axis=1)).clip(1e-300)[:, None]
    for _ in range(HALVINGS):
        stake = (low + high) / 2
        slope = (p * won / (1 + stake * won)).sum(axis=1, keepdims=True)
        slope -= (q * lost / (1 - stake * lost)).sum(axis=1, keepdims=True)
        low, high = np.where(slope > 0, stake, low), np.where(slope > 0, high, stake)
    return 1 + low * won, 1 - low * lost


def _between(p: Array, q: Array, places: Array) -> tuple[Array, Array]:
    """Cells from no difference, at 0, to the alternative, at 1."""
    middle = (p + q) / 2
    b = middle * (q / middle) ** places[:, None]
    return _whole(p + q - b), _whole(b)


def _whole(rows: Array) -> Array:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def _divergences(p: Array, q: Array) -> Array:
    """D_α / α of each row of cells, for each α that is tried."""
    orders = TRIED[:, None, None]
    parts = orders * np.log(p) + (1 - orders) * np.log(q)
    found = np.logaddexp.reduce(parts, axis=2) / (TRIED * (TRIED - 1))[:, None]
    return np.asarray(np.maximum(found, 0))


class Ladder(Fortune):
    """What has become of 1 that was bet on a ladder of nested events, against each ρ.

    Nothing is known of the cells at first: the first runs are not bet on.
    """

    def __init__(self, before: Counts, grid: Array, notion: Notion) -> None:
        super().__init__(before, grid, notion)
        self._logs = np.zeros((1, len(grid)))
        self._cells = np.zeros((2, 0))

    def bet(self, seen: Counts, *rungs: Counts) -> None:
        """Settle the bets that were placed before these runs were seen.

        Args:
            seen: of the event of which the ladder is made.
            rungs: of nested events, from the smallest to the largest.
        """
        left = _cells([0, *(rung.left for rung in rungs), seen.runs])
        right = _cells([0, *(rung.right for rung in rungs), seen.runs])
        if self._cells.size:
            p, q = ((side + 0.5) / (side + 0.5).sum() for side in self._cells)
            self._logs[0] += log_bet_on_cells(p, q, self._grid, left, right)
        self._cells = np.array([left, right]) + (self._cells if self._cells.size else 0.0)
        self.known += seen


def _cells(inside: Sequence[int]) -> Array:
    return np.array([after - before for before, after in pairwise(inside)], float)
