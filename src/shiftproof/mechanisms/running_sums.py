"""Sums of a sequence and of its beginnings."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Nat, Public, Queries, mechanism, sample

#: Answers of which one moves, by at most 1.
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
#: Answers that each move by at most 1.
AllMove = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def partial_sum(q: OneMoves, eps: Epsilon) -> float:
    """Release the sum of a sequence.

    Args:
        q: a sequence of which one element moves, by at most 1.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: PartialSum of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    total = 0.0
    for i in range(len(q)):
        total += q[i]
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def prefix_sum(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    """Release the sum of each beginning of a sequence, of noisy elements.

    Args:
        q: a sequence of which one element moves, by at most 1.
        eps: the privacy parameter in nats; each element gets noise of scale 1 / eps.

    Source: PrefixSum of ShadowDP (Wang, Ding, Wang, Kifer and Zhang, Proving Differential
    Privacy with Shadow Execution, PLDI 2019).
    """
    total = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        total += q[i] + noise
        yield total


@mechanism(DP(), budget=lambda n, eps: n * eps)
def prefix_sum_all(q: AllMove, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Release the sums of the beginnings where every element may move.

    Args:
        q: a sequence of n elements that each move by at most 1.
        n: the length of the sequence.
        eps: the privacy parameter of one element, in nats; the claim is n * eps.

    Source: PrefixSum as DP-Sniper (Bichsel, Steffen, Bogunovic and Vechev, S&P 2021) tests
    it, on neighbours that differ in every element.
    """
    assert n == len(q)
    total = 0.0
    for i in range(n):
        noise = sample(Laplace(1 / eps))
        total += q[i] + noise
        yield total


@mechanism(DP(), budget=lambda eps: 2 * eps)
def smart_sum(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Release running sums that start again from the sum of the block at each M-th element.

    Args:
        q: a sequence of which one element moves, by at most 1.
        M: the length of a block.
        eps: half of the claim in nats; an element is paid for once alone and once in its block.

    Source: SmartSum of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020), after Chan, Shi and
    Song, Private and Continual Release of Statistics (TISSEC 2011).
    """
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            noise = sample(Laplace(1 / eps))
            following = block + q[i] + noise
            block = 0.0
        else:
            noise = sample(Laplace(1 / eps))
            following = following + q[i] + noise
            block = block + q[i]
        yield following


@mechanism(DP(), budget=lambda eps: 2 * eps)
def smart_sum_continued(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Release running sums to which the sum of the block is added at each M-th element.

    Args:
        q: a sequence of which one element moves, by at most 1.
        M: the length of a block.
        eps: half of the claim in nats; an element is paid for once alone and once in its block.

    Source: SmartSum of ShadowDP (Wang, Ding, Wang, Kifer and Zhang, Proving Differential
    Privacy with Shadow Execution, PLDI 2019), after Chan, Shi and Song, Private and
    Continual Release of Statistics (TISSEC 2011).
    """
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            noise = sample(Laplace(1 / eps))
            following = following + block + q[i] + noise
            block = 0.0
        else:
            noise = sample(Laplace(1 / eps))
            following = following + q[i] + noise
            block = block + q[i]
        yield following
