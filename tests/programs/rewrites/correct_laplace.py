"""Noisy counts in several styles: each is private as it claims."""

from collections.abc import Iterator
from typing import Annotated

import shiftproof as sp
from shiftproof import (
    ADP,
    DP,
    Count,
    CountingQuery,
    Epsilon,
    Exponential,
    Laplace,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
HALF = 2


def clipped(value: float, low: float, high: float) -> float:
    if value < low:
        return low
    if value > high:
        return high
    return value


# truth: private because 1 / (1/eps) = eps
@mechanism(DP())
def laplace(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


# truth: private because 1 / (1/eps) = eps (one record added or removed)
@sp.mechanism(sp.DP("add-remove"))
def laplace_yielded(visits: sp.Count, budget: sp.Epsilon) -> Iterator[float]:
    """The same through the module, with a helper variable and a keyword."""
    spread = 1 / budget
    fuzz = sp.sample(sp.Laplace(scale=spread))
    visits += fuzz
    yield visits


# truth: private because 1 / (2/eps) + 1 / (2/eps) = eps
@mechanism(DP())
def laplace_twice(x: Count, eps: Epsilon) -> tuple[float, float]:
    first = sample(Laplace(HALF / eps))
    second = sample(Laplace(HALF / eps))
    return x + first, x - second


# truth: private because 1 / (1/eps1) + 1 / (1/eps2) = eps1 + eps2
@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def laplace_two_parameters(x: Count, eps1: Epsilon, eps2: Epsilon) -> Iterator[float]:
    coarse = sample(Laplace(1 / eps1))
    yield coarse + x
    fine = sample(Laplace(1 / eps2))
    yield fine + x


# truth: private because 1 / (1/eps) = eps, and clipping only sees the noisy count
@mechanism(DP())
def laplace_clipped(x: Count, most: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    noisy = x + noise
    return clipped(noisy, 0.0, most)


# truth: private because the difference moves by at most 2, and 2 / (2/eps) = eps
@mechanism(DP())
def laplace_difference(
    came: Count, stayed_away: Annotated[int, CountingQuery({0})], eps: Epsilon
) -> float:
    excess = came - stayed_away
    noise = sample(Laplace(2 / eps))
    return excess + noise


# truth: private because it moves by an integer of at most 1, and 1 / (1/eps) = eps
@mechanism(DP())
def geometric(x: Count, eps: Epsilon) -> int:
    k = sample(TwoSidedGeometric(1 / eps))
    return x + k


# truth: private because the count only falls, by at most 1: 1 / (1/eps) = eps
@mechanism(ADP(visited))
def asymmetric_laplace(x: Count, eps: Epsilon) -> Iterator[float]:
    answer = x
    noise = sample(Exponential(1 / eps))
    answer += noise
    yield answer


# truth: private because the count only falls, by 0 or 1: 1 / (1/eps) = eps
@mechanism(ADP(visited))
def asymmetric_geometric(x: Count, eps: Epsilon) -> int:
    scale = 1 / eps
    upward = sample(OneSidedGeometric(scale))
    return upward + x


# truth: private because the count of zeros only rises, by at most 1: 1 / (1/eps) = eps
@mechanism(ADP(visited))
def asymmetric_laplace_of_zeros(absent: Annotated[int, CountingQuery({0})], eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return absent + noise


# truth: private because one count falls and one rises: 1 / (3/eps) + 1 / (3/(2 eps)) = eps
@mechanism(ADP(visited))
def asymmetric_laplace_of_both(
    came: Count, absent: Annotated[int, CountingQuery({0})], eps: Epsilon
) -> tuple[float, float]:
    third = eps / 3
    up, scale = 0.0, 1 / third
    up = sample(Exponential(scale))
    down = sample(NegativeExponential(scale / 2))
    return came + up, absent + down


# truth: private because the negated count only rises, by at most 1: 1 / (1/eps) = eps
@mechanism(ADP(Policy(sensitive={2}, universe={0, 1, 2})))
def asymmetric_laplace_negated(x: Annotated[int, CountingQuery({2})], eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return -x + noise
