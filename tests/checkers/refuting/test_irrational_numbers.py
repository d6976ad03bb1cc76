"""Thresholds and widths with roots and logarithms: what is too small falls, and no more."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from shiftproof import Comparison, comparison_from_json, recompute, refute
from shiftproof.checkers.exact.irrational import (
    Irrational,
    ball,
    ends,
    exp_of,
    log_of,
    root_of,
    sign,
)
from tests.dsl.making import made

NORMAL = """
@mechanism(DP(delta="delta"){})
def m(x: Count, eps: Epsilon, delta: Delta) -> float:
    noise = sample(Gaussian({}))
    return x + noise
"""
CELLS = """
@mechanism(DP("add-remove", delta="delta"))
def m(f: Histogram, delta: Delta, eps: Epsilon) -> Iterator[float | None]:
    threshold = {}
    for count in f:
        noise = sample({})
        if count > 0 and count + noise > threshold:
            yield count + noise
        else:
            yield None
"""
ANALYTIC = (
    "(math.sqrt(math.log(1 / delta)) + math.sqrt(math.log(1 / delta) + eps)) / (math.sqrt(2) * eps)"
)


def tail(x: float) -> float:
    return math.erfc(x / math.sqrt(2)) / 2


def of_normal(sigma: float, eps: float) -> float:
    """The δ that normal noise needs beside an ε, of a sensitivity of 1."""
    return tail(eps * sigma - 1 / (2 * sigma)) - math.exp(eps) * tail(eps * sigma + 1 / (2 * sigma))


def _public(found: Comparison) -> tuple[float, float]:
    return float(Fraction(found.epsilon["eps"])), float(Fraction(found.public["delta"]))


def _classical(found: Comparison) -> float:
    eps, delta = _public(found)
    return of_normal(math.sqrt(2 * math.log(1.25 / delta)) / eps, eps)


def _half(found: Comparison) -> float:
    eps, delta = _public(found)
    return of_normal(math.sqrt(math.log(1.25 / delta)) / eps, eps)


def _shown(found: Comparison) -> float:
    """How likely one cell of one record is shown beyond log(1 / (2 delta)) / eps."""
    eps, delta = _public(found)
    over = math.log(1 / (2 * delta)) / eps - 1
    return math.exp(-eps * over) / 2 if over > 0 else 1 - math.exp(eps * over) / 2


#: What is claimed, what is right in it, what is wrong, and the δ that what is found needs.
KINDS: dict[str, tuple[str, str, str, Callable[[Comparison], float] | None]] = {
    "the classical width where ε is large": (
        NORMAL.replace("{}", "", 1), ANALYTIC, "math.sqrt(2 * math.log(1.25 / delta)) / eps",
        _classical,
    ),
    "a root without its 2": (
        NORMAL.replace("{}", "", 1), ANALYTIC, "math.sqrt(math.log(1.25 / delta)) / eps", _half,
    ),
    "a variance for a deviation": (
        NORMAL.replace("{}", "", 1), ANALYTIC, "math.sqrt(2 * math.log(1.25 / delta) / eps)", None,
    ),
    "a threshold that is one too low": (
        CELLS.replace("sample({})", "sample(Laplace(1 / eps))"),
        "1 + math.log(1 / (2 * delta)) / eps", "math.log(1 / (2 * delta)) / eps", _shown,
    ),
    "Laplace noise of a width with a root": (
        CELLS.replace("= {}", "= 1 + math.log(1 / (2 * delta)) / eps", 1),
        "Laplace(1 / eps)", "Laplace(1 / (math.sqrt(2) * eps))", None,
    ),
    "a root in what noise is multiplied by": (
        """
@mechanism(DP(delta=1e-6), budget=1)
def m(x: Count) -> float:
    noise = sample(Gaussian(1.0))
    return x + math.sqrt({} * math.log(1e6)) * noise
""",
        "4", "1", None,
    ),
    "two widths whose ratio is no fraction": (
        """
@mechanism(DP(delta=0.001), budget=1)
def m(f: Count, g: Count) -> bool:
    lift = sample(Laplace(0.5))
    noise = sample(Laplace({}))
    return f - g + noise >= lift
