"""Auditing in one run: the bound is that of the theorem, and holds where the truth is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, audit_one_run, guesses_by_score
from shiftproof.checkers.auditing.one_run import chance_of_guesses


def binomial(n: int, k: int, p: float) -> float:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


@pytest.mark.parametrize(("m", "r", "v"), [(5, 3, 2), (8, 8, 8), (6, 4, 0), (9, 0, 0), (40, 20, 9)])
@pytest.mark.parametrize("eps", [0.0, 0.7, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.1])
def test_the_formula(m: int, r: int, v: int, eps: float, delta: float) -> None:
    """P(B >= v) + 2 m δ max_i P(v > B >= v - i) / i, summed by hand."""
    p = math.exp(eps) / (1 + math.exp(eps))
    law = [binomial(r, k, p) for k in range(r + 1)]
    worst = max((sum(law[v - i : v]) / i for i in range(1, v + 1)), default=0.0)
    wanted = min(1.0, sum(law[v:]) + 2 * m * delta * worst)
    assert chance_of_guesses(m, r, v, eps, delta) == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_randomised_response_is_bounded_by_its_own_epsilon() -> None:
    """The guesses that keep ε exactly: the bound is above it in at most 5 % of audits."""
    rng = np.random.default_rng(3)
    for eps in (0.5, 1.5):
        above, bounds = 0, []
        for _ in range(400):
            there = rng.random(500) < 0.5
            told = there ^ (rng.random(500) < 1 / (1 + math.exp(eps)))
            found = audit_one_run(told, there, epsilon=eps)
            above += found.lower_bound > eps
            bounds.append(found.lower_bound)
            assert (found.verdict == "violation found") == (found.lower_bound >= eps)
        assert above <= 32  # 20 expected at most, three deviations
        assert np.mean(bounds) > 0.6 * eps


def test_what_delta_may_tell_is_allowed() -> None:
    """Each coin is told with probability δ: that is (0, δ)-DP, and no ε above 0 is found."""
    rng, delta, m = np.random.default_rng(4), 0.02, 200
    wrong = 0
    for _ in range(400):
        there = rng.random(m) < 0.5
        told = np.where(rng.random(m) < delta, there, rng.random(m) < 0.5)
        wrong += audit_one_run(told, there, delta=delta).lower_bound > 0
    assert wrong <= 32


def test_abstaining_counts_guesses_only() -> None:
    there = [True] * 10 + [False] * 10
    guesses = [True] * 8 + [None] * 12
    found = audit_one_run(guesses, there, epsilon=0.1)
    assert (found.canaries, found.guesses, found.right) == (20, 8, 8)
    assert found.p_value == pytest.approx((1 / (1 + math.exp(-0.1))) ** 8)
    assert "8 of 8 guesses are right, about 20 canaries" in str(found)
    assert audit_one_run([None] * 20, there).lower_bound == 0.0


def test_the_best_possible_bound() -> None:
    """All of r guesses right: ε with (e^ε/(1 + e^ε))^r = 0.05."""
    for r in (10, 100, 1000):
        found = audit_one_run([True] * r, [True] * r)
        share = 0.05 ** (1 / r)
        assert found.lower_bound == pytest.approx(math.log(share / (1 - share)), abs=1e-5)


def test_guesses_by_score() -> None:
    scores = [0.1, 5.0, -2.0, 3.0, 0.0]
    assert guesses_by_score(scores, 2, 1) == [None, True, False, True, None]
    assert guesses_by_score(scores, 0, 0) == [None] * 5
    assert guesses_by_score(scores, 0, 5) == [False] * 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([], []), "got 0 guesses about 0 canaries"),
        (([True], [True, False]), "got 1 guesses about 2 canaries"),
        (([1], [True]), r"guesses\[0\]: got 1; True, False or None"),
        (([True], [1]), r"included\[0\]: got 1; True or False"),
    ],
)
def test_what_is_refused(arguments: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        audit_one_run(*arguments)


@pytest.mark.parametrize("given", [{"epsilon": -1}, {"delta": 1.0}, {"confidence": 0}])
def test_numbers_out_of_range(given: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        audit_one_run([True], [True], **given)


@pytest.mark.parametrize("given", [([math.nan], 0, 0), ([1.0], 1, 1), ([1.0], -1, 0)])
def test_scores_out_of_range(given: Any) -> None:
    with pytest.raises(BadInput):
        guesses_by_score(*given)
