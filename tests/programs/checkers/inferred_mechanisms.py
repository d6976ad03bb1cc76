"""Mechanisms that claim nothing, or not what they keep; that stands in ``test_inferring``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    INFER,
    LDP,
    Bernoulli,
    Count,
    Counts,
    DiscreteUniform,
    Epsilon,
    Group,
    IntegerValue,
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    Query,
    TwoSidedGeometric,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})


@mechanism(DP(), budget=INFER)
def two_releases(f: Count, g: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[float, float]:
    one = sample(Laplace(1 / eps1))
    two = sample(Laplace(2 / eps2))
    return f + one, g + two


@mechanism(DP(), budget=INFER)
def plain_number(f: Count) -> float:
    noise = sample(Laplace(2.5))
    return f + noise


@mechanism(DP(), budget=INFER)
def sensitivity_of_ten(f: Annotated[float, Query(sensitivity=10)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP(), budget=INFER)
def sensitivity_by_name(
    f: Annotated[float, Query(sensitivity="D")], D: Public[float], eps: Epsilon
) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP(), budget=INFER)
def weighted(f: Count, g: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return 2 * f + 3 * g + noise


# every answer costs eps: no threshold is noisy
@mechanism(DP(), budget=INFER)
def each_answer(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise >= T


# eps for the threshold, and eps for all c answers
@mechanism(DP(), budget=INFER)
def sparse_vector(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    lift = sample(Laplace(1 / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# half of what the noise of the answers should be
@mechanism(DP())
def sparse_vector_half_noise(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    lift = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# Algorithm 2 of Asymmetric Differential Privacy as it is printed: the last answer is not stopped
@mechanism(ADP(visited))
def one_answer_more(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered += 1
            if answered > c:
                return
        else:
            yield None


@mechanism(Group(DP(), 3), budget=INFER)
def for_three(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


# the second one is drawn only sometimes
@mechanism(DP(), budget=lambda eps: eps)
def the_dearer_branch(f: Count, T: Public[int], eps: Epsilon) -> Iterator[int]:
    first = sample(TwoSidedGeometric(1 / eps))
    yield f + first
    if f + first >= T:
        second = sample(TwoSidedGeometric(1 / eps))
        yield f + second


# ln 3
@mechanism(LDP(), budget=1.0987)
def three_to_one(x: Annotated[int, IntegerValue(0, 1)]) -> int:
    flip = sample(Bernoulli(1 / 4))
    return 1 - x if flip else x


# 13/16 against 1/16
@mechanism(LDP(), budget=2.565)
def most_likely_of_four(x: Annotated[int, IntegerValue(0, 3)]) -> int:
    lies = sample(Bernoulli(1 / 4))
    other_one = sample(DiscreteUniform(0, 3))
    return other_one if lies else x


@mechanism(DP(), budget=INFER)
def raw(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f if noise > 0 else 0
