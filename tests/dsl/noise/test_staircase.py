"""The staircase: its density against its charges, its draws and its parameters."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from shiftproof import BadInput, sample, seeded
from shiftproof.dsl.noise import Charge, Staircase
from shiftproof.dsl.terms.formulas import FALSE, TRUE, truth
from shiftproof.dsl.terms.linear import Symbol, number, term
from shiftproof.dsl.terms.substitution import Substitution
from tests.dsl.noise.test_exact_batches import generator
from tests.dsl.noise.test_samplers import BAD_FIT, DRAWS, Drawn, at_once, singly

scales = st.fractions(Fraction(1, 4), 8, max_denominator=8)
steps = st.fractions(Fraction(1, 8), 5, max_denominator=8)
parts = st.fractions(Fraction(1, 16), Fraction(15, 16), max_denominator=16)
values = st.fractions(-20, 20, max_denominator=32)


def log_density(x: Fraction, scale: Fraction, step: Fraction, share: Fraction) -> float:
    """Of the staircase: by cases, as in its definition."""
    k, place = divmod(abs(x), step)
    q = math.exp(-1 / scale)
    top = -math.expm1(-1 / scale) / (2 * step * (share + (1 - share) * q))
    return math.log(top) - (k if place < share * step else k + 1) / scale


def density(x: Fraction, scale: Fraction, step: Fraction, share: Fraction) -> float:
    return math.exp(log_density(x, scale, step, share))


def cost(charges: tuple[Charge, ...]) -> Fraction | None:
    """What the one charge costs that applies; none if none does."""
    found = [c for c in charges if c.when == TRUE]
    assert len(found) < 2 and all(c.when in (TRUE, FALSE) for c in charges)
    return Fraction(found[0].amount.constant * found[0].rate.constant) if found else None


class TestStaircase:
    @given(scales, steps, parts)
    def test_density(self, scale: Fraction, step: Fraction, share: Fraction) -> None:
        """It holds one, and the two sides are alike."""
        total, q = 0.0, math.exp(-1 / scale)
        for begin, width in ((Fraction(0), share * step), (share * step, (1 - share) * step)):
            found = [density(way * (begin + width / 3), scale, step, share) for way in (1, -1)]
            later = density(begin + width / 3 + 3 * step, scale, step, share)
            assert math.isclose(later, found[0] * q**3)
            total += sum(found) * float(width) / (1 - q)
        assert math.isclose(total, 1, abs_tol=1e-12)

    @given(scales, steps, parts, values, values)
    def test_cost(
        self, scale: Fraction, step: Fraction, share: Fraction, x: Fraction, d: Fraction
    ) -> None:
        law = Staircase(number(scale), number(step), number(share))
        found = cost(law.charges(number(d)))
        assert found is not None
        periods = abs(d) / step
        assert found * scale == (math.ceil(periods) if periods <= 2 else periods + 1)
        both = [log_density(v, scale, step, share) for v in (x, x + d)]
        assert both[0] - both[1] <= found + Fraction(1, 10**9)

    @pytest.mark.parametrize("share", [Fraction(1, 100), Fraction(1, 2), Fraction(5, 8), 0.99])
    def test_cost_on_a_grid(self, share: Any) -> None:
        """The worst place is found, and costs that much: from a step to the next but one, too."""
        scale, step, share = Fraction(2), Fraction(3), Fraction(share)
        law = Staircase(number(scale), number(step), number(share))
        grid = [Fraction(k, 8) for k in range(-72, 73)]
        grid += [way * (k + share) * step for k in range(3) for way in (1, -1)]
        for d in (Fraction(0), Fraction(1, 8), step / 2, step, Fraction(33, 8), 2 * step, -step):
            places = [*grid, *(y - d for y in grid)]
            logs = [[log_density(x + e, scale, step, share) for x in places] for e in (0, d)]
            worst = max(a - b for a, b in zip(*logs, strict=True))
            assert math.isclose(worst, float(cost(law.charges(number(d))) or 0), abs_tol=1e-9)

    @given(values, steps, st.booleans())
    def test_cases_of_a_symbolic_shift(self, d: Fraction, step: Fraction, known: bool) -> None:
        shift, size = term(Symbol("d")), term(Symbol("step", fixed=True))
        scale, share = (term(Symbol(n, fixed=True)) for n in ("scale", "share"))
        charges = Staircase(scale, number(step) if known else size, share).charges(shift)
        put = Substitution({"d": number(d), "step": number(step)})
        applying = [c for c in charges if put.formula(c.when) == TRUE]
        assert all(c.rate == number(1) / scale for c in charges)
        assert len(applying) == (1 if known or abs(d) <= 2 * step else 0)

    @pytest.mark.parametrize("drawn", [singly, at_once])
    @pytest.mark.parametrize(
        ("scale", "step", "share"),
        [(1, 1, 0.5), (0.3, Fraction(7, 3), 0.1), (Fraction(9, 2), 0.25, Fraction(9, 10))],
    )
    def test_draws(self, drawn: Drawn, scale: Any, step: Any, share: Any) -> None:
        found = drawn(Staircase(scale, step, share))
        assert {type(x) for x in found} == {float}
        scale, step, share = map(Fraction, (scale, step, share))
        edges = [Fraction(0)]
        for k in range(60):
            edges += [(k + share) * step, (k + 1) * step]
        held = [density((a + b) / 2, scale, step, share) * float(b - a) for a, b in pairwise(edges)]
        ends, sums = np.array(edges, float), np.cumsum([0, *held])
        fit = stats.kstest(found, lambda x: 0.5 + np.sign(x) * np.interp(np.abs(x), ends, sums))
        assert fit.pvalue > BAD_FIT
        inside = [abs(x) / float(step) % 1 for x in found]
        q = math.exp(-1 / scale)
        first = float(share / (share + (1 - share) * Fraction(q)))
        heads = sum(x < share for x in inside)
        assert stats.binomtest(heads, DRAWS, first).pvalue > BAD_FIT

    @pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300, 1.7e308])
    def test_far_scales(self, scale: float) -> None:
        law = Staircase(scale, 2, 0.25)
        with np.errstate(over="ignore"), seeded(1):
            drawn = [*law.draw_many(generator(), 50).tolist(), *(sample(law) for _ in range(50))]
        assert not any(map(math.isnan, drawn))
        assert max(map(abs, drawn)) > scale / 10 if scale > 1 else max(map(abs, drawn)) < 0.5

    @given(*(st.fractions(-1, 2, max_denominator=2) for _ in range(3)))
    def test_parameters(self, scale: Fraction, step: Fraction, share: Fraction) -> None:
        good = scale > 0 and step > 0 and 0 < share < 1
        law = Staircase(number(scale), number(step), number(share))
        assert law.well_formed() == truth(good) and law.support(number(-7)) == TRUE
        if good:
            assert Staircase(scale, step, share).values == (scale, step, share)
        else:
            with pytest.raises(BadInput, match="share strictly between 0 and 1"):
                Staircase(scale, step, share)

    @pytest.mark.parametrize("bad", [math.nan, math.inf, True, "1", None, [1], np.int64(1)])
    def test_what_is_no_number(self, bad: Any) -> None:
        for k, name in enumerate(Staircase.parameters):
            values: list[Any] = [0.5, 0.5, 0.5]
            values[k] = bad
            with pytest.raises(BadInput, match=rf"{name} is .*; a finite number is needed"):
                Staircase(*values)
