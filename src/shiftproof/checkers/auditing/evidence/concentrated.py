"""Bets against ρ-zCDP: D_α(M on D ‖ M on D') <= α ρ for all α > 1.

Of an event with the probabilities p and q the divergences are at most those of all outputs, so
F_α(p, q) = p^α q^(1-α) + (1-p)^α (1-q)^(1-α) <= exp(α (α-1) ρ) =: K is owed for all α.  F_α is
convex, a sum of perspectives of x^α; so for any (p0, q0) above the diagonal, with the slopes
F_p > 0 > F_q there,

    F_α(p0, q0) + F_p (p - p0) + F_q (q - q0) <= F_α(p, q) <= K,

which is a line p <= c q + d that ρ keeps all pairs below, with c = -F_q / F_p.  It is bet on as any
line is.  The point is looked for on the border, next to the alternative, with the α that is worst
there: both depend on earlier runs only, and the line holds wherever it touches.

Source: Bun and Steinke, "Concentrated Differential Privacy" (TCC 2016): Definition 1.1, and Lemma
2.2 for what becomes of events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .lines import Lines
from .pure import Array

#: The α that are tried, and the ρ for which evidence is kept, each .9 % above the one before.
ORDERS: Array = np.array(
    [1.001, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50,
     64, 80, 100, 128, 180, 256]
)  # fmt: skip
RHOS: Array = np.concatenate([[0.0], np.geomspace(1e-6, 36, 2_000)])
#: In how many steps the border is looked for, and how near to the diagonal at most.
STEPS, NEAREST = 8, 1e-3
#: Exponents are cut here, where what is allowed is no alternative anyway.
LARGEST = 700.0


def log_moments(p: Any, q: Any, order: Any) -> tuple[Any, Any, Any]:
    """The log of F_α(p, q), and which parts of F_α the event and its opposite are."""
    came = order * np.log(p) + (1 - order) * np.log(q)
    not_ = order * np.log1p(-p) + (1 - order) * np.log1p(-q)
    total = np.logaddexp(came, not_)
    return total, np.exp(came - total), np.exp(not_ - total)


def worst_order(p: Any, q: Any) -> tuple[Any, Any]:
    """The largest D_α / α of two coins, and its α."""
    p, q = np.broadcast_arrays(p, q)
    orders = ORDERS.reshape(-1, *[1] * p.ndim)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = log_moments(p, q, orders)[0] / (orders * (orders - 1))
    at = np.argmax(found, axis=0)
    return np.maximum(np.max(found, axis=0), 0.0), ORDERS[at]


@dataclass(frozen=True, slots=True)
class ConcentratedDP(Lines):
    """ρ-zCDP."""

    symbol, condition, grid, ladders = "ρ", "", RHOS, True

    def lines(self, p: Array, q: Array, amount: Array) -> tuple[Array, Array]:
        """The tangent where the border of what ρ allows meets p0 + q0 = p + q, about."""
        one = p.size and p.min() == p.max() and q.min() == q.max()
        at = (p.flat[0], q.flat[0]) if one else (p, q)
        first = worst_order(*(np.asarray(side) for side in at))
        above = (p > q) & (amount < first[0])
        slope, offset = np.ones(p.shape), np.full(p.shape, np.inf)
        p, q, amount = p[above], q[above], amount[above]
        highest, order = (np.broadcast_to(one, above.shape)[above] for one in first)
        total, middle = p + q, (p + q) / 2
        place = np.sqrt(amount / highest)
        step = 0
        while True:
            # From the diagonal, at 0, to the alternative, at 1.
            place = np.clip(place, NEAREST, 1.0)
            b = middle * (q / middle) ** place
            a = total - b
            if step == STEPS // 2:
                order = worst_order(a, b)[1]
            scale = order * (order - 1)
            moment, came, not_ = log_moments(a, b, order)
            step += 1
            if step == STEPS:
                break
            place = place * np.sqrt(amount * scale / np.maximum(moment, 1e-300))
        rises = order * (came / a - not_ / (1 - a))
        falls = (1 - order) * (came / b - not_ / (1 - b))
        room = np.expm1(np.minimum(amount * scale - moment, LARGEST))
        slope[above] = -falls / rises
        # What is allowed holds (0, 0), so the offset is negative by rounding only.
        offset[above] = np.maximum(a + falls / rises * b + room / rises, 0)
        return slope, offset

    def worst(self, p: Any, q: Any) -> Any:
        """The largest D_α / α of the α that are tried."""
        p, q = np.broadcast_arrays(p, q)
        return np.where(p > q, worst_order(p, q)[0], 0.0)
