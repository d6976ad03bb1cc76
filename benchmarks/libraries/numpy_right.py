"""Mechanisms in plain NumPy, as people write them when they get them right.

With Laplace noise even these keep ε in real numbers only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library
from benchmarks.libraries.relations import (
    AGAINST,
    BITS,
    CATEGORIES,
    FLOATS,
    INTEGERS,
    MOVED,
    ONE_MORE,
    RECORDS_REPLACED,
    SCORES,
    answers,
)

LIBRARY = Library("numpy")
MANY = 400_000
LATTICE = "the noise is exact, but its floats near 0 are finer than any that come of 1 + noise"


@LIBRARY.box(FLOATS, ideal=NOTHING, code=VIOLATION, why=LATTICE, samples=MANY)
def numpy_laplace(x: float, rng: np.random.Generator, size: int) -> Any:
    """A number with Laplace noise."""
    return x + rng.laplace(scale=1 / EPSILON, size=size)


@LIBRARY.box(
    FLOATS, ideal=NOTHING, code=VIOLATION, samples=MANY,
    why="32 bits are a coarser lattice still; an interval of them says nothing",
)  # fmt: skip
def numpy_laplace_float32(x: float, rng: np.random.Generator, size: int) -> Any:
    """The same in single precision."""
    noise = rng.laplace(scale=1 / EPSILON, size=size).astype(np.float32)
    return np.float32(x) + noise


@LIBRARY.box(
    FLOATS, ideal=NOTHING, code=VIOLATION, samples=MANY,
    why="a difference of two exponentials is Laplace noise, with a lattice of its own",
)  # fmt: skip
def numpy_two_exponentials(x: float, rng: np.random.Generator, size: int) -> Any:
    """Laplace noise as the difference of two exponential ones."""
    one, other = rng.exponential(scale=1 / EPSILON, size=(2, size))
    return x + one - other


@LIBRARY.box(
    INTEGERS, ideal=NOTHING, samples=MANY,
    why="what is rounded to whole numbers has no last bits, and a count is one already",
)  # fmt: skip
def numpy_rounded_count(count: int, rng: np.random.Generator, size: int) -> Any:
    """A count with Laplace noise, rounded."""
    return np.rint(count + rng.laplace(scale=1 / EPSILON, size=size)).astype(int)


@LIBRARY.box(
    INTEGERS, ideal=NOTHING, samples=MANY,
    why="to clamp what is released already is post-processing",
)  # fmt: skip
def numpy_clamped_count(count: int, rng: np.random.Generator, size: int) -> Any:
    """A rounded count that is never negative."""
    noisy = np.rint(count + rng.laplace(scale=1 / EPSILON, size=size))
    return np.maximum(noisy, 0).astype(int)


@LIBRARY.box(INTEGERS, ideal=NOTHING, samples=MANY, why="integers, whose law is exactly ε")
def numpy_geometric(count: int, rng: np.random.Generator, size: int) -> Any:
    """A count with the difference of two geometric numbers."""
    one, other = rng.geometric(-np.expm1(-EPSILON), size=(2, size))
    return count + one - other


@LIBRARY.box(BITS, ideal=NOTHING, samples=MANY, why="the odds of the truth are e^ε to 1")
def numpy_randomized_response(truth: bool, rng: np.random.Generator, size: int) -> Any:
    """A truth value, told with probability e^ε / (1 + e^ε)."""
    return (rng.random(size) < 1 / (1 + np.exp(-EPSILON))) == truth


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=MANY, why="the odds of each lie are e^ε")
def numpy_k_randomized_response(category: int, rng: np.random.Generator, size: int) -> Any:
    """One of four categories, or one of the others."""
    truth = rng.random(size) < np.exp(EPSILON) / (np.exp(EPSILON) + 3)
    return np.where(truth, category, (category + rng.integers(1, 4, size)) % 4)


@LIBRARY.box(CATEGORIES, ideal=NOTHING, samples=MANY, why="two bits differ, each owes ε / 2")
def numpy_unary_encoding(category: int, rng: np.random.Generator, size: int) -> Any:
    """A category as bits, each of which is flipped."""
    flipped = rng.random((size, 4)) > 1 / (1 + np.exp(-EPSILON / 2))
    return flipped ^ (np.arange(4) == category)


@LIBRARY.box(
    RECORDS_REPLACED, ideal=NOTHING, code=VIOLATION, samples=MANY,
    why="the sensitivity of a mean of three is 1/3; its floats are a lattice",
)  # fmt: skip
def numpy_mean(records: Any, rng: np.random.Generator, size: int) -> Any:
    """The mean of records between 0 and 1, whose number is public."""
    return np.mean(records) + rng.laplace(scale=1 / len(records) / EPSILON, size=size)


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=MANY, why="one record moves one count by 1")
def numpy_histogram(counts: Any, rng: np.random.Generator, size: int) -> Any:
    """A histogram of records that may be added or removed."""
    shape = (size, len(counts))
    one, other = (rng.geometric(-np.expm1(-EPSILON), size=shape) for _ in range(2))
    return counts + one - other


@LIBRARY.box(MOVED, ideal=NOTHING, samples=MANY, why="two counts move by 1, each owes ε / 2")
def numpy_histogram_of_replaced(counts: Any, rng: np.random.Generator, size: int) -> Any:
    """A histogram of records that may be replaced."""
    shape = (size, len(counts))
    one, other = (rng.geometric(-np.expm1(-EPSILON / 2), size=shape) for _ in range(2))
    return counts + one - other


@LIBRARY.box(
    [*SCORES, *AGAINST], ideal=NOTHING, samples=MANY,
    why="a weight moves by e^(ε/2), and so does their sum",
)  # fmt: skip
def numpy_exponential(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """The exponential mechanism."""
    weights = np.exp(EPSILON / 2 * np.array(scores))
    return rng.choice(len(scores), size=size, p=weights / weights.sum())


@LIBRARY.box(
    [*SCORES, *AGAINST], ideal=NOTHING, samples=MANY,
    why="the largest with Gumbel noise is the exponential mechanism",
)  # fmt: skip
def numpy_gumbel_max(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """Where the largest score is, with Gumbel noise."""
    return np.argmax(scores + rng.gumbel(scale=2 / EPSILON, size=(size, len(scores))), axis=1)


@LIBRARY.box(
    [*SCORES, *AGAINST], ideal=NOTHING, samples=MANY,
    why="given the others, the winner's noise has to move by 2 at most, which costs ε",
)  # fmt: skip
def numpy_noisy_max(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """Where the largest score is, with exponential noise."""
    noise = rng.exponential(scale=2 / EPSILON, size=(size, len(scores)))
    return np.argmax(scores + noise, axis=1)


@LIBRARY.box(
    answers("all:5"), ideal=NOTHING, samples=MANY,
    why="the threshold's noise moves by 1 and that of the answer above it by 2, for ε/2 each",
)  # fmt: skip
def numpy_above_threshold(queries: Any, rng: np.random.Generator, size: int) -> Any:
    """Where the first answer is above 1, or 5 if none is."""
    threshold = 1 + rng.laplace(scale=2 / EPSILON, size=(size, 1))
    above = queries + rng.laplace(scale=4 / EPSILON, size=(size, 5)) >= threshold
    return np.where(above.any(axis=1), above.argmax(axis=1), 5)
