"""A δ that is a number is decided to its last digit: e to a number is enclosed by two others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import pytest

from shiftproof import Mechanism, verify
from shiftproof.checkers.kernel.arithmetic import Condition, constant
from shiftproof.checkers.kernel.paired.powers import (
    MOST_ENCLOSED,
    MOST_POWER,
    Registry,
    exponential,
)
from tests.programs.checkers import numeric_deltas as programs


@pytest.mark.parametrize(
    "mechanism", [programs.a_round_number, programs.a_little_more, programs.a_little_less]
)
def test_as_expected(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.as_expected, report


class Facts:
    """Who asks for powers of e, and keeps what it is told."""

    def __init__(self) -> None:
        self.unknowns = Registry()
        self.told: list[Condition] = []

    def define(self, fact: Condition) -> None:
        self.told.append(fact)

    def is_unit(self, name: str) -> bool:
        return False


@pytest.mark.parametrize(
    "power",
    [1, -1, Fraction(1, 7), Fraction(-27, 4), 14, -40, -MOST_POWER, MOST_ENCLOSED, -MOST_ENCLOSED],
)
def test_what_is_told_is_true(power: Fraction | int) -> None:
    """Each fact of the product is one of a number between which e^power lies, closely."""
    facts = Facts()
    ((product, multiple),) = exponential(facts, constant(power))
    assert multiple == 1
    with flint.ctx.workprec(400):
        exact = flint.arb(flint.fmpq(Fraction(power).numerator, Fraction(power).denominator)).exp()
        ends = []
        for fact in facts.told:
            if fact[0] == ">=" and (found := dict(fact[1])).keys() == {(), product}:
                end = Fraction(found[()]) / -found[product]
                ends.append(end)
                ratio = exact / flint.arb(flint.fmpq(end.numerator, end.denominator))
                assert ratio >= 1 if found[product] > 0 else ratio <= 1
                assert abs(ratio - 1) < 1e-14
        assert len(ends) == 2


def test_large_ones_are_not_told() -> None:
    facts = Facts()
    exponential(facts, constant(MOST_ENCLOSED + 1))
    assert not any(fact[0] == ">=" for fact in facts.told)
