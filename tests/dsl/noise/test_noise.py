"""Noise: densities against charges, support and parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shiftproof import BadInput
from shiftproof.dsl import noise
from shiftproof.dsl.noise import (
    Bernoulli,
    Categorical,
    Charge,
    DiscreteGaussian,
    DiscreteLaplace,
    DiscreteUniform,
    Distribution,
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Staircase,
    TwoSidedGeometric,
    Uniform,
)
from shiftproof.dsl.terms.formulas import FALSE, TRUE, Flag, Formula, negation, truth
from shiftproof.dsl.terms.linear import Opaque, Symbol, number, term
from shiftproof.dsl.terms.substitution import Substitution


def _up(x: float, s: float) -> float:
    return math.exp(-x / s) / s if x >= 0 else 0.0


def _steps_up(k: float, s: float) -> float:
    return -math.expm1(-1 / s) * math.exp(-k / s) if k >= 0 else 0.0


#: Densities and probabilities, written down again from the textbook.
DENSITIES: dict[type[Distribution], Callable[[float, float], float]] = {
    Laplace: lambda x, s: math.exp(-abs(x) / s) / (2 * s),
    Exponential: _up,
    NegativeExponential: lambda x, s: _up(-x, s),
    TwoSidedGeometric: lambda k, s: math.tanh(1 / (2 * s)) * math.exp(-abs(k) / s),
    DiscreteLaplace: lambda k, s: math.tanh(1 / (2 * s)) * math.exp(-abs(k) / s),
    Logistic: lambda x, s: 1 / (4 * s * math.cosh(x / (2 * s)) ** 2),
    OneSidedGeometric: _steps_up,
    NegativeOneSidedGeometric: lambda k, s: _steps_up(-k, s),
}
SCALED = tuple(DENSITIES)
scales = st.fractions(Fraction(1, 4), 8, max_denominator=8)
values = st.fractions(-20, 20, max_denominator=4)
scaled_kinds = st.sampled_from(SCALED)


def applying(charges: tuple[Charge, ...]) -> Charge:
    """The one charge that applies; everything in it is a number or decided."""
    found = [c for c in charges if c.when == TRUE]
    assert len(found) == 1 and all(c.when in (TRUE, FALSE) for c in charges)
    return found[0]


def on_lattice(kind: type[Distribution], x: Fraction) -> Fraction:
    return Fraction(round(x)) if kind.lattice == "integers" else x


class TestCharges:
    @given(scaled_kinds, scales, values, values)
    def test_exact_where_both_are_in_the_support(
        self, kind: type[Distribution], s: Fraction, x: Fraction, d: Fraction
    ) -> None:
        """A charge is an upper bound, met exactly unless |x + d| < |x| + |d|."""
        x, d = on_lattice(kind, x), on_lattice(kind, d)
        distribution = kind(number(s))
        inside = [distribution.support(number(v)) for v in (x, x + d)]
        assert set(inside) <= {TRUE, FALSE}
        densities = [DENSITIES[kind](float(v), float(s)) for v in (x, x + d)]
        assert [v > 0 for v in densities] == [v == TRUE for v in inside]
        assume(inside == [TRUE, TRUE])
        charge = applying(distribution.charges(number(d)))
        cost = float(charge.amount.constant * charge.rate.constant)
        ratio = math.log(densities[0]) - math.log(densities[1])
        assert ratio <= cost + 1e-9
        two_sided = (Laplace, TwoSidedGeometric, DiscreteLaplace)
        if kind is not Logistic and (abs(x + d) == abs(x) + abs(d) or kind not in two_sided):
            assert math.isclose(ratio, cost, abs_tol=1e-9)

    @given(st.sampled_from((Laplace, TwoSidedGeometric)), scales, values)
    def test_the_bound_is_reached(self, kind: type[Distribution], s: Fraction, d: Fraction) -> None:
        d = on_lattice(kind, d)
        charge = applying(kind(number(s)).charges(number(d)))
        density = DENSITIES[kind]
        ratio = math.log(density(0.0, float(s))) - math.log(density(float(d), float(s)))
        assert math.isclose(ratio, charge.amount.constant * charge.rate.constant, abs_tol=1e-9)

    @given(values, values, values, values)
    def test_uniform(self, low: Fraction, high: Fraction, x: Fraction, d: Fraction) -> None:
        assume(low < high)
        distribution = Uniform(number(low), number(high))
        assert distribution.support(number(x)) == truth(low <= x <= high)
        charge = applying(distribution.charges(number(d)))
        assert charge.amount.constant * charge.rate.constant == 0

    @given(st.fractions(Fraction(1, 20), Fraction(19, 20)), st.booleans(), st.booleans())
    def test_bernoulli(self, p: Fraction, bit: bool, flip: bool) -> None:
        charge = applying(Bernoulli(number(p)).flip_charges(truth(bit), truth(flip)))
        rate = float(charge.rate.constant)
        for atom, k in charge.rate.parts:
            assert isinstance(atom, Opaque) and atom.operation == "log_odds" and k == 1
            assert atom.arguments == (number(p),)
            rate += math.log(p / (1 - p))
        mass = {True: float(p), False: float(1 - p)}
        ratio = math.log(mass[bit]) - math.log(mass[bit != flip])
        assert math.isclose(ratio, float(charge.amount.constant) * rate, abs_tol=1e-9)

    @pytest.mark.parametrize("kind", [*SCALED, Uniform])
    @given(d=values)
    def test_one_case_applies_to_a_symbolic_shift(
        self, kind: type[Distribution], d: Fraction
    ) -> None:
        shift = Symbol("d")
        parameters = [term(Symbol(n, fixed=True)) for n in kind.parameters]
        put = Substitution({"d": number(d)})
        charges = kind(*parameters).charges(term(shift))
        assert [put.formula(c.when) for c in charges].count(TRUE) == 1
        assert all(c.rate.fixed for c in charges)

    @given(st.booleans(), st.booleans())
    def test_one_case_applies_to_a_symbolic_flip(self, bit: bool, flip: bool) -> None:
        drawn, flipped = Flag(Symbol("b")), Flag(Symbol("flip"))
        put = Substitution(flags={"b": truth(bit), "flip": truth(flip)})
        charges = Bernoulli(term(Symbol("p", fixed=True))).flip_charges(drawn, flipped)
        assert [put.formula(c.when) for c in charges].count(TRUE) == 1

    def test_bits_are_not_shifted(self) -> None:
        with pytest.raises(TypeError):
            Bernoulli(0.5).charges(number(1))
        with pytest.raises(TypeError):
            Bernoulli(0.5).support(number(1))


class TestParameters:
    @given(scaled_kinds, st.fractions(-3, 3))
    def test_scales(self, kind: type[Distribution], s: Fraction) -> None:
        assert kind(number(s)).well_formed() == truth(s > 0)
        self._agrees(kind, (s,), s > 0)

    @given(st.fractions(-1, 2))
    def test_probabilities(self, p: Fraction) -> None:
        assert Bernoulli(number(p)).well_formed() == truth(0 < p < 1)
        self._agrees(Bernoulli, (p,), 0 < p < 1)

    @given(values, values)
    def test_intervals(self, low: Fraction, high: Fraction) -> None:
        assert Uniform(number(low), number(high)).well_formed() == truth(low < high)
        self._agrees(Uniform, (low, high), low < high)

    @staticmethod
    def _agrees(kind: type[Distribution], parameters: tuple[Fraction, ...], good: bool) -> None:
        if good:
            assert kind(*parameters).values == parameters
        else:
            with pytest.raises(BadInput, match=f"{kind.__name__}.*{kind.requirement}"):
                kind(*parameters)

    @pytest.mark.parametrize("kind", [*SCALED, Bernoulli])
    @pytest.mark.parametrize(
        "bad", [math.nan, math.inf, -math.inf, True, False, "1", None, 1j, [1], np.int64(1)]
    )
    def test_what_is_no_number(self, kind: type[Distribution], bad: Any) -> None:
        name = kind.parameters[0]
        with pytest.raises(BadInput, match=rf"{name} is .*; a finite number is needed") as error:
            kind(bad)
        assert repr(bad) in str(error.value) and kind.__name__ in str(error.value)

    @pytest.mark.parametrize("bad", [math.nan, math.inf, True, "1", None])
    def test_what_is_no_bound(self, bad: Any) -> None:
        with pytest.raises(BadInput, match=r"low is .*; a finite number is needed"):
            Uniform(bad, 1)
        with pytest.raises(BadInput, match=r"high is .*; a finite number is needed"):
            Uniform(0, bad)

    @pytest.mark.parametrize("kind", [*SCALED, Bernoulli])
    @pytest.mark.parametrize("bad", [0, -1, -0.5, 0.0, Fraction(-1, 3)])
    def test_out_of_range(self, kind: type[Distribution], bad: Any) -> None:
        with pytest.raises(BadInput, match=kind.requirement):
            kind(bad)

    def test_symbols_are_not_judged(self) -> None:
        s = term(Symbol("s", fixed=True))
        found: Formula = Laplace(s).well_formed()
        assert (
            found not in (TRUE, FALSE) and Substitution({"s": number(-1)}).formula(found) == FALSE
        )
        assert negation(found) != TRUE and repr(Laplace(s)) == "Laplace(s)"

    def test_all_are_exported(self) -> None:
        kinds = (getattr(noise, name) for name in noise.__all__)
        found = {k for k in kinds if isinstance(k, type) and issubclass(k, Distribution)}
        others = {Bernoulli, Categorical, DiscreteUniform, Staircase, Uniform}
        others |= {DiscreteGaussian, Gaussian}  # which have no charge; test_gaussian.py
        assert found - {Distribution} == {*SCALED, *others}
