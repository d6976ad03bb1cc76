"""Batches whose runs share their noise are refused, honest ones are not; sizes are not guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, CallableBox, audit
from shiftproof.checkers.auditing.boxes.boxes import checked
from shiftproof.checkers.auditing.boxes.callables import BATCHED, SINGLY
from shiftproof.checkers.auditing.boxes.independence import clustering, dependence
from shiftproof.checkers.auditing.samples import Sample

RNG = np.random.Generator


def in_pairs(x: float, rng: RNG, size: int) -> Any:
    return x + np.repeat(rng.laplace(size=(size + 1) // 2), 2)[:size]


def whole_batch(x: float, rng: RNG, size: int) -> Any:
    return x + np.broadcast_to(rng.laplace(size=1), (size,))


def tiled(x: float, rng: RNG, size: int) -> Any:
    return x + np.resize(rng.laplace(size=300), size)


def whole_numbers(x: int, rng: RNG, size: int) -> Any:
    return x + np.repeat(rng.geometric(0.4, size=(size + 3) // 4), 4)[:size]


def one_after_another(x: float, rng: RNG, size: int) -> Any:
    noise = rng.laplace(size=size + 1)
    return x + noise[1:] + noise[:-1] / 2


def a_vector_a_pair(x: float, rng: RNG, size: int) -> Any:
    return x + np.repeat(rng.laplace(size=((size + 1) // 2, 3)), 2, axis=0)[:size]


def tiled_once(x: int, rng: RNG, size: int) -> Any:
    return x + np.tile(rng.geometric(0.4, size=size // 2 + 1), 2)[:size]


def shuffled(x: float, rng: RNG, size: int) -> Any:
    return rng.permutation(x + np.repeat(rng.laplace(size=size // 8 + 1), 8)[:size])


def shuffled_numbers(x: int, rng: RNG, size: int) -> Any:
    return rng.permutation(x + np.repeat(rng.geometric(0.4, size=size // 8 + 1), 8)[:size])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (in_pairs, "pairs of runs that are 1 apart .* runs 1 and 2 both put out"),
        (whole_batch, "all 4096 of a block are equal, and blocks differ"),
        (tiled, "300 apart .* runs 1 and 301 both put out"),
        (whole_numbers, "1 apart"),
        (one_after_another, "rise and fall with those of the run before"),
        (a_vector_a_pair, "runs 1 and 2 both put out"),
        (tiled_once, "2049 apart"),
        (shuffled, r"of 20\d\d outputs that came again 20\d\d did so in the same block"),
        (shuffled_numbers, "more often in one block than in another"),
    ],
)
def test_shared_noise_is_refused(function: Callable[..., Any], said: str) -> None:
    with pytest.raises(BadInput, match=f"its runs are not independent on 3: .*{said}"):
        audit(function, pairs=[(3, 4)], samples=20_000, seed=1)


HONEST: dict[str, Callable[[RNG, int], Any]] = {
    "floats": lambda rng, n: rng.normal(size=n),
    "geometric": lambda rng, n: rng.geometric(0.5, size=n),
    "coin": lambda rng, n: rng.random(n) < 0.3,
    "rare": lambda rng, n: rng.random(n) < 0.002,
    "few": lambda rng, n: rng.integers(3, size=n),
    "vectors": lambda rng, n: rng.integers(2, size=(n, 3)),
    "cauchy": lambda rng, n: rng.standard_cauchy(size=n),
    "floats or none": lambda rng, n: np.where(rng.random(n) < 0.5, rng.normal(size=n), 0.0),
}


@pytest.mark.parametrize("kind", HONEST)
def test_independent_runs_are_not(kind: str) -> None:
    rng = np.random.default_rng(7)
    for n in (2, 5, 64, 256, 4096):
        for _ in range(40 if n < 4096 else 8):
            some = [Sample.of_array(np.asarray(HONEST[kind](rng, n))) for _ in range(4)]
            assert dependence(some[0]) == clustering(some[:2]) == clustering(some) == ""


def test_two_rare_numbers_after_another_say_nothing() -> None:
    """One of 500 such samples has them, at .001 in a thousand runs."""
    assert dependence(Sample.of_array(np.array([0] * 500 + [1, 1] + [0] * 498))) == ""


def test_equal_runs_say_nothing() -> None:
    assert dependence(Sample.of_array(np.ones(500))) == ""
    assert dependence(Sample.of_array(np.ones(1))) == ""


def with_a_default(x: float, rng: RNG, n: int = 20) -> Any:
    return [x + rng.laplace() for _ in range(n)]


def without(x: float, rng: RNG, n: int) -> Any:
    return x + rng.laplace(size=n)


def by_another_name(x: float, rng: RNG, draws: int = 5) -> Any:
    return x + rng.laplace(size=draws)


def test_a_parameter_with_a_default_is_no_batch() -> None:
    """``n`` may be how many bins there are; only who asks for it gets a batch."""
    assert CallableBox(with_a_default).block == SINGLY
    assert CallableBox(with_a_default, batched=True).block == BATCHED
    assert CallableBox(without).batch == "n" and CallableBox(without).block == BATCHED
    assert CallableBox(without, batched=False).batch == ""
    assert CallableBox(by_another_name).batch == ""
    assert CallableBox(by_another_name, batched="draws").batch == "draws"


def test_a_batch_is_told() -> None:
    assert checked(CallableBox(without), [3.0], 5) == [
        "without makes many runs at a time: its parameter 'n' says how many."
    ]


def test_what_is_no_batch() -> None:
    for name in ("size", "x"):  # the input is no size
        with pytest.raises(BadInput, match=f"takes no '{name}' beside its input"):
            CallableBox(with_a_default, batched=name)


def falling_floats(f: tuple[float, ...], rng: RNG, size: int) -> Any:
    return (np.array(f) + rng.laplace(scale=2, size=(size, len(f)))).max(axis=1)


def test_what_was_not_decided_is_said() -> None:
    """The lattice of floats ends an audit of the code; the ideal mechanism is another matter."""
    fine = audit(without, epsilon=1.0, relation="number", samples=100_000, seed=1)
    assert fine.verdict == "violation found"
    assert fine.ideal.verdict == "not decided" and "not decided" in str(fine)
    on = audit(without, epsilon=1.0, relation="number", samples=100_000, seed=1, stop=False)
    assert on.ideal.verdict == "no violation found"
    both = audit(falling_floats, epsilon=0.5, relation="all:3", samples=400_000, seed=1, stop=False)
    assert both.ideal.verdict == both.verdict == "violation found"


def test_printed_it_is_what_the_command_prints() -> None:
    found = audit(without, epsilon=1.0, relation="number", samples=20_000, seed=1)
    assert "is seen at best from ε" in str(found) and "Audit(" not in str(found)
