"""The benchmarks of LightDP (2017), ShadowDP (2019) and CheckDP (2020)."""

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
Up = Annotated[Sequence[float], Queries(sensitivity=1, direction="increasing")]
Down = Annotated[Sequence[float], Queries(sensitivity=1, direction="decreasing")]


@mechanism(DP())
def checkdp_svt(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (Wang, Ding, Kifer, Zhang, CCS 2020), SVT."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    noisy_T = T + lift
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(4 * N / eps))
        if q[i] + noise >= noisy_T:
            yield True
            count += 1
        else:
            yield False
        i += 1


@mechanism(DP())
def checkdp_svt_inverse(q: Up, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (CCS 2020), SVT where the answers of the neighbour can only be larger."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    noisy_T = T + lift
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(2 * N / eps))
        if q[i] + noise >= noisy_T:
            yield True
            count += 1
        else:
            yield False
        i += 1


@mechanism(DP())
def checkdp_svt_monotone(q: Down, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: CheckDP (CCS 2020), SVT where the answers of the neighbour can only be smaller."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    noisy_T = T + lift
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(2 * N / eps))
        if q[i] + noise >= noisy_T:
            yield True
            count += 1
        else:
            yield False
        i += 1


@mechanism(DP())
def checkdp_gap_svt(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), GapSVT; ShadowDP (PLDI 2019), Figure 6."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    noisy_T = T + lift
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(4 * N / eps))
        if q[i] + noise >= noisy_T:
            yield q[i] + noise - noisy_T
            count += 1
        else:
            yield 0.0
        i += 1


@mechanism(DP())
def checkdp_num_svt(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), NumSVT; LightDP (Zhang and Kifer, POPL 2017), Figure 10."""
    assert N >= 1
    lift = sample(Laplace(3 / eps))
    noisy_T = T + lift
    count = 0
    i = 0
    while count < N and i < len(q):
        noise = sample(Laplace(6 * N / eps))
        if q[i] + noise >= noisy_T:
            fresh = sample(Laplace(3 * N / eps))
            yield q[i] + fresh
            count += 1
        else:
            yield 0.0
        i += 1


@mechanism(DP())
def checkdp_adaptive_svt(q: All, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), AdaptiveSVT, in the units of epsilon / (4 N)."""
    assert N >= 1
    lift = sample(Laplace(2 / eps))
    noisy_T = T + lift
    cost = 2 * N
    i = 0
    while cost <= 4 * N - 2 and i < len(q):
        far = sample(Laplace(8 * N / eps))
        if q[i] + far - noisy_T >= 16:
            yield q[i] + far - noisy_T
            cost += 1
        else:
            near = sample(Laplace(4 * N / eps))
            if q[i] + near - noisy_T >= 0:
                yield q[i] + near - noisy_T
                cost += 2
            else:
                yield 0.0
        i += 1


@mechanism(DP())
def checkdp_noisy_max(q: All, eps: Epsilon) -> int:
    """Source: CheckDP (CCS 2020), NoisyMax; ShadowDP (PLDI 2019), Figure 1."""
    i = 0
    best = 0.0
    top = 0
    while i < len(q):
        noise = sample(Laplace(2 / eps))
        if q[i] + noise > best or i == 0:
            top = i
            best = q[i] + noise
        i += 1
    return top


@mechanism(DP())
def checkdp_partial_sum(q: One, eps: Epsilon) -> float:
    """Source: CheckDP (CCS 2020), PartialSum; LightDP (POPL 2017), Figure 5."""
    total = 0.0
    i = 0
    while i < len(q):
        total = total + q[i]
        i += 1
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def shadowdp_prefix_sum(q: One, eps: Epsilon) -> Iterator[float]:
    """Source: ShadowDP (PLDI 2019), PrefixSum."""
    following = 0.0
    i = 0
    while i < len(q):
        noise = sample(Laplace(1 / eps))
        following = following + q[i] + noise
        yield following
        i += 1


@mechanism(DP(), budget=lambda eps: 2 * eps)
def checkdp_smart_sum(q: One, M: Public[Nat], T: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), SmartSum, with its bound on time."""
    assert M >= 1
    following = 0.0
    total = 0.0
    i = 0
    while i < len(q) and i <= T:
        noise = sample(Laplace(1 / eps))
        if (i + 1) % M == 0:
            following = total + q[i] + noise
            total = 0.0
            yield following
        else:
            following = following + q[i] + noise
            total = total + q[i]
            yield following
        i += 1
