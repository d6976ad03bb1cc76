"""Samplers: many draws from a fixed seed, made singly or at once, fit the law and the lattice."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from shiftproof import sample, seeded
from shiftproof.dsl.noise import (
    Bernoulli,
    Distribution,
    Exponential,
    Laplace,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
    Uniform,
)

DRAWS = 8_000
Drawn = Callable[[Distribution], list[Any]]
#: Below this the fit is called bad; the seed is fixed, so this is no coin toss.
BAD_FIT = 0.01
#: Distribution functions of the real ones at scale 1, and probabilities of the whole ones.
REALS: dict[type[Distribution], Callable[[Any], Any]] = {
    Laplace: stats.laplace.cdf,
    Exponential: stats.expon.cdf,
    NegativeExponential: lambda x: stats.expon.sf(-x),
}
INTEGERS: dict[type[Distribution], Callable[[int, float], float]] = {
    TwoSidedGeometric: lambda k, s: stats.dlaplace.pmf(k, 1 / s),
    OneSidedGeometric: lambda k, s: stats.planck.pmf(k, 1 / s),
    NegativeOneSidedGeometric: lambda k, s: stats.planck.pmf(-k, 1 / s),
}


def singly(distribution: Distribution) -> list[Any]:
    with seeded(13):
        return [sample(distribution) for _ in range(DRAWS)]


def at_once(distribution: Distribution) -> list[Any]:
    generator = np.random.Generator(np.random.SFC64(13))
    found = distribution.draw_many(generator, DRAWS)
    types = {"reals": np.float64, "integers": np.int64, "booleans": np.bool_}
    assert found.dtype == types[distribution.lattice]
    listed: list[Any] = found.tolist()
    return listed


@pytest.mark.parametrize("drawn", [singly, at_once])
class TestSamplers:
    @pytest.mark.parametrize("scale", [0.2, 1, Fraction(7, 3), 40.0])
    @pytest.mark.parametrize("kind", REALS)
    def test_reals(self, drawn: Drawn, kind: type[Distribution], scale: Any) -> None:
        found = drawn(kind(scale))
        assert {type(x) for x in found} == {float}
        assert stats.kstest(np.array(found) / float(scale), REALS[kind]).pvalue > BAD_FIT

    def test_uniform(self, drawn: Drawn) -> None:
        found = drawn(Uniform(-2, Fraction(7, 2)))
        assert {type(x) for x in found} == {float} and -2 <= min(found) <= max(found) <= 3.5
        assert stats.kstest(found, stats.uniform(-2, 5.5).cdf).pvalue > BAD_FIT

    @pytest.mark.parametrize("scale", [0.2, 1, Fraction(7, 3), 12.0, 37.5])
    @pytest.mark.parametrize("kind", INTEGERS)
    def test_integers(self, drawn: Drawn, kind: type[Distribution], scale: Any) -> None:
        found = drawn(kind(scale))
        assert {type(k) for k in found} == {int}
        mass = {k: float(INTEGERS[kind](k, float(scale))) for k in range(-1200, 1201)}
        assert math.isclose(sum(mass.values()), 1, abs_tol=1e-9)
        common = [k for k, p in mass.items() if p * DRAWS >= 20]
        seen = [found.count(k) for k in common]
        expected = [mass[k] * DRAWS for k in common]
        seen.append(DRAWS - sum(seen))
        expected.append(DRAWS - sum(expected))
        assert all(mass[k] > 0 for k in found) and seen[-1] <= 3 * expected[-1] + 10
        if expected[-1] < 5:
            seen[-2:], expected[-2:] = [sum(seen[-2:])], [sum(expected[-2:])]
        assert stats.chisquare(seen, expected).pvalue > BAD_FIT

    @pytest.mark.parametrize("p", [0.01, 0.5, Fraction(9, 10)])
    def test_bits(self, drawn: Drawn, p: Any) -> None:
        found = drawn(Bernoulli(p))
        assert {type(b) for b in found} == {bool}
        assert stats.binomtest(found.count(True), DRAWS, float(p)).pvalue > BAD_FIT

    def test_draws_follow_each_other_independently(self, drawn: Drawn) -> None:
        found = np.array(drawn(Laplace(1)))
        assert abs(np.corrcoef(np.sign(found[:-1]), np.sign(found[1:]))[0, 1]) < 0.03
        assert abs(np.corrcoef(np.abs(found[:-1]), np.abs(found[1:]))[0, 1]) < 0.03
