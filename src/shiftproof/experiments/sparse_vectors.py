"""Sparse vectors: counts are held against a threshold one by one, until k have reached it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dsl.noise import Exponential, Laplace
from .answers import Answers, Floats
from .point import Point, asked, drawn, noisy
from .selection import first_of


def asymmetric_sparse_vector(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """The first k noisy values that reach the threshold, noise Exp(k/ε).

    Source: Asymmetric Differential Privacy, Algorithm 2 (repaired) with c = k.
    """
    mean = point.k / point.eps
    order, threshold = asked(point, generator, runs)
    values = noisy(point.counts[order], Exponential(mean), generator, *order.shape)
    run, column = first_of(values >= threshold[:, None], point.k)
    raw = values[run, column]
    return Answers(run, order[run, column], {"raw": raw, "debiased": raw - mean})


def free_gap_sparse_vector(factor: float) -> Callable[..., Answers]:
    """Noise 1/ε_1 on the threshold, factor·k/ε_2 on the queries; then the answers are measured.

    ε_1 + ε_2 = ε/2, in the proportion 1 : (factor·k)^(2/3), by which the gaps are best.  How many
    answers there are is public, so they share the other half among themselves.

    Source: Ding et al., Free Gap Information (VLDB 2020), Sparse-Vector-with-Gap with Measures.
    """

    def run(point: Point, generator: np.random.Generator, runs: int) -> Answers:
        k, half = point.k, point.eps / 2
        for_threshold, for_queries = split(half, factor * k)
        order, threshold = asked(point, generator, runs)
        noise = drawn(Laplace(1 / for_threshold), generator, runs, 1)
        scale = factor * k / for_queries
        gaps = noisy(point.counts[order], Laplace(scale), generator, *order.shape)
        gaps -= threshold[:, None] + noise
        run, column = first_of(gaps >= 0, k)
        item = order[run, column]
        shares = np.bincount(run, minlength=runs)[run] / half
        measured = point.counts[item] + shares * drawn(Laplace(1), generator, len(run))
        by_gap = gaps[run, column] + threshold[run]
        variance = 2 / for_threshold**2 + 2 * scale**2
        both = weighted(measured, 2 * shares**2, by_gap, variance)
        return Answers(run, item, {"measured": measured, "with gaps": both})

    return run


def split(eps: float, weight: float) -> tuple[float, float]:
    """ε for the threshold and for the queries, as 1 : weight^(2/3)."""
    share = 1 / (1 + weight ** (2 / 3))
    return eps * share, eps * (1 - share)


def weighted(
    one: Floats, variance: Floats, other: Floats, other_variance: Floats | float
) -> Floats:
    """Two estimates, weighted by their precisions."""
    weight = other_variance / (variance + other_variance)
    estimate: Floats = weight * one + (1 - weight) * other
    return estimate
