"""Bands of false-negative rates: of independent runs, and of runs that have a rate each."""

from __future__ import annotations

import numpy as np

from .bands import Band, bootstrapped, bootstrapped_columns
from .trajectories import Floats


def binomial_band(hits: int, runs: int) -> Band:
    """A share of independent runs, with its 95 % band after Clopper and Pearson.

    Unlike a resampled one it has a width where nothing was hit, or all.
    """
    from scipy.special import betaincinv  # the quantiles of beta distributions

    low = float(betaincinv(hits, runs - hits + 1, 0.025)) if hits else 0.0
    high = float(betaincinv(hits + 1, runs - hits, 0.975)) if hits < runs else 1.0
    return Band(hits / runs, low, high)


def rates_of(tallies: Floats) -> Floats:
    """The rate of each run that has one.

    Args:
        tallies: shape (runs, 2): how many of how many, which may be none.
    """
    some = tallies[tallies[:, 1] > 0]
    return np.asarray(some[:, 0] / some[:, 1])


def bands_of_rates(found: Floats, seed: int) -> list[Band | None]:
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
