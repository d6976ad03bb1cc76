"""Errors of additive noise: against densities, masses and draws; and what the papers claim."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

from shiftproof import (
    DiscreteUniform,
    Distribution,
    Exponential,
    Laplace,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Staircase,
    TwoSidedGeometric,
    Uniform,
)
from shiftproof.estimators.noise_utility import Debias, noise_utility
from shiftproof.estimators.utility_table import formula_text

EPS = sympy.Symbol("eps", positive=True)
ALPHA = sympy.Symbol("alpha", positive=True)
DEBIASES: tuple[Debias | None, ...] = (None, "mean", "median")

# Moments from densities and masses, which are written down again here.


def density(noise: Distribution) -> tuple[Callable[[float], float], list[float]]:
    """It, and the places between which it is smooth."""
    values = [float(Fraction(v)) for v in noise.values]  # type: ignore[arg-type]
    b = values[0]
    match noise:
        case NegativeExponential():
            return lambda x: math.exp(x / b) / b, [-60 * b, -5 * b, 0]
        case Exponential():
            return lambda x: math.exp(-x / b) / b, [0, 5 * b, 60 * b]
        case Laplace():
            return lambda x: math.exp(-abs(x) / b) / (2 * b), [-60 * b, -5 * b, 0, 5 * b, 60 * b]
        case Uniform():
            return lambda x: 1 / (values[1] - b), values
    _, step, share = values
    edges = [step * (k + part) for k in range(math.ceil(60 * b) + 1) for part in (0, share)]

    def height(x: float) -> float:
        return math.exp(-math.floor(abs(x) / step + 1 - share) / b)

    total = 2 * sum((q - p) * height((p + q) / 2) for p, q in pairwise(edges))
    return lambda x: height(x) / total, sorted({*edges, *(-e for e in edges)})


def masses(noise: Distribution) -> dict[int, float]:
    match noise:
        case DiscreteUniform():
            low, high = (int(Fraction(v)) for v in noise.values)  # type: ignore[arg-type]
            return dict.fromkeys(range(low, high + 1), 1 / (high - low + 1))
    alpha = math.exp(-1 / float(Fraction(noise.values[0])))  # type: ignore[arg-type]
    reach = range(math.ceil(math.log(1e-22) / math.log(alpha)) + 2)
    match noise:
        case TwoSidedGeometric():
            share = (1 - alpha) / (1 + alpha)
            return {s * k: share * alpha**k for k in reach for s in (-1, 1)}
        case NegativeOneSidedGeometric():
            return {-k: (1 - alpha) * alpha**k for k in reach}
    return {k: (1 - alpha) * alpha**k for k in reach}


def expectation(noise: Distribution, function: Callable[[float], float], kink: float) -> float:
    if noise.lattice == "integers":
        return math.fsum(p * function(k) for k, p in masses(noise).items())
    p, edges = density(noise)
    places = sorted({*edges, *([kink] if edges[0] < kink < edges[-1] else [])})
    return math.fsum(
        quad(lambda x: p(x) * function(x), low, high, epsabs=1e-13, epsrel=1e-11)[0]
        for low, high in pairwise(places)
    )


SCALES = [Fraction(1, 3), 1, 2.5, 7]
NOISES: list[Distribution] = [
    *(kind(scale) for kind in (Laplace, Exponential, NegativeExponential, TwoSidedGeometric,
                               OneSidedGeometric, NegativeOneSidedGeometric) for scale in SCALES),
    Uniform(), Uniform(-3, 1), Uniform(2, Fraction(7, 2)), Uniform(-4, -1),
    DiscreteUniform(-3, 3), DiscreteUniform(0, 5), DiscreteUniform(2, 2), DiscreteUniform(-7, -2),
    DiscreteUniform(-2, 5), DiscreteUniform(3, 7),
    Staircase(1, 1, Fraction(1, 2)), Staircase(2.5, 3, 0.2), Staircase(0.5, 0.25, 0.9),
]  # fmt: skip


@pytest.mark.parametrize("debias", DEBIASES)
@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_as_integrated_and_summed(noise: Distribution, debias: Debias | None) -> None:
    found = noise_utility(noise, debias).at()
    assert expectation(noise, lambda x: 1, 0) == pytest.approx(1, abs=1e-9)
    t = found.subtracted
    mean = expectation(noise, lambda x: x, t)
    variance = expectation(noise, lambda x: (x - mean) ** 2, t)
    assert found.bias == pytest.approx(mean - t, rel=1e-8, abs=1e-9)
    assert found.variance == pytest.approx(variance, rel=1e-8, abs=1e-9)
    square = expectation(noise, lambda x: (x - t) ** 2, t)
    assert found.rmse == pytest.approx(math.sqrt(square), rel=1e-8, abs=1e-9)
    error = expectation(noise, lambda x: abs(x - t), t)
    assert found.mean_absolute_error == pytest.approx(error, rel=1e-8, abs=1e-9)
    if debias == "mean":
        assert t == pytest.approx(mean, abs=1e-9) and found.bias == 0
    elif debias == "median":
        assert expectation(noise, lambda x: x <= t, t) >= 0.5 - 1e-9
        assert expectation(noise, lambda x: x >= t, t) >= 0.5 - 1e-9
        assert noise.lattice == "reals" or t == int(t)
    else:
        assert t == 0


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_as_drawn(noise: Distribution) -> None:
    """The sampler of the language draws what the formulas are about."""
    drawn = noise.draw_many(np.random.default_rng(3), 20_000).astype(float)
    for debias in DEBIASES:
        found = noise_utility(noise, debias).at()
        errors = drawn - found.subtracted
        deviation = math.sqrt(found.variance / drawn.size)
        assert errors.mean() == pytest.approx(found.bias, abs=4.5 * deviation + 1e-12)
        assert np.abs(errors).mean() == pytest.approx(
            found.mean_absolute_error, abs=4.5 * deviation + 1e-12
        )


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_the_mean_is_best_for_rmse_and_the_median_for_the_mean_error(noise: Distribution) -> None:
    raw, mean, median = (noise_utility(noise, debias).at() for debias in DEBIASES)
    assert mean.rmse <= min(raw.rmse, median.rmse) * (1 + 1e-12)
    least = min(raw.mean_absolute_error, mean.mean_absolute_error)
    assert median.mean_absolute_error <= least * (1 + 1e-12)


# What it says of ADP, as formulas.


def formulas(noise: str, debias: Debias | None) -> tuple[Any, Any]:
    found = noise_utility(noise, debias)
    return found.rmse, found.mean_absolute_error


def same(left: Any, right: Any) -> bool:
    return bool(sympy.simplify(left - right) == 0)


@pytest.mark.parametrize(
    ("noise", "debias", "rmse", "error"),
    [
        ("Laplace(1/eps)", None, "sqrt(2)/eps", "1/eps"),
        ("Exponential(1/eps)", None, "sqrt(2)/eps", "1/eps"),
        ("Exponential(1/eps)", "mean", "1/eps", "2*exp(-1)/eps"),
        ("Exponential(1/eps)", "median", "sqrt((1 - log(2))**2 + 1)/eps", "log(2)/eps"),
        ("NegativeExponential(1/eps)", "mean", "1/eps", "2*exp(-1)/eps"),
        ("Exponential((c + 1)/eps)", "mean", "(c + 1)/eps", "2*(c + 1)*exp(-1)/eps"),
    ],
)
def test_formulas_as_text(noise: str, debias: Debias | None, rmse: str, error: str) -> None:
    assert [formula_text(f) for f in formulas(noise, debias)] == [rmse, error]


def test_formulas_of_geometric_noise() -> None:
    both, error = formulas("TwoSidedGeometric(1/eps)", None)
    assert same(both, sympy.sqrt(2 * ALPHA) / (1 - ALPHA)) and same(
        error, 2 * ALPHA / (1 - ALPHA**2)
    )
    one, _ = formulas("OneSidedGeometric(1/eps)", "mean")
    assert same(one, sympy.sqrt(ALPHA) / (1 - ALPHA))
    assert same(one * sympy.sqrt(2), both)
    full = noise_utility("OneSidedGeometric(1/eps)", "mean")
    half = full.in_full(full.rmse) * 2 * sympy.sinh(EPS / 2)
    assert same(half.rewrite(sympy.exp), 1)


def test_the_estimator_after_definition_15_needs_the_sensitivity() -> None:
    for noise, sign in (("Exponential(delta/eps)", 1), ("NegativeExponential(delta/eps)", -1)):
        found = noise_utility(noise, "mean")
        delta = sympy.Symbol("delta", positive=True)
        assert found.subtracted == sign * delta / EPS and found.variance == delta**2 / EPS**2


@pytest.mark.parametrize("eps", [0.5, 1, 3, 4])
def test_the_bound_of_the_remark_is_violated_where_eps_is_large(eps: float) -> None:
    rmse = noise_utility("OneSidedGeometric(1/eps)", "mean").at(eps=eps).rmse
    assert rmse == pytest.approx(1 / (2 * math.sinh(eps / 2)), rel=1e-14)
    assert (rmse < math.sqrt(2) / (2 * eps)) == (eps >= 3)


def test_a_staircase_of_the_best_share() -> None:
    found = noise_utility("Staircase(1/eps, 1, 1/(1 + exp(eps/2)))")
    for eps in (Fraction(1, 10), 1, 5):
        best = math.exp(eps / 2) / math.expm1(eps)
        assert found.at(eps=eps).mean_absolute_error == pytest.approx(best, rel=1e-14)
        other = noise_utility("Staircase(1/eps, 1, 1/2)").at(eps=eps)
        assert best < other.mean_absolute_error


# Where the geometric median and mean jump.


@pytest.mark.parametrize("j", [1, 2, 3, 7])
def test_medians_at_a_jump(j: int) -> None:
    """At alpha^j = 1/2 both j - 1 and j are medians: the lesser one is taken, the error is one."""
    found = noise_utility("OneSidedGeometric(1/eps)", "median")
    at = {EPS: sympy.log(2) / j}
    assert found.in_full(found.subtracted).subs(at) == j - 1
    alpha = sympy.Rational(1, 2) ** sympy.Rational(1, j)
    error = found.in_full(found.mean_absolute_error).subs(at)
    of_j = j + alpha / (1 - alpha) * (2 * alpha**j - 1)
    assert sympy.N(error - of_j, 30) == pytest.approx(0, abs=1e-25)


@pytest.mark.parametrize("j", [1, 2, 3, 7, 1000, 12345])
def test_medians_beside_a_jump(j: int) -> None:
    """For the floats around ln 2 / j it is decided as exactly as the floats are."""
    found = noise_utility("OneSidedGeometric(1/eps)", "median")
    mirrored = noise_utility("NegativeOneSidedGeometric(1/eps)", "median")
    middle = math.log(2) / j
    medians = []
    for eps in (math.nextafter(middle, 0), middle, math.nextafter(middle, 1)):
        with localcontext(prec=80):
            wanted = math.ceil(Decimal(2).ln() / Decimal(eps)) - 1
        assert found.at(eps=eps).subtracted == wanted == -mirrored.at(eps=eps).subtracted
        medians.append(wanted)
    assert medians[0] == j and medians[-1] == j - 1


@pytest.mark.parametrize("n", [2, 3, 10])
def test_mean_errors_at_a_jump(n: int) -> None:
    """At alpha = 1 - 1/n the mean is the whole number n - 1."""
    found = noise_utility("OneSidedGeometric(1/eps)", "mean")
    at = {EPS: sympy.log(sympy.Rational(n, n - 1))}
    alpha = sympy.Rational(n - 1, n)
    assert found.in_full(found.subtracted).subs(at) == n - 1
    error = sympy.simplify(found.in_full(found.mean_absolute_error).subs(at))
    assert error == 2 * n * alpha**n == 2 * (n - 1) * alpha ** (n - 1)
    for eps in (math.nextafter(math.log(n / (n - 1)), 0), math.nextafter(math.log(n / (n - 1)), 9)):
        assert found.at(eps=eps).mean_absolute_error == pytest.approx(float(error), rel=1e-13)


# Numbers.


def test_numbers_where_floats_cancel() -> None:
    for eps in (1e-150, 1e-12):
        found = noise_utility("OneSidedGeometric(1/eps)", "median").at(eps=eps)
        assert found.mean_absolute_error == pytest.approx(math.log(2) / eps, rel=1e-11)
    large = noise_utility("OneSidedGeometric(1/eps)").at(eps=700)
    assert large.bias == pytest.approx(math.exp(-700), rel=1e-12)
    assert noise_utility("TwoSidedGeometric(1/eps)").at(eps=10**6).rmse == 0


@pytest.mark.parametrize(
    ("scale", "wanted"),
    [
        ("exp(1)", math.e),
        ("exp(0)", 1),
        ("exp(a)/exp(2)", math.e),
        ("1/(1 + 1/(a - b))", 2 / 3),
        ("(b - a)*(b - a)*(b - a) + 9", 1),
        ("a*a*a*a - 0.5", 80.5),
    ],
)
def test_scales(scale: str, wanted: float) -> None:
    found = noise_utility(f"Laplace({scale})")
    values = {name: {"a": 3, "b": 1}[name] for name in found.parameters}
    assert found.at(**values).mean_absolute_error == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("debias", DEBIASES)
def test_parameters_that_some_formulas_do_not_need(debias: Debias | None) -> None:
    real = noise_utility("Uniform(a, a + 1)", debias)
    assert real.parameters == ("a",)
    assert real.at(a=2) == noise_utility(Uniform(2, 3), debias).at()
    whole = noise_utility("DiscreteUniform(a, a + 2)", debias)
    assert whole.at(a=2) == noise_utility(DiscreteUniform(2, 4), debias).at()
    assert (
        noise_utility("DiscreteUniform(-k, k + 1)", debias).at(k=3)
        == noise_utility(DiscreteUniform(-3, 4), debias).at()
    )


@pytest.mark.parametrize(
    ("scale", "median"),
    [
        ("10", 6),
        ("1e10", 6931471805),
        ("1e140", math.log(2) * 1e140),
        ("exp(300)", math.log(2) * math.exp(300)),
    ],
)
def test_medians_of_large_scales_take_no_time(scale: str, median: float) -> None:
    found = noise_utility(f"OneSidedGeometric({scale})", "median")
    assert found.at().subtracted == pytest.approx(median, rel=1e-15)
    assert found.subtracted.subs(dict(found.where)).is_Integer
