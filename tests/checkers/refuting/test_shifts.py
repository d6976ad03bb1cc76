"""Divergences of shifted draws, and probabilities of Gaussian noise, by numeric integration."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import flint
import numpy as np
import pytest
from flint import arb, fmpq
from numpy.typing import NDArray
from scipy import stats
from scipy.special import logsumexp

from shiftproof import LimitReached
from shiftproof.checkers.exact.affine import Affine
from shiftproof.checkers.exact.laws import Law, Normal
from shiftproof.checkers.exact.numbers import Number, Unit
from shiftproof.checkers.exact.outcomes import Measure
from shiftproof.checkers.exact.paths import Finished
from shiftproof.checkers.exact.state import Condition
from shiftproof.checkers.refuting.divergences.normals import chance
from shiftproof.checkers.refuting.divergences.outputs import Outputs
from shiftproof.checkers.refuting.divergences.pieces import divergence
from shiftproof.checkers.refuting.divergences.shifts import Unknown, of_shift

INF = math.inf
ORDERS = [Fraction(*v) for v in ((1, 1), (5, 4), (3, 2), (2, 1), (4, 1), (9, 1))]
Floats = NDArray[np.float64]
Log = Callable[[Floats], Floats]


def value(number: Number | None) -> float:
    return INF if number is None else float(arb(number).mid())


def numerically(log_weights: Log, shift: float, order: float, at: Floats) -> float:
    """D_α(X + shift ‖ X) from unnormalised log weights at places of equal distance."""
    top = logsumexp(log_weights(at))
    p, q = log_weights(at - shift) - top, log_weights(at) - top
    if order == 1:
        return float(np.sum(np.exp(p) * (p - q)))
    return float(logsumexp(order * p + (1 - order) * q)) / (order - 1)


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("shift", [Fraction(1), Fraction(-2), Fraction(1, 4)], ids=str)
def test_draws_on_the_reals(order: Fraction, shift: Fraction) -> None:
    at = np.arange(-100 * 512, 100 * 512) / 512
    normal = Normal((-INF, INF), variance=Fraction(9, 4))
    laplace = Law((-INF, INF), rate=Fraction(2, 3))
    for law, log_density in (
        (normal, lambda x: -x * x / 4.5),
        (laplace, lambda x: -abs(x) * 2 / 3),
    ):
        found = value(of_shift(law, shift, order))
        expected = numerically(log_density, float(shift), float(order), at)
        assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("shift", [1, -1, 2, 5, -7])
def test_draws_on_the_integers(order: Fraction, shift: int) -> None:
    def by_sum(log_weights: Log) -> float:
        return numerically(log_weights, shift, float(order), np.arange(-300.0, 300.0))

    rate, variance = Fraction(1, 2), Fraction(5, 3)
    two_sided = Law((-INF, INF), lattice=True, rate=rate)
    expected = by_sum(lambda k: -abs(k) / 2)
    assert value(of_shift(two_sided, shift, order)) == pytest.approx(expected, rel=1e-9)
    gaussian = Normal((-INF, INF), lattice=True, variance=variance)
    expected = by_sum(lambda k: -k * k / (2 * float(variance)))
    if (order * shift).denominator == 1:
        assert value(of_shift(gaussian, shift, order)) == pytest.approx(expected, rel=1e-9)
    else:  # it is a little less than on the reals there
        with pytest.raises(Unknown):
            of_shift(gaussian, shift, order)
        assert expected < float(order * shift * shift / (2 * variance))


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_draws_with_an_end(order: Fraction) -> None:
    for lattice in (False, True):
        up = Law((0, INF), lattice, rate=Fraction(1, 3))
        down = Law((-INF, 0), lattice, rate=Fraction(1, 3))
        assert value(of_shift(up, 2, order)) == pytest.approx(2 / 3)
        assert value(of_shift(down, -2, order)) == pytest.approx(2 / 3)
        assert of_shift(up, -2, order) is None is of_shift(down, 2, order)
        flat = Law((Fraction(-3), Fraction(3)), lattice)
        assert of_shift(flat, 1, order) is None and of_shift(flat, 0, order) == 0
        assert (of_shift(up, Fraction(1, 2), order) is None) == lattice
    assert of_shift(Normal((-INF, INF), lattice=True), Fraction(1, 2), order) is None


# Conditions on Gaussian noise.


def path(laws: list[Law], *releases: object, conditions: tuple[Condition, ...] = ()) -> Finished:
    return Finished(
        Fraction(1),
        tuple(laws),
        conditions,
        releases=releases,
        ending="end",  # type: ignore[arg-type]
    )


def condition(parts: dict[int, int], constant: Fraction | int, strict: bool = False) -> Condition:
    return Condition(Affine(parts, constant, False), strict)


def test_intervals() -> None:
    laws: list[Law] = [Normal((-INF, INF), variance=Fraction(4)), Normal((-INF, INF))]
    measure = Measure(Unit("e"))
    both = (condition({0: 1}, -1), condition({0: -2}, 6), condition({1: 1}, 3))
    found = value(chance(measure, path(laws, conditions=both)))
    wide, unit = stats.norm(scale=2), stats.norm()
    assert found == pytest.approx((wide.cdf(3) - wide.cdf(1)) * unit.sf(-3), rel=1e-9)
    beside = (condition({0: 1, 1: -1}, 5), condition({0: -2, 1: 2}, -4))
    sums = stats.norm(scale=math.sqrt(5))
    found = value(chance(measure, path(laws), beside))
    assert found == pytest.approx(sums.cdf(-2) - sums.cdf(-5), rel=1e-9)
    nothing = (condition({0: 1}, -1), condition({0: -1}, -1))
    assert value(chance(measure, path(laws, conditions=nothing))) == 0


@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1), (-1, 1, -1), (-1, -1, -1)])
def test_conditions_that_share_a_draw(signs: tuple[int, int, int]) -> None:
    """A noisy threshold beside three noisy values, against a normal law of three dimensions."""
    laws: list[Law] = [Normal((-INF, INF), variance=Fraction(v)) for v in (2, 1, 3, 4)]
    gaps = (Fraction(1), Fraction(-1, 2), Fraction(0))
    sums = [
        condition({0: -2 * sign, k: 2 * sign}, 2 * sign * gap)  # X_k - X_0 + gap, of this sign
        for k, sign, gap in zip((1, 2, 3), signs, gaps, strict=True)
    ]
    covariance = np.full((3, 3), 2.0) + np.diag([1.0, 3.0, 4.0])
    flipped = np.outer(signs, signs) * covariance
    below = np.array([s * float(g) for s, g in zip(signs, gaps, strict=True)])
    expected = stats.multivariate_normal(np.zeros(3), flipped).cdf(below)
    found = value(chance(Measure(Unit("e")), path(laws, conditions=tuple(sums))))
    assert found == pytest.approx(float(expected), abs=1e-4)
    # The shared draw itself may be bounded, and some values from both sides.
    wide = stats.norm(scale=math.sqrt(2))
    both = (condition({0: 1}, 1), condition({0: 1, 1: 1}, 1), condition({0: -1, 1: -1}, 3))

    at = np.linspace(-1, 12, 4001)
    inside = wide.pdf(at) * (stats.norm.cdf(3 - at) - stats.norm.cdf(-1 - at))
    expected = float(np.sum(inside[1:] + inside[:-1]) * (at[1] - at[0]) / 2)
    found = value(chance(Measure(Unit("e")), path(laws, conditions=both)))
    assert found == pytest.approx(expected, abs=1e-5)
    with pytest.raises(LimitReached, match="depend on one another"):
        chain = tuple(condition({k: 1, k + 1: 1}, 0) for k in range(3))
        chance(Measure(Unit("e")), path(laws, conditions=chain))


def test_far_tails_are_enclosed() -> None:
    laws: list[Law] = [Normal((-INF, INF))]
    with flint.ctx.workprec(96):
        found = arb(chance(Measure(Unit("e")), path(laws, conditions=(condition({0: 1}, -30),))))
    assert found > 0 and found.rel_accuracy_bits() > 40
    assert float(found.log().mid()) == pytest.approx(float(stats.norm.logsf(30)), rel=1e-9)


@pytest.mark.parametrize(("low", "high"), [(-2, 3), (0, 0), (1, INF), (-INF, -4), (2, 1)])
def test_discrete_gaussians(low: float, high: float) -> None:
    variance = Fraction(7, 2)
    laws: list[Law] = [Normal((-INF, INF), lattice=True, variance=variance)]
    ends = []
    if low > -INF:
        ends.append(condition({0: 1}, Fraction(1, 2) - int(low)))
    if high < INF:
        ends.append(condition({0: -1}, int(high) + 1, strict=True))
    found = arb(chance(Measure(Unit("e")), path(laws, conditions=tuple(ends))))
    weights = {k: math.exp(-k * k / 7) for k in range(-200, 201)}
    expected = math.fsum(w for k, w in weights.items() if low <= k <= high)
    assert float(found.mid()) == pytest.approx(expected / math.fsum(weights.values()), abs=1e-12)
    assert float(found.rad()) < 1e-12


# Pieces.


def test_sums_of_gaussian_noise() -> None:
    """Two releases of three draws, against the quadratic form of their covariance."""
    laws: list[Law] = [Normal((-INF, INF), variance=Fraction(v)) for v in (1, 2, 3)]
    forms: list[dict[int, Fraction | int]] = [{0: 1, 1: 1}, {1: 1, 2: 2}]
    one, two = (
        path(laws, *(Affine(f, c, False) for f, c in zip(forms, gaps, strict=True)))
        for gaps in ((3, 1), (0, 0))
    )
    pieces = Outputs.of([one], [two]).pieces(partial(chance, Measure(Unit("e"))), ())
    # The covariance is [[3, 2], [2, 14]], with the determinant 38; gᵀ Σ⁻¹ g for g = (3, 1):
    assert divergence(pieces, Fraction(2)) == fmpq(9 * 14 - 2 * 3 * 2 + 3, 38)


def test_a_number_that_integer_noise_may_come_to_is_no_event_of_its_own() -> None:
    """0 is released, or x + noise, which may be 0: whoever sees 0 cannot tell."""
    gaussian = Normal((-INF, INF), lattice=True, variance=Fraction(4))

    def outputs(x: int) -> list[Finished]:
        half = Fraction(1, 2)
        return [
            Finished(half, (), (), releases=(0,), ending="end"),
            Finished(half, (gaussian,), (), releases=(Affine({0: 1}, x, True),), ending="end"),
        ]

    found = Outputs.of(outputs(2), outputs(0))
    assert found.rough
    weights = {k: math.exp(-k * k / 8) for k in range(-100, 100)}
    top = math.fsum(weights.values())

    def mass(x: int, k: int) -> float:
        return (k == 0) / 2 + weights.get(k - x, 0) / top / 2

    total = math.fsum(mass(2, k) ** 2 / mass(0, k) for k in range(-60, 60))
    for cuts in found.cuts():
        pieces = found.pieces(partial(chance, Measure(Unit("e"))), cuts)
        assert value(divergence(pieces, Fraction(2))) < math.log(total)
    real = [Finished(Fraction(1), (), (), releases=(Fraction(0),), ending="end")]
    noisy = [path([Normal((-INF, INF))], Affine({0: 1}, 0, False))]
    assert not Outputs.of(real, noisy).rough  # a real draw comes to it with probability zero
    assert (
        divergence(Outputs.of(real, noisy).pieces(lambda p, c: flint.fmpq(1), ()), Fraction(2))
        is None
    )
