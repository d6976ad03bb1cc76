"""A ratio against what is allowed: exact where both are, and right to the last digit elsewhere."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb, ctx

from shiftproof.checkers.exact.numbers import Enclosure
from shiftproof.checkers.refuting.ratios import power_of, ratio_of, rounded, rounded_apart


def exactly(value: Fraction | int) -> Enclosure:
    return Enclosure(Fraction(value), Fraction(value))


def nats(of: Fraction | int, bits: int = 128) -> Enclosure:
    """A multiple of ln 2, as a budget is enclosed."""
    with ctx.workprec(bits):
        return Enclosure.of(arb(of.numerator) / of.denominator * arb.const_log2())


def said(ratio: Fraction | int, of: Enclosure, *, breaks: bool = True) -> str:
    return str(ratio_of(exactly(ratio), exactly(1), of, breaks=breaks, attains=False))


def test_powers_of_two_are_exact() -> None:
    assert said(4, nats(1)) == "4 > e^ε = 2"
    assert said(Fraction(13, 6), nats(1)) == "13/6 > e^ε = 2"
    assert said(32, nats(4)) == "32 > e^ε = 16"
    assert said(1, nats(-1)) == "1 > e^ε = 1/2"
    assert said(2, exactly(0)) == "2 > e^ε = 1"


def test_others_are_rounded() -> None:
    assert said(2, exactly(Fraction(1, 2))) == "2 > e^ε ≈ 1.64872"
    assert said(2, nats(Fraction(1, 2))) == "2 > e^ε ≈ 1.41421"
    wide = Enclosure(Fraction(69, 100), Fraction(7, 10))  # holds ln 2, and is not known to be it
    assert said(4, wide) == "4 > e^ε ≈ 1.99372"


@pytest.mark.parametrize("bits", [20, 40, 80])
def test_what_is_near_a_power_of_two_is_no_power(bits: int) -> None:
    found = nats(1)
    near = Enclosure(found.low + Fraction(1, 2**bits), found.high + Fraction(1, 2**bits))
    assert power_of(found) == 2 and power_of(near) is None


def test_a_ratio_that_is_not_exact_is_rounded_with_what_it_is_compared_with() -> None:
    left = Enclosure(Fraction(math.e**2), Fraction(math.e**2) + Fraction(1, 10**9))
    found = ratio_of(left, exactly(1), exactly(Fraction(1, 2)), breaks=True, attains=False)
    assert str(found) == "7.38906 > e^ε ≈ 1.64872"
    assert not found.ratio_exact and not found.allowed_exact
    near = Enclosure(Fraction("2.0000000001"), Fraction("2.0000000002"))
    found = ratio_of(near, exactly(1), nats(1), breaks=True, attains=False)
    assert str(found) == "2.0000000001 > e^ε = 2"


def test_what_keeps_the_claim_is_said_to() -> None:
    assert said(4, nats(2), breaks=False) == "4 = e^ε = 4"
    assert said(3, nats(2), breaks=False) == "3 < e^ε = 4"
    e = Enclosure(Fraction(math.e), Fraction(math.e) + Fraction(1, 10**15))
    found = ratio_of(e, exactly(1), exactly(1), breaks=False, attains=True)
    assert str(found) == "2.71828 ≈ e^ε ≈ 2.71828"


def test_large_numbers_are_not_written_out() -> None:
    assert said(2**100, nats(90)) == "1.26765e30 > e^ε ≈ 1.23794e27"
    assert said(10**400, exactly(900)) == "1e400 > e^ε ≈ 7.32881e390"


@pytest.mark.parametrize(
    ("one", "two", "shown"),
    [
        ("1.3862943", "0.6931471", ("1.38629", "0.693147")),
        ("2.0000001", "2", ("2.0000001", "2")),
        ("1e-400", "1e400", ("1e-400", "1e400")),
        ("4", "2", ("4", "2")),
    ],
)
def test_numbers_have_the_digits_that_tell_them_apart(
    one: str, two: str, shown: tuple[str, str]
) -> None:
    assert rounded_apart(Fraction(one), Fraction(two)) == shown


def test_numbers_of_any_size_are_rounded() -> None:
    assert rounded(Fraction("1.2345678e-400")) == "1.23457e-400"
    assert rounded(Fraction(0)) == "0"
