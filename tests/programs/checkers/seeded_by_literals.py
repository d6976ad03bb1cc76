"""Broken mechanisms whose fault shows at a number that stands in them, or only for large ratios."""

from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    TwoSidedGeometric,
    Value,
    mechanism,
    sample,
)


@mechanism(DP(), expect="refuted")
def both_ways(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    return abs(f[0] - f[1]) + noise


@mechanism(DP(), expect="refuted")
def above_six(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if f > 6:
        return f + noise
    return noise


@mechanism(DP(), expect="refuted")
def above_twenty(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if f > 20:
        return f + noise
    return noise


@mechanism(DP(), expect="refuted")
def six_of_them(f: Counts, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if len(f) == 6:
        return f[0]
    return noise


@mechanism(DP(), expect="refuted")
def minus_seven(f: Count, n: Public[int], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if n == -7:
        return f + 0.5 * noise
    return f + noise


@mechanism(DP(), expect="refuted")
def two_and_a_half(f: Count, x: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if x == 2.5:
        return f + 0.5 * noise
    return f + noise


@mechanism(DP(), expect="refuted")
def seventeen(f: Count, k: Public[Nat], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    if k == 17:
        return 2 * f + noise
    return f + noise


@mechanism(DP(), expect="refuted")
def a_million_times(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return 1000000 * f + noise


@mechanism(LDP(), expect="refuted")
def up_to_a_million(x: Annotated[float, Value(0, 1000000)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
