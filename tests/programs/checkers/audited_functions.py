"""Python functions to audit: what they leak is known. Workers import them from here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]


def laplace(x: float, rng: np.random.Generator, size: int) -> Numbers:
    """ε = 1 for steps of 1."""
    return x + rng.laplace(0.0, 1.0, size)


def laplace_of_half(x: float, rng: np.random.Generator, size: int) -> Numbers:
    """ε = 2 for steps of 1."""
    return x + rng.laplace(0.0, 0.5, size)


def one_at_a_time(x: float, rng: np.random.Generator) -> float:
    return x + float(rng.laplace(0.0, 1.0))


def mangat(sensitive: int, rng: np.random.Generator, size: int) -> Numbers:
    """Who is sensitive always says 1, others with probability 1/2: D = 1, D' = 0 owes ln 2."""
    return np.where(sensitive == 1, 1, rng.random(size) < 0.5).astype(np.int64)


def bits(data: tuple[int, ...], rng: np.random.Generator, size: int) -> Numbers:
    """Twenty bits, each flipped with odds e: ε = 1 for each that differs."""
    flipped = rng.random((size, len(data))) < 1 / (1 + math.e)
    return np.array(data, bool) ^ flipped


def word(x: int, rng: np.random.Generator) -> Any:
    """Texts, None, numbers, lists of any length: what it is tells x with ratio 2."""
    if rng.random() < (0.5 if x else 0.25):
        return ["yes", None, 3, {"a": [1.5, True]}]
    return [] if rng.random() < 0.5 else "no"


def counts_up(x: int, rng: np.random.Generator) -> list[int]:
    """The length of the transcript is geometric; ε = ln 1.5."""
    return [0] * int(rng.geometric(0.6 if x else 0.4))


def aborts(x: int, rng: np.random.Generator) -> int:
    """Only with x does it ever raise."""
    if x and rng.random() < 0.05:
        raise ArithmeticError("too large")
    return int(rng.integers(2))


def one_sided(x: float, rng: np.random.Generator, size: int) -> Numbers:
    """Exponential noise: below x nothing comes, so from a larger x to a smaller one ε = 1."""
    return x + rng.exponential(1.0, size)


def hidden_in_the_difference(data: float, rng: np.random.Generator, size: int) -> Numbers:
    """Each of the two numbers alone tells nearly nothing."""
    first = rng.normal(0.0, 100.0, size)
    return np.column_stack([first, first + data + rng.laplace(0.0, 0.5, size)])


def rare(x: int, rng: np.random.Generator, size: int) -> Numbers:
    """A thousandth of the runs give x away."""
    return np.where(rng.random(size) < 0.001, 7 * x, rng.integers(0, 2, size))


def clamped(x: float, rng: np.random.Generator, size: int) -> Numbers:
    return np.clip(x + rng.laplace(0.0, 1.0, size), 0.0, 3.0)
