"""Discrete noise, one draw at a time: a sampler's choices are all followed, masses enclosed."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Laplace, sample, seeded
from shiftproof.dsl.noise import (
    Bernoulli,
    Distribution,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
)
from shiftproof.dsl.noise.drawing import exact_draws
from tests.dsl.noise.choosing import Chosen, exponential, masses

Bounds = tuple[Fraction, Fraction]
GEOMETRIC = (OneSidedGeometric, NegativeOneSidedGeometric, TwoSidedGeometric)


def one_sided(k: int, scale: Fraction) -> Bounds:
    """Bounds of (1 - α) α^k."""
    (a, b), (p, q) = exponential(1 / scale), exponential(k / scale)
    return (1 - b) * p, (1 - a) * q


def two_sided(k: int, scale: Fraction) -> Bounds:
    """Bounds of (1 - α) / (1 + α) α^|k|."""
    (a, b), (p, q) = exponential(1 / scale), exponential(abs(k) / scale)
    return (1 - b) / (1 + b) * p, (1 - a) / (1 + a) * q


def coin(numerator: int, denominator: int, source: Chosen) -> bool:
    """What ``decaying`` is to be, as one choice."""
    low, high = exponential(Fraction(numerator, denominator))
    return source.choose([1 - high, low]) == 1


def check(found: dict[Any, Fraction], left: Fraction, law: Callable[[int], Bounds]) -> None:
    """The bounds that were found and those that are known overlap, and are narrow."""
    for value, low in found.items():
        known = law(value)
        assert known[1] - known[0] < Fraction(1, 10**12)
        assert low <= known[1] and known[0] <= low + left


class TestAllChoices:
    @pytest.mark.parametrize(
        "gamma", [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
    )
    def test_coins_of_exponential_bias(self, gamma: Fraction) -> None:
        a, b = gamma.numerator, gamma.denominator
        found, left = masses(lambda s: exact_draws.decaying(a, b, s), 8000)
        assert left < Fraction(1, 10**5)
        check(found, left, lambda heads: exponential(gamma) if heads else _rest(gamma))

    @pytest.mark.parametrize("p", [Fraction(1, 3), 0.375, Fraction(99, 100), 2.0**-9])
    def test_coins(self, p: Fraction | float) -> None:
        found, left = masses(Bernoulli(p).draw, 2000)
        assert not left and found[True] == Fraction(p) and found[False] == 1 - Fraction(p)

    @pytest.mark.parametrize(
        ("kind", "scale"),
        [
            *((OneSidedGeometric, s) for s in (1, 2, 0.5, 0.75, Fraction(2, 3))),
            *((NegativeOneSidedGeometric, s) for s in (1, Fraction(3, 2))),
            *((TwoSidedGeometric, s) for s in (1, 2, Fraction(1, 2))),
        ],
    )
    def test_geometric_from_such_coins(
        self, kind: type[Distribution], scale: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(exact_draws, "decaying", coin)
        found, left = masses(kind(scale).draw, 3000)
        assert left < Fraction(1, 300) and len(found) > 3
        check(found, left, lambda k: self.law(kind, k, Fraction(scale)))

    @pytest.mark.parametrize("scale", [1, Fraction(1, 2)])
    @pytest.mark.parametrize("kind", GEOMETRIC)
    def test_geometric_from_integers(self, kind: type[Distribution], scale: Any) -> None:
        """Nothing is replaced here; the bounds are wider."""
        found, left = masses(kind(scale).draw, 3000)
        assert left < Fraction(1, 5 if kind is TwoSidedGeometric else 100) and len(found) > 3
        check(found, left, lambda k: self.law(kind, k, Fraction(scale)))

    @staticmethod
    def law(kind: type[Distribution], k: int, scale: Fraction) -> Bounds:
        return two_sided(k, scale) if kind is TwoSidedGeometric else one_sided(abs(k), scale)


def _rest(gamma: Fraction) -> Bounds:
    low, high = exponential(gamma)
    return 1 - high, 1 - low


class TestEveryScale:
    @pytest.mark.parametrize("kind", GEOMETRIC)
    @pytest.mark.parametrize(
        "scale", [5e-324, 1e-300, Fraction(1, 10**400), Fraction(1, 3), 1e300, 10**400]
    )
    def test_is_drawn_from(self, kind: type[Distribution], scale: Any) -> None:
        source = random.Random(1)
        drawn = [kind(scale).draw(source) for _ in range(40)]
        assert {type(k) for k in drawn} == {int}
        if scale < 0.1:
            assert set(drawn) == {0}
        elif scale > 1:
            mean = sum(map(abs, drawn)) // 40
            assert scale // 2 < mean < 2 * Fraction(scale)
            # A float would have many zeros in the end; these are as many as there are by chance.
            assert len({k % 1000 for k in drawn}) > 30

    @pytest.mark.parametrize("p", [5e-324, Fraction(1, 10**400), 1 - Fraction(1, 10**400)])
    def test_so_is_every_probability(self, p: Any) -> None:
        assert Bernoulli(p).draw(random.Random(1)) is (p > 0.5)

    def test_what_is_beyond_the_floats_is_no_scale_of_float_noise(self) -> None:
        with seeded(1):
            for scale in (10**400, Fraction(1, 10**400)):
                with pytest.raises(BadInput, match="scale is beyond the floats"):
                    sample(Laplace(scale))

    def test_the_operating_system_serves(self) -> None:
        assert isinstance(sample(TwoSidedGeometric(Fraction(1, 3))), int)
        assert isinstance(sample(Bernoulli(Fraction(1, 3))), bool)
