"""The k largest in one go: noise on every count, and then the largest ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dsl.noise import Exponential, Laplace
from .answers import Answers, Floats, Ints
from .point import Point, drawn, noisy
from .selection import top_of


def asymmetric_top_k(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """The k largest with noise Exp(k/ε), and their noisy values.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired).
    """
    mean = point.k / point.eps
    values = noisy(point.counts, Exponential(mean), generator, runs, len(point.counts))
    items = top_of(values, point.k)
    raw = np.take_along_axis(values, items, axis=1).ravel()
    return Answers(_rows(items), items.ravel(), {"raw": raw, "debiased": raw - mean})


def asymmetric_top_k_measured(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """The same with half of ε, and what was chosen is measured again with the other half.

    Not in the paper.  The values by which items are chosen are the ones that noise has made
    large; fresh noise knows nothing of that.
    """
    mean = 2 * point.k / point.eps
    return _chosen_and_measured(point, Exponential(mean), Exponential(mean), mean, generator, runs)


def free_gap_top_k(choosing: float, measuring: float) -> Callable[..., Answers]:
    """Choose with noise Lap(choosing·k/ε), then measure with Lap(measuring·k/ε).

    Source: Ding et al., Free Gap Information (VLDB 2020), Noisy-Top-K-with-Gap with Measures.
    """

    def run(point: Point, generator: np.random.Generator, runs: int) -> Answers:
        unit = point.k / point.eps
        noises = Laplace(choosing * unit), Laplace(measuring * unit)
        return _chosen_and_measured(point, *noises, 0, generator, runs)

    return run


def _chosen_and_measured(
    point: Point,
    choosing: Exponential | Laplace,
    measuring: Exponential | Laplace,
    bias: float,
    generator: np.random.Generator,
    runs: int,
) -> Answers:
    values = noisy(point.counts, choosing, generator, runs, len(point.counts))
    items = top_of(values, point.k)
    chosen = np.take_along_axis(values, items, axis=1)
    measured = point.counts[items] + drawn(measuring, generator, *items.shape) - bias
    both = combined_with_gaps(measured, chosen, (choosing.scale / measuring.scale) ** 2)
    estimates = {"measured": measured.ravel(), "with gaps": both.ravel()}
    return Answers(_rows(items), items.ravel(), estimates)


def combined_with_gaps(measured: Floats, chosen: Floats, ratio: float) -> Floats:
    """The best linear unbiased estimate from measurements and gaps, if choosing had no bias.

    The gaps tell the noisy values by which items were chosen up to a common constant.  So the
    level is that of the measurements, and the deviations from it are weighted by precision.

    Args:
        measured: shape (runs, k).
        chosen: the noisy values, same shape; only their differences matter.
        ratio: the variance of their noise over that of the measurements.

    Source: Ding et al., Free Gap Information (VLDB 2020), the estimate for Noisy-Top-K-with-Gap.
    """
    level = measured.mean(axis=1, keepdims=True)
    gaps = chosen - chosen.mean(axis=1, keepdims=True)
    estimate: Floats = level + (ratio * (measured - level) + gaps) / (1 + ratio)
    return estimate


def _rows(items: Ints) -> Ints:
    """The run of each entry."""
    return np.repeat(np.arange(len(items)), items.shape[1])
