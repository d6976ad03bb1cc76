"""The wrong programs of CheckDP's benchmark (2020)."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    mechanism,
    sample,
)

All = Annotated[Sequence[float], Queries(sensitivity=1)]
One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]


@mechanism(DP(), expect="refuted")
def checkdp_bad_noisy_max(q: All, eps: Epsilon) -> float:
    """Source: CheckDP (CCS 2020), BadNoisyMax: the value of the maximum."""
    i = 0
    best = 0.0
    while i < len(q):
        noise = sample(Laplace(2 / eps))
        if q[i] + noise > best or i == 0:
            best = q[i] + noise
        i += 1
    return best


@mechanism(DP(), expect="refuted")
def checkdp_bad_svt_1(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (CCS 2020), BadSVT1: no noise on the answers, no limit."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(q)):
        if q[i] >= T + lift:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def checkdp_bad_svt_2(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (CCS 2020), BadSVT2: no limit."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if q[i] + noise >= T + lift:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def checkdp_bad_svt_3(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (CCS 2020), BadSVT3: noise that does not know the limit."""
    lift = sample(Laplace(4 / eps))
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(4 / (3 * eps)))
        if q[i] + noise >= T + lift:
            yield True
            count += 1
        else:
            yield False
        i += 1


@mechanism(DP(), expect="refuted")
def checkdp_bad_gap_svt(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), BadGapSVT: the noisy answer instead of the gap."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(4 * N / eps))
        if q[i] + noise >= T + lift:
            yield q[i] + noise
            count += 1
        else:
            yield 0.0
        i += 1


@mechanism(DP(), expect="refuted")
def checkdp_bad_adaptive_svt(
    q: All, T: Public[float], N: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), BadAdaptiveSVT: the first branch tells the noisy answer."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    cost = 2 * N
    i = 0
    while cost <= 4 * N - 2 and i < len(q):
        far = sample(Laplace(8 * N / eps))
        if q[i] + far - T - lift >= 16:
            yield q[i] + far
            cost += 1
        else:
            near = sample(Laplace(4 * N / eps))
            if q[i] + near - T - lift >= 0:
                yield q[i] + near - T - lift
                cost += 2
            else:
                yield 0.0
        i += 1


@mechanism(DP(), expect="refuted")
def checkdp_bad_partial_sum(q: One, eps: Epsilon) -> float:
    """Source: CheckDP (CCS 2020), BadPartialSum: half of the noise."""
    total = 0.0
    for i in range(len(q)):
        total += q[i]
    noise = sample(Laplace(1 / (2 * eps)))
    return total + noise


@mechanism(DP(), budget=lambda eps: 2 * eps, expect="refuted")
def checkdp_bad_smart_sum(q: One, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), BadSmartSum: a block is released without noise."""
    assert M >= 1
    following = 0.0
    total = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            following = total + q[i]
            total = 0.0
        else:
            noise = sample(Laplace(1 / eps))
            following = following + q[i] + noise
            total = total + q[i]
        yield following
