"""Scores: how much more likely an output looks on D than on D', learnt from samples of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .features import Array, Feature
from .vocabulary import Reading

Labels = NDArray[np.uint64]

#: What is added to counts, so that what came once is not taken for proof.
SMOOTHING = 2.0


class Score(Protocol):
    """Gives each run a number: the higher, the more it speaks for D."""

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class Table:
    """Log ratios of single labels; 0 for those that were not seen.

    ``gain``: by how many standard errors the two sides differ more than by chance.
    """

    labels: Labels
    ratios: Array
    gain: float = 0.0

    @staticmethod
    def of(left: Labels, right: Labels, caution: float = 0.0) -> Table:
        """From the labels of the runs on D and D'.

        ``caution``: by how many standard errors ratios are brought towards -∞.
        """
        labels = np.unique(np.concatenate([left, right]))
        a, b = (_counts(labels, side) for side in (left, right))
        ratios = np.log((a + SMOOTHING) / (b + SMOOTHING))
        if caution:
            ratios = np.log((a + 0.5) / (b + 0.5))
            ratios -= caution * np.sqrt(1 / (a + 0.5) + 1 / (b + 0.5))
        return Table(labels, ratios + np.log(len(right) / len(left)), gain_of(a, b))

    def look_up(self, labels: Labels) -> Array:
        """The ratio of each."""
        at = np.minimum(np.searchsorted(self.labels, labels), len(self.labels) - 1)
        return np.where(self.labels[at] == labels, self.ratios[at], 0.0)


def gain_of(left: Array, right: Array) -> float:
    """By how many standard errors two rows of counts differ more than by chance (χ²)."""
    seen = left + right > 0
    a, b = left[seen].astype(np.float64), right[seen].astype(np.float64)
    mean = (a + b) / (a.sum() + b.sum())
    total = sum(float(((x - x.sum() * mean) ** 2 / (x.sum() * mean)).sum()) for x in (a, b))
    freedom = max(len(a) - 1, 1)
    return float((total - freedom) / np.sqrt(2 * freedom))


def _counts(labels: Labels, side: Labels) -> Array:
    return np.bincount(np.searchsorted(labels, side), minlength=len(labels)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class OfLabels:
    """The label alone: for small discrete outputs all that there is."""

    table: Table

    def __call__(self, reading: Reading) -> Array:
        """The log ratio of the run's label."""
        return self.table.look_up(reading.labels)


@dataclass(frozen=True, eq=False)
class OfPlace:
    """What stands at one place."""

    place: int
    table: Table

    @property
    def gain(self) -> float:
        """As of the table."""
        return self.table.gain

    def __call__(self, reading: Reading) -> Array:
        """The log ratio of the token there."""
        return self.table.look_up(reading.tokens(self.place))


@dataclass(frozen=True, eq=False)
class Tail:
    """A number itself, or its opposite: the events are its tails."""

    feature: Feature
    sign: int

    def __call__(self, reading: Reading) -> Array:
        """The number; -∞ where there is none."""
        values = self.sign * self.feature.of(reading)
        return np.where(np.isnan(values), -np.inf, values)


@dataclass(frozen=True, eq=False)
class Unweighted:
    """A sum of scores, as if they were independent."""

    parts: Sequence[Score]

    def __call__(self, reading: Reading) -> Array:
        """The sum."""
        total = np.zeros(len(reading.sample))
        for part in self.parts:
            total += part(reading)
        return total


@dataclass(frozen=True, eq=False)
class Weighted:
    """A sum of scores, each with the weight that it deserves."""

    parts: Sequence[Score]
    weights: Array

    @staticmethod
    def fitted(parts: Sequence[Score], left: Reading, right: Reading) -> Weighted:
        """Weights by logistic regression, on runs from which the parts did not learn."""
        rows = np.vstack([np.column_stack([p(side) for p in parts]) for side in (left, right)])
        sides = np.repeat([1.0, 0.0], [len(left.sample), len(right.sample)])
        weights = _logistic(np.column_stack([rows, np.ones(len(rows))]), sides)[:-1]
        kept = np.flatnonzero(np.abs(weights) > 0.02).tolist()
        return Weighted([parts[k] for k in kept], weights[kept])

    def __call__(self, reading: Reading) -> Array:
        """The sum."""
        total = np.zeros(len(reading.sample))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * part(reading)
        return total


def _logistic(rows: Array, sides: Array, ridge: float = 2.0) -> Array:
    """Weights of a logistic regression, drawn towards 1, by Newton's method."""
    goal = np.ones(rows.shape[1])
    goal[-1] = 0.0
    weights = goal.copy()
    for _ in range(12):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (sides - chance) - ridge * (weights - goal)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + ridge * np.eye(len(goal))
        step = np.linalg.solve(curve, slope)
        weights = weights + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-3:
            break
    return weights
