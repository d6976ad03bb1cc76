"""The sparse vectors as the code behind the ADP paper's figures has them, which keep no ε.

A query is looked at with twice the noise first, at half the price.  What is clearly above the
threshold is answered; what is only just above is looked at again, at the full price.  So up to 2k
queries are answered.  The first look is never paid for when there is a second.

Source: tkgsn/adp-algorithms, the public code of Asymmetric Differential Privacy.
"""

from __future__ import annotations

import math

import numpy as np

from ..dsl.noise import Distribution, Exponential, Laplace
from .answers import Answers, Floats
from .point import Point, asked, drawn, noisy
from .selection import best_of_each_run, within_budget
from .sparse_vectors import split, weighted


def asymmetric_two_branches(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """What the paper's code runs as the asymmetric sparse vector: up to 2k answers.

    A query with noise Exp(2k/ε) that is clearly above the threshold is answered at half the
    price; if it is only just above, it is asked again with noise Exp(k/ε).  The first look is
    then not paid for, so 1.5 ε leak.  (A version of the code adds 200 to thresholds; left out.)
    """
    k, eps = point.k, point.eps
    order, threshold = asked(point, generator, runs)
    counts = point.counts[order]
    counts -= threshold[:, None]
    first = noisy(counts, Exponential(2 * k / eps), generator, *order.shape)
    sigma = 8 * math.sqrt(2) * k / split(eps, k)[1]
    second = _looked_again(first, sigma, counts, Exponential(k / eps), generator)
    run, column, cheap = within_budget(first, second, sigma, k)
    raw = np.where(cheap, first[run, column], second[run, column]) + threshold[run]
    debiased = raw - np.where(cheap, 2, 1) * k / eps
    ranked = best_of_each_run(run, raw, k)
    return Answers(run, order[run, column], {"raw": raw, "debiased": debiased}, ranked)


def free_gap_two_branches(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """What the paper's code runs as the free-gap sparse vector: up to 2k answers.

    As above, with Laplace noise, and noise on the threshold that is drawn anew for each query
    and each look; so what is below is not free, and no bound holds for all numbers of queries.
    """
    k, half = point.k, point.eps / 2
    for_threshold, for_queries = split(half, k)
    order, threshold = asked(point, generator, runs)
    counts = point.counts[order]
    counts -= threshold[:, None]
    anew = Laplace(2 / for_threshold)
    first = noisy(counts, Laplace(4 * k / for_queries), generator, *order.shape)
    first -= drawn(anew, generator, *order.shape)
    sigma = 8 * math.sqrt(2) * k / for_queries
    second = _looked_again(
        first, sigma, counts, Laplace(2 * k / for_queries), generator, minus=anew
    )
    run, column, cheap = within_budget(first, second, sigma, k)
    by_gap = np.where(cheap, first[run, column], second[run, column]) + threshold[run]
    item = order[run, column]
    measured = point.counts[item] + drawn(Laplace(2 * k / half), generator, len(run))
    used = np.where(cheap, for_queries / 2, for_queries)
    variance = 8 * (1 + k ** (2 / 3)) ** 3 / used**2
    both = weighted(measured, np.full(len(run), 8 * k**2 / half**2), by_gap, variance)
    ranked = best_of_each_run(run, by_gap, k)
    return Answers(run, item, {"measured": measured, "with gaps": both}, ranked)


def _looked_again(
    first: Floats,
    sigma: float,
    counts: Floats,
    noise: Distribution,
    generator: np.random.Generator,
    minus: Distribution | None = None,
) -> Floats:
    """Second gaps, drawn only where they are looked at; elsewhere -inf."""
    second = np.full(first.shape, -np.inf)
    doubtful = (first > 0) & (first < sigma)
    size = int(np.count_nonzero(doubtful))
    gaps = counts[doubtful] + drawn(noise, generator, size)
    second[doubtful] = gaps if minus is None else gaps - drawn(minus, generator, size)
    return second
