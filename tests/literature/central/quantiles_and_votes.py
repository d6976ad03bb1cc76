"""Quantiles, ranges, votes of teachers and change points."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Categorical,
    DataSet,
    Epsilon,
    Histogram,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    argmax,
    count,
    mechanism,
    sample,
)

Ages = Annotated[Sequence[Sequence[int]], DataSet(1)]


def at_most(r: tuple[int, ...], t: int) -> bool:
    return r[0] <= t


def within(r: tuple[int, ...], low: int, high: int) -> bool:
    return low <= r[0] and r[0] < high


@mechanism(DP())
def median_by_halving(
    data: Ages, n: Public[int], low: Public[int], rounds: Public[Nat], eps: Epsilon
) -> Iterator[int]:
    """Source: Blum, Ligett and Roth (STOC 2008), median by binary search, each round with a share
    of the budget.
    """
    assert rounds >= 1
    a = low
    width = 1024
    for r in range(rounds):
        width = width // 2
        noise = sample(TwoSidedGeometric(rounds / eps))
        if count(at_most, data, a + width) + noise < n:
            a = a + width
        yield a


@mechanism(DP(), expect="refuted")
def median_by_halving_for_one(
    data: Ages, n: Public[int], low: Public[int], rounds: Public[Nat], eps: Epsilon
) -> Iterator[int]:
    """Source: Blum, Ligett and Roth (STOC 2008), binary search, the whole budget each round."""
    assert rounds >= 1
    a = low
    width = 1024
    for r in range(rounds):
        width = width // 2
        noise = sample(TwoSidedGeometric(1 / eps))
        if count(at_most, data, a + width) + noise < n:
            a = a + width
        yield a


@mechanism(DP())
def quantile_by_noisy_ranks(data: Ages, m: Public[Nat], rank: Public[int], eps: Epsilon) -> int:
    """Source: Smith, Privacy-Preserving Statistical Estimation (STOC 2011), the quantile among m
    candidates, with report noisy max in place of the exponential mechanism.
    """
    assert m >= 1
    score = [0.0] * m
    for t in range(m):
        noise = sample(Laplace(2 / eps))
        score[t] = -abs(count(at_most, data, t) - rank) + noise
    return argmax(score)


@mechanism(DP(), expect="refuted")
def quantile_exact(data: Ages, m: Public[Nat], rank: Public[int], eps: Epsilon) -> int:
    """Source: Smith (STOC 2011), the quantile among m candidates, one comparison with noise."""
    assert m >= 2
    score = [0.0] * m
    noise = sample(Laplace(2 / eps))
    for t in range(m):
        score[t] = -abs(count(at_most, data, t) - rank) + noise
    return argmax(score)


@mechanism(LDP())
def quantile_exponential(
    x: Annotated[Sequence[int], IntegerValues(0, 3)], rank: Public[int], eps: Epsilon
) -> int:
    """Source: Smith (STOC 2011), the exponential mechanism for a quantile of values 0 to 3."""
    weights = []
    for t in range(4):
        below = 0
        for v in x:
            if v <= t:
                below += 1
        weights.append(exp(-eps * abs(below - rank) / 2))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(DP())
def range_counts(data: Ages, low: Public[int], high: Public[int], eps: Epsilon) -> tuple[int, int]:
    """Source: PipelineDP, COUNT of two partitions that a record cannot be in both of."""
    assert low < high
    a = sample(TwoSidedGeometric(2 / eps))
    b = sample(TwoSidedGeometric(2 / eps))
    return count(within, data, low, high) + a, count(within, data, high, 2 * high) + b


@mechanism(DP(), budget=lambda eps: 2 * eps)
def votes_of_teachers(votes: Histogram, eps: Epsilon) -> int:
    """Source: Papernot et al., Semi-supervised Knowledge Transfer (PATE, ICLR 2017), LNMax, whose
    answers are (2 gamma, 0)-private each.
    """
    assert len(votes) >= 1
    noisy = [0.0] * len(votes)
    for j in range(len(votes)):
        noise = sample(Laplace(1 / eps))
        noisy[j] = votes[j] + noise
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def votes_of_teachers_half_budget(votes: Histogram, eps: Epsilon) -> int:
    """Source: Papernot et al. (PATE, ICLR 2017), LNMax at gamma, where one vote moves two cells."""
    assert len(votes) >= 1
    noisy = [0.0] * len(votes)
    for j in range(len(votes)):
        noise = sample(Laplace(1 / eps))
        noisy[j] = votes[j] + noise
    return argmax(noisy)


@mechanism(DP())
def confident_votes(votes: Histogram, T: Public[float], eps: Epsilon) -> int | None:
    """Source: Papernot et al., Scalable Private Learning with PATE (ICLR 2018), the Confident
    aggregator with Laplace noise: answered only if the largest count is above a threshold.
    """
    assert len(votes) >= 1
    check = sample(Laplace(2 / eps))
    most = 0
    for v in votes:
        most = max(most, v)
    if most + check < T:
        return None
    noisy = [0.0] * len(votes)
    for j in range(len(votes)):
        noise = sample(Laplace(4 / eps))
        noisy[j] = votes[j] + noise
    return argmax(noisy)


@mechanism(DP())
def change_point(
    llr: Annotated[Sequence[float], Queries(sensitivity="A", differing="one")],
    A: Public[float],
    eps: Epsilon,
) -> int:
    """Source: Cummings, Krehbiel, Mei, Tuo and Zhang, Differentially Private Change-Point Detection
    (NeurIPS 2018), Algorithm 1: sums of log-likelihood ratios from k on, which move together.
    """
    assert A > 0 and len(llr) >= 1
    noisy = [0.0] * len(llr)
    tail = 0.0
    for r in range(len(llr)):
        noise = sample(Laplace(A / eps))
        tail = tail + llr[len(llr) - 1 - r]
        noisy[r] = tail + noise
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def change_point_half_noise(
    llr: Annotated[Sequence[float], Queries(sensitivity="A", differing="one")],
    A: Public[float],
    eps: Epsilon,
) -> int:
    """Source: Cummings et al. (NeurIPS 2018), Algorithm 1 with half of its noise."""
    assert A > 0 and len(llr) >= 1
    noisy = [0.0] * len(llr)
    tail = 0.0
    for r in range(len(llr)):
        noise = sample(Laplace(A / (2 * eps)))
        tail = tail + llr[len(llr) - 1 - r]
        noisy[r] = tail + noise
    return argmax(noisy)
