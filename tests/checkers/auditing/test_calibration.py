"""The auditor is wrong as rarely as it says, and finds what is slightly wrong.

By default some audits with fixed seeds; SHIFTPROOF_FULL=1 makes 2,000 at the exact ε of
mechanisms, and 1,000 of claims that are too small by a factor of 1.2.
"""

from __future__ import annotations

import itertools
import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from benchmarks.calibrate import BAR, FACTOR, Row, audited, ideal_power, limits, rows_of
from benchmarks.calibrated_mechanisms import cases
from shiftproof.checkers.auditing.evidence.fortunes import Account, Fortune
from shiftproof.checkers.auditing.evidence.pure import (
    GRID,
    NEVER,
    Array,
    Counts,
    divergence,
    log_bet,
    nearest_allowed,
)
from shiftproof.workspace.executors import worker_processes

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
BOUNDARY, BELOW, FORTUNES = (2_000, 1_000, 5_000) if FULL else (24, 12, 200)
CONFIDENCE = 0.95
#: By default mechanisms are audited that need so few runs; and with fewer at the exact ε, where
#: any number will do.
FEW_RUNS, FEWER = 40_000, 16_000


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    found = rows_of(case for case in cases() if FULL or case.samples <= FEW_RUNS)
    assert len(found) >= 16
    return found


def at_most(count: int) -> float:
    """So many of these audits are wrong with a probability of 1e-4 at most."""
    return float(stats.binom.ppf(1 - 1e-4, count, 1 - CONFIDENCE))


# Whole audits.


def test_the_exact_epsilon_is_refused_as_rarely_as_is_said(rows: list[Row]) -> None:
    if not FULL:
        rows = [replace(row, case=replace(row.case, samples=FEWER)) for row in rows]
    found = [
        audited(rows[k % len(rows)], 1_000 + k, 1.0, k % 2 == 0, CONFIDENCE, None)
        for k in range(BOUNDARY)
    ]
    assert sum(f.violation for f in found) <= at_most(BOUNDARY)
    assert sum(f.above for f in found) <= at_most(BOUNDARY)


def test_a_claim_that_is_too_small_is_refused(rows: list[Row]) -> None:
    found = [
        audited(rows[k % len(rows)], 5_000 + k, FACTOR, True, CONFIDENCE, None)
        for k in range(BELOW)
    ]
    assert sum(f.violation for f in found) >= BAR * BELOW


def test_the_budgets_are_enough_for_an_ideal_test() -> None:
    for case in cases():
        made = case.make(0)
        assert ideal_power(made, case.samples, CONFIDENCE) > BAR, case.name


def test_wherever_it_runs_an_audit_is_the_same(rows: list[Row]) -> None:
    by_name = {row.case.name: row for row in rows}
    with ThreadPoolExecutor(3) as threads, worker_processes(2) as processes:
        for name in ("plateau", "language: Laplace"):
            row = by_name[name]
            here = audited(row, 7, 1.0, False, CONFIDENCE, None)
            for executor in (threads, processes):
                assert audited(row, 7, 1.0, False, CONFIDENCE, executor) == here
    assert audited(row, 8, 1.0, False, CONFIDENCE, None) != here


def test_limits_are_those_of_clopper_and_pearson() -> None:
    for count, of in ((0, 10), (3, 10), (10, 10), (40, 2_000)):
        known = stats.binomtest(count, of).proportion_ci(0.95, "exact")
        assert limits(count, of) == pytest.approx((known.low, known.high))


# The evidence.

EPSILONS = (0.0, 1e-3, 0.1, 1.0, 3.0, 12.0, 35.0)
CHANCES = (1e-9, 1e-3, 0.2, 0.5, 0.9, 1 - 1e-6)


def allowed(epsilon: float) -> list[tuple[float, float]]:
    """Pairs that ε allows: on its boundary and inside, also certain and impossible ones."""
    c = math.exp(epsilon)
    boundary = [(p, p / c) for p in (0.0, *CHANCES, 1.0)]
    inside = [(p, p / c + share * (1 - p / c)) for p in (0.0, 0.3, 1.0) for share in (0.1, 1.0)]
    return [*boundary, *inside]


