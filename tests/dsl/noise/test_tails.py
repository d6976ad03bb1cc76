"""Tails: what a law states of P(X >= t) and P(X <= t), against scipy's survival functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from scipy import stats

from shiftproof.dsl import noise
from shiftproof.dsl.noise import (
    DiscreteGaussian,
    DiscreteUniform,
    Distribution,
    Exponential,
    Gaussian,
    Laplace,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
    Uniform,
)
from shiftproof.dsl.noise.texts import value_of

Parameters = tuple[float, ...]
Survival = Callable[..., float]


def discrete_normal(k: float, s: float) -> float:
    weights = {n: math.exp(-(n**2) / (2 * s * s)) for n in range(-400, 401)}
    return math.fsum(p for n, p in weights.items() if n >= k) / math.fsum(weights.values())


#: P(X >= t), of which on the integers t is one.
SURVIVALS: dict[type[Distribution], Survival] = {
    Laplace: lambda t, b: stats.laplace.sf(t, scale=b),
    Exponential: lambda t, b: stats.expon.sf(t, scale=b),
    NegativeExponential: lambda t, b: stats.expon.cdf(-t, scale=b),
    TwoSidedGeometric: lambda k, b: stats.dlaplace.sf(k - 1, 1 / b),
    OneSidedGeometric: lambda k, b: stats.planck.sf(k - 1, 1 / b),
    NegativeOneSidedGeometric: lambda k, b: stats.planck.cdf(-k, 1 / b),
    Uniform: lambda t, low, high: stats.uniform.sf(t, low, high - low),
    DiscreteUniform: lambda k, low, high: stats.randint.sf(k - 1, low, high + 1),
    Gaussian: lambda t, s: stats.norm.sf(t, scale=s),
    DiscreteGaussian: discrete_normal,
}
#: P(X <= t).
BELOW: dict[type[Distribution], Survival] = {
    kind: lambda t, *p, kind=kind: 1 - SURVIVALS[kind](t + _next(kind), *p) for kind in SURVIVALS
}
RANGES = [(-3.0, 4.0), (0.0, 7.0)]
SCALES = [(0.4,), (1.0,), (3.5,)]
#: Where a bound is the probability itself.
NEVER_MET = (Gaussian, DiscreteGaussian)


def _next(kind: type[Distribution]) -> int:
    return 1 if kind.lattice == "integers" else 0


def value(text: str, kind: type[Distribution], t: float, parameters: Parameters) -> float:
    given = {**dict(zip(kind.parameters, parameters, strict=True)), "t": t}
    found: float = value_of(text, given, float, {"exp": math.exp})
    return found


def points(kind: type[Distribution], parameters: Parameters) -> list[float]:
    low, high = parameters if len(parameters) == 2 else (-6.0, 6.0)
    step = Fraction(1) if kind.lattice == "integers" else Fraction(1, 4)
    count = int((high - low) / step)
    return [float(low + k * step) for k in range(count + 1)]


@pytest.mark.parametrize("kind", SURVIVALS)
@pytest.mark.parametrize("way", ["above", "below"])
def test_a_tail_is_at_most_what_is_stated(kind: type[Distribution], way: str) -> None:
    text, law = getattr(kind, way), (SURVIVALS if way == "above" else BELOW)[kind]
    assert text
    met = 0
    for parameters in RANGES if len(kind.parameters) == 2 else SCALES:
        for t in points(kind, parameters):
            stated = value(text, kind, t, parameters)
            if stated < 0 or (kind in NEVER_MET and (t < 0) == (way == "above")):
                continue  # where it says nothing
            true = law(t, *parameters)
            assert true <= stated + 1e-12, (parameters, t)
            met += math.isclose(true, stated, abs_tol=1e-12)
    assert met > 5 or kind in NEVER_MET


@pytest.mark.parametrize("kind", NEVER_MET)
def test_those_of_normal_laws_are_of_the_right_order(kind: type[Distribution]) -> None:
    for t in (2.0, 4.0, 8.0):
        true, stated = SURVIVALS[kind](t, 2.0), value(kind.above, kind, t, (2.0,))
        assert stated < 12 * true


def test_every_law_with_a_tail_is_looked_at() -> None:
    kinds = (getattr(noise, name) for name in noise.__all__)
    with_tails = {
        k
        for k in kinds
        if isinstance(k, type) and issubclass(k, Distribution) and (k.above or k.below)
    }
    assert with_tails == set(SURVIVALS)
