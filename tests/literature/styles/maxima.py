"""Maxima and choices of the literature in the ways in which people write them."""

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Epsilon,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    Vector,
    argmax,
    mechanism,
    sample,
    top_k,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]


@mechanism(DP())
def maximum_by_max(q: Answers, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9 at 2 / eps; max and a comparison with it."""
    assert len(q) >= 1
    noisy = []
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy.append(q[i] + noise)
        top = noisy[0] if i == 0 else max(top, noisy[i])
    for i in range(len(q)):
        if noisy[i] >= top:
            return i
    return 0


@mechanism(DP())
def maximum_of_the_others(q: Answers, j: Public[Nat], eps: Epsilon) -> bool:
    """Source: Dwork and Roth (2014), Claim 3.9 at 2 / eps: only whether the winner is j."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return best == j


@mechanism(DP())
def maximum_with_a_measurement(q: Answers, eps: Epsilon) -> tuple[int, float]:
    """Source: Dwork and Roth (2014), Claim 3.9 and Theorem 3.6, half of the budget each."""
    assert len(q) >= 1
    best = -1
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if best == -1 or q[i] + noise > top:
            best = i
            top = q[i] + noise
    fresh = sample(Laplace(2 / eps))
    return best, q[best] + fresh


@mechanism(DP())
def maximum_in_pairs(a: Count, b: Count, c: Count, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9 at 2 / eps for three counts, by comparisons."""
    x = sample(Laplace(2 / eps))
    y = sample(Laplace(2 / eps))
    z = sample(Laplace(2 / eps))
    if a + x >= b + y and a + x >= c + z:
        return 0
    if b + y >= c + z:
        return 1
    return 2


@mechanism(DP())
def smallest_by_argmax(q: Answers, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9 at 2 / eps, of the negative answers."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = -(q[i] + noise)
    return argmax(noisy)


@mechanism(DP())
def weighted_maximum(q: Answers, w: Public[Vector], eps: Epsilon) -> int:
    """Source: McSherry and Talwar (FOCS 2007), a public prior: a bonus for each candidate."""
    assert len(q) >= 1 and len(w) == len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + w[i] + noise
    return argmax(noisy)


@mechanism(DP())
def second_best(q: Answers, eps: Epsilon) -> int:
    """Source: Qiao, Su and Zhang (ICML 2021), top 2 at 4 / eps, of which the second is told."""
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[1]
