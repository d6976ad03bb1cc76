"""Choosing the largest: noisy maxima, their gaps, top k, permute and flip, and wrong ones."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    argmax,
    mechanism,
    sample,
    top_k,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Utilities = Annotated[Sequence[float], Queries(sensitivity="D")]


@mechanism(DP())
def noisy_max_one_sided(q: Answers, eps: Epsilon) -> int:
    """Source: Ding, Kifer, Steinke et al., The Permute-and-Flip Mechanism Is Identical to
    Report-Noisy-Max with Exponential Noise (2021); ReportNoisyMax2 of DP-Sniper.
    """
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP("add-remove"))
def noisy_max_one_sided_monotone(q: Counts, eps: Epsilon) -> int:
    """Source: Ding et al. (2021), with the scale for monotonic utilities."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def noisy_max_one_sided_half_noise(q: Answers, eps: Epsilon) -> int:
    """Source: Ding et al. (2021), the scale for monotonic utilities for any utilities."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def noisy_max_one_sided_value(q: Answers, eps: Epsilon) -> float:
    """Source: StatDP (Ding et al., CCS 2018), Algorithm 8; ReportNoisyMax4 of DP-Sniper."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return noisy[best]


@mechanism(DP(), budget=lambda n, eps: n * eps / 2)
def noisy_max_value_of_n(q: Answers, n: Public[Nat], eps: Epsilon) -> float:
    """Source: StatDP (CCS 2018), Algorithm 7, with the budget of all n answers."""
    assert n >= 1 and len(q) == n
    noisy = [0.0] * n
    for i in range(n):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return noisy[best]


@mechanism(DP(), expect="refuted")
def noisy_max_value_for_one(q: Answers, eps: Epsilon) -> float:
    """Source: StatDP (CCS 2018), Algorithm 7; ReportNoisyMax3 of DP-Sniper (S&P 2021)."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return noisy[best]


@mechanism(DP())
def noisy_max_discrete(q: Counts, eps: Epsilon) -> int:
    """Source: DiPC (Barthe, Chadha, Jagannath, Sistla, Viswanathan, LICS 2020), noisy max."""
    assert len(q) >= 1
    noisy = [0] * len(q)
    for i in range(len(q)):
        noise = sample(TwoSidedGeometric(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP())
def noisy_max_with_gap(q: Answers, eps: Epsilon) -> tuple[int, float]:
    """Source: Ding, Wang, Zhang and Kifer, Free Gap Information (VLDB 2019), noisy max with gap;
    ShadowDP (PLDI 2019) has the index alone.
    """
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP(), expect="refuted")
def noisy_max_with_gap_and_second(q: Answers, eps: Epsilon) -> tuple[int, int, float]:
    """Source: Free Gap Information (VLDB 2019), noisy max with gap that also names the second."""
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], order[1], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def top_k_with_gaps(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Free Gap Information (VLDB 2019), Algorithm 1, Noisy-Top-K-with-Gap."""
    assert 1 <= k < len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP("add-remove"))
def top_k_with_gaps_monotone(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Free Gap Information (VLDB 2019), Algorithm 1 for monotonic queries."""
    assert 1 <= k < len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(k / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP())
def top_k_one_shot(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Qiao, Su and Zhang, Oneshot Differentially Private Top-k Selection (ICML 2021),
    the pure bound.
    """
    assert 1 <= k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = q[i] + noise
    for j in top_k(noisy, k):
        yield j


@mechanism(DP(), expect="refuted")
def top_k_one_shot_noise_for_one(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Qiao, Su and Zhang (ICML 2021), with the noise of one maximum for all k."""
    assert 1 <= k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    for j in top_k(noisy, k):
        yield j


@mechanism(DP())
def top_k_then_measured(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Bhaskar, Laxman, Smith and Thakurta, Discovering Frequent Patterns in Sensitive Data
    (KDD 2010): half of the budget selects, half measures with fresh noise.
    """
    assert 1 <= k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(4 * k / eps))
        noisy[i] = q[i] + noise
    for j in top_k(noisy, k):
        fresh = sample(Laplace(2 * k / eps))
        yield j
        yield q[j] + fresh


@mechanism(DP(), expect="refuted")
def top_k_with_the_values_it_was_chosen_by(
    q: Answers, k: Public[Nat], eps: Epsilon
) -> Iterator[int | float]:
    """Source: Bhaskar et al. (KDD 2010), where the value of the choice is released."""
    assert 1 <= k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = q[i] + noise
    for j in top_k(noisy, k):
        yield j
        yield noisy[j]


@mechanism(DP())
def peeling(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Dwork, Su and Zhang, Differentially Private False Discovery Rate Control (2018),
    the peeling mechanism without its values; k rounds of report noisy max.
    """
    assert 1 <= k <= len(q)
    taken = [False] * len(q)
    for r in range(k):
        winner = -1
        best = 0.0
        for i in range(len(q)):
            noise = sample(Laplace(2 * k / eps))
            if not taken[i] and (winner == -1 or q[i] + noise > best):
                winner = i
                best = q[i] + noise
        if winner >= 0:
            taken[winner] = True
        yield winner


@mechanism(DP(), expect="refuted")
def peeling_noise_for_one_round(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Dwork, Su and Zhang (2018), the peeling mechanism with the noise of one round."""
    assert 1 <= k <= len(q)
    taken = [False] * len(q)
    for r in range(k):
        winner = -1
        best = 0.0
        for i in range(len(q)):
            noise = sample(Laplace(2 / eps))
            if not taken[i] and (winner == -1 or q[i] + noise > best):
                winner = i
                best = q[i] + noise
        if winner >= 0:
            taken[winner] = True
        yield winner
