"""The auditor raises no alarm over rounding, misses no rare leak, and says what it cannot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shiftproof import AnswerSpace, BadInput, audit, audit_one_sided
from tests.sampling import every

Columns = Callable[[Any], list[Any]]


def laplace_as(columns: Columns) -> Callable[..., Any]:
    """Made of one Laplace number at ε = 0.5, and of nothing else."""

    def function(x: float, rng: np.random.Generator, size: int) -> Any:
        return np.stack(columns(x + rng.laplace(scale=2.0, size=size)), axis=1)

    return function


@pytest.mark.parametrize(
    "columns",
    [
        lambda y: [y, 1 - y],
        lambda y: [y, y / 3 * 3],
        lambda y: [y, y + 0.1],
        lambda y: [y, 3 * y - 2 * y, (y + 0.1) - 0.1],
        lambda y: [y, (y + 0.1) - 0.1 - y],
        lambda y: [y, 0.1 * np.round(10 * y)],
    ],
)
def test_rounding_is_no_event_of_the_ideal_mechanism(columns: Columns) -> None:
    """How sums and differences are rounded depends on the last bits."""
    alarms = 0
    for seed in range(3):
        result = audit(
            laplace_as(columns), epsilon=0.5, pairs=[(0.0, 1.0), (1.0, 0.0)], samples=10_000,
            judge="ideal", seed=seed,
        )  # fmt: skip
        alarms += result.verdict == "violation found"
    assert alarms == 0


def test_a_grid_that_floats_miss() -> None:
    """0.1 + 0.2 is 0.3 for the ideal mechanism."""

    def function(x: float, rng: np.random.Generator, size: int) -> Any:
        return x + 0.1 * (rng.geometric(0.3, size) - rng.geometric(0.3, size))

    loss = -10 * math.log(0.7)
    pairs = [(0.0, 1.0), (1.0, 0.0)]
    result = audit(function, epsilon=loss, pairs=pairs, samples=20_000, judge="ideal", seed=1)
    assert result.verdict == "no violation found"


def test_a_rare_leak_beside_a_signal_that_is_allowed() -> None:
    def function(x: int, rng: np.random.Generator, size: int) -> Any:
        noise = rng.geometric(0.22, size) - rng.geometric(0.22, size)
        return np.where(rng.random(size) < 0.003, 1000 + x, x + noise)

    result = audit(function, epsilon=0.6, pairs=[(0, 1), (1, 0)], samples=10**6, seed=2)
    assert result.verdict == "violation found"


def test_what_is_too_rare_to_be_chosen_is_not_promised() -> None:
    def function(x: int, rng: np.random.Generator, size: int) -> Any:
        return rng.integers(0, 2, size)

    result = audit(function, epsilon=0.6, pairs=[(0, 1)], samples=10**5, seed=2)
    promised = {v.probability for v in result.visible if v.epsilon is not None}
    assert 0.01 in promised and 1e-4 not in promised


@pytest.mark.parametrize(("places", "which"), every(3, [(30, 20), (512, 300), (600, 20)]))
def test_one_of_many_places(places: int, which: int) -> None:
    def function(x: int, rng: np.random.Generator, size: int) -> Any:
        bits = rng.integers(0, 2, (size, places))
        bits[:, which] = x
        return bits

    result = audit(function, epsilon=1.0, pairs=[(0, 1)], samples=20_000, seed=1)
    assert result.verdict == "violation found"
    assert any("600 places; only the first 512" in n for n in result.notes) == (places > 512)
    assert all(len(tested.event) < 1_000 for tested in result.tested)


def test_nothing_to_bet_on_is_said() -> None:
    def function(x: int, rng: np.random.Generator) -> str:
        return rng.bytes(20).hex()

    result = audit(function, epsilon=1.0, pairs=[(0, 1)], samples=4_000, seed=1)
    assert result.verdict == "no violation found"
    assert result.tested or any("no event to bet on" in note for note in result.notes)


@pytest.mark.parametrize("epsilon", [1e-4, 36.0, 50.0, 100.0])
def test_claims_at_the_ends(epsilon: float) -> None:
    def function(x: int, rng: np.random.Generator, size: int) -> Any:
        return rng.integers(0, 2, size)

    result = audit(function, epsilon=epsilon, pairs=[(0, 1)], samples=5_000, seed=1)
    assert result.verdict == "no violation found"


def test_long_arrays_that_differ_in_the_middle() -> None:
    def function(x: Any, rng: np.random.Generator, size: int) -> Any:
        return x[500] + rng.laplace(size=size)

    one, other = np.zeros(2000), np.zeros(2000)
    one[500] = 1
    result = audit(
        function, epsilon=0.5, pairs=[(one, other)], samples=50_000, judge="ideal", seed=1
    )
    assert result.verdict == "violation found"


def test_outputs_of_no_width() -> None:
    def function(x: int, rng: np.random.Generator, size: int) -> Any:
        return np.zeros((size, 0))

    assert audit(function, epsilon=1.0, pairs=[(0, 1)], samples=2_000, seed=1).lower_bound == 0


def test_few_runs_of_many_pairs() -> None:
    def function(x: Any, rng: np.random.Generator, size: int) -> Any:
        return rng.integers(0, 2, size)

    result = audit(function, epsilon=1.0, relation="all:5", samples=3_200, seed=1)
    assert result.verdict == "no violation found"


class Own:
    """Its noise is its own."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def __call__(self, x: int) -> int:
        return x + int(self.rng.geometric(0.4) - self.rng.geometric(0.4))


