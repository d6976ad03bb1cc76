"""The k largest answers: in one go, or one after the other."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    mechanism,
    sample,
    top_k,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited))
def asymmetric_top_k(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Release the k largest noisy counts, largest first, each after its index.

    Repaired: the printed algorithm adds the count to noise that contains it already.

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many counts are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired) and Theorem 12.
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield noisy[j]


@mechanism(ADP(visited))
def asymmetric_top_k_geometric(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Release the same with noise on the integers, where answers can be equal.

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many counts are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired) with geometric noise.
    """
    assert 1 <= k <= len(f)
    noisy = [0] * len(f)
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield noisy[j]


@mechanism(ADP(visited))
def asymmetric_top_k_measured(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Choose the k largest with half of the budget, and measure them with the other half.

    Noise that is chosen for being large says too much of a count, fresh noise does not: where
    the choice is hard, the second value of each count is far better than the first.

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many counts are released, at most all of them; each as its index, the noisy
            count that it was chosen by, and the fresh one.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired), with the measurement of
    Ding et al., Free Gap Information from the Differentially Private Sparse Vector and Noisy
    Max Mechanisms (VLDB 2020).
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for j in order:
        fresh = sample(Exponential(2 * k / eps))
        yield j
        yield noisy[j]
        yield f[j] + fresh


@mechanism(DP())
def noisy_top_k(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Release which k counts are the largest ones with noise, largest first.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        k: how many indices are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Ding et al., Free Gap Information from the Differentially Private Sparse Vector
    and Noisy Max Mechanisms (VLDB 2020), Algorithm 1 without its gaps.
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for r in range(k):
        yield order[r]


@mechanism(DP())
def free_gap_top_k(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Release the same and, for nothing, by how much each of them is ahead of the next one.

    One more index is picked than is released, and paid for: so the last gap has an alignment
    that needs no noise which is drawn later.  (The published scale is 2 k / eps.)

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        k: how many indices are released, fewer than there are counts.
        eps: the privacy parameter in nats.

    Source: Ding et al., Free Gap Information from the Differentially Private Sparse Vector
    and Noisy Max Mechanisms (VLDB 2020), Algorithm 1.
    """
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * (k + 1) / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP())
def top_k_by_peeling(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Release the index of the largest noisy count, take it away, and again: k times.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        k: how many indices are released.
        eps: the privacy parameter in nats; each round has a k-th of it, and fresh noise.

    Source: Durfee and Rogers, Practical Differentially Private Top-k Selection with
    Pay-what-you-get Composition (NeurIPS 2019), the peeling of noisy max.
    """
    assert k >= 1
    taken = [False] * len(f)
    for r in range(k):
        best = None
        top = 0.0
        for i in range(len(f)):
            if not taken[i]:
                noise = sample(Laplace(2 * k / eps))
                if best is None or f[i] + noise > top:
                    best = i
                    top = f[i] + noise
        if best is None:
            return
        yield best
        taken[best] = True