def chances(runs: int, p: float, q: float) -> Array:
    """How likely so many runs with the event are, on D (rows) and on D'."""
    count = np.arange(runs + 1)
    return np.asarray(np.outer(stats.binom.pmf(count, runs, p), stats.binom.pmf(count, runs, q)))


def outcomes(runs: int) -> list[Counts]:
    return [Counts(runs, a, b) for a in range(runs + 1) for b in range(runs + 1)]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("runs", [1, 5])
def test_nothing_is_to_be_won_by_a_bet_if_epsilon_holds(epsilon: float, runs: int) -> None:
    against = np.array([epsilon])
    for p, q in itertools.product(CHANCES, (NEVER, *CHANCES)):
        logs = [log_bet(p, q, against, seen)[0] for seen in outcomes(runs)]
        won = np.exp(np.array(logs)).reshape(runs + 1, runs + 1)
        for truth in allowed(epsilon):
            assert (chances(runs, *truth) * won).sum() <= 1 + 1e-8, (p, q, truth)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_nothing_is_to_be_won_by_bets_that_follow_what_was_seen(epsilon: float) -> None:
    for before in (Counts(), Counts(5, 4, 1), Counts(10**6, 1_000, 0), Counts(3, 3, 3)):
        won = np.zeros((16, 9))
        for (i, first), (j, second) in itertools.product(
            enumerate(outcomes(3)), enumerate(outcomes(2))
        ):
            fortune = Fortune(before, np.array([epsilon]))
            fortune.bet(first)
            fortune.bet(second)
            won[i, j] = np.exp(fortune.logs[0])
        for truth in allowed(epsilon):
            both = np.outer(chances(3, *truth), chances(2, *truth))
            assert (both * won).sum() <= 1 + 1e-8, (before, truth)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_nearest_allowed_pair_is_the_one_of_least_divergence(epsilon: float) -> None:
    c = math.exp(epsilon)
    for p, q in itertools.product(CHANCES, (NEVER, 1e-9, 1e-4, 0.1, 0.5, 0.9)):
        if p <= c * q:
            continue
        p0, q0 = (float(v) for v in nearest_allowed(p, q, np.array(epsilon)))
        assert 0 < q0 <= p0 < 1 and p0 == pytest.approx(c * q0)

        def apart(log_q: float, p: float = p, q: float = q) -> float:
            b = math.exp(log_q)
            a = c * b
            return float(
                stats.entropy([p, 1 - p], [a, 1 - a]) + stats.entropy([q, 1 - q], [b, 1 - b])
            )

        best = optimize.minimize_scalar(
            apart, bounds=(math.log(q0) - 3, min(math.log(q0) + 3, -epsilon - 1e-12)),
            method="bounded", options={"xatol": 1e-10},
        )  # fmt: skip
        assert apart(math.log(q0)) <= best.fun * (1 + 1e-9) + 1e-15
        assert float(divergence(p, q, epsilon)) == pytest.approx(apart(math.log(q0)), abs=1e-12)


def test_what_is_allowed_is_no_alternative() -> None:
    for epsilon in EPSILONS:
        for p, q in allowed(epsilon):
            if 0 < p < 1:
                assert float(divergence(p, q * (1 + 1e-9), epsilon)) == 0.0


