"""Draws from lists and ranges in programs: what is read, and batches that are like single runs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from shiftproof import Mechanism, Simulation, Unsupported
from shiftproof.dsl.language.flow import SampleNode, liveness
from shiftproof.dsl.language.syntax import NOWHERE, Whole, names_in
from shiftproof.dsl.language.unparse import unparse
from shiftproof.dsl.simulation.values import RowsFailed, builtin
from tests.dsl.making import body, made
from tests.dsl.noise.test_discrete_noise import shares
from tests.dsl.noise.test_samplers import BAD_FIT, DRAWS
from tests.dsl.simulation.taping import agree


def choosing(text: str, parameters: str = "f: Counts") -> Mechanism[..., Any]:
    return made(body(text, parameters))


def drawn_in(mechanism: Mechanism[..., Any]) -> SampleNode:
    (site,) = mechanism.program.flow.sites
    return site


LOCAL = "w = [1.0] * 3\nfor i in range(3):\n    w[i] = f[i]\nk = sample(Categorical(w))\nyield k"


class TestLanguage:
    def test_weights_written_out(self) -> None:
        site = drawn_in(choosing("k = sample(Categorical([1, f[0], 2.5]))\nyield k"))
        assert [unparse(e) for e in site.step.arguments] == ["1", "f[0]", "2.5"]
        named = drawn_in(choosing("k = sample(Categorical(weights=[1, 2]))\nyield k"))
        assert [unparse(e) for e in named.step.arguments] == ["1", "2"]

    def test_a_local_list(self) -> None:
        mechanism = choosing(LOCAL)
        site = drawn_in(mechanism)
        assert site.step.arguments == (Whole(NOWHERE, "w"),)
        assert unparse(site.step.arguments[0]) == "w"
        assert names_in(site.step.arguments[0]) == {"w"}
        nodes = list(mechanism.program.flow.nodes)
        assert "w" in liveness(nodes)[nodes.index(site)]

    @pytest.mark.parametrize(
        ("weights", "words"),
        [
            ("f", "Categorical of something that is no list"),
            ("(1, 2)", "Categorical of something that is no list"),
            ("[1] * 3", "Categorical of something that is no list"),
            ("eps", "Categorical of something that is no list"),
            ("[]", "Categorical of no weights"),
            ("1, 2", "Categorical with 2 parameters"),
            ("", "Categorical with 0 parameters"),
            ("[*f]", "a starred expression"),
            ("late", "'late' may be used before it has a value"),
        ],
    )
    def test_what_is_no_list(self, weights: str, words: str) -> None:
        mechanism = choosing(f"k = sample(Categorical({weights}))\nyield k\nlate = [1, 2]")
        with pytest.raises(Unsupported) as error:
            mechanism.program
        assert words in str(error.value) and error.value.advice
        assert error.value.location is not None and error.value.location.line == 4

    def test_a_list_is_no_value_elsewhere(self) -> None:
        with pytest.raises(Unsupported, match="the sequence 'w' as a value"):
            choosing(f"{LOCAL}\nx = sample(Laplace(w))\nyield x").program


TEXTS = {
    "written_out": "k = sample(Categorical([1, 2.5, 1 / eps]))\nyield k\nyield f[k]",
    "private": LOCAL.replace("f[i]", "max(f[i], 1)"),
    "weights_that_may_not_be": LOCAL,
    "weights_by_run": (
        "w = []\nfor x in f:\n    y = sample(TwoSidedGeometric(1 / eps))\n"
        "    w.append(max(x + y, 0) / 4)\nk = sample(Categorical(w))\nyield k\nyield w[k]\n"
        "j = sample(Categorical([abs(w[0]), k + 1, 0.5]))\nyield j"
    ),
    "no_weights": (
        "w = []\ny = sample(Laplace(1 / eps))\nif y > 0:\n    w.append(1)\n"
        "k = sample(Categorical(w))\nyield k"
    ),
    "bits_as_weights": "w = [1 > 0, 2]\nk = sample(Categorical(w))\nyield k",
    "picked": "w = top_k(f, 2)\nk = sample(Categorical(w))\nyield k",
    "ranges_by_run": (
        "y = sample(TwoSidedGeometric(1 / eps))\nk = sample(DiscreteUniform(0, y))\nyield k\n"
        "j = sample(DiscreteUniform(-abs(k), 2.0))\nyield j\n"
        "z = sample(Laplace(1 / eps))\ni = sample(DiscreteUniform(z, 9))\nyield i"
    ),
    "coins_by_run": (
        "y = sample(TwoSidedGeometric(1 / eps))\nb = sample(Bernoulli(1 / (2 + y)))\nyield b"
    ),
    "stairs": (
        "y = sample(Staircase(1 / eps, 1, 0.5))\nyield y + f[0]\n"
        "z = sample(Staircase(1 / eps, abs(y), 0.25))\nyield z if y > 0 else None"
    ),
    "exponential_mechanism": (
        "w = [1.0] * len(f)\nfor i in range(len(f)):\n    w[i] = math.exp(eps * f[i] / 2)\n"
        "k = sample(Categorical(w))\nyield k"
    ),
    "exponentials": (
        "y = sample(Laplace(1 / eps))\nyield math.exp(y / 7)\nz = sample(TwoSidedGeometric(2))\n"
        "yield math.exp(z)\nyield math.exp(eps)\nyield math.exp(y * 300)"
    ),
}
RAISING = {"weights_that_may_not_be", "weights_by_run", "no_weights", "ranges_by_run"}
RAISING |= {"bits_as_weights", "coins_by_run", "stairs", "exponentials"}


class TestBatches:
    """Runs in a batch release what they release alone, on the same noise."""

    @pytest.mark.parametrize("name", TEXTS)
    def test_agree(self, name: str) -> None:
        mechanism = choosing(TEXTS[name])
        raised = 0
        for seed, f in enumerate([(1, 2, 3), (0, 5, 1), (0, 0, 0)]):
            raised += agree(mechanism, {"f": f, "eps": 0.75}, runs=60, seed=seed)
        assert (raised > 0) == (name in RAISING)

    @pytest.mark.parametrize(
        ("text", "weights"),
        [
            ("k = sample(Categorical([1, 2.5, 2 * eps]))\nyield k", [1, 2.5, 1.5]),
            (LOCAL, [1, 2, 3]),
            ("k = sample(DiscreteUniform(0, f[2]))\nyield k", [1, 1, 1, 1]),
            ("b = sample(DiscreteUniform(0, 2))\nk = sample(DiscreteUniform(0, b))\nyield k",
             [11, 5, 2]),
            ("b = sample(DiscreteUniform(1, 2))\nw = [b, 1, 1]\nk = sample(Categorical(w))\n"
             "yield k", [10, 7, 7]),
        ],
    )  # fmt: skip
    def test_law(self, text: str, weights: list[Any]) -> None:
        simulation = Simulation(choosing(text), f=[1, 2, 3], eps=0.75)
        counts = dict(simulation.outcomes(DRAWS, seed=2).counts())
        seen = [counts.pop((k,)) for k in range(len(weights))]
        expected = [float(p) * DRAWS for p in shares(weights)]
        assert not counts and stats.chisquare(seen, expected).pvalue > BAD_FIT

    def test_exponentials_are_pythons(self) -> None:
        numbers = np.random.default_rng(1).uniform(-740, 709, 3000)
        numbers = np.concatenate([numbers, numbers[:50], [0.0, -0.0, math.inf, -math.inf, 709.7]])
        for some in (numbers, np.array([3, 0, 3]), np.array([True]), np.array([math.nan, 1.0])):
            found: Any = builtin("exp", [some])
            assert found.dtype == np.float64
            assert repr(found.tolist()) == repr([math.exp(v) for v in some.tolist()])
        for scalar in (2, 0.3, Fraction(1, 3), True):
            assert builtin("exp", [scalar]) == math.exp(scalar)

    def test_exponentials_that_overflow(self) -> None:
        with pytest.raises(RowsFailed) as failure:
            builtin("exp", [np.array([1.0, 710.0, 1.0, 1e300])])
        assert failure.value.rows is not None and failure.value.rows.tolist() == [0, 1, 0, 1]
        for scalar in (710, 10**400, "a", None):
            with pytest.raises(RowsFailed):
                builtin("exp", [scalar])
