"""How numbers were rounded is no event of the ideal mechanism, in whatever type they came."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shiftproof import audit
from shiftproof.checkers.auditing.boxes.packing import packed
from shiftproof.checkers.auditing.events import Event, View
from shiftproof.checkers.auditing.samples import DOUBLE, HALF, SINGLE, Sample
from shiftproof.checkers.auditing.scoring.cells import SHIFTS, Cells, cells_of
from shiftproof.checkers.auditing.scoring.features import Feature, Vocabulary
from shiftproof.checkers.auditing.scoring.scores import Tail

EPS = 0.7
#: Payments, to which one of 0.7 may come.
PAID = [round(float(v), 1) for v in np.random.default_rng(7).uniform(0, 1e8, 30)]

Function = Callable[..., Any]


def steps(rng: np.random.Generator, epsilon: float, size: int) -> Any:
    """Two-sided geometric noise."""
    p = 1 - math.exp(-epsilon)
    return rng.geometric(p, size) - rng.geometric(p, size)


def singles(x: float, rng: np.random.Generator, size: int) -> Any:
    return np.float32(x) + np.float32(0.1) * steps(rng, EPS / 10, size).astype(np.float32)


def singles_as_doubles(x: float, rng: np.random.Generator, size: int) -> Any:
    return singles(x, rng, size).tolist()


def thirds(x: float, rng: np.random.Generator, size: int) -> Any:
    return np.float32(x) + np.float32(1 / 3) * steps(rng, EPS / 3, size).astype(np.float32)


def rounded(x: float, rng: np.random.Generator, size: int) -> Any:
    return np.float32(x) + np.round(rng.laplace(scale=1 / EPS, size=size), 1).astype(np.float32)


def halves(x: float, rng: np.random.Generator, size: int) -> Any:
    return np.float16(x) + np.round(rng.laplace(scale=1 / EPS, size=size), 1).astype(np.float16)


def large(x: float, rng: np.random.Generator, size: int) -> Any:
    y = np.full(size, 1e8 / 3)
    for _ in range(7):
        y = y + x / 7
    return y + 1e8 / 3 + 1e8 / 3 + 0.1 * steps(rng, EPS / 10, size)


def payments(x: float, rng: np.random.Generator, size: int) -> Any:
    more = [0.7] if x > 1 else []
    return sum([*PAID[:10], *more, *PAID[10:]]) + 0.1 * steps(rng, EPS / 10, size)


def half_units(x: float, rng: np.random.Generator, size: int) -> Any:
    return 0.25 + 1e8 * (x + 0.1 * steps(rng, EPS / 10, size))


LATTICES = (
    singles, singles_as_doubles, thirds, rounded, halves, large, payments, half_units,
)  # fmt: skip


@pytest.mark.parametrize("function", LATTICES)
def test_what_keeps_epsilon_but_for_rounding(function: Function) -> None:
    for seed in (12, 1, 2):
        found = audit(
            function, epsilon=EPS, relation="number", samples=50_000, seed=seed, judge="ideal"
        )
        assert found.verdict == "no violation found", (seed, found.tested[0])


@pytest.mark.parametrize("function", [f for f in LATTICES if f not in (halves, payments)])
def test_what_breaks_epsilon_is_still_found(function: Function) -> None:
    found = audit(
        function, epsilon=EPS / 2, relation="number", samples=100_000, seed=1, judge="ideal"
    )
    assert found.verdict == "violation found"


@pytest.mark.parametrize("scale", [5e-324, 1e-312, 1e-306, 1e-300, 1e300, 1.5e308])
def test_the_smallest_and_the_largest_numbers(scale: float) -> None:
    def scaled(x: float, rng: np.random.Generator, size: int) -> Any:
        with np.errstate(over="ignore"):
            return (int(x) + steps(rng, EPS, size)) * scale

    for seed in (1, 2):
        found = audit(scaled, epsilon=EPS, relation="number", samples=60_000, seed=seed)
        assert found.verdict == "no violation found"


@pytest.mark.parametrize(
    ("outputs", "digits"),
    [
        ([0.1, 0.2], DOUBLE),
        ([1, 2], DOUBLE),
        (np.zeros(3, np.float32), SINGLE),
        (np.zeros((3, 2), np.float16), HALF),
        ([np.float32(0.1), np.float32(0.2)], SINGLE),
        ([np.float32(0.1), "text"], SINGLE),
        ([(1, np.float32(0.1)), (2, np.float32(0.1))], SINGLE),
        ([np.array([0.5], np.float16), np.array([0.5], np.float16)], HALF),
        ([np.array(0.5, np.float32), None], SINGLE),
        ([np.complex64(1j), None], SINGLE),
        ([{"a": np.float32(1)}, {"a": 1.0}], SINGLE),
    ],
)
def test_types_are_kept_in_mind(outputs: Any, digits: int) -> None:
    sample = packed(outputs)
    assert sample.digits == sample.part(0, 1).digits == digits
    assert Sample.joined([sample, packed([0.5])]).digits == digits


def of(values: Any) -> Sample:
    return packed(np.asarray(values))


def bits(values: Any) -> Any:
    return np.asarray(values, np.float64).view(np.int64)


def test_cells_are_wider_than_two_tolerances() -> None:
    """However large a number is, and wherever cells end, it is in one of two neighbours."""
    rng = np.random.default_rng(1)
    values = bits(rng.standard_cauchy(20_000) * 10.0 ** rng.integers(-12, 12, 20_000))
    for shift in SHIFTS:
        cells = Cells(2.0**-6, 1 / 16, 2, shift)
        low, middle, high = (
            cells.rounded(cells.moved(values, sign)).view(np.float64) for sign in (-1, 0, 1)
        )
        assert (low <= middle).all()
        assert (middle <= high).all()
        assert ((low == middle) | (middle == high)).all()
        sure = ~cells.unsure(values)
        assert (low == high)[sure].all()
        assert 0.05 < 1 - sure.mean() < 0.2


def test_the_tolerance_is_that_of_the_type_and_of_the_largest_number() -> None:
    noise = np.random.default_rng(2).normal(size=4000)
    tolerance = [
        cells_of(sample)[0].step * cells_of(sample)[0].reach
        for sample in (of(noise), of(1e9 + noise), of(noise.astype(np.float32)))
    ]
    assert tolerance[0] < 1e-12
    assert tolerance[1] >= 256 * np.spacing(1e9)
    assert tolerance[2] >= 16 * float(np.spacing(np.float32(1)))
    beside = cells_of(of(np.column_stack([noise, 1e9 + noise])))[0]
    assert beside.step * beside.reach >= 8 * np.spacing(1e9)


def test_cells_do_not_end_where_numbers_are() -> None:
    values = np.random.default_rng(3).integers(-40, 40, 4000) * 1e7 + 0.125
    (cells,) = cells_of(of(values))
    assert cells.shift
    assert not cells.unsure(bits(values)).any()


def test_what_may_be_another_number_counts_for_neither_side() -> None:
    noise = np.random.default_rng(4).normal(size=4000)
    vocabulary = Vocabulary.of(of(np.column_stack([noise, noise])))
    (cells, _), width = vocabulary.cells, vocabulary.cells[0].step
    end = (0.5 + cells.shift) * width
    event = Event(vocabulary, Tail(Feature("value"), 1), float(np.rint(end / width + 0.01) * width))
    near = end * (1 + 1e-15 * np.array([-1.0, 1.0]))
    values = np.array([end - width, *near, end + width])
    view = View(vocabulary.read(of(np.column_stack([values, values]))))
    assert view.inside(event, left=True).tolist() == [False, False, False, True]
    assert view.inside(event, left=False).tolist() == [False, True, True, True]
