"""One point of an experiment: what is asked, what all mechanisms need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from ..dsl.noise import Distribution

# What top-k mechanisms answer in many runs, and how good it is.

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of many runs, one after the other; runs may have any number of them.

    Attributes:
        run: of which run each answer is, ascending.
        item: of which item.
        estimates: the estimated counts, by how they were estimated.
        ranked: whether the answer is among those that claim to be the top k; all if ``None``.
    """

    run: Ints
    item: Ints
    estimates: Mapping[str, Floats]
    ranked: Bools | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """How good the answers of each run are; all arrays have one entry a run.

    Attributes:
        squared: the mean squared error of the answers, by the way of estimating; NaN in a run
            without an answer.
        accuracy: the share of the true top k that was released, in [0, 1].
        answers: how many answers there were.
    """

    squared: Mapping[str, Floats]
    accuracy: Floats
    answers: Ints

    def first(self, runs: int) -> Scores:
        """Those of the first runs."""
        squared = {name: values[:runs] for name, values in self.squared.items()}
        return Scores(squared, self.accuracy[:runs], self.answers[:runs])

    @staticmethod
    def joined(parts: list[Scores]) -> Scores:
        """The scores of all runs, in the order of the parts."""
        return Scores(
            {
                name: np.concatenate([part.squared[name] for part in parts])
                for name in parts[0].squared
            },
            np.concatenate([part.accuracy for part in parts]),
            np.concatenate([part.answers for part in parts]),
        )


def scored(answers: Answers, counts: Floats, k: int, runs: int) -> Scores:
    """Score the answers of ``runs`` runs against the true counts.

    An error is that of the value that was released for an item, against the true count of this
    item.  An item is of the true top k if its count is at least the k-th largest one, so all that
    are equal to it are right; k answers at most can be, and who gives fewer than k answers has
    the missing ones wrong.

    Args:
        answers: of the runs 0 to ``runs`` - 1.
        counts: the true count of each item; as many as k at least.
        k: how many items are asked for.
        runs: how many runs there were.
    """
    run, true = answers.run, counts[answers.item]
    given = np.bincount(run, minlength=runs)
    squared = {}
    for name, estimate in answers.estimates.items():
        total = np.bincount(run, (estimate - true) ** 2, minlength=runs)
        squared[name] = np.divide(total, given, out=np.full(runs, np.nan), where=given > 0)
    right = true >= np.partition(counts, -k)[-k]
    if answers.ranked is not None:
        right &= answers.ranked
    return Scores(squared, np.bincount(run, right, minlength=runs) / k, given)


@dataclass(frozen=True, slots=True)
class Point:
    """What is asked: the k largest of ``counts``, within ``eps`` nats.

    Thresholds, where there are any, are raised by so many k/ε.
    """

    counts: Floats
    descending: Floats
    k: int
    eps: float
    raised: float = 0


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

    The threshold is the i-th largest count, i uniform in [k, 2k], raised if that is wanted.  That
    it is known is what the experiment supposes: it is taken from the data, and nothing is paid.
    """
    size = len(point.counts)
    order = generator.permuted(np.tile(np.arange(size, dtype=np.int32), (runs, 1)), axis=1)
    last = min(2 * point.k, size)
    chosen = generator.integers(point.k, last, size=runs, endpoint=True)
    return order, point.descending[chosen - 1] + point.raised * point.k / point.eps


# What an experiment is asked for, checked.


def several(name: str, given: Any) -> tuple[Any, ...]:
    """One or more values, whatever they are.

    Raises:
        BadInput: it is a single value, or there is none.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"{name}: got {given!r:.80}; want a list")
    found = tuple(given)
    if not found:
        raise BadInput(f"{name}: got none; want at least one")
    return found


def is_number(value: Any) -> bool:
    """Whether it is a real number, of Python or of numpy; nan and infinity are."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def above_zero(name: str, value: Any) -> float:
    """One of several numbers, each above 0.

    Raises:
        BadInput: it is none.
    """
    if not is_number(value) or not 0 < value < math.inf:
        raise BadInput(f"{name}: got {value!r}; want numbers above 0")
    return float(value)


def whole(name: str, value: Any, least: int, most: int | None = None, why: str = "") -> int:
    """A whole number in a range.

    Raises:
        BadInput: it is none; ``why`` says where ``most`` comes from.
    """
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not fits or value < least or (most is not None and value > most):
        limit = "" if most is None else f" to {most:,}{f', {why}' if why else ''}"
        raise BadInput(f"{name}: got {value!r}; want a whole number from {least}{limit or ' on'}")
    return int(value)


# Means with the bands in which they may lie, found by resampling.
