"""Typical mistakes in plain NumPy: noise of the wrong size, or that is no noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.box import EPSILON, NOTHING, REFUSED, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import (
    FLOATS,
    INTEGERS,
    MOVED,
    ONE_MORE,
    RECORDS_MORE,
    answers,
)

LIBRARY = Library("numpy")
MANY = 400_000


@LIBRARY.box(FLOATS, ideal=VIOLATION, why="the scale is ε, so the true ε is 1/ε = 2")
def wrong_scale(x: float, rng: np.random.Generator, size: int) -> Any:
    """Laplace noise whose scale is ε and not 1/ε."""
    return x + rng.laplace(scale=EPSILON, size=size)


@LIBRARY.box(
    both_ways(((3.0, 10.0), (3.0,))), ideal=VIOLATION,
    why="a record is up to 10, and the noise is made for 1: the true ε is 5",
)  # fmt: skip
def wrong_sensitivity(records: Any, rng: np.random.Generator, size: int) -> Any:
    """A sum of records up to 10, with noise as for a count."""
    return np.sum(records) + rng.laplace(scale=1 / EPSILON, size=size)


@LIBRARY.box(FLOATS, ideal=VIOLATION, why="normal noise keeps no ε without δ: tails tell")
def wrong_law(x: float, rng: np.random.Generator, size: int) -> Any:
    """Normal noise with standard deviation 1/ε."""
    return x + rng.normal(scale=1 / EPSILON, size=size)


@LIBRARY.box(FLOATS, ideal=VIOLATION, why="what is below 1 never comes of 1")
def wrong_one_sided(x: float, rng: np.random.Generator, size: int) -> Any:
    """Exponential noise, which is never negative, on an answer that may rise and fall."""
    return x + rng.exponential(scale=1 / EPSILON, size=size)


@LIBRARY.box(FLOATS, ideal=VIOLATION, why="4 can come of 1 and not of 0")
def wrong_clipped_noise(x: float, rng: np.random.Generator, size: int) -> Any:
    """Noise that is kept between -3 and 3, so that answers stay useful."""
    return x + np.clip(rng.laplace(scale=1 / EPSILON, size=size), -3, 3)


@LIBRARY.box(
    FLOATS, ideal=VIOLATION, samples=MANY,
    why="to draw until it fits divides by P(fits), which moves too: ε + 0.33",
)  # fmt: skip
def wrong_drawn_again(x: float, rng: np.random.Generator) -> float:
    """Noise is drawn again until the answer is not negative."""
    while True:
        noisy = x + rng.laplace(scale=1 / EPSILON)
        if noisy >= 0:
            return noisy


@LIBRARY.box(
    INTEGERS, ideal=VIOLATION,
    why="towards 0 two units of noise fall on one number: P(0) / P(-1) is 3.3 and not e^ε",
)  # fmt: skip
def wrong_truncated_noise(count: int, rng: np.random.Generator, size: int) -> Any:
    """Noise that is made whole by cutting its digits off."""
    return count + rng.laplace(scale=1 / EPSILON, size=size).astype(int)


@LIBRARY.box(INTEGERS, ideal=VIOLATION, why="0 never comes of a count of 1")
def wrong_geometric(count: int, rng: np.random.Generator, size: int) -> Any:
    """Geometric noise of one side."""
    return count + rng.geometric(-np.expm1(-EPSILON), size=size) - 1


@LIBRARY.box(
    FLOATS, ideal=REFUSED, why="every batch of runs has the same noise: runs are not independent"
)
def wrong_seed_of_batches(x: float, size: int) -> Any:
    """A fixed seed, left in from a test; many runs at a time."""
    np.random.seed(0)
    return x + np.random.laplace(scale=1 / EPSILON, size=size)


@LIBRARY.box(FLOATS, ideal=VIOLATION, why="each input has one output, which tells it")
def wrong_seed(x: float) -> float:
    """A fixed seed, left in from a test."""
    np.random.seed(0)
    return float(x + np.random.laplace(scale=1 / EPSILON))


@LIBRARY.box(FLOATS, ideal=REFUSED, why="all runs of a batch share one noise")
def wrong_one_noise(x: float, rng: np.random.Generator, size: int) -> Any:
    """Where size=size was forgotten, one noise is added to all."""
    return np.full(size, x) + rng.laplace(scale=1 / EPSILON)


@LIBRARY.box(
    both_ways(((1.0, 0.0), (2.0, 0.0))), ideal=VIOLATION,
    why="the difference of the two answers has no noise at all",
)  # fmt: skip
def wrong_reused_noise(values: Any, rng: np.random.Generator, size: int) -> Any:
    """Two answers with the same noise."""
    return values + rng.laplace(scale=1 / EPSILON, size=(size, 1))


@LIBRARY.box(
    answers("all:2"), ideal=VIOLATION, why="two answers with ε each cost 2 ε where both move"
)
def wrong_budget(values: Any, rng: np.random.Generator, size: int) -> Any:
    """Two answers, each with all of the budget."""
    return values + rng.laplace(scale=1 / EPSILON, size=(size, 2))


@LIBRARY.box(MOVED, ideal=VIOLATION, samples=MANY, why="two counts move: the true ε is 2 ε")
def wrong_neighbours(counts: Any, rng: np.random.Generator, size: int) -> Any:
    """A histogram of records that are replaced, with noise as for one that is added."""
    shape = (size, len(counts))
    one, other = (rng.geometric(-np.expm1(-EPSILON), size=shape) for _ in range(2))
    return counts + one - other


@LIBRARY.box(
    RECORDS_MORE, ideal=VIOLATION, samples=MANY,
    why="one record more makes the noise smaller, and twice as likely to be near 0",
)  # fmt: skip
def wrong_size_of_data(records: Any, rng: np.random.Generator, size: int) -> Any:
    """A mean with noise of its own number of records, which is no secret only if it is fixed."""
    return np.mean(records) + rng.laplace(scale=1 / len(records) / EPSILON, size=size)


@LIBRARY.box(
    both_ways(((0.4,), (0.6,))), ideal=VIOLATION,
    why="0.4 and 0.6 are rounded to 0 and 1, five times as far apart as the noise is made for",
)  # fmt: skip
def wrong_rounded_before(x: float, rng: np.random.Generator, size: int) -> Any:
    """A number that moves by 0.2, rounded before noise is added."""
    return np.rint(x) + rng.laplace(scale=0.2 / EPSILON, size=size)


@LIBRARY.box(
    ONE_MORE, ideal=NOTHING, code=VIOLATION, samples=MANY,
    why="counts of 3 and 4 with Laplace noise: behind the same digits one has a bit more",
)  # fmt: skip
def floats_of_histogram(counts: Any, rng: np.random.Generator, size: int) -> Any:
    """Counts with Laplace noise, not rounded."""
    return counts + rng.laplace(scale=1 / EPSILON, size=(size, len(counts)))
