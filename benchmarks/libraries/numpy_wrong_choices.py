"""Typical mistakes in plain NumPy: choices, thresholds, and what is told beside the noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.libraries.box import EPSILON, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import AGAINST, BITS, CATEGORIES, INTEGERS, answers

LIBRARY = Library("numpy")
MANY = 400_000
TEN = [*answers("all:10")]


@LIBRARY.box(
    both_ways((4, 5)), ideal=VIOLATION,
    why="a count below 5 is told as it is, so that it was 4 is certain",
)  # fmt: skip
def wrong_small_counts(count: int, rng: np.random.Generator, size: int) -> Any:
    """Small counts are called harmless and released without noise."""
    if count < 5:
        return np.full(size, count)
    return np.rint(count + rng.laplace(scale=1 / EPSILON, size=size)).astype(int)


@LIBRARY.box(
    both_ways((0, 1)), ideal=VIOLATION, why="a group without members is not among the answers"
)
def wrong_empty_groups(count: int, rng: np.random.Generator, size: int) -> Any:
    """Noise is added to what is there; a group that is not there is left out."""
    if not count:
        return np.zeros((size, 0))
    return count + rng.laplace(scale=1 / EPSILON, size=(size, 1))


@LIBRARY.box(
    both_ways(((), (0.5,))), ideal=VIOLATION, why="only an empty list of records raises an error"
)
def wrong_error(records: Any, rng: np.random.Generator) -> float:
    """A median that needs a record."""
    middle = sorted(records)[len(records) // 2]
    return float(middle + rng.laplace(scale=1 / EPSILON))


@LIBRARY.box(
    both_ways(((1.0, 1.0, 1.0), (1.0, 1.0, 10.0))), ideal=VIOLATION,
    why="the bound of the records is one of them: noise of scale 20 beside noise of scale 2",
)  # fmt: skip
def wrong_bounds_of_data(records: Any, rng: np.random.Generator, size: int) -> Any:
    """A sum whose noise is made for the largest record that is there."""
    return np.sum(records) + rng.laplace(scale=max(records) / EPSILON, size=size)


@LIBRARY.box(INTEGERS, ideal=VIOLATION, why="half of the runs tell the count as it is")
def wrong_coin(count: int, rng: np.random.Generator, size: int) -> Any:
    """Heads: the truth; tails: with noise."""
    noisy = np.rint(count + rng.laplace(scale=1 / EPSILON, size=size)).astype(int)
    return np.where(rng.random(size) < 0.5, count, noisy)


@LIBRARY.box(
    BITS, ideal=VIOLATION,
    why="a coin of the others may be the truth as well: its odds are 4.3 to 1 and not 1.65",
)  # fmt: skip
def wrong_randomized_response(truth: bool, rng: np.random.Generator, size: int) -> Any:
    """The truth with probability e^ε / (1 + e^ε), otherwise a fair coin."""
    honest = rng.random(size) < 1 / (1 + np.exp(-EPSILON))
    return np.where(honest, truth, rng.random(size) < 0.5)


@LIBRARY.box(
    CATEGORIES, ideal=VIOLATION,
    why="each of three lies has a third of what one lie would have: ε + ln 3",
)  # fmt: skip
def wrong_k_randomized_response(category: int, rng: np.random.Generator, size: int) -> Any:
    """Four categories with the probability that is right for two."""
    honest = rng.random(size) < 1 / (1 + np.exp(-EPSILON))
    return np.where(honest, category, (category + rng.integers(1, 4, size)) % 4)


@LIBRARY.box(CATEGORIES, ideal=VIOLATION, why="two bits differ, and each was given all of ε")
def wrong_unary_encoding(category: int, rng: np.random.Generator, size: int) -> Any:
    """A category as bits, each flipped as if it were the only one."""
    flipped = rng.random((size, 4)) > 1 / (1 + np.exp(-EPSILON))
    return flipped ^ (np.arange(4) == category)


@LIBRARY.box(BITS, ideal=VIOLATION, why="fresh coins for each of three answers cost 3 ε")
def wrong_asked_again(truth: bool, rng: np.random.Generator, size: int) -> Any:
    """The same question three times, each time with new coins."""
    return (rng.random((size, 3)) < 1 / (1 + np.exp(-EPSILON))) == truth


@LIBRARY.box(
    AGAINST, ideal=VIOLATION, samples=MANY,
    why="without the factor 1/2 the weight and the sum of weights each cost ε",
)  # fmt: skip
def wrong_exponential(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """The exponential mechanism without its factor 1/2."""
    weights = np.exp(EPSILON * np.array(scores))
    return rng.choice(len(scores), size=size, p=weights / weights.sum())


@LIBRARY.box(
    AGAINST, ideal=VIOLATION, samples=MANY,
    why="scores that move both ways need twice the noise of those that only rise",
)  # fmt: skip
def wrong_noisy_max(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """Where the largest score is, with exponential noise of scale 1/ε."""
    noise = rng.exponential(scale=1 / EPSILON, size=(size, len(scores)))
    return np.argmax(scores + noise, axis=1)


@LIBRARY.box(
    TEN, ideal=VIOLATION, samples=MANY,
    why="the value is the largest of ten noisy ones, all of which move",
)  # fmt: skip
def wrong_noisy_max_value(scores: Any, rng: np.random.Generator, size: int) -> Any:
    """The largest noisy score itself, in place of where it is."""
    return np.max(scores + rng.laplace(scale=2 / EPSILON, size=(size, len(scores))), axis=1)


@LIBRARY.box(TEN, ideal=VIOLATION, why="answers without noise are in the order of the threshold")
def wrong_sparse_vector(queries: Any, rng: np.random.Generator, size: int) -> Any:
    """Which answers are above a noisy threshold, without noise of their own."""
    return np.array(queries) >= 1 + rng.laplace(scale=1 / EPSILON, size=(size, 1))


@LIBRARY.box(
    TEN, ideal=VIOLATION, samples=1_000_000, why="each answer above the threshold costs ε/2 more"
)
def wrong_endless_sparse_vector(queries: Any, rng: np.random.Generator, size: int) -> Any:
    """A sparse vector that does not stop at the first answer above the threshold."""
    threshold = 1 + rng.laplace(scale=2 / EPSILON, size=(size, 1))
    return queries + rng.laplace(scale=4 / EPSILON, size=(size, len(queries))) >= threshold


@LIBRARY.box(
    TEN, ideal=VIOLATION, samples=1_000_000,
    why="a low value says that the threshold is lower still, and all answers before it, too",
)  # fmt: skip
def wrong_sparse_vector_value(queries: Any, rng: np.random.Generator, size: int) -> Any:
    """The first noisy answer above the threshold beside where it is."""
    threshold = 1 + rng.laplace(scale=2 / EPSILON, size=(size, 1))
    noisy = queries + rng.laplace(scale=2 / EPSILON, size=(size, len(queries)))
    above = noisy >= threshold
    first = above.argmax(axis=1)
    value = noisy[np.arange(size), first]
    return np.where(above.any(axis=1), [first, value], -1.0).T
