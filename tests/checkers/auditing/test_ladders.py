"""Bets against ρ-zCDP on nested events at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from shiftproof.checkers.auditing.evidence.concentrated import ORDERS, ConcentratedDP
from shiftproof.checkers.auditing.evidence.fortunes import Account
from shiftproof.checkers.auditing.evidence.ladders import TRIED, Ladder, log_bet_on_cells
from shiftproof.checkers.auditing.evidence.pure import Array, Counts
from tests.sampling import every

NOTION = ConcentratedDP()


def test_what_is_tried_is_asked_here_too() -> None:
    assert set(TRIED) <= set(ORDERS)


def rho_of(p: Array, q: Array) -> float:
    """By the definition, at the α of which anything is known."""
    with np.errstate(divide="ignore"):
        logs = np.where(p > 0, np.log(p / q), -np.inf)
        parts = [np.logaddexp.reduce(a * logs + np.log(q)) / (a * (a - 1)) for a in ORDERS]
    return float(max(parts))


def on_the_border(p: Array, q: Array, rho: float) -> tuple[Array, Array]:
    """The cells on D brought so near to those on D' that ρ allows them, just."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        kept = rho_of(q + middle * (p - q), q) <= rho
        low, high = (middle, high) if kept else (low, middle)
    return q + low * (p - q), q


def cells(rng: np.random.Generator, many: int) -> tuple[Array, Array]:
    """Random ones, some of them very rare."""
    sides = [rng.dirichlet(np.full(many, 0.4)) + 1e-9 for _ in range(2)]
    return sides[0] / sides[0].sum(), sides[1] / sides[1].sum()


@pytest.mark.parametrize("many", [2, 6])
@pytest.mark.parametrize("rho", every(2, [1e-4, 0.05, 0.5, 3.0]))
def test_nothing_is_to_be_won_if_rho_holds(many: int, rho: float) -> None:
    rng, against = np.random.default_rng(5), np.array([rho])
    truths = [on_the_border(*cells(rng, many), rho) for _ in range(40)]
    bets = 0
    for k in range(20):
        p, q = cells(rng, many) if k % 2 else truths[k % 40]
        if k % 4 == 2:  # an alternative right beyond the border
            p, q = on_the_border(p, q, 1.1 * rho)
            p = np.abs(p + 0.2 * (p - q)) + 1e-9
            p /= p.sum()
        one, none = np.eye(many), np.zeros(many)
        left = np.exp([log_bet_on_cells(p, q, against, row, none)[0] for row in one])
        right = np.exp([log_bet_on_cells(p, q, against, none, row)[0] for row in one])
        bets += bool((left != 1).any())
        for a, b in truths:
            # The runs are independent: of n on each side the expectation is this to the n.
            assert (a @ left) * (b @ right) <= 1 + 1e-7, (k, p, q)
    assert bets > 2


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.3), (0.9, 0.1), (0.2, 0.01), (0.7, 0.001)])
def test_two_cells_are_an_event(p: float, q: float) -> None:
    sides = np.array([p, 1 - p]), np.array([q, 1 - q])
    for share in (0.6, 0.8):
        rho = share * float(NOTION.worst(p, q))
        gain = log_bet_on_cells(*sides, np.array([rho]), *sides)[0]
        assert 0.75 < gain / float(NOTION.gain(p, q, rho)) < 1.05


def gaussian_cells(mean: float) -> tuple[Array, Array]:
    """Of noise of variance 1 on D = mean, and on D' = 0, between fifteen edges."""
    edges = np.concatenate([[-np.inf], np.linspace(-2.5, 2.5 + mean, 15), [np.inf]])
    p, q = (np.diff(stats.norm.cdf(edges, at)) for at in (mean, 0))
    return np.asarray(p[::-1]), np.asarray(q[::-1])


def climbed(p: Array, q: Array, runs: int, times: int) -> tuple[float, Ladder]:
    """The bound that comes of what is expected, in so many times so many runs."""
    ladder, account = Ladder(Counts(), NOTION.grid, NOTION), Account(NOTION.grid)
    tails = [np.round(runs * np.cumsum(side)[:-1]).astype(int).tolist() for side in (p, q)]
    rungs = [Counts(runs, *pair) for pair in zip(*tails, strict=True)]
    for _ in range(times):
        ladder.bet(rungs[0], *rungs)
        account.note([(1.0, ladder)], 0.0)
    return account.lower_bound(0.95), ladder


def test_more_cells_show_more() -> None:
    p, q = gaussian_cells(0.7)
    truth, many = 0.245, rho_of(p, q)
    single = max(
        float(NOTION.worst(a, b))
        for a, b in zip(p.cumsum(), q.cumsum(), strict=True)
        if 0.05 < a < 0.95
    )
    assert single < 0.8 * truth < 0.95 * truth < many < truth
    bound, _ = climbed(p, q, 10**5, 8)
    assert 0.95 * truth < bound < truth
    few, _ = climbed(p, q, 10**3, 2)
    assert few < bound


def test_the_first_runs_are_not_bet_on() -> None:
    _, ladder = climbed(*gaussian_cells(0.7), 10**4, 1)
    assert not ladder.logs.any() and ladder.known.runs == 10**4


def test_what_refuses_an_amount_refuses_all_below_it() -> None:
    _, ladder = climbed(*gaussian_cells(1.0), 10**4, 3)
    low = NOTION.grid < 0.02
    assert np.unique(ladder.logs[low]).tolist() == [ladder.logs[0]] and ladder.logs[0] > 100
    assert (np.diff(ladder.logs) < 1.0).all()


@pytest.mark.parametrize("runs", [1, 10**9])
def test_extreme_counts_give_numbers(runs: int) -> None:
    ends = [Counts(runs, a, b) for a, b in ((0, 0), (runs, 0), (runs, runs))]
    with np.errstate(all="raise", under="ignore"):
        for before in (ends, ends[1:2] * 3, [ends[0], ends[0], ends[2]]):
            ladder = Ladder(Counts(), NOTION.grid, NOTION)
            for after in (before, ends, ends[1:2] * 3):
                ladder.bet(after[0], *after)
            assert np.isfinite(ladder.logs).all()


def test_stopping_at_the_best_moment_does_not_help() -> None:
    """On the border: what the cells alone show is claimed."""
    rng, refused, many = np.random.default_rng(3), 0, 60
    p, q = gaussian_cells(0.7)
    rho = rho_of(p, q)
    for _ in range(many):
        ladder, account = Ladder(Counts(), np.array([rho]), NOTION), Account(np.array([rho]))
        for k in range(8):
            n = 100 << k
            left, right = (rng.multinomial(n, side).cumsum()[:-1].tolist() for side in (p, q))
            rungs = [Counts(n, a, b) for a, b in zip(left, right, strict=True)]
            ladder.bet(rungs[0], *rungs)
            account.note([(1.0, ladder)], 0.0)
        refused += account.log_evidence(rho) >= math.log(20)
    assert refused <= stats.binom.ppf(1 - 1e-4, many, 0.05)
