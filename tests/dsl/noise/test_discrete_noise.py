"""Noise on finite ranges: every choice of the samplers, fits of many draws, and parameters."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from shiftproof import BadInput, LimitReached
from shiftproof.dsl.noise import Categorical, DiscreteUniform, Distribution
from shiftproof.dsl.terms.formulas import FALSE, TRUE, truth
from shiftproof.dsl.terms.linear import Symbol, number, term
from shiftproof.dsl.terms.substitution import Substitution
from tests.dsl.noise.choosing import masses
from tests.dsl.noise.test_exact_batches import ONE, Scripted, generator
from tests.dsl.noise.test_samplers import BAD_FIT, DRAWS, Drawn, at_once, singly

WEIGHTS: list[list[Any]] = [
    [1],
    [0, 1],
    [1, 2, 3],
    [0.1, 0.2, 0.7],
    [Fraction(1, 3), 0, Fraction(2, 7), 0.25, 0],
    [5e-324, 1e-323],
    [10**40, 3 * 10**40],
]
values = st.fractions(-20, 20, max_denominator=32)


def shares(weights: list[Any]) -> list[Fraction]:
    exact = list(map(Fraction, weights))
    return [w / sum(exact) for w in exact]


class TestExactly:
    """Every choice of the samplers, with its probability."""

    @pytest.mark.parametrize("weights", WEIGHTS[:5])
    def test_weights(self, weights: list[Any]) -> None:
        small = [Fraction(round(float(w) * 40), 40) for w in weights]  # few choices to follow
        found, left = masses(Categorical(small).draw, 5000)
        assert not left
        assert found == {k: p for k, p in enumerate(shares(small)) if p}

    @pytest.mark.parametrize(("low", "high"), [(0, 0), (-3, 4), (2, Fraction(9)), (-1.0, 1.0)])
    @pytest.mark.parametrize("many", [False, True])
    def test_ranges(self, low: Any, high: Any, many: bool) -> None:
        law = DiscreteUniform(low, high)
        found, left = masses(lambda s: int(law.draw_many(s, 1)[0]) if many else law.draw(s), 500)
        size = int(high) - int(low) + 1
        assert not left
        assert found == dict.fromkeys(range(int(low), int(high) + 1), Fraction(1, size))

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_whole_weights(self, weights: list[Any]) -> None:
        whole = Categorical(tuple(weights)).whole
        assert shares(list(whole)) == shares(weights) and math.gcd(*whole) == 1

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_next_to_a_limit(self, weights: list[Any]) -> None:
        """The digits that are drawn first decide, but where they are those of a limit."""
        law, found = Categorical(weights), shares(weights)
        for k in range(1, len(weights)):
            limit, rest = divmod(sum(found[:k]) * ONE, 1)
            for digits in (limit - 1, limit + 1, limit):
                if not 0 <= digits < ONE or (digits == limit and rest):
                    continue
                drawn = int(law.draw_many(Scripted([[int(digits)]]), 1)[0])  # type: ignore[arg-type]
                assert sum(found[:drawn]) * ONE <= digits < sum(found[: drawn + 1]) * ONE

    @pytest.mark.parametrize(
        "whole", [(1, 2), (1, 1, 1), (1, 2**70, 0, 3), (3, 2**200, 2, 2, 1), (2**66, 1, 1, 5)]
    )
    def test_on_a_limit_further_digits_decide(self, whole: tuple[int, ...]) -> None:
        law, total, settled = Categorical(whole), sum(whole), 0
        octets = (total - 1).bit_length() + 7 >> 3
        spare = 8 * octets - (total - 1).bit_length()
        for k in range(1, len(whole)):
            digits, rest = divmod(sum(whole[:k]) << 64, total)
            for further in {0, rest - 1, rest, rest + 1, total - 1}:
                if digits >= ONE or not rest or not 0 <= further < total:
                    continue
                script: Any = Scripted([[digits]], (further << spare).to_bytes(octets))
                drawn = int(law.draw_many(script, 1)[0])
                at = digits * total + further  # in units of 1 / (total · 2^64)
                assert sum(whole[:drawn]) << 64 <= at < sum(whole[: drawn + 1]) << 64
                settled += 1
        assert settled

    @pytest.mark.parametrize("drawn", [singly, at_once])
    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_many_choices(self, drawn: Drawn, weights: list[Any]) -> None:
        seen = drawn(Categorical(weights))
        mass = shares(weights)
        assert {type(k) for k in seen} == {int} and all(mass[k] for k in set(seen))
        counts = [(seen.count(k), float(p) * DRAWS) for k, p in enumerate(mass) if p]
        assert stats.chisquare(*zip(*counts, strict=True)).pvalue > BAD_FIT or len(counts) == 1

    @pytest.mark.parametrize("drawn", [singly, at_once])
    @pytest.mark.parametrize(("low", "high"), [(-3, 8), (10**18, 10**18 + 5)])
    def test_many_integers(self, drawn: Drawn, low: int, high: int) -> None:
        seen = drawn(DiscreteUniform(low, high))
        assert {type(k) for k in seen} == {int} and low <= min(seen) <= max(seen) <= high
        counts = [seen.count(k) for k in range(low, high + 1)]
        assert stats.chisquare(counts).pvalue > BAD_FIT

    def test_ranges_of_any_size(self) -> None:
        source, wide = random.Random(1), DiscreteUniform(-(10**400), 10**400)
        drawn = [wide.draw(source) for _ in range(40)]
        assert len({k % 1000 for k in drawn}) > 30 and min(drawn) < 0 < max(drawn)
        for low, high in ((-(2**63), 2**63 - 1), (-5, 2**63 - 1), (2**63 - 2, 2**63 - 1)):
            found = DiscreteUniform(low, high).draw_many(generator(), 50)
            assert found.dtype == np.int64 and low <= int(found.min()) <= int(found.max()) <= high
            assert len(set(found.tolist())) == min(50, high - low + 1)
        for high in (2**64, 10**400):
            with pytest.raises(LimitReached, match="64-bit integers: noise of"):
                DiscreteUniform(2**63, high).draw_many(generator(), 3)

    def test_none(self) -> None:
        for law in (Categorical([1, 2]), DiscreteUniform(0, 5)):
            assert law.draw_many(generator(), 0).shape == (0,)


class TestParameters:
    @pytest.mark.parametrize("bad", ["ab", 3, None, {1: 2}, np.ones(2), range(3)])
    def test_what_is_no_list(self, bad: Any) -> None:
        with pytest.raises(BadInput, match=r"weights is .*; a list of numbers is needed"):
            Categorical(bad)

    @pytest.mark.parametrize("bad", [math.nan, math.inf, True, "1", None, [1], np.int64(1)])
    def test_what_is_no_number(self, bad: Any) -> None:
        with pytest.raises(BadInput, match=r"weights\[1\] is .*; a finite number is needed"):
            Categorical([1, bad])
        for low, high, name in ((bad, 1, "low"), (0, bad, "high")):
            with pytest.raises(BadInput, match=rf"{name} is .*; a finite number is needed"):
                DiscreteUniform(low, high)

    def test_no_weights(self) -> None:
        with pytest.raises(BadInput, match="at least one weight"):
            Categorical([])

    @given(st.lists(st.fractions(-1, 2, max_denominator=3), min_size=1, max_size=4), values)
    def test_weights(self, weights: list[Fraction], draw: Fraction) -> None:
        good = min(weights) >= 0 and max(weights) > 0
        law = Categorical([number(w) for w in weights])
        assert law.well_formed() == truth(good)
        self._agrees(lambda: Categorical(weights), good, "no weight may be negative")
        assume(good)
        whole = math.floor(draw) % 6 - 1
        found = truth(0 <= whole < len(weights) and weights[whole] > 0)
        assert law.support(number(whole)) == found

    @given(st.fractions(-3, 3, max_denominator=2), st.fractions(-3, 3, max_denominator=2))
    def test_ranges(self, low: Fraction, high: Fraction) -> None:
        good = low <= high and low.denominator == high.denominator == 1
        law = DiscreteUniform(number(low), number(high))
        assert law.well_formed() == truth(good)
        self._agrees(lambda: DiscreteUniform(low, float(high)), good, "must be whole numbers")
        for x in range(-4, 5):
            assert law.support(number(x)) == truth(low <= x <= high)
        (free,) = law.charges(number(3))
        assert free.when == TRUE and free.amount == number(0)

    @staticmethod
    def _agrees(make: Callable[[], Distribution], good: bool, reason: str) -> None:
        if good:
            assert make()
        else:
            with pytest.raises(BadInput, match=reason):
                make()

    def test_bounds_that_are_integers_by_their_form(self) -> None:
        whole, real = (Symbol(n, n == "n", fixed=True) for n in ("n", "x"))
        assert DiscreteUniform(number(0), term(real)).well_formed() == FALSE
        assert DiscreteUniform(number(0), term(whole).scaled(Fraction(1, 2))).well_formed() == FALSE
        found = DiscreteUniform(-term(whole), term(whole)).well_formed()
        assert Substitution({"n": number(-1)}).formula(found) == FALSE
        assert Substitution({"n": number(0)}).formula(found) == TRUE

    def test_a_choice_is_not_shifted(self) -> None:
        assert not Categorical.shiftable and DiscreteUniform.shiftable
        with pytest.raises(TypeError):
            Categorical([1, 2]).charges(number(1))

    def test_text(self) -> None:
        assert repr(Categorical([1, 0.5])) == "Categorical([1, 0.5])"
        assert repr(DiscreteUniform(1, 2)) == "DiscreteUniform(1, 2)"
