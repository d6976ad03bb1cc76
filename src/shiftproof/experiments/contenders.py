"""The mechanisms that are compared: what each adds as noise, and how it chooses its answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..dsl.noise import Distribution, Exponential, Laplace
from .point import Answers, Bools, Floats, Ints, Point, asked, drawn, noisy

# The sparse vectors as the code behind the ADP paper's figures has them, which keep no ε.
#
# A query is looked at with twice the noise first, at half the price.  What is clearly above the
# threshold is answered; what is only just above is looked at again, at the full price.  So up to 2k
# queries are answered.  The first look is never paid for when there is a second.
#
# Source: tkgsn/adp-algorithms, the public code of Asymmetric Differential Privacy.


def asymmetric_two_branches(point: Point, generator: np.random.Generator, runs: int) -> Answers:
    """What the paper's code runs as the asymmetric sparse vector: up to 2k answers.

    A query with noise Exp(2k/ε) that is clearly above the threshold is answered at half the
    price; if it is only just above, it is asked again with noise Exp(k/ε).  The first look is
    then not paid for, so 1.5 ε leak.  Of the code's versions the newest adds k/ε to thresholds
    (:func:`raised`), older ones nothing, or 200.
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


# Sparse vectors: counts are held against a threshold one by one, until k have reached it.


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


# The k largest in one go: noise on every count, and then the largest ones.


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


# The mechanisms that are compared: what each adds as noise, and how it estimates.
#
# ε is the whole budget of each, in nats.  Half of what a free-gap mechanism has goes into choosing,
# half into measuring what was chosen; an asymmetric one releases what it chose by.
#
# Calibrations:
#
# proved
#     as the gallery has it.
# monotone
#     counts all rise or all fall from one neighbour to the other, as by adding or removing a
#     record; choosing needs half the noise.
# replacement
#     replacing a record moves counts either way, as the definition of DP in the ADP paper has it.
# measured again
#     ours: the asymmetric one with budgets like the free-gap ones.
# as coded
#     what the code behind the ADP paper's figures does.
# T + k/ε
#     the same with a threshold that is raised by the mean of one-sided noise; the newest code of
#     the ADP paper does so in its asymmetric sparse vector.

#: What the calibration of a raised threshold ends with.
RAISED = "T + k/ε"


@dataclass(frozen=True, slots=True)
class Contender:
    """One mechanism in one calibration.

    Attributes:
        mechanism: its name.
        calibration: how its noise was chosen.
        guarantee: what it keeps to.
        run: its answers in so many runs, with noise from a generator.
    """

    mechanism: str
    calibration: str
    guarantee: str
    run: Callable[[Point, np.random.Generator, int], Answers]

    @property
    def name(self) -> str:
        """Mechanism and calibration."""
        return f"{self.mechanism}, {self.calibration}"


_ADP, _MONOTONE, _DP = "(P, ε)-ADP", "ε-DP, add or remove", "ε-DP, replacement"

_TOP_K = (
    Contender("asymmetric top-k", "proved", _ADP, asymmetric_top_k),
    Contender("asymmetric top-k", "measured again", _ADP, asymmetric_top_k_measured),
    Contender("free-gap top-k", "monotone", _MONOTONE, free_gap_top_k(2, 2)),
    Contender("free-gap top-k", "replacement", _DP, free_gap_top_k(4, 2)),
    Contender("free-gap top-k", "as coded", "0.75 ε-DP, replacement", free_gap_top_k(4, 4)),
)
_SPARSE_VECTORS = (
    Contender("asymmetric sparse vector", "proved", _ADP, asymmetric_sparse_vector),
    Contender(
        "asymmetric sparse vector", "as coded", "not ε: leaks 1.5 ε", asymmetric_two_branches
    ),
    Contender("free-gap sparse vector", "monotone", _MONOTONE, free_gap_sparse_vector(1)),
    Contender("free-gap sparse vector", "replacement", _DP, free_gap_sparse_vector(2)),
    Contender("free-gap sparse vector", "as coded", "none", free_gap_two_branches),
)


def raised(contender: Contender) -> Contender:
    """The same, its threshold raised by k/ε: the mean of the noise, if that is one-sided.

    A threshold is public, so this costs nothing, whoever does it.
    """
    return replace(
        contender,
        calibration=f"{contender.calibration}, {RAISED}",
        run=lambda point, generator, runs: contender.run(replace(point, raised=1), generator, runs),
    )


#: All that can be compared; sparse vectors as they are, then with raised thresholds.
CONTENDERS = _TOP_K + tuple(
    each for contender in _SPARSE_VECTORS for each in (contender, raised(contender))
)

#: Their mechanisms, by name.
MECHANISMS = tuple(dict.fromkeys(contender.mechanism for contender in CONTENDERS))


# How mechanisms choose what to answer, for many runs at once.
#
# Every function takes noisy values that were drawn before, so that it can be held against the
# mechanism itself on the same noise.  Rows are runs.


def top_of(values: Floats, k: int) -> Ints:
    """The columns of the k largest values of each row, largest first; of equal ones the first.

    Args:
        values: shape (runs, items).
        k: at least 1, at most the number of items.

    Returns:
        Shape (runs, k); each row is what ``top_k`` of the language says.
    """
    least = np.partition(values, -k, axis=1)[:, -k]
    chosen = values >= least[:, None]
    for row in np.flatnonzero(np.count_nonzero(chosen, axis=1) > k):  # ties, hardly ever
        first = np.argsort(-values[row], kind="stable")[:k]
        chosen[row] = False
        chosen[row, first] = True
    items = np.nonzero(chosen)[1].reshape(len(values), k)
    order = np.argsort(-np.take_along_axis(values, items, axis=1), axis=1, kind="stable")
    return np.take_along_axis(items, order, axis=1)


def first_of(reached: Bools, limit: int) -> tuple[Ints, Ints]:
    """The run and the column of the first ``limit`` true entries of each row, in order."""
    found = np.cumsum(reached, axis=1, dtype=np.int32) <= limit
    run, column = np.nonzero(reached & found)
    return run, column


def within_budget(first: Floats, second: Floats, sigma: float, k: int) -> tuple[Ints, Ints, Bools]:
    """The answers of the sparse vector that takes a cheap look, and a second one if in doubt.

    A first gap of at least ``sigma`` is an answer of cost 1/2; a smaller one, if positive, is
    looked at again, and a positive second gap is an answer of cost 1.  Others are free.  The run
    ends before the answer that would bring the cost above k.

    Args:
        first: by how much each query is above the threshold, with the larger noise; shape
            (runs, queries), in the order of asking.
        second: the same with the smaller noise.
        sigma: what is beyond doubt.
        k: the whole budget.

    Returns:
        The run and the column of each answer, and whether it was a cheap one.
    """
    cheap = first >= sigma
    dear = (first > 0) & ~cheap & (second > 0)
    halves = np.cumsum(cheap + 2 * dear, axis=1, dtype=np.int32)
    run, column = np.nonzero((cheap | dear) & (halves <= 2 * k))
    return run, column, cheap[run, column]


def best_of_each_run(run: Ints, value: Floats, k: int) -> Bools:
    """Whether each value is among the k largest of its run; of equal ones the first.

    Args:
        run: of each value, ascending.
        value: as many.
        k: at least 1.
    """
    order = np.lexsort((-value, run))
    rank = np.empty(len(run), np.int64)
    rank[order] = np.arange(len(run)) - np.searchsorted(run, run[order])
    return rank < k