""",
        "4 * math.sqrt(2)", "math.sqrt(2) / 4", None,
    ),
    "integers above a threshold": (
        """
@mechanism(DP("add-remove", delta="delta"))
def m(q: Count, delta: Delta, eps: Epsilon) -> int | None:
    noise = sample(TwoSidedGeometric(1 / eps))
    if q > 0 and q + noise >= {} + math.log(1 / delta) / eps:
        return q + noise
    return None
""",
        "1", "0", None,
    ),
    "a sum over many answers": (
        """
@mechanism(ZCDP())
def m(f: Counts, rho: Rho) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(len(f)):
        noise = sample(Gaussian({} / math.sqrt(2 * rho)))
        yield f[i] + noise
""",
        "math.sqrt(len(f))", "math.sqrt(math.sqrt(len(f)))", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_too_small_falls(kind: str) -> None:
    text, _, wrong, needed = KINDS[kind]
    mechanism = made(text.replace("{}", wrong))
    found = refute(mechanism, effort=6_000)
    assert found is not None and found.breaks
    again = recompute(comparison_from_json(found.as_json()), mechanism)
    assert again == found
    assert found.log_ratio is not None
    if needed is not None:
        assert float(found.log_ratio.enclosure.low) == pytest.approx(needed(found), rel=1e-9)


@pytest.mark.parametrize(
    "text", dict.fromkeys(text.replace("{}", right) for text, right, _, _ in KINDS.values())
)
def test_what_is_right_does_not(text: str) -> None:
    assert refute(made(text), effort=1_500) is None


@pytest.mark.parametrize(("eps", "delta"), [(0.5, 0.25), (1.0, 0.001), (6.0, 1e-5), (1.0, 1e-60)])
def test_normal_noise_falls_from_the_least_width_on(eps: float, delta: float) -> None:
    """The least width, found by halving in floats: less falls, and more does not."""
    low, high = 1e-3, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if of_normal(middle, eps) > delta else (low, middle)
    text = """
@mechanism(DP(delta={}), budget={})
def m(x: Count) -> float:
    noise = sample(Gaussian({}))
    return x + noise
"""
    right, wrong = (made(text.format(delta, eps, low * by)) for by in (1.001, 0.999))
    assert refute(right, effort=300) is None
    found = refute(wrong, effort=300)
    assert found is not None and found.breaks


# The numbers themselves.

TWO, FIVE = root_of(2), log_of(5)


def test_what_cancels_is_rational() -> None:
    assert root_of(8) * TWO == 4 and root_of(8) / TWO == 2
    assert 1 / TWO == TWO / 2 and root_of(6) - TWO * root_of(3) == 0
    assert log_of(25) / FIVE == 2 and log_of(Fraction(1, 5)) + FIVE == 0
    assert exp_of(-2 * FIVE) == Fraction(1, 25) and log_of(exp_of(FIVE / 2)) == FIVE / 2
    assert root_of(2 * FIVE) * root_of(8 * FIVE) == 4 * FIVE
    assert all(isinstance(x, Fraction | int) for x in (TWO * TWO, FIVE - FIVE, root_of(9)))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (TWO - FIVE, math.sqrt(2) - math.log(5)),
        (root_of(FIVE + 1) / (1 - TWO), math.sqrt(math.log(5) + 1) / (1 - math.sqrt(2))),
        (exp_of(TWO) * 3 - FIVE, 3 * math.exp(math.sqrt(2)) - math.log(5)),
    ],
)
def test_numbers_lie_where_they_should(number: Fraction, expected: float) -> None:
    assert isinstance(number, Irrational)
    low, high = ends(number)
    assert low < number < high and float(ball(number).mid()) == pytest.approx(expected, rel=1e-12)
    assert sign(number) == math.copysign(1, expected)
    assert math.floor(number) == math.floor(expected) and round(number) == round(expected)
    assert math.ceil(number) == math.ceil(expected) and math.trunc(number) == math.trunc(expected)