@pytest.mark.parametrize("runs", [1, 2, 10**6, 10**9])
def test_extreme_counts_give_numbers(runs: int) -> None:
    counts = sorted({0, 1, runs // 2, runs - 1, runs})
    some = [Counts(runs, a, b) for a, b in itertools.product(counts, repeat=2)]
    with np.errstate(all="raise", under="ignore"):
        for before, seen in itertools.product([Counts(), *some], some):
            fortune = Fortune(before, GRID)
            fortune.bet(seen)
            fortune.bet(seen)
            account = Account(GRID)
            account.note([(0.5, fortune), (0.25, fortune)], 0.25)
            assert np.isfinite(fortune.logs).all(), (before, seen)
            assert np.isfinite(account.log_evidence(0.0)) and np.isfinite(account.log_evidence(35))
            bounds = [account.lower_bound(level) for level in (0.5, 0.9, 0.95, 1 - 1e-9)]
            assert bounds == sorted(bounds, reverse=True) and 0 <= bounds[-1] <= bounds[0] <= 36


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("p", [1e-3, 0.5, 0.999])
def test_what_is_just_as_expected_on_the_boundary_gives_no_bound_above_it(
    epsilon: float, p: float
) -> None:
    grid = np.unique([*GRID, epsilon])
    for runs in (10**4, 10**6, 10**8):
        expected = Counts(runs, round(runs * p), math.ceil(runs * p / math.exp(epsilon)))
        for before in (Counts(), expected, Counts(100, 90, 5), Counts(1_000, 999, 0)):
            fortune, account = Fortune(before, grid), Account(grid)
            for _ in range(4):
                fortune.bet(expected)
                account.note([(1.0, fortune)], 0.0)
            assert account.lower_bound(CONFIDENCE) < epsilon
            assert account.log_evidence(epsilon) <= 1e-6


def test_more_of_the_same_brings_the_bound_up() -> None:
    bounds = []
    for times in range(1, 12):
        fortune, account = Fortune(Counts(1_000, 500, 100), GRID), Account(GRID)
        for _ in range(times):
            fortune.bet(Counts(1_000, 500, 100))
            account.note([(1.0, fortune)], 0.0)
        bounds.append(account.lower_bound(CONFIDENCE))
    assert bounds == sorted(bounds)
    assert 1.3 < bounds[-1] < math.log(5)


def test_evidence_that_was_there_stays() -> None:
    fortune, account = Fortune(Counts(1_000, 500, 100), GRID), Account(GRID)
    fortune.bet(Counts(1_000, 500, 100))
    account.note([(0.5, fortune)], 0.5)
    before = account.lower_bound(CONFIDENCE), account.log_evidence(0.5)
    fortune.bet(Counts(1_000, 100, 500))
    account.note([(0.5, fortune)], 0.5)
    assert (account.lower_bound(CONFIDENCE), account.log_evidence(0.5)) == before


def test_shares_and_what_is_kept_add_up_to_the_evidence() -> None:
    lost, won = (Fortune(Counts(1_000, 500, 100), GRID) for _ in range(2))
    lost.bet(Counts(1_000, 100, 500))
    won.bet(Counts(20, 10, 2))
    account = Account(GRID)
    account.note([(0.5, lost), (0.3, won)], 0.2)
    place = int(np.searchsorted(GRID, 0.5))
    assert 0.2 + 0.3 * math.exp(won.logs[place]) > 1
    for at in (place, len(GRID) - 1):
        total = 0.5 * math.exp(lost.logs[at]) + 0.3 * math.exp(won.logs[at]) + 0.2
        assert account.log_evidence(GRID[at]) == pytest.approx(max(math.log(total), 0))


@pytest.mark.parametrize(("epsilon", "p"), [(1.0, 0.5), (0.3, 1.0), (2.0, 0.01)])
def test_stopping_at_the_best_moment_does_not_help(epsilon: float, p: float) -> None:
    """On the boundary, with a look after every few runs, twice as many each time."""
    rng, refused = np.random.default_rng(11), 0
    for _ in range(FORTUNES):
        fortune, account = Fortune(Counts(), np.array([epsilon])), Account(np.array([epsilon]))
        for k in range(16):
            runs = 10 << k
            left, right = rng.binomial(runs, [p, p / math.exp(epsilon)]).tolist()
            fortune.bet(Counts(runs, left, right))
            account.note([(1.0, fortune)], 0.0)
            if account.log_evidence(epsilon) >= -math.log1p(-CONFIDENCE):
                refused += 1
                break
    assert refused <= at_most(FORTUNES)


def test_a_fortune_grows_as_fast_as_was_expected() -> None:
    p, q, n = 0.3, 0.05, 10**6
    seen: Any = Counts(n, round(p * n), round(q * n))
    fortune = Fortune(seen, GRID)
    fortune.bet(seen)
    for epsilon in (0.0, 1.0, 1.5):
        at = int(np.searchsorted(GRID, epsilon))
        expected = n * float(divergence(p, q, GRID[at])) - math.log(2)
        assert fortune.logs[at] == pytest.approx(expected, rel=1e-3, abs=1.0)
