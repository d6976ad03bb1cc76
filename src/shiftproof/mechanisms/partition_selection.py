"""Noisy thresholds: what few have is not shown, so that it may be unknown which cells there are."""

from collections.abc import Iterator
from math import exp, log

from shiftproof import (
    ADP,
    DP,
    Count,
    Counts,
    Delta,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Private,
    Public,
    Related,
    TwoSidedGeometric,
    ensure,
    mechanism,
    other,
    sample,
)

#: A one (having been somewhere) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP("add-remove", delta=lambda eps, T: exp(-eps * (T - 1)) / 2))
def noisy_threshold(q: Count, T: Public[float], eps: Epsilon) -> float | None:
    """Release a count if it is above a threshold with its noise, and nothing where nobody counts.

    Args:
        q: a count over the records.
        T: the threshold, which is public.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Korolova, Kenthapadi, Mishra and Ntoulas, Releasing Search Queries and Clicks
    Privately (WWW 2009).
    """
    noise = sample(Laplace(1 / eps))
    if q > 0 and q + noise > T:
        return q + noise
    return None


@mechanism(DP("add-remove", delta="delta"))
def partition_selection(f: Histogram, delta: Delta, eps: Epsilon) -> Iterator[float | None]:
    """Release the cells of a histogram that are above a threshold, which is found for a given δ.

    A cell in which there is nobody is never shown: so it need not be known beforehand.

    Args:
        f: the cells; adding a record raises one of them by 1.
        delta: how likely a cell is to be shown in which there is one record.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson, Differentially Private
    SQL with Bounded User Contribution (PoPETs 2020), thresholds, where a user
    has one record.
    """
    T = 1 + log(1 / (2 * delta)) / eps
    for x in f:
        noise = sample(Laplace(1 / eps))
        if x > 0 and x + noise > T:
            yield x + noise
        else:
            yield None


@mechanism(DP("add-remove", delta=lambda eps, T: exp(-eps * T) / (1 + exp(-eps))))
def partition_selection_geometric(
    f: Histogram, T: Public[int], eps: Epsilon
) -> Iterator[int | None]:
    """The same with noise on the integers, for a given threshold.

    Args:
        f: the cells; adding a record raises one of them by 1.
        T: the threshold, which is public.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Desfontaines, Voss, Gipson and Mandayam, Differentially Private Partition Selection
    (PoPETs 2022), which compares such noise with the best there is.
    """
    for x in f:
        noise = sample(TwoSidedGeometric(1 / eps))
        if x > 0 and x + noise > T:
            yield x + noise
        else:
            yield None


@mechanism(DP(delta=lambda eps, T: exp(-eps * (T - 1) / 2)))
def stability_histogram(f: Histogram, T: Public[float], eps: Epsilon) -> Iterator[float | None]:
    """Release the cells above a threshold where records are replaced: two cells may be affected.

    Args:
        f: the cells; replacing a record lowers at most one by 1 and raises at most one by 1.
        T: the threshold, which is public.
        eps: the privacy parameter in nats; the noise has scale 2 / eps.

    Source: Bun, Nissim and Stemmer, Simultaneous Private Learning of Multiple Concepts (ITCS
    2016), stability-based histograms.
    """
    for x in f:
        noise = sample(Laplace(2 / eps))
        if x > 0 and x + noise > T:
            yield x + noise
        else:
            yield None


@mechanism(ADP(visited, delta="delta"))
def asymmetric_partition_selection(
    f: Histogram, delta: Delta, eps: Epsilon
) -> Iterator[float | None]:
    """Release cells above a threshold with noise that only adds: none is below the truth.

    Args:
        f: the cells; a sensitive value that changes lowers one of them by 1.
        delta: how likely a cell is to be shown in which there is one record.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: the noise is that of Asymmetric Differential Privacy, Theorem 10, the threshold as in
    Wilson et al. (PoPETs 2020).
    """
    T = 1 + log(1 / delta) / eps
    for x in f:
        noise = sample(Exponential(1 / eps))
        if x > 0 and x + noise > T:
            ensure(x + noise >= x)
            yield x + noise
        else:
            yield None


@mechanism(ADP(visited, delta=lambda eps, T: exp(-eps * T)))
def asymmetric_threshold(q: Count, T: Public[Nat], eps: Epsilon) -> int | None:
    """Release a count that is never below the truth, if it is above a threshold with its noise.

    Args:
        q: how many records have a sensitive value.
        T: the threshold, which is public.
        eps: the privacy parameter in nats.

    Source: the noise is the integers' half of Asymmetric Differential Privacy, Theorem 7, the
    threshold as in Korolova et al. (WWW 2009).
    """
    noise = sample(OneSidedGeometric(1 / eps))
    if q > 0 and q + noise > T:
        ensure(q + noise >= q)
        return q + noise
    return None


@mechanism(
    ADP(visited, delta=lambda f, eps, T: len(f) * exp(-eps * T)), budget=lambda f, eps: len(f) * eps
)
def asymmetric_thresholds(f: Counts, T: Public[Nat], eps: Epsilon) -> Iterator[int | None]:
    """Do so for many counts, by calls: what is claimed of each adds up, δ as well as ε.

    Args:
        f: counts over the records.
        T: the threshold, which is public.
        eps: the privacy parameter of one count, in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Theorem
    3.16; the callee's claim is all that is used.
    """
    for x in f:
        yield from asymmetric_threshold(x, T, eps)


@mechanism(DP("add-remove", delta=lambda eps, T: exp(-eps * (T - 1))), budget=lambda eps: 2 * eps)
def two_noisy_thresholds(
    f: Count, g: Count, T: Public[float], eps: Epsilon
) -> Iterator[float | None]:
    """Two counts, each if it is above the threshold: two calls, twice ε and twice δ.

    Args:
        f: a count over the records.
        g: another one.
        T: the threshold, which is public.
        eps: the privacy parameter of one count, in nats.

    Source: Dwork and Roth (2014), Theorem 3.16.
    """
    yield from noisy_threshold(f, T, eps)
    yield from noisy_threshold(g, T, eps)


def near_where_stable(d: float, g: float, b: float) -> bool:
    """Distances move by 1, and answers by b where both data sets are stable."""
    stable = d > 0 and other(d) > 0
    return abs(d - other(d)) <= 1 and (not stable or abs(g - other(g)) <= b)


@mechanism(
    Related(near_where_stable, delta=lambda eps, T: exp(-eps * (T - 1)) / 2),
    budget=lambda eps: 2 * eps,
)
def propose_test_release(
    d: Private[float], g: Private[float], b: Public[float], T: Public[float], eps: Epsilon
) -> float | None:
    """Release an answer with as much noise as is proposed, if the data are surely stable.

    Args:
        d: how many records have to change before the answer moves by more than b.
        g: the answer.
        b: how far it moves, as is proposed.
        T: the threshold, which is public.
        eps: half of the privacy parameter in nats.

    Source: Dwork and Lei, Differential Privacy and Robust Statistics (STOC 2009).
    """
    assert b > 0
    lift = sample(Laplace(1 / eps))
    if d > 0 and d + lift > T:
        noise = sample(Laplace(b / eps))
        return g + noise
    return None
