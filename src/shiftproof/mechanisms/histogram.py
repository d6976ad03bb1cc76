"""Noisy histograms: every record stands in one cell at most, so the cells share the noise."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Policy,
    mechanism,
    sample,
)

#: A one (being in a cell) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP("add-remove"))
def histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Release all cells where records appear or disappear.

    Args:
        f: the cells; adding a record raises one of them by 1.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Dwork, McSherry, Nissim and Smith, Calibrating Noise to Sensitivity in Private
    Data Analysis (TCC 2006), Example 1; Algorithm 9 of StatDP (Ding, Wang, Wang, Zhang and
    Kifer, CCS 2018), NoisyHist1 of DP-Sniper.
    """
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP())
def histogram_replacement(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Release all cells where records are replaced: two cells move, so twice the noise.

    Args:
        f: the cells; replacing a record lowers at most one by 1 and raises at most one by 1.
        eps: the privacy parameter in nats; the noise has scale 2 / eps.

    Source: Dwork, McSherry, Nissim and Smith, Calibrating Noise to Sensitivity in Private
    Data Analysis (TCC 2006), Example 1 (their neighbours differ in one row).
    """
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(ADP(visited))
def asymmetric_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Release all cells with noise that only adds: a record can only leave its cell.

    Args:
        f: the cells; a sensitive value that changes lowers one of them by 1.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 and Theorem 10, for the cells of
    one-hot records.
    """
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise
