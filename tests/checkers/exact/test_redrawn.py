"""Loops that draw again until it fits: each likelihood is that of a geometric series."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import LimitReached, Verdict, likelihood, verify
from shiftproof.checkers.exact.repeats import Repeats
from tests.programs.checkers import redrawn_mechanisms as redrawn


def of(mechanism: Any, outcome: tuple[Any, ...], **inputs: Any) -> Fraction:
    found = likelihood(mechanism, outcome, **inputs).value
    assert found.exact
    return Fraction(found.low)


@pytest.mark.parametrize("f", [0, 1, 3])
@pytest.mark.parametrize("z", [0, 1, 2, 5])
def test_integers_not_below_zero(f: int, z: int) -> None:
    a = Fraction(1, 2)  # e^-eps
    weights = [a ** abs(k - f) for k in range(200)]
    tail = a ** (200 - f) / (1 - a)
    expected = a ** abs(z - f) / (sum(weights) + tail)
    assert of(redrawn.not_below_zero, (z,), f=f, eps="ln 2") == expected


def test_reals_within_a_range() -> None:
    found = likelihood(redrawn.within_four, (1.0,), f=2, eps=1).value
    inside = 1 - math.exp(-2)
    assert math.isclose(float(found.low), math.exp(-1) / 2 / inside, rel_tol=1e-12)


def test_one_of_the_others() -> None:
    assert of(redrawn.never_the_truth, (0,), x=1, eps="ln 2") == Fraction(1, 3)
    assert of(redrawn.never_the_truth, (1,), x=1, eps="ln 2") == 0


def test_a_loop_in_a_loop() -> None:
    assert of(redrawn.one_in_three, (0,), x=0) == Fraction(1, 2) + Fraction(1, 6)
    assert of(redrawn.one_in_three, (2,), x=0) == Fraction(1, 6)


def test_a_round_that_releases_is_one_of_its_own() -> None:
    assert of(redrawn.answers_until_tails, (True,) * 3, f=1, eps=1) == Fraction(1, 8)


def test_rounds_that_ask_of_earlier_noise_are_not_summed() -> None:
    with pytest.raises(LimitReached):
        likelihood(redrawn.above_a_noisy_limit, (1.0,), f=0, eps=1)


def test_the_sum_is_what_makes_it_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rounds that come back, one round is all that counts."""
    monkeypatch.setattr(Repeats, "of", lambda *_: ())
    assert of(redrawn.never_the_truth, (0,), x=1, eps="ln 2") != Fraction(1, 3)


@pytest.mark.parametrize(
    "name", ["not_below_zero", "within_four", "never_the_truth", "one_in_three"]
)
def test_it_is_refuted(name: str) -> None:
    assert verify(getattr(redrawn, name)).verdict is Verdict.REFUTED


def test_an_int_and_a_float_are_two_values() -> None:
    assert of(redrawn.an_int_or_a_float, (1,), f=1, eps=1) == Fraction(3, 4)
    assert of(redrawn.an_int_or_a_float, (Fraction(1),), f=1, eps=1) == Fraction(1, 4)
