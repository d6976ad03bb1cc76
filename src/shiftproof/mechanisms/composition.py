"""Mechanisms that call others: one after the other, adaptively, and in parallel."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Histogram,
    Laplace,
    Nat,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)


@mechanism(DP())
def noisy_count(q: Count, eps: Epsilon) -> float:
    """One count with two-sided noise: what the others here call.

    Args:
        q: a count over the records; replacing one record moves it by at most 1.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014),
    Definition 3.3 and Theorem 3.6.
    """
    noise = sample(Laplace(1 / eps))
    return q + noise


@mechanism(DP())
def first_above(f: Counts, T: Public[float], eps: Epsilon) -> int:
    """The index of the first count that is above a threshold, or how many counts there are.

    Args:
        f: counts over the records.
        T: the threshold, which is public.
        eps: the privacy parameter in nats; the threshold's noise has scale 2 / eps, that of each
            count 4 / eps.

    Source: Dwork and Roth (2014), Algorithm 1 (AboveThreshold) and Theorem 3.23.
    """
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            return i
    return len(f)


@mechanism(DP())
def first_above_with_count(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[int | float]:
    """Where the first count above a threshold is, and the count itself with fresh noise.

    What is asked second depends on what was answered first; half of ε is spent on each.

    Args:
        f: counts over the records.
        T: the threshold, which is public.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth (2014), Section 3.5.1 and Theorem 3.14: costs of mechanisms that are
    composed adaptively add up.
    """
    (i,) = first_above(f, T, eps / 2)
    yield i
    if 0 <= i < len(f):
        yield from noisy_count(f[i], eps / 2)


@mechanism(DP())
def count_in_rounds(q: Count, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """The same count k times, until it is surely enough; each time for a k-th of ε.

    Args:
        q: a count over the records.
        k: how often at most, which is public.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth (2014), Theorem 3.14; the callee's claim is all that is used.
    """
    assert k >= 1
    for _ in range(k):
        (x,) = noisy_count(q, eps / k)
        yield x
        if x > 1000:
            return


@mechanism(DP("add-remove"))
def noisy_cell(q: Count, eps: Epsilon) -> int:
    """One count with two-sided geometric noise.

    Args:
        q: a count over the records; adding or removing one record moves it by at most 1.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy
    Mechanisms (STOC 2009), Definition 2.1.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    return q + noise


@mechanism(DP("add-remove"))
def histogram_in_parallel(h: Histogram, eps: Epsilon) -> Iterator[int]:
    """A histogram, one call for each cell: a record counts in one of them, so ε is spent once.

    Args:
        h: one-hot counts over the records.
        eps: the privacy parameter in nats; each call has all of it.

    Source: McSherry, Privacy Integrated Queries (SIGMOD 2009), Theorem 4 (parallel composition).
    """
    for i in range(len(h)):
        (x,) = noisy_cell(h[i], eps)
        yield x
