"""Bounds of the mean error of a private binary search for the minimum.

Lengths are in units in which the values lie in [-1, 1]; for [low, high] multiply lengths, and the
results, by (high - low)/2.  The values are α-fat: F(x) ≥ C (x - min)^α for min < x < min + reach.
For fixed data F is their empirical distribution function; for i.i.d. data it is that of their law,
and the error is meant from the least point of its support.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..dsl.errors import BadInput
from .binary_search import SearchPlan
from .minimum_inputs import positive

#: So many h are tried for the best one.
TRIED = 800


@dataclass(frozen=True, slots=True)
class MinimumErrorBound:
    """A bound of E|estimate - minimum|, and what it is made of.

    Attributes:
        total: the bound; at most 2 - 2^-L, which no error exceeds.
        quantile: how far from the minimum the quantile may lie that is found if all goes well.
        resolution: 2^-L, half the length of the last interval.
        mistakes: the share of runs in which a round goes wrong, weighted by what it costs.
        h: by how much an estimated share may be too low before that is a mistake.
    """

    total: float
    quantile: float
    resolution: float
    mistakes: float
    h: float


def minimum_error_bound(
    plan: SearchPlan,
    *,
    alpha: float,
    c: float,
    reach: float,
    h: float | None = None,
    iid: bool = False,
) -> MinimumErrorBound:
    """Bound the mean error of a search, by a sharper form of :func:`theorem_2b_bound`.

    With m the size of the smallest group, γ = tanh(ε'/2) for ε' of one answer, and any h > 0::

        ((τ+h)/C)^(1/α) + 2^-L + 4 (1 - 2^-L) w,    τ + h ≤ C reach^α
        w = exp(-2 m γ² min(τ, h)²)                      all users asked in each round
        w = exp(-2 m γ² τ²) + exp(-2 m γ² h²)            each user asked once

    For i.i.d. data the first term is C^(-1/α) E[U^(1/α)], U the k-th least of N uniform numbers
    and k = ⌈N(τ+h)⌉, and 2 exp(-2N (C reach^α - (k-1)/N)²) is added to it.

    Proof.  Let x be the k-th least value.  A mistake is to go left with no value below M
    (φ̂ ≥ τ, φ = 0), or right with M > x (φ̂ < τ, φ ≥ τ + h).  Without one before round t the
    minimum is not above the interval and the interval does not begin above x; its length is
    2^(2-t), so the error is at most x - min + 2^(2-t), and x - min + 2^-L if all rounds go well.
    So E[error] ≤ E[x - min] + 2^-L + Σ 2^(2-t) P(first mistake in round t).  Hoeffding bounds
    either mistake.  Asked in every round, users answer anew and only one of the two is possible,
    so the larger bound counts.  Asked once, the groups depend on each other, and M on groups
    before: but then answers to M > x say "below" no less than answers about the fixed set of the
    k least, of which a group is a sample without replacement, for which Hoeffding's bound holds
    too (his Theorem 4; noise of the answers makes exp(s·answer) another function on the users).
    Last, x - min ≤ ((τ+h)/C)^(1/α) by α-fatness; for i.i.d. data (U/C)^(1/α) unless U > C
    reach^α, which means that a binomial number is below k.

    Args:
        plan: rounds, threshold, ε and the number of users.
        alpha: α of the values, above 0.
        c: C, above 0; C reach^α is at most 1.
        reach: how far above the minimum α-fatness holds; in (0, 2].
        h: above 0; by default the best of many.
        iid: whether the values are drawn from a law, or fixed.

    Raises:
        BadInput: an argument is out of its range.

    Source: LDP minimum finding, Theorems 2, 4 and 5 and Lemma 1, in a form of our own.
    """
    least, height = _fatness(alpha, c, reach)
    if h is not None:
        return _bound(plan, least, height, positive("h", h), iid)
    widest = height - plan.threshold
    if widest <= 0:
        return _bound(plan, least, height, plan.threshold, iid)
    # From far too small an h to the largest; beyond it nothing is known of the quantile.
    first = min(widest, 1e-3 * min(1.0, 1 / math.sqrt(plan.effective_users)))
    tried = [first * (widest / first) ** (i / (TRIED - 1)) for i in range(TRIED)]
    tried.append(min(widest, plan.threshold))  # the best one is often τ itself
    found = [_bound(plan, least, height, h, iid) for h in tried]
    return min(found, key=lambda bound: bound.total)


@dataclass(frozen=True, slots=True)
class _Fat:
    alpha: float
    c: float


def _fatness(alpha: float, c: float, reach: float) -> tuple[_Fat, float]:
    """α and C, and how high the promise goes: C reach^α."""
    fat = _Fat(positive("alpha", alpha), positive("c", c))
    far = positive("reach", reach)
    if far > 2:
        raise BadInput(f"reach: got {reach!r}; the range is [-1, 1], so at most 2")
    height = fat.c * far**fat.alpha
    if height > 1 + 1e-9:
        raise BadInput(f"c, reach: C reach^α is {height:g}; no distribution function is above 1")
    return fat, min(height, 1.0)


def _bound(plan: SearchPlan, fat: _Fat, height: float, h: float, iid: bool) -> MinimumErrorBound:
    resolution, tau = 2.0**-plan.rounds, plan.threshold
    tails = [math.exp(-2 * plan.effective_users * x * x) for x in (tau, h)]
    mistakes = 4 * (1 - resolution) * (sum(tails) if plan.once else max(tails))
    far = _iid_quantile if iid else _fixed_quantile
    # Of a share above what α-fatness reaches to, nothing is known but that the range ends at 1.
    known = tau + h <= height * (1 + 1e-12)
    quantile = min(2.0, far(plan.users, tau + h, fat, height)) if known else 2.0
    total = min(quantile + resolution + mistakes, 2 - resolution)
    return MinimumErrorBound(total, quantile, resolution, mistakes, h)


def _fixed_quantile(users: int, share: float, fat: _Fat, height: float) -> float:
    return float((share / fat.c) ** (1 / fat.alpha))


def _iid_quantile(users: int, share: float, fat: _Fat, height: float) -> float:
    rank, power = min(users, math.ceil(users * share)), 1 / fat.alpha
    log = _log_rise(rank, power) - _log_rise(users + 1, power) - power * math.log(fat.c)
    gap = height - (rank - 1) / users
    beyond = 0.0 if height >= 1 else 2 * math.exp(-2 * users * max(gap, 0.0) ** 2)
    return math.exp(log) + beyond


def _log_rise(x: float, s: float) -> float:
    """Ln Γ(x + s) - ln Γ(x); by Stirling's series where the difference would cancel."""
    if x < 1e4:
        return math.lgamma(x + s) - math.lgamma(x)
    y = x + s
    return (y - 0.5) * math.log1p(s / x) + s * math.log(x) - s + (1 / y - 1 / x) / 12


def theorem_2b_bound(plan: SearchPlan, h: float, *, alpha: float, c: float, reach: float) -> float:
    """Theorem 2 for fixed data, explicit: ((τ+h)/C)^(1/α) + 2^-L + 4L exp(-2N h² γ²).

    Each user is asked in every round, 0 < h < τ, τ + h ≤ C reach^α and γ = tanh(ε/(2L)).
    :func:`minimum_error_bound` is never larger; arguments are as there.

    Raises:
        BadInput: an argument is out of its range, or a condition above does not hold.

    Source: LDP minimum finding, Theorem 2 (restored).
    """
    fat, height = _fatness(alpha, c, reach)
    if plan.once:
        raise BadInput("once: the theorem is about users who are asked in every round")
    if not positive("h", h) < plan.threshold or plan.threshold + h > height:
        raise BadInput(f"h: got {h!r}; want h < τ and τ + h ≤ C reach^α")
    tail = math.exp(-2 * plan.effective_users * h * h)
    quantile = _fixed_quantile(plan.users, plan.threshold + h, fat, height)
    return quantile + 2.0**-plan.rounds + 4 * plan.rounds * tail


def beta_fatness(alpha: float, beta: float, share: float) -> tuple[float, float]:
    """C and reach of Beta(α, β) that is stretched over all of [-1, 1].

    Args:
        alpha: α, above 0.
        beta: β, above 0.
        share: how much of the range α-fatness is to hold on, in (0, 1); 1 if β ≤ 1.

    Returns:
        C = min(1, (1 - share)^(β-1)) / (α B(α, β)) · 2^-α, and reach = 2 share.

    Raises:
        BadInput: an argument is out of its range.

    Source: LDP minimum finding, Example 1.
    """
    a, b, part = positive("alpha", alpha), positive("beta", beta), positive("share", share)
    if part > 1 or (part == 1 and b > 1):
        raise BadInput(f"share: got {share!r}; want one below 1, or 1 with β at most 1")
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    slope = 1.0 if b <= 1 else (1 - part) ** (b - 1)
    return slope * math.exp(-log_beta) / a / 2**a, 2 * part


def log_rate(users: int, eps: float, known: bool, once: bool = False) -> float:
    """ln of (ln N)^p / (ε² N), of which the mean error falls as the power 1/(2α).

    Args:
        users: N.
        eps: ε in nats.
        known: whether α is, so that p = 3, else 6; if users are asked once, 2 and 4.
        once: whether users are asked in one round only.

    Source: LDP minimum finding, Corollaries 1 and 2.
    """
    power = {(True, False): 3, (True, True): 2, (False, False): 6, (False, True): 4}[known, once]
    return power * math.log(math.log(max(users, 3))) - 2 * math.log(eps) - math.log(users)
