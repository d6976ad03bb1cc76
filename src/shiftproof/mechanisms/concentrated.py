"""Normal noise on an answer, or on several: what it costs in ρ."""

from collections.abc import Iterator
from math import sqrt
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    ZCDP,
    Count,
    Counts,
    DiscreteGaussian,
    Exponential,
    Gaussian,
    Histogram,
    Policy,
    Public,
    Query,
    Rho,
    Value,
    ensure,
    mechanism,
    sample,
)

#: A one (having been somewhere) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ZCDP())
def gaussian_sum(q: Annotated[float, Query(sensitivity="D")], D: Public[float], rho: Rho) -> float:
    """Release an answer that moves by at most D, with normal noise.

    Args:
        q: an answer about the records.
        D: how far it moves when one record is replaced.
        rho: the privacy parameter; the noise has the variance D² / (2 rho).

    Source: Bun and Steinke, Concentrated Differential Privacy: Simplifications, Extensions, and
    Lower Bounds (TCC 2016), Proposition 1.6.
    """
    assert D > 0
    noise = sample(Gaussian(D / sqrt(2 * rho)))
    return q + noise


@mechanism(ZCDP())
def gaussian_counts(f: Counts, rho: Rho) -> Iterator[float]:
    """Release many counts, all of which one record may move.

    Args:
        f: counts over the records.
        rho: the privacy parameter of all of them; the variance is len(f) / (2 rho), where Laplace
            noise for a fixed ε has one that grows with the square of len(f).

    Source: Bun and Steinke (TCC 2016), Proposition 1.6 and Lemma 1.7.
    """
    assert len(f) >= 1
    for x in f:
        noise = sample(Gaussian(sqrt(len(f)) / sqrt(2 * rho)))
        yield x + noise


@mechanism(ZCDP("add-remove"))
def discrete_gaussian_histogram(f: Histogram, rho: Rho) -> Iterator[int]:
    """Release all cells where records appear or disappear.

    Args:
        f: the cells; adding a record raises one of them by 1.
        rho: the privacy parameter; sigma² is 1 / (2 rho).

    Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (NeurIPS
    2020), Theorem 4, for the cells of one-hot records.
    """
    for x in f:
        noise = sample(DiscreteGaussian(1 / sqrt(2 * rho)))
        yield x + noise


@mechanism(ZCDP())
def gaussian_histogram_replacement(f: Histogram, rho: Rho) -> Iterator[float]:
    """Release all cells where records are replaced: two cells move, so twice the variance.

    Args:
        f: the cells; replacing a record lowers at most one by 1 and raises at most one by 1.
        rho: the privacy parameter; the variance is 1 / rho.

    Source: Bun and Steinke (TCC 2016), Proposition 1.6, with two cells that move.
    """
    for x in f:
        noise = sample(Gaussian(1 / sqrt(rho)))
        yield x + noise


@mechanism(ADP(visited, zcdp=True))
def asymmetric_gaussian_histogram(f: Histogram, rho: Rho) -> Iterator[int]:
    """Release all cells where a sensitive value can only leave its cell: half of that variance.

    Args:
        f: the cells; a sensitive value that changes lowers one of them by 1.
        rho: the privacy parameter; sigma² is 1 / (2 rho).

    Source: the neighbours are those of Asymmetric Differential Privacy, Definition 15, the noise
    is that of Canonne, Kamath and Steinke (NeurIPS 2020).
    """
    for x in f:
        noise = sample(DiscreteGaussian(1 / sqrt(2 * rho)))
        yield x + noise


@mechanism(ADP(visited, zcdp=True))
def one_sided_concentrated_count(q: Count, rho: Rho) -> float:
    """Release a count with noise that only adds: never below the truth.

    One-sided noise has a log ratio that is ε almost surely, so its ρ is ε and not ε² / 2.

    Args:
        q: how many records have a sensitive value.
        rho: the privacy parameter; the noise has mean 1 / rho.

    Source: the noise is that of Asymmetric Differential Privacy, Theorem 7; ρ as in Bun and
    Steinke (TCC 2016), Definition 1.1.
    """
    noise = sample(Exponential(1 / rho))
    ensure(q + noise >= q)
    return q + noise


@mechanism(LDP(zcdp=True))
def gaussian_value(
    x: Annotated[float, Value("low", "high")], low: Public[float], high: Public[float], rho: Rho
) -> float:
    """Release a user's own value between two bounds, with normal noise.

    Args:
        x: the value of one user.
        low: the least that it may be.
        high: the most that it may be.
        rho: the privacy parameter; the noise is as wide as the range asks.

    Source: Bun and Steinke (TCC 2016), Proposition 1.6, for the values of one user.
    """
    assert low < high
    noise = sample(Gaussian((high - low) / sqrt(2 * rho)))
    return x + noise


@mechanism(ZCDP(), budget=lambda rho_total, rho_count: rho_total + rho_count)
def gaussian_mean(
    total: Annotated[float, Query(sensitivity="D")],
    n: Count,
    D: Public[float],
    rho_total: Rho,
    rho_count: Rho,
) -> float:
    """Release a mean, from a noisy sum and a noisy count.

    Args:
        total: a sum over the records.
        n: how many records it is of.
        D: how far the sum moves when one record is replaced.
        rho_total: what is spent on the sum.
        rho_count: what is spent on the count.

    Source: Bun and Steinke (TCC 2016), Proposition 1.6 and Lemma 1.7; the quotient of a sum and
    a count is folklore.
    """
    assert D > 0
    noise = sample(Gaussian(D / sqrt(2 * rho_total)))
    noise_of_count = sample(Gaussian(1 / sqrt(2 * rho_count)))
    return (total + noise) / max(1.0, n + noise_of_count)
