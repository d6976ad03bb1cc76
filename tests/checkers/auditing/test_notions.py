"""Bets against (ε, δ) and ρ-zCDP: nothing is to be won if they hold, and much if they do not."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from shiftproof.checkers.auditing.evidence.concentrated import (
    ORDERS,
    ConcentratedDP,
    log_moments,
    worst_order,
)
from shiftproof.checkers.auditing.evidence.fortunes import Account, Fortune
from shiftproof.checkers.auditing.evidence.lines import ApproximateDP, nearest_on
from shiftproof.checkers.auditing.evidence.notions import PURE, Notion, notion_of
from shiftproof.checkers.auditing.evidence.pure import NEVER, Array, Counts, divergence, log_bet

CHANCES = (1e-9, 1e-3, 0.2, 0.5, 0.9, 1 - 1e-6)
#: A notion and an amount.
CLAIMS: tuple[tuple[Notion, float], ...] = (
    *itertools.product(map(ApproximateDP, (1e-9, 0.01, 0.9)), (0.0, 0.5, 35.0)),
    *((ConcentratedDP(), rho) for rho in (0.0, 1e-4, 0.5, 4.0)),
)
CONFIDENCE = 0.95


def allowed(notion: Notion, amount: float) -> list[tuple[float, float]]:
    """The most likely events on D beside some on D', certain and impossible ones, and less."""
    found = [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    for q in (*CHANCES, 1e-6, 0.05):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            kept = exact_worst(notion, middle, q) <= amount
            low, high = (middle, high) if kept else (low, middle)
        found += [(low, q), (low / 2, q)]
    if isinstance(notion, ApproximateDP):
        found.append((notion.delta, 0.0))
    return found


def exact_worst(notion: Notion, p: float, q: float) -> float:
    """What has to be at most the amount; by its definition."""
    if isinstance(notion, ApproximateDP):
        return math.log((p - notion.delta) / q) if p > notion.delta else -math.inf
    if not 0 < p < 1:
        return 0.0 if p == q or (p == 0 and q < 1e-3) else math.inf
    logs = math.log(p / q), math.log((1 - p) / (1 - q))
    return max(
        float(
            np.logaddexp(*(a * log + math.log(b) for log, b in zip(logs, (q, 1 - q), strict=True)))
        )
        / (a * (a - 1))
        for a in map(float, ORDERS)
    )


def chances(runs: int, p: float, q: float) -> Array:
    """How likely so many runs with the event are, on D (rows) and on D'."""
    count = np.arange(runs + 1)
    return np.asarray(np.outer(stats.binom.pmf(count, runs, p), stats.binom.pmf(count, runs, q)))


def outcomes(runs: int) -> list[Counts]:
    return [Counts(runs, a, b) for a in range(runs + 1) for b in range(runs + 1)]


@pytest.mark.parametrize(("notion", "amount"), CLAIMS, ids=str)
@pytest.mark.parametrize("runs", [3])
def test_nothing_is_to_be_won_if_the_claim_holds(notion: Notion, amount: float, runs: int) -> None:
    against = np.array([amount])
    truths = allowed(notion, amount)
    for p, q in itertools.product(CHANCES, (NEVER, *CHANCES)):
        won = np.exp([notion.log_bet(p, q, against, seen)[0] for seen in outcomes(runs)])
        for truth in truths:
            expected = (chances(runs, *truth) * won.reshape(runs + 1, runs + 1)).sum()
            assert expected <= 1 + 1e-7, (p, q, truth)


@pytest.mark.parametrize(("notion", "amount"), CLAIMS[::3], ids=str)
def test_nothing_is_to_be_won_by_bets_that_follow_what_was_seen(
    notion: Notion, amount: float
) -> None:
    for before in (Counts(), Counts(5, 4, 1), Counts(10**6, 1_000, 0)):
        won = np.zeros((16, 9))
        for (i, first), (j, second) in itertools.product(
            enumerate(outcomes(3)), enumerate(outcomes(2))
        ):
            fortune = Fortune(before, np.array([amount]), notion)
            fortune.bet(first)
            fortune.bet(second)
            won[i, j] = np.exp(fortune.logs[0])
        for truth in allowed(notion, amount):
            both = np.outer(chances(3, *truth), chances(2, *truth))
            assert (both * won).sum() <= 1 + 1e-7, (before, truth)


def apart(p: float, p0: float) -> float:
    return float(stats.entropy([p, 1 - p], [p0, 1 - p0]))


@pytest.mark.parametrize("delta", [1e-3, 0.1])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 5.0])
def test_the_nearest_point_of_a_line_is_the_one_of_least_divergence(
    delta: float, epsilon: float
) -> None:
    c = math.exp(epsilon)
    for p, q in itertools.product((0.2, 0.5, 0.9), (1e-9, 1e-4, 0.1)):
        if p <= c * q + delta:
            continue
        best = optimize.minimize_scalar(
            lambda b, p=p, q=q: apart(p, c * b + delta) + apart(q, b),
            bounds=(q, (p - delta) / c), method="bounded", options={"xatol": 1e-12},
        )  # fmt: skip
        found = [float(v) for v in nearest_on(*map(np.array, (p, q, c, delta)))]
        assert found[0] == c * found[1] + delta
        assert apart(p, found[0]) + apart(q, found[1]) <= best.fun * (1 + 1e-9) + 1e-12
        gain = float(ApproximateDP(delta).gain(p, q, epsilon))
        assert gain == pytest.approx(best.fun, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(
    ("p", "q", "least"),
    [(0.5, 0.3, 0.99), (0.9, 0.1, 0.99), (0.28, 1e-3, 0.99), (0.05, 0.03, 0.97), (0.999, 0.5, 0.7)],
)
def test_tangents_lose_little(p: float, q: float, least: float, share: float) -> None:
    """Beside the best point of the border, found by trying many."""
    notion = ConcentratedDP()
    rho = share * float(notion.worst(p, q))
    above = np.linspace(q, p, 2_001)[1:-1]
    low, high = np.full(len(above), q), above.copy()
    for _ in range(50):
        middle = (low + high) / 2
        kept = worst_order(above, middle)[0] <= rho
        low, high = np.where(kept, low, middle), np.where(kept, middle, high)
    best = min(apart(p, a) + apart(q, b) for a, b in zip(above, high, strict=True))
    assert least * best <= float(notion.gain(p, q, rho)) <= best * (1 + 1e-3)


def test_the_divergences_of_an_event() -> None:
    for p, q, order in ((0.3, 0.1, 2.0), (0.9, 0.2, 1.5), (1e-3, 1e-5, 8.0)):
        total, came, not_ = (float(v) for v in log_moments(p, q, order))
        parts = p**order * q ** (1 - order), (1 - p) ** order * (1 - q) ** (1 - order)
        assert math.exp(total) == pytest.approx(sum(parts))
        assert (came, not_) == pytest.approx([part / sum(parts) for part in parts])
    # Randomised response with ε = ln 3, at α = 2: log(9/4 · 1/3 + 1/4 · ...) by hand.
    total = float(log_moments(0.75, 0.25, 2.0)[0])
    assert total == pytest.approx(math.log(0.75**2 / 0.25 + 0.25**2 / 0.75))


def test_zero_delta_is_what_it_was() -> None:
    assert notion_of(0.0, rho=False) is PURE
    seen, before = Counts(1_000, 300, 20), Counts(500, 140, 12)
    pure, other = (Fortune(before, PURE.grid, n) for n in (PURE, ApproximateDP(0.0)))
    pure.bet(seen)
    other.bet(seen)
    p, q = 140.5 / 501, 12.5 / 501
    assert np.array_equal(pure.logs, log_bet(p, q, PURE.grid, seen))
    assert np.allclose(pure.logs, other.logs, rtol=1e-6, atol=1e-6)
    assert np.array_equal(PURE.gain(p, q, PURE.grid), divergence(p, q, PURE.grid))


@pytest.mark.parametrize("notion", [ApproximateDP(1e-6), ApproximateDP(0.2), ConcentratedDP()])
@pytest.mark.parametrize("runs", [1, 10**9])
def test_extreme_counts_give_numbers(notion: Notion, runs: int) -> None:
    counts = sorted({0, 1, runs // 2, runs - 1, runs})
    some = [Counts(runs, a, b) for a, b in itertools.product(counts, repeat=2)]
    with np.errstate(all="raise", under="ignore"):
        for before, seen in itertools.product([Counts(), *some], some[::3]):
            fortune, account = Fortune(before, notion.grid, notion), Account(notion.grid)
            fortune.bet(seen)
            account.note([(0.5, fortune)], 0.5)
            assert np.isfinite(fortune.logs).all(), (before, seen)
            assert 0 <= account.lower_bound(CONFIDENCE) <= 36.1


@pytest.mark.parametrize(
    ("notion", "p", "q"),
    [
        (ApproximateDP(0.01), 0.5, 0.1),
        (ApproximateDP(0.2), 0.3, 1e-3),
        (ConcentratedDP(), 0.5, 0.1),
    ],
)
def test_more_of_the_same_brings_the_bound_up_to_the_truth(
    notion: Notion, p: float, q: float
) -> None:
    truth, bounds = float(notion.worst(p, q)), []
    for n in (10**3, 10**4, 10**5, 10**6):
        seen = Counts(n, round(p * n), round(q * n))
        fortune, account = Fortune(seen, notion.grid, notion), Account(notion.grid)
        fortune.bet(seen)
        account.note([(1.0, fortune)], 0.0)
        bounds.append(account.lower_bound(CONFIDENCE))
    assert bounds == sorted(bounds)
    assert 0.95 * truth < bounds[-1] < truth
    for n, bound in zip((10**4, 10**5), bounds[1:], strict=False):
        reached = notion.reached(np.array([p]), np.array([q]), n, -math.log1p(-CONFIDENCE))
        assert float(reached[0]) == pytest.approx(bound, rel=0.1)


@pytest.mark.parametrize(
    ("notion", "amount", "q"),
    [
        (ApproximateDP(0.05), 1.0, 0.2),
        (ApproximateDP(0.01), 0.3, 1e-9),
        (ConcentratedDP(), 0.1, 0.3),
        (ConcentratedDP(), 1.0, 0.02),
    ],
)
def test_stopping_at_the_best_moment_does_not_help(notion: Notion, amount: float, q: float) -> None:
    """On the border, with a look after every few runs, twice as many each time."""
    p = (
        next(a for a, b in allowed(notion, amount) if b == q)
        if q in CHANCES
        else border(notion, amount, q)
    )
    rng, refused, many = np.random.default_rng(11), 0, 200
    for _ in range(many):
        grid: Any = np.array([amount])
        fortune, account = Fortune(Counts(), grid, notion), Account(grid)
        for k in range(12):
            left, right = rng.binomial(10 << k, [p, q]).tolist()
            fortune.bet(Counts(10 << k, left, right))
            account.note([(1.0, fortune)], 0.0)
        refused += account.log_evidence(amount) >= -math.log1p(-CONFIDENCE)
    assert refused <= stats.binom.ppf(1 - 1e-4, many, 1 - CONFIDENCE)


def border(notion: Notion, amount: float, q: float) -> float:
    """The most likely event on D beside one on D'."""
    return float(optimize.brentq(lambda p: exact_worst(notion, p, q) - amount, q, 1 - 1e-9))


def test_what_is_named() -> None:
    assert [notion.symbol for notion in (PURE, ApproximateDP(0.1), ConcentratedDP())] == list("εερ")
    assert ApproximateDP(1e-6).condition == "δ = 1e-06" and not ConcentratedDP().condition
