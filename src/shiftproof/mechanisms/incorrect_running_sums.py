"""Sums of a sequence and of its beginnings that tell too much."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Nat, Public, Queries, mechanism, sample

#: Answers of which one moves, by at most 1.
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
#: Answers that each move by at most 1.
AllMove = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP(), expect="refuted")
def partial_sum_half_noise(q: OneMoves, eps: Epsilon) -> float:
    """The sum of a sequence with half the noise that it needs (BadPartialSum).

    Wrong: where the sum moves by 1, the largest ratio is e^(2 eps).

    Args:
        q: a sequence of which one element moves, by at most 1.
        eps: the privacy parameter in nats.

    Source: BadPartialSum of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    total = 0.0
    for i in range(len(q)):
        total += q[i]
    noise = sample(Laplace(1 / (2 * eps)))
    return total + noise


@mechanism(DP(), expect="refuted")
def prefix_sum_all_for_one(q: AllMove, eps: Epsilon) -> Iterator[float]:
    """The sums of the beginnings where every element may move, at the price of one.

    Wrong: each of n elements costs eps; the largest ratio is e^(n eps).

    Args:
        q: a sequence whose elements each move by at most 1.
        eps: the privacy parameter in nats.

    Source: PrefixSum as DP-Sniper (Bichsel, Steffen, Bogunovic and Vechev, S&P 2021) tests
    it; it is eps-private where one element moves.
    """
    total = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        total += q[i] + noise
        yield total


@mechanism(DP(), budget=lambda eps: 2 * eps, expect="refuted")
def smart_sum_raw_blocks(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Running sums that start again from the sum of the block as it is (BadSmartSum).

    Wrong: the sum of each block is released without noise: the ratio is infinite wherever it
    moves.

    Args:
        q: a sequence of which one element moves, by at most 1.
        M: the length of a block.
        eps: half of the claim in nats.

    Source: BadSmartSum of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            following = block + q[i]
            block = 0.0
        else:
            noise = sample(Laplace(1 / eps))
            following = following + q[i] + noise
            block = block + q[i]
        yield following
