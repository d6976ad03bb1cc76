"""Numbers derived from an output, of which tails and intervals may be events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Reading

Array = NDArray[np.float64]

#: How many places have features of their own.
SINGLE = 64


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of each run; NaN where a run has none.

    ``kind``: ``value`` or ``rise`` (from the number before) at a ``place``, or one of the
    numbers over all places in :data:`OVERALL`.
    """

    kind: str
    place: int = 0

    def of(self, reading: Reading) -> Array:
        """Shape (n,)."""
        if self.kind == "value":
            return reading.numbers(self.place)
        if self.kind == "rise":
            return np.asarray(reading.numbers(self.place) - reading.numbers(self.place - 1))
        return OVERALL[self.kind](reading.values)

    def __str__(self) -> str:
        if self.kind == "value":
            return f"number {self.place + 1}"
        if self.kind == "rise":
            return f"number {self.place + 1} - number {self.place}"
        return f"the {self.kind} of the numbers"


def _sum(values: Array) -> Array:
    return np.asarray(np.where(np.isnan(values).all(axis=1), np.nan, np.nansum(values, axis=1)))


def _range(values: Array) -> Array:
    return np.asarray(np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1))


def _peak(values: Array) -> Array:
    """By how much the largest number is above the next one."""
    if values.shape[1] < 2:
        return np.full(len(values), np.nan)
    two = np.partition(np.where(np.isnan(values), -np.inf, values), -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):
        gap = two[:, 1] - two[:, 0]
    return np.asarray(np.where(np.isfinite(gap), gap, np.nan))


def _largest(values: Array) -> Array:
    return np.asarray(np.fmax.reduce(values, axis=1))


def _smallest(values: Array) -> Array:
    return np.asarray(np.fmin.reduce(values, axis=1))


OVERALL: Mapping[str, Callable[[Array], Array]] = {
    "largest": _largest,
    "smallest": _smallest,
    "sum": _sum,
    "range": _range,
    "peak": _peak,
}


def features_of(reading: Reading) -> tuple[list[Feature], list[Feature], list[Feature]]:
    """What is worth looking at: single numbers, rises, and numbers over all places."""
    values = reading.values
    there = [k for k in range(min(values.shape[1], SINGLE)) if not np.isnan(values[:, k]).all()]
    single = [Feature("value", k) for k in there]
    rises = [
        Feature("rise", k)
        for k in there
        if k and not np.isnan(values[:, k] - values[:, k - 1]).all()
    ]
    overall = [Feature(kind) for kind in OVERALL] if len(there) > 1 else []
    return single, rises, overall
