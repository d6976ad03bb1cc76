"""Means with the bands in which they may lie: resampled, or of independent trials."""

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


def binomial_band(hits: int, runs: int) -> Band:
    """A share of independent runs, with its 95 % band after Clopper and Pearson.

    Unlike a resampled one it has a width where nothing was hit, or all.
    """
    from scipy.special import betaincinv  # the quantiles of beta distributions

    low = float(betaincinv(hits, runs - hits + 1, 0.025)) if hits else 0.0
    high = float(betaincinv(hits + 1, runs - hits, 0.975)) if hits < runs else 1.0
    return Band(hits / runs, low, high)


def rates_of(tallies: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rate of each run that has one.

    Args:
        tallies: shape (runs, 2): how many of how many, which may be none.
    """
    some = tallies[tallies[:, 1] > 0]
    return np.asarray(some[:, 0] / some[:, 1])


def bands_of_rates(found: NDArray[np.float64], seed: int) -> list[Band | None]:
    """For each entry the mean of its runs' rates and its 95 % band; ``None`` if no run has one.

    Bands are resampled from the runs.  Where nothing was hit, that would have no width: there the
    band is that of as many independent trials, which holds as the noise of places is independent.

    Args:
        found: shape (entries, runs, 2), tallies as for :func:`rates_of`.
        seed: of the resampling.
    """
    bands: list[Band | None] = [None] * len(found)
    whole = np.flatnonzero((found[:, :, 1] > 0).all(axis=1))
    if len(whole):  # all at once is faster
        columns = np.stack([rates_of(found[k]) for k in whole], axis=1)
        for at, band in zip(whole, bootstrapped_columns(columns, seed), strict=True):
            bands[at] = band
    for k, tallies in enumerate(found):
        if not tallies[:, 1].any():
            continue
        if not tallies[:, 0].any():
            bands[k] = binomial_band(0, int(tallies[:, 1].sum()))
        elif bands[k] is None:
            bands[k] = bootstrapped(rates_of(tallies), seed)
    return bands
