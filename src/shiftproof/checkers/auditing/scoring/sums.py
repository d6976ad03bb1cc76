"""Scores that add up small signs: many numbers that each tell too little to stand out alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .features import Array, Reading
from .scores import logistic

#: Into how many intervals numbers are cut, as often in each: of every number on its own, and if
#: all numbers of an output are cut alike.
OWN, ALIKE = 4, 16


@dataclass(frozen=True, eq=False)
class Steps:
    """A sum over some numbers of an output: what an interval weighs in which a number lies.

    Attributes:
        places: shape (k,); of which numbers.
        edges: shape (k, intervals - 1).
        weights: shape (k, intervals).
    """

    places: NDArray[np.int64]
    edges: Array
    weights: Array

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,); a number that is not there weighs nothing."""
        total = np.zeros(len(reading.sample))
        for place, edges, weights in zip(self.places, self.edges, self.weights, strict=True):
            values = reading.numbers(int(place))
            found = weights[np.searchsorted(edges, values, side="right")]
            total += np.where(np.isnan(values), 0.0, found)
        return total


def steps_of(left: Reading, right: Reading) -> Iterator[Steps]:
    """Sums whose weights are fitted by logistic regression: of each number, and alike for all."""
    values = [side.values for side in (left, right)]
    here = np.flatnonzero(~np.isnan(np.concatenate(values)).any(axis=0))
    if len(here) < 2:
        return
    pooled = np.concatenate([side[:, here] for side in values])
    sides = np.repeat([1.0, 0.0], [len(side) for side in values])
    for parts in (OWN, ALIKE):
        edges = np.quantile(pooled, np.arange(1, parts) / parts, axis=0).T
        rows = (pooled[:, :, None] >= edges).astype(np.float64)
        rows = rows.sum(axis=1) if parts == ALIKE else rows.reshape(len(rows), -1)
        steps = logistic(np.column_stack([rows, np.ones(len(rows))]), sides, goal=0.0)[:-1]
        heights = np.broadcast_to(steps.reshape(-1, parts - 1), (len(here), parts - 1))
        weights = np.concatenate([np.zeros((len(here), 1)), np.cumsum(heights, axis=1)], axis=1)
        yield Steps(here, edges, weights)