def test_noise_of_ones_own() -> None:
    result = audit(Own(), epsilon=1.0, pairs=[(0, 1)], samples=3_000)
    assert any("takes neither rng nor seed" in note for note in result.notes)


class TestOneSided:
    def test_an_input_that_is_changed(self) -> None:
        def appends(data: list[int]) -> bool:
            data.append(0)
            return len(data) == 2

        with pytest.raises(BadInput, match="changes its input"):
            audit_one_sided(appends, [[1]], wrong=lambda data, output: False, samples=100)

    def test_the_same_noise_in_every_batch(self) -> None:
        def fixed(x: int, size: int) -> Any:
            return np.random.default_rng(0).random(size) < 0.5

        with pytest.raises(BadInput, match="the same noise in every batch"):
            audit_one_sided(fixed, [1], wrong=lambda x, output: False, samples=1_000)

    def test_a_judge_that_is_none(self) -> None:
        with pytest.raises(BadInput, match="functions are needed"):
            audit_one_sided(lambda x: x, [1], wrong=3, samples=100)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(5, 30))
def test_what_breaks_the_ideal_breaks_the_code(seed: int) -> None:
    """The code keeps nothing that the ideal mechanism does not, as far as is known."""

    def clipped(records: Any, rng: np.random.Generator, size: int) -> Any:
        scale = 10 / len(records)
        return np.clip(np.mean(records) + rng.laplace(scale=scale, size=size), 0, 1)

    pairs = [((1.0, 1.0), (1.0,)), ((1.0,), (1.0, 1.0))]
    found = audit(clipped, pairs=pairs, epsilon=0.1, samples=10_000, confidence=0.999, seed=seed)
    assert found.code is not None
    assert found.ideal.verdict != "violation found" or found.code.verdict == "violation found"
    assert found.ideal.lower_bound <= found.code.lower_bound
    assert (found.ideal.p_value or 0) >= (found.code.p_value or 0)


def test_a_rare_label_beside_noise_is_found() -> None:
    """It looks like luck for long, and is not to lose its place to what is sure to be of no use."""

    def leaking(x: float, rng: np.random.Generator, size: int) -> Any:
        values = x + rng.laplace(scale=1 / 0.7, size=size)
        leaks = (rng.random(size) < 0.005) & (x > 1.5)
        return ["LEAK" if leak else float(v) for v, leak in zip(values, leaks, strict=True)]

    found = audit(leaking, epsilon=0.7, relation="number", samples=1_000_000, seed=3, judge="ideal")
    assert found.verdict == "violation found" and "LEAK" in found.tested[0].event


def test_a_label_that_few_inputs_of_a_space_have_is_found() -> None:
    def at_ninety(x: float, rng: np.random.Generator) -> Any:
        return x + rng.laplace(scale=1 / 0.7), "big" if x > 90 else "ok"

    space = AnswerSpace("number", 0, 100)
    for seed in (1, 2):
        found = audit(
            at_ninety, epsilon=0.7, space=space, samples=300_000, seed=seed, judge="ideal"
        )
        assert found.verdict == "violation found"
