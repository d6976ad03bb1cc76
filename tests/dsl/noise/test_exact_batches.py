"""Discrete noise in batches: limits for certain, edges by hand, and the rest by all choices."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from shiftproof import LimitReached
from shiftproof.dsl.noise import (
    Bernoulli,
    Distribution,
    Laplace,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
    Uniforms,
)
from shiftproof.dsl.noise.drawing import exact_batches
from shiftproof.dsl.noise.drawing import exact_draws as digits
from shiftproof.dsl.noise.drawing.batches import FromGenerator
from tests.dsl.noise.choosing import exponential, masses

ONE = 1 << 64
RATES = [Fraction(1, 31), Fraction(1, 17) + Fraction(1, 10**9), Fraction(1, 4), Fraction(3), 44, 50]


def decay(x: Fraction) -> arb:
    """A ball around exp(-x)."""
    ctx.prec = 400
    return (-arb(fmpq(x.numerator, x.denominator))).exp()


def first(ball: arb) -> int:
    """The first 64 binary digits of what the ball holds."""
    return int((ball * ONE).floor().unique_fmpz())


def generator(seed: int = 5) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(seed))


class Scripted:
    """A generator whose uniform numbers begin with given digits, and go on with given octets."""

    def __init__(self, numbers: Iterable[Iterable[int]], octets: bytes = b"") -> None:
        self._numbers, self._octets = iter(numbers), octets

    def integers(self, low: int, high: int, size: int, dtype: Any) -> Any:
        assert (low, high, dtype) == (0, ONE, np.uint64)
        found = np.array(list(next(self._numbers)), np.uint64)
        assert found.size == size
        return found

    def bytes(self, length: int) -> bytes:
        found, self._octets = self._octets[:length], self._octets[length:]
        assert len(found) == length
        return found


class TestDigits:
    @pytest.mark.parametrize("bits", [64, 128, 320])
    @pytest.mark.parametrize(
        "x", [Fraction(1, 10**40), Fraction(1, 3), Fraction(1), Fraction(7, 3), Fraction(60), 200]
    )
    def test_enclosures_hold_and_are_tight(self, x: Any, bits: int) -> None:
        alpha, one = decay(Fraction(x)), arb(2) ** bits
        for found, true in (
            (digits.exponential(Fraction(x))(bits), alpha),
            (digits.odds(Fraction(x))(bits), 1 / (1 + alpha)),
        ):
            assert found[0] <= true * one <= found[1] <= found[0] + 4

    @pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(5), Fraction(80)])
    def test_a_uniform_number_is_compared_with_all_its_digits(self, x: Fraction) -> None:
        limit = int((decay(x) * ONE**3).floor().unique_fmpz())
        for number, below in ((limit - 1, True), (limit + 1, False)):
            parts = [number // ONE**2, number // ONE % ONE, number % ONE]
            real = digits.UniformReal(parts[0], _source(parts[1:]))
            assert real.is_below(digits.exponential(x)) is below
            assert real.is_below(digits.exponential(x)) is below  # it stays the same number


def _source(parts: Iterable[int]) -> Uniforms:
    return FromGenerator(Scripted([], b"".join(p.to_bytes(8) for p in parts)))  # type: ignore[arg-type]


class TestTables:
    @pytest.mark.parametrize("rate", RATES)
    def test_limits(self, rate: Any) -> None:
        limits = exact_batches._table(Fraction(rate)).limits.tolist()[::-1]
        assert limits == [first(decay(Fraction(rate) * k)) for k in range(1, len(limits) + 1)]
        assert limits[-1] == 0 and 0 not in limits[:-1]

    @pytest.mark.parametrize("rate", RATES)
    def test_what_is_known_from_few_digits(self, rate: Any) -> None:
        table = exact_batches._table(Fraction(rate))
        limits = table.limits.tolist()
        for k, value in enumerate(table.known.tolist()):
            low, high = k << 52, ((k + 1) << 52) - 1
            inside = any(low <= limit <= high for limit in limits)
            assert value == (-1 if inside else sum(limit > high for limit in limits))

    @pytest.mark.parametrize("scale", [1, Fraction(1, 3), 20, 31.5])
    def test_next_to_a_limit(self, scale: Any) -> None:
        alpha = [decay(k / Fraction(scale)) for k in range(1, 12)]
        near = [(first(a) + d, k + (d < 0)) for k, a in enumerate(alpha) for d in (-1, 1)]
        near = [(digits, k) for digits, k in near if 0 < digits]
        script: Any = Scripted([[digits for digits, _ in near]])
        drawn = OneSidedGeometric(scale).draw_many(script, len(near))
        assert drawn.tolist() == [k for _, k in near]

    @pytest.mark.parametrize("scale", [1, Fraction(1, 3), 20, Fraction(1, 1000)])
    def test_on_a_limit_further_digits_decide(self, scale: Any) -> None:
        for k in range(3):
            exact = int((decay((k + 1) / Fraction(scale)) * ONE**2).floor().unique_fmpz())
            for more, value in ((-1, k + 1), (1, k)):
                number, rest = divmod(exact + more, ONE)
                script: Any = Scripted([[number]], rest.to_bytes(8) + bytes([255] * 8))
                if exact:
                    assert OneSidedGeometric(scale).draw_many(script, 1).tolist() == [value]

    @pytest.mark.parametrize("scale", [1, Fraction(1, 3), 20])
    def test_the_side_below_zero(self, scale: Any) -> None:
        exact = int((ONE**2 / (1 + decay(1 / Fraction(scale)))).floor().unique_fmpz())
        number, rest = divmod(exact, ONE)
        three = first(decay(4 / Fraction(scale))) + 1
        for side, octets, value in (
            (0, b"", 3),
            (number - 1, b"", 3),
            (number, (rest - 8).to_bytes(8), 3),
            (number, (rest + 8).to_bytes(8), -4),
            (number + 1, b"", -4),
        ):
            script: Any = Scripted([[three], [side]], octets)
            assert TwoSidedGeometric(scale).draw_many(script, 1).tolist() == [value]

    @pytest.mark.parametrize("p", [Fraction(1, 3), 0.3, Fraction(1, 2), 2.0**-70])
    def test_coins(self, p: Any) -> None:
        limit, rest = divmod(Fraction(p) * ONE, 1)
        near = [(limit - 1, True), (limit + 1, False)]
        for number, heads in near[limit == 0 :]:
            assert Bernoulli(p).draw_many(Scripted([[number]]), 1) == [heads]  # type: ignore[arg-type]
        # On the limit it is heads with the probability that is left.
        bits = rest.denominator.bit_length()
        for octet in range(4):
            script: Any = Scripted([[limit]], bytes([octet << 6]) * (bits // 8 + 1))
            if rest.denominator in (1, 3) and octet < 3:
                found = Bernoulli(p).draw_many(script, 1)
                assert found.tolist() == [octet < rest.numerator]


class TestAllChoices:
    @pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 16), Fraction(1, 2), Fraction(1)])
    def test_coins_of_exponential_bias(self, gamma: Fraction) -> None:
        def draw(source: Any) -> bool:
            numerators = np.array([gamma.numerator])
            return bool(exact_batches._decaying(source, numerators, gamma.denominator)[0])

        found, left = masses(draw, 3000)
        low, high = exponential(gamma)
        assert left < Fraction(1, 1000)
        assert found[True] <= high and low <= found[True] + left

    def test_remainders(self) -> None:
        width, scale = 3, Fraction(7, 2)
        found, left = masses(lambda s: int(exact_batches._remainders(s, 1, width, scale)[0]), 6000)
        bounds = [exponential(r / scale) for r in range(width)]
        for r, (low, high) in enumerate(bounds):
            assert found[r] <= high / sum(b for b, _ in bounds)
            assert low / sum(b for _, b in bounds) <= found[r] + left
        assert left < Fraction(1, 10)

    @pytest.mark.parametrize("stop", [1, 2, 3, 7, 255, 256])
    def test_integers_from_octets(self, stop: int) -> None:
        found, left = masses(lambda s: FromGenerator(s).randrange(stop), 600)
        assert set(found) == set(range(stop)) and left < Fraction(1, 3)
        assert all(low <= Fraction(1, stop) <= low + left for low in found.values())


class TestScales:
    @pytest.mark.parametrize("kind", [TwoSidedGeometric, OneSidedGeometric])
    @pytest.mark.parametrize("scale", [5e-324, Fraction(1, 10**400), Fraction(1, 3), 1e15, 1e17])
    def test_batches_are_like_single_draws(self, kind: type[Distribution], scale: Any) -> None:
        drawn = kind(scale).draw_many(generator(), 200)
        assert drawn.dtype == np.int64 and drawn.shape == (200,)
        mean = np.abs(drawn.astype(float)).mean() / float(Fraction(scale) + Fraction(1, 10**30))
        assert (0.8 < mean < 1.2) if scale > 1 else mean < 0.3
        assert kind(scale).draw_many(generator(), 0).dtype == np.int64

    @pytest.mark.parametrize(
        "kind", [TwoSidedGeometric, OneSidedGeometric, NegativeOneSidedGeometric]
    )
    @pytest.mark.parametrize("scale", [1e300, 10**400])
    def test_what_does_not_fit_is_refused(self, kind: type[Distribution], scale: Any) -> None:
        with pytest.raises(
            LimitReached, match=r"64-bit integers: noise of 1?\d\d\d bits was drawn"
        ):
            kind(scale).draw_many(generator(), 3)

    def test_nor_does_what_would_not_fit_once_it_is_put_together(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(exact_batches, "settled", lambda *_: 1 << 12)
        script: Any = Scripted([[0]])
        with pytest.raises(LimitReached, match="64-bit integers"):
            OneSidedGeometric(2**55).draw_many(script, 1)

    def test_a_large_numerator_is_drawn_one_by_one(self) -> None:
        scale = Fraction(10**40 + 1, 10**39)
        drawn = TwoSidedGeometric(scale).draw_many(generator(), 2000)
        assert 9 < np.abs(drawn).mean() < 11


class OwnNoise(Laplace):
    """A user's own, with a sampler of its own."""

    def draw(self, source: Uniforms) -> float:
        return 7.0 + source.randrange(2)


class OwnWholeNoise(TwoSidedGeometric):
    def draw(self, source: Uniforms) -> int:
        return -source.randrange(2)


class TestOwnDistributions:
    def test_are_drawn_as_they_say(self) -> None:
        assert set(OwnNoise(1).draw_many(generator(), 50)) == {7.0, 8.0}
        found = OwnWholeNoise(1).draw_many(generator(), 50)
        assert found.dtype == np.int64 and set(found) == {0, -1}


def test_the_noise_needs_no_numpy() -> None:
    code = "import sys, shiftproof.dsl.noise; sys.exit('numpy' in sys.modules)"
    path = next(p for p in sys.path if p.endswith("src"))
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": path})
