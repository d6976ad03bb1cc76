"""Normal noise: its density, its draws, and that it has a ρ and no ε."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from shiftproof import BadInput, DiscreteGaussian, Gaussian, sample, seeded
from shiftproof.dsl.noise.drawing import exact_batches, exact_draws
from shiftproof.showing.plots.densities import log_density
from tests.dsl.noise.choosing import Chosen, exponential, masses

DRAWS = 8_000
BAD_FIT = 0.01


def probability(k: int, sigma: Any) -> float:
    """Of the discrete law; beyond the range of the sum there is less than a float can tell."""
    variance = float(sigma) ** 2
    reach = math.ceil(40 * float(sigma)) + 1
    total = math.fsum(math.exp(-(n**2) / (2 * variance)) for n in range(-reach, reach + 1))
    return math.exp(-(k**2) / (2 * variance)) / total


def singly(law: Any) -> list[Any]:
    with seeded(13):
        return [sample(law) for _ in range(DRAWS)]


def at_once(law: Any) -> list[Any]:
    drawn: list[Any] = law.draw_many(np.random.Generator(np.random.SFC64(13)), DRAWS).tolist()
    return drawn


@pytest.mark.parametrize("drawn", [singly, at_once])
@pytest.mark.parametrize("sigma", [0.3, 1, Fraction(7, 3), 12.0])
class TestDraws:
    def test_on_the_reals(self, drawn: Any, sigma: Any) -> None:
        found = drawn(Gaussian(sigma))
        assert {type(x) for x in found} == {float}
        assert stats.kstest(np.array(found) / float(sigma), stats.norm.cdf).pvalue > BAD_FIT

    def test_on_the_integers(self, drawn: Any, sigma: Any) -> None:
        found = drawn(DiscreteGaussian(sigma))
        assert {type(k) for k in found} == {int}
        common = [k for k in range(-80, 81) if probability(k, sigma) * DRAWS >= 10]
        seen = [found.count(k) for k in common]
        expected = [probability(k, sigma) * DRAWS for k in common]
        seen[-1] += DRAWS - sum(seen)
        expected[-1] += DRAWS - sum(expected)
        assert stats.chisquare(seen, expected).pvalue > BAD_FIT


@pytest.mark.parametrize("sigma", [Fraction(1, 7), Fraction(1, 2), 1, Fraction(3, 2), 5])
def test_a_round_accepts_with_the_odds_of_the_law(
    sigma: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The logarithms are fractions: no float, and nothing random, is in the way."""
    variance = Fraction(sigma) ** 2

    def log_weight(k: int) -> Fraction:
        logs: list[Fraction] = []

        def drawn(scale: Fraction, source: object) -> int:
            logs.append(-abs(k) / scale)
            return k

        def accepted(power: Fraction, source: object) -> bool:
            assert power >= 0
            logs.append(-power)
            return True

        monkeypatch.setattr(exact_draws, "two_sided", drawn)
        monkeypatch.setattr(exact_draws, "accepted", accepted)
        assert DiscreteGaussian(sigma).draw(random.Random(1)) == k
        return sum(logs, Fraction(0))

    for k in range(-12, 13):
        assert log_weight(k) - log_weight(0) == -(k**2) / (2 * variance)


@pytest.mark.parametrize("power", [Fraction(0), Fraction(2, 3), Fraction(1), Fraction(7, 3)])
def test_it_is_accepted_so_often(power: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    def coin(numerator: int, denominator: int, source: Chosen) -> bool:
        low, high = exponential(Fraction(numerator, denominator))
        return source.choose([1 - high, low]) == 1

    monkeypatch.setattr(exact_draws, "decaying", coin)
    found, left = masses(lambda source: exact_draws.accepted(power, source), 500)
    assert left < Fraction(1, 10**9)
    low, high = exponential(power)
    assert found.get(True, Fraction(0)) <= high and low <= found.get(True, Fraction(0)) + left


@pytest.mark.parametrize("sigma", [1e-300, Fraction(1, 3), 1e300, 10**400])
def test_every_sigma_of_the_discrete_one_is_drawn_from(sigma: Any) -> None:
    source = random.Random(1)
    drawn = [DiscreteGaussian(sigma).draw(source) for _ in range(20)]
    assert {type(k) for k in drawn} == {int}
    if sigma < 0.1:
        assert set(drawn) == {0}
    elif sigma > 1:
        size = sum(map(abs, drawn)) // 20
        assert Fraction(sigma) / 3 < size < 2 * Fraction(sigma)


@pytest.mark.parametrize("sigma", [0.5, 1, 3])
def test_densities(sigma: Any) -> None:
    x = np.arange(-20, 21) / 4
    assert np.allclose(log_density(Gaussian(sigma), x), stats.norm.logpdf(x, scale=sigma))


def test_no_epsilon_is_charged() -> None:
    for kind in (Gaussian, DiscreteGaussian):
        assert kind.spread == "sigma" and kind.cost == ("", "")


@pytest.mark.parametrize("kind", [Gaussian, DiscreteGaussian])
@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, True, "1", None])
def test_what_is_no_sigma(kind: Any, bad: Any) -> None:
    with pytest.raises(BadInput, match=f"{kind.__name__}.*(positive|a finite number)"):
        kind(bad)


@pytest.mark.parametrize("sigma", [Fraction(1, 3), 1, 4])
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("order", [1.01, 2, 7.5, 40])
def test_the_divergence_is_the_one_that_is_charged(sigma: Any, d: int, order: float) -> None:
    """By sums over the integers; on the reals it is the same, by the formula for normal laws."""
    variance = float(sigma) ** 2
    reach = math.ceil(40 * float(sigma) + order * d) + 2
    logs = [
        -(order * k**2 + (1 - order) * (k + d) ** 2) / (2 * variance)
        for k in range(-reach, reach + 1)
    ]
    most = max(logs)
    total = math.fsum(math.exp(-(n**2) / (2 * variance)) for n in range(-reach, reach + 1))
    found = most + math.log(math.fsum(math.exp(e - most) for e in logs)) - math.log(total)
    charged = order * (order - 1) * d**2 / (2 * variance)
    assert found <= charged + 1e-9
    if isinstance(order, int):  # the shifted law's middle is an integer, so there it is met
        assert math.isclose(found, charged, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("sigma", [Fraction(1, 10**400), Fraction(1, 3), Fraction(7, 3), 40])
def test_floats_decide_nothing_in_batches(sigma: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is far from a limit is decided by floats as it is exactly."""

    def batch() -> list[Any]:
        drawn: list[Any] = DiscreteGaussian(sigma).draw_many(np.random.default_rng(5), 500).tolist()
        return drawn

    seen = batch()
    monkeypatch.setattr(exact_batches, "_CLOSE", 2.0)
    assert batch() == seen
