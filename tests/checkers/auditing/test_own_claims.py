"""What a mechanism of the language claims is what is audited: its ρ, its δ, its ε per length."""

from __future__ import annotations

import math
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, audit
from tests.programs.checkers.own_claims import (
    each,
    gaussian,
    gaussian_for_half,
    thresholded,
    thresholded_for_any_delta,
)

QUICK: dict[str, Any] = {"seed": 1, "samples": 100_000}


class TestLengths:
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("exact", [True, False])
    def test_all_pairs_have_the_length_of_the_claim(self, seed: int, exact: bool) -> None:
        """On longer inputs more is claimed, and more is lost."""
        result = audit(each, seed=seed, samples=100_000, exact=exact)
        assert result.verdict == "no violation found" and result.claim is not None
        sizes = {len(t.left["f"]) for t in result.tested}
        assert len(sizes) == 1
        assert math.isclose(result.claim, sizes.pop() * result.public["eps"])

    def test_pairs_of_two_lengths_have_two_claims(self) -> None:
        pairs = [({"f": [0] * n}, {"f": [1] * n}) for n in (1, 2)]
        with pytest.raises(BadInput, match=r"claims .*len\(f\).*, which is not the same on all"):
            audit(each, pairs=pairs, given={"eps": 1.0}, **QUICK)


class TestDeltas:
    @pytest.mark.parametrize("exact", [True, False])
    def test_its_own_at_the_public_inputs(self, exact: bool) -> None:
        result = audit(thresholded, exact=exact, **QUICK)
        eps, threshold = result.public["eps"], result.public["T"]
        assert math.isclose(result.delta, math.exp(-eps * (threshold - 1)) / 2)
        assert result.measure == "epsilon" and result.verdict == "no violation found"

    def test_too_small_ones_are_found(self) -> None:
        given = {"eps": 1.0, "T": 2.0}
        pairs = [({"f": 1}, {"f": 0})]
        small = audit(
            thresholded_for_any_delta, pairs=pairs, given={**given, "delta": 0.05}, **QUICK
        )
        assert small.delta == 0.05 and small.verdict == "violation found"
        told = audit(thresholded, pairs=pairs, given=given, delta=0.05, **QUICK)
        assert told.delta == 0.05 and told.verdict == "violation found"

    def test_another_epsilon_at_its_own_delta(self) -> None:
        result = audit(thresholded, given={"eps": 1.0, "T": 2.0}, epsilon=3.0, **QUICK)
        assert result.claim == 3.0 and math.isclose(result.delta, math.exp(-1) / 2)

    def test_one_that_is_none(self) -> None:
        with pytest.raises(BadInput, match=r"its δ, .*, is not in \[0, 1\) for .*'T': 0"):
            audit(thresholded, pairs=[({"f": 1}, {"f": 0})], given={"eps": 1.0, "T": 0.0}, **QUICK)


class TestRhos:
    @pytest.mark.parametrize(
        ("target", "verdict"),
        [(gaussian, "no violation found"), (gaussian_for_half, "violation found")],
    )
    def test_its_own(self, target: Mechanism[..., Any], verdict: str) -> None:
        result = audit(target, **QUICK)
        assert result.measure == "rho" and result.verdict == verdict
        assert result.claim is not None and result.delta == 0

    def test_a_bound_on_epsilon_at_a_delta(self) -> None:
        """A ρ is no ε, so that nothing is claimed."""
        result = audit(gaussian, given={"rho": 0.5, "sigma": 1.0}, delta=1e-3, **QUICK)
        assert result.claim is None and result.measure == "epsilon" and result.delta == 1e-3
        assert result.lower_bound > 0.5
