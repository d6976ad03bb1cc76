"""Means with the bands in which they may lie, found by resampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: How often a sample is resampled for one band.
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Band:
    """A mean, and the ends of its bootstrapped confidence band."""

    mean: float
    low: float
    high: float


def bootstrapped(
    values: NDArray[np.float64], seed: int, confidence: float = 0.95, resamples: int = RESAMPLES
) -> Band:
    """The mean of ``values``, one a repetition, with its bootstrap band (percentiles).

    Args:
        values: at least one number for each independent repetition.
        seed: of the resampling; the same seed gives the same band.
        confidence: how often such bands hold the true mean, about; between 0 and 1.
        resamples: how many samples are drawn anew from ``values``.
    """
    return bootstrapped_columns(values[:, None], seed, confidence, resamples)[0]


def bootstrapped_columns(
    values: NDArray[np.float64], seed: int, confidence: float = 0.95, resamples: int = RESAMPLES
) -> list[Band]:
    """A band for each column; a row is a repetition, and is resampled as a whole.

    Args:
        values: finite numbers, shape (repetitions, columns), at least one row.
        seed: as for :func:`bootstrapped`; other columns change a band by rounding only.
        confidence: between 0 and 1.
        resamples: how many samples are drawn anew.
    """
    count = len(values)
    # A mean is the first value plus that of the deviations: exact where all values are equal.
    deviations = values - values[0]
    rng = np.random.Generator(np.random.SFC64(seed))
    found = np.empty((resamples, values.shape[1]))
    for row in found:
        # How often each repetition came says all that a mean needs to know of a sample.
        drawn = rng.integers(count, size=count, dtype=np.uint32)
        row[:] = np.bincount(drawn, minlength=count) @ deviations / count
    tail = (1 - confidence) / 2
    low, high = values[0] + np.quantile(found, (tail, 1 - tail), axis=0)
    means = values[0] + deviations.mean(axis=0)
    return [Band(*map(float, band)) for band in zip(means, low, high, strict=True)]
