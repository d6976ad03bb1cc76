"""Local definitions that are misused: nothing here is private, or callable."""

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    Blowfish,
    DPrivacy,
    Epsilon,
    InputDiscriminativeLDP,
    IntegerValue,
    Laplace,
    Nat,
    Public,
    Query,
    TwoSidedGeometric,
    UtilityOptimizedLDP,
    Vector,
    mechanism,
    other,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]


def negative_with_itself(x: int) -> int:
    return 1 if x != other(x) else -3


def far_apart(x: int) -> bool:
    return x < other(x) - 1


def gap(x: float) -> float:
    return abs(x - other(x))


def two(x: int) -> bool:
    return x < other(x)


def whatever(y: int) -> bool:
    return True


@mechanism(DPrivacy(negative_with_itself))
def credit_for_the_same(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(DPrivacy(negative_with_itself))
def credit_at_a_call(x: Bit, eps: Epsilon) -> Iterator[int]:
    yield from credit_for_the_same(0, eps)
    yield from credit_for_the_same(x, eps)


@mechanism(LDP(), expect="bounded")
def private_for_nothing(x: Bit, T: Public[Vector], eps: Epsilon) -> int:
    total = 0
    for i in range(len(T)):
        coin = sample(Bernoulli(1 / 2))
        total += 1 if coin else 0
        if T[i] > 1000:
            total = x
    return total


@mechanism(LDP())
def large_numbers(
    x: Annotated[int, IntegerValue(100000000000000000000, 100000000000000000001)], eps: Epsilon
) -> float:
    return x + 0.5


@mechanism(LDP())
def an_int_as_a_condition_where_nobody_comes(x: Bit, eps: Epsilon) -> Iterator[bool]:
    coin = sample(Bernoulli(1 / 2))
    if x <= 1:
        yield coin
    else:
        yield not x


@mechanism(Blowfish(far_apart))
def without_neighbours(x: Bit, k: Public[Nat], eps: Epsilon) -> int:
    assert k >= 1
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(UtilityOptimizedLDP(lambda x: x > 0, whatever))
def a_lambda(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(UtilityOptimizedLDP(two, whatever))
def sensitive_as_a_pair(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(InputDiscriminativeLDP(gap))
def a_budget_of_two(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 / 2))
    return x if honest else 1 - x


@mechanism(DPrivacy(gap))
def a_query_at_a_distance(x: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(LDP())
def a_range_up_to_a_real(x: Annotated[int, IntegerValue(0, "eps")], eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 / 2))
    return x if honest else 1 - x


@mechanism(LDP())
def a_range_up_to_nothing(x: Annotated[int, IntegerValue(0, "k")], eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 / 2))
    return x if honest else 1 - x
