"""One point of an experiment: what is asked, and what all mechanisms need to answer it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..dsl.noise import Distribution
from .answers import Floats, Ints


@dataclass(frozen=True, slots=True)
class Point:
    """What is asked: the k largest of ``counts``, within ``eps`` nats."""

    counts: Floats
    descending: Floats
    k: int
    eps: float


def drawn(noise: Distribution, generator: np.random.Generator, *shape: int) -> Floats:
    """Independent draws in this shape."""
    found: Floats = noise.draw_many(generator, math.prod(shape)).reshape(shape)
    return found


def noisy(
    counts: Floats, noise: Distribution, generator: np.random.Generator, *shape: int
) -> Floats:
    """Counts and noise, summed in place: it is the arrays that take the time here."""
    values = drawn(noise, generator, *shape)
    values += counts
    return values


def asked(point: Point, generator: np.random.Generator, runs: int) -> tuple[Ints, Floats]:
    """An order of asking and a threshold for each run.

    The threshold is the i-th largest count, i uniform in [k, 2k].  That it is known is what the
    experiment supposes: it is taken from the data, and nothing is paid for it.
    """
    size = len(point.counts)
    order = generator.permuted(np.tile(np.arange(size, dtype=np.int32), (runs, 1)), axis=1)
    last = min(2 * point.k, size)
    chosen = generator.integers(point.k, last, size=runs, endpoint=True)
    return order, point.descending[chosen - 1]
