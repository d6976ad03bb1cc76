"""``audit`` of (ε, δ) and of ρ-zCDP: what it finds, and that it is wrong as rarely as it says.

SHIFTPROOF_FULL=1 makes 2,000 audits at the exact (ε, δ), and at the exact ρ.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from shiftproof import Audit, BadInput, audit, one_mechanism
from shiftproof.workspace.executors import worker_processes
from tests.programs.checkers import audited_functions as functions

BOTH = [(0.0, 1.0), (1.0, 0.0)]
CONFIDENCE = 0.95
AUDITS, RUNS = (2_000, 40_000) if os.environ.get("SHIFTPROOF_FULL") else (100, 5_000)
Function = Callable[..., Any]


def found(target: Any, pairs: Any = BOTH, **options: Any) -> Audit:
    options = {"seed": 3, "samples": 200_000, "judge": "ideal", **options}
    return audit(target, pairs=pairs, **options)


def gaussian(scale: float) -> Function:
    def function(x: float, rng: np.random.Generator, size: int) -> Any:
        return x + rng.normal(scale=scale, size=size)

    return function


def laplace(x: float, rng: np.random.Generator, size: int) -> Any:
    return x + rng.laplace(size=size)


def delta_of(epsilon: float, scale: float) -> float:
    """Of Gaussian noise, for steps of 1: Balle and Wang (ICML 2018), Theorem 8."""
    half, far = 1 / (2 * scale), epsilon * scale
    tail = stats.norm.logcdf(-half - far) + epsilon
    return float(stats.norm.cdf(half - far) - math.exp(tail))


def exact_scale(epsilon: float, delta: float) -> float:
    return float(optimize.brentq(lambda s: delta_of(epsilon, s) - delta, 0.01, 1_000))


def thresholded(x: int, rng: np.random.Generator, size: int) -> Any:
    """A count with discrete Laplace noise, and nothing (-1) for no record or below 5."""
    up, down = rng.geometric(-math.expm1(-1), (2, size))
    noisy = x + up - down
    return np.where((x > 0) & (noisy >= 5), noisy, -1)


def truncated(x: float, rng: np.random.Generator, size: int) -> Any:
    """Laplace noise that is never beyond 3."""
    share = rng.random(size) * -math.expm1(-3)
    return x - np.log1p(-share) * rng.choice([-1, 1], size)


#: What truncated noise gives away: the last step before 3, which the other input never reaches.
CUT = math.exp(-3) * math.expm1(1) / 2 / -math.expm1(-3)


class TestDelta:
    def test_a_false_claim(self) -> None:
        result = found(laplace, epsilon=0.5, delta=0.01, stop=False)
        # max over S of P(S) - e^ε P'(S) is at most .01 from 1 + 2 log(1 - .01) on.
        assert result.verdict == "violation found"
        assert 0.85 < result.lower_bound <= 1 + 2 * math.log1p(-0.01)

    @pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (3.0, 0.1), (0.0, 0.2)])
    def test_the_exact_gaussian_is_not_alarmed(self, epsilon: float, delta: float) -> None:
        scale = exact_scale(epsilon, delta)
        result = found(gaussian(scale), epsilon=epsilon, delta=delta, stop=False)
        assert result.verdict == "no violation found"
        assert result.claim == epsilon and result.delta == delta
        assert 0.8 * epsilon <= result.lower_bound <= epsilon
        less = found(gaussian(0.8 * scale), epsilon=epsilon, delta=delta)
        assert less.verdict == "violation found"

    def test_the_classical_gaussian_beyond_its_range(self) -> None:
        """Dwork and Roth say its σ for ε < 1 only."""
        epsilon, delta = 8.0, 0.1
        scale = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        assert delta_of(epsilon, scale) > 2 * delta
        wrong = found(gaussian(scale), epsilon=epsilon, delta=delta, samples=2_000_000)
        assert wrong.verdict == "violation found"
        fitting = math.sqrt(2 * math.log(1.25 / delta)) / 0.9
        right = found(gaussian(fitting), epsilon=0.9, delta=delta)
        assert right.verdict == "no violation found"

    def test_values_that_are_equal_to_the_threshold(self) -> None:
        """OpenDP, issue 2922: P(noise >= 5) for one record is δ if 5 is dropped, not if kept."""
        dropped, kept = (math.exp(-k) / (1 + math.exp(-1)) for k in (5, 4))
        assert (round(dropped, 5), round(kept, 5)) == (0.00493, 0.01339)
        pairs = [(1, 0), (0, 1), (7, 8), (8, 7)]
        options: dict[str, Any] = {"epsilon": 1.0, "judge": "code", "samples": 10**6}
        wrong = found(thresholded, pairs, delta=dropped, **options)
        assert wrong.verdict == "violation found" and wrong.ideal.verdict == "violation found"
        assert (wrong.tested[0].left, wrong.tested[0].right) == (1, 0)
        right = found(thresholded, pairs, delta=kept, **options)
        assert right.verdict == "no violation found"

    def test_truncated_noise(self) -> None:
        for delta in (0.0, 1e-6, CUT / 2):
            wrong = found(truncated, epsilon=1.0, delta=delta)
            assert wrong.verdict == "violation found", delta
        right = found(truncated, epsilon=1.0, delta=1.05 * CUT, stop=False)
        assert right.verdict == "no violation found" and right.lower_bound > 0.5

    def test_the_bits_of_floats_count_for_the_code(self) -> None:
        result = found(functions.laplace, epsilon=1.0, delta=0.01, judge="code", stop=False)
        assert result.code is not None and result.code.verdict == "violation found"
        assert result.ideal.verdict == "no violation found"

    def test_one_direction_only(self) -> None:
        """Who is sensitive always says 1."""
        owed = found(functions.mangat, [(1, 0)], epsilon=math.log(1.81), delta=0.1)
        assert owed.verdict == "no violation found"
        assert found(functions.mangat, [(0, 1)], epsilon=5.0, delta=0.4).lower_bound > 5

    def test_without_a_claim_the_bound_is_of_the_epsilon_at_this_delta(self) -> None:
        pure, some, much = (found(laplace, delta=delta) for delta in (0.0, 0.05, 0.9))
        assert pure.lower_bound > some.lower_bound > 0.75 and much.lower_bound == 0
        assert "ε ≥ 0." in str(some) and "at δ = 0.05 with confidence 95 %" in str(some)
        assert "nothing shows that ε is above 0 at δ = 0.9" in str(much)

    def test_a_mechanism_of_the_language(self) -> None:
        target, options = one_mechanism("laplace"), {"given": {"eps": 1.0}, "seed": 1}
        kept = audit(target, delta=0.01, samples=100_000, **options)
        assert kept.verdict == "no violation found" and kept.claim == 1
        wrong = audit(target, epsilon=0.5, delta=0.01, samples=100_000, **options)
        assert wrong.verdict == "violation found"

    @pytest.mark.parametrize("options", [{}, {"epsilon": 1.0}, {"epsilon": 0.6, "stop": False}])
    def test_zero_is_what_it_was(self, options: dict[str, Any]) -> None:
        """Bit for bit: no claim of a δ goes another way."""
        here, there = (
            found(functions.laplace, judge="code", samples=30_000, **options, **more)
            for more in ({}, {"delta": 0.0})
        )
        same = dataclasses.replace(there, seconds=here.seconds)
        assert repr(here) == repr(same)
        assert any(v.simple is not None for v in here.visible)


class TestRho:
    @pytest.mark.parametrize("rho", [0.02, 0.5, 2.0])
    def test_gaussian_noise(self, rho: float) -> None:
        scale = math.sqrt(1 / (2 * rho))
        right = found(gaussian(scale), rho=rho, stop=False)
        assert right.verdict == "no violation found" and right.measure == "rho"
        assert 0.5 * rho < right.lower_bound < rho
        half = found(gaussian(scale / math.sqrt(2)), rho=rho, samples=400_000)
        assert half.verdict == "violation found"

    def test_nested_events_show_more_than_the_best_one(self) -> None:
        """No tail that is likely enough to be seen shows more than 65 % of it."""
        result = found(gaussian(1.0), rho=0.5, samples=1_000_000, stop=False)
        assert 0.85 * 0.5 < result.lower_bound < 0.5
        assert any("thresholds of the same score" in t.event for t in result.tested)

    def test_pure_noise(self) -> None:
        """What is ε-DP is ε²/2-zCDP: Bun and Steinke, Proposition 1.4."""
        right = found(laplace, rho=0.5, stop=False)
        assert right.verdict == "no violation found" and right.lower_bound > 0.15
        assert found(laplace, rho=0.1).verdict == "violation found"

    def test_what_never_comes_on_the_other_input(self) -> None:
        few, many = (
            found(functions.one_sided, [(0.0, 1.0)], rho=1.0, samples=n, stop=False)
            for n in (20_000, 400_000)
        )
        assert few.verdict == "violation found" and many.lower_bound > few.lower_bound > 1

    def test_the_code(self) -> None:
        result = found(functions.laplace, rho=0.5, judge="code", stop=False)
        assert result.code is not None and result.code.verdict == "violation found"
        assert result.ideal.verdict == "no violation found"

    def test_what_could_have_been_seen(self) -> None:
        result = found(gaussian(1.0), rho=0.5)
        seen = [v.epsilon for v in result.visible if v.epsilon is not None]
        assert seen == sorted(seen) and 0.5 < seen[0] < 0.6
        assert all(v.simple is None and v.hidden is None for v in result.visible)

    def test_wherever_it_runs_it_is_the_same(self) -> None:
        options: dict[str, Any] = {"rho": 0.4, "samples": 60_000, "stop": False}
        here = found(functions.laplace, **options)
        with worker_processes(2) as processes:
            there = found(functions.laplace, executor=processes, **options)
        assert (there.tested, there.lower_bound) == (here.tested, here.lower_bound)

    def test_tolerance(self) -> None:
        kind = found(gaussian(0.5), rho=0.5, tolerance=2.0)
        assert kind.verdict == "no violation found" and kind.ideal.allowed == 2.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 1.0, "rho": 0.5}, "rho: want it alone, or epsilon, with or without delta"),
        ({"delta": 0.1, "rho": 0.5}, "rho: want it alone"),
        ({"epsilon": 1.0, "delta": 0.1, "rho": 0.5}, "rho: want it alone"),
        ({"delta": 1.0}, "delta: got 1.0; a number from 0 to 1"),
        ({"delta": -0.1}, "delta: got -0.1"),
        ({"delta": "1"}, "delta: got '1'"),
        ({"epsilon": 0.0}, "epsilon: got 0.0; a number from 0.0001"),
        ({"rho": 0.0}, "rho: got 0.0; a number from 1e-05 to 100"),
        ({"rho": True}, "rho: got True"),
    ],
)
def test_claims_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        found(laplace, **options)


@pytest.mark.parametrize("name", ["geometric_response", "utility_optimized_response"])
def test_definitions_with_claims_of_another_kind(name: str) -> None:
    for options in ({"delta": 0.1}, {"rho": 0.5}):
        with pytest.raises(BadInput, match="delta, rho: want them of claims about all outputs"):
            audit(one_mechanism(name), seed=1, samples=20_000, **options)


# Calibration.


def table(chances: tuple[float, ...], rng: np.random.Generator, size: int) -> Any:
    return rng.choice(len(chances), size, p=chances)


def at_most(count: int) -> float:
    """So many of these audits are wrong with a probability of 1e-4 at most."""
    return float(stats.binom.ppf(1 - 1e-4, count, 1 - CONFIDENCE))


def of_delta(k: int) -> tuple[Any, Any, dict[str, float]]:
    """A mechanism on a pair with its exact ε at some δ."""
    epsilon, delta = ((0.5, 0.05), (1.0, 0.01), (2.0, 0.2), (0.0, 0.1))[k // 2 % 4]
    if k % 2:
        return gaussian(exact_scale(epsilon, delta)), [(1.0, 0.0)], locals_of(epsilon, delta)
    left = delta + math.exp(epsilon) * 0.05
    return table, [((left, 1 - left), (0.05, 0.95))], locals_of(epsilon, delta)


def locals_of(epsilon: float, delta: float) -> dict[str, float]:
    return {"epsilon": epsilon, "delta": delta}


def of_rho(k: int) -> tuple[Any, Any, dict[str, float]]:
    """Coins that are likely and rare on D, Gaussian noise, and a table, with their exact ρ."""
    if k % 4 == 0:
        return gaussian(1.0), [(1.0, 0.0)], {"rho": 0.5}
    if k % 4 == 1:
        left, right = (0.4, 0.3, 0.15, 0.1, 0.05), (0.1, 0.2, 0.2, 0.2, 0.3)
    else:
        p, q = ((0.9, 0.3), (0.1, 0.02))[k % 4 - 2]
        left, right = (p, 1 - p), (q, 1 - q)
    return table, [(left, right)], {"rho": rho_of(np.array(left), np.array(right))}


def rho_of(p: Any, q: Any) -> float:
    """The largest D_α / α: of α that are close to one another, and a little more."""
    orders = np.concatenate([1 + np.geomspace(1e-4, 1, 300), np.linspace(2, 60, 1_000)])[:, None]
    moments = np.log((p**orders * q ** (1 - orders)).sum(axis=1))
    return 1.0001 * float(np.max(moments / (orders * (orders - 1))[:, 0]))


@pytest.mark.parametrize("make", [of_delta, of_rho])
def test_what_is_exact_is_refused_as_rarely_as_is_said(make: Any) -> None:
    alarms = above = 0
    for k in range(AUDITS):
        target, pairs, claim = make(k)
        result = found(target, pairs, seed=2_000 + k, samples=RUNS, stop=k % 2 == 0, **claim)
        alarms += result.verdict == "violation found"
        above += result.lower_bound > claim.get("rho", claim.get("epsilon", 0.0)) + 1e-9
    assert alarms <= at_most(AUDITS) and above <= at_most(AUDITS)


@pytest.mark.parametrize("make", [of_delta, of_rho])
def test_what_is_too_small_is_refused(make: Any) -> None:
    for k in range(8):
        target, pairs, claim = make(k)
        smaller = {name: 0.6 * value for name, value in claim.items()}
        result = found(target, pairs, seed=k, samples=60_000, **smaller)
        assert result.verdict == "violation found", (k, claim)
