"""Averages, smallest and largest values, choices by noise, and noise that moves the way it can."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Counts,
    DPrivacy,
    Epsilon,
    Exponential,
    Laplace,
    Private,
    Public,
    Queries,
    TwoSidedGeometric,
    Values,
    mechanism,
    other,
    sample,
)


@mechanism(DP())
def mean_of_counts(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    return sum(f) / len(f) + sample(Laplace(1 / eps))


@mechanism(DP())
def mean_of_counts_twice(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    total = 0
    for x in f:
        total += x
    mean = total / len(f)
    yield mean + sample(Laplace(2 / eps))
    yield 2 * mean + sample(Laplace(4 / eps))


@mechanism(DP("add-remove"))
def mean_in_one_direction(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    return sum(f) / len(f) + sample(Laplace(1 / eps))


@mechanism(DP())
def mean_of_halves(f: Annotated[Sequence[float], Queries(sensitivity=0.5)], eps: Epsilon) -> float:
    assert len(f) >= 1
    total = 0.0
    for x in f:
        total += x
    return total / len(f) + sample(Laplace(0.5 / eps))


@mechanism(DP())
def weighted_mean(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    total = 0.0
    for x in f:
        total += 3 * x
    return total / len(f) + sample(Laplace(3 / eps))


@mechanism(DP())
def mean_above(f: Counts, T: Public[float], eps: Epsilon) -> bool:
    assert len(f) >= 1
    return sum(f) / len(f) + sample(Laplace(1 / eps)) > T


@mechanism(DP())
def smallest(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    m = f[0]
    for x in f:
        if x < m:
            m = x
    return m + sample(Laplace(1 / eps))


@mechanism(DP())
def middle_of_ends(v: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    assert len(v) >= 1
    lo = v[0]
    hi = v[0]
    for x in v:
        lo = min(lo, x)
        hi = max(hi, x)
    return (lo + hi) / 2 + sample(Laplace(1 / eps))


@mechanism(DP())
def spread_of_counts(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    lo = f[0]
    hi = f[0]
    for x in f:
        lo = min(lo, x)
        hi = max(hi, x)
    return hi - lo + sample(Laplace(2 / eps))


@mechanism(DP())
def one_of_two(f: Count, g: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    first = f + sample(Laplace(2 / eps))
    yield first
    if first > T:
        asked = f
    else:
        asked = g
    yield asked + sample(Laplace(2 / eps))


@mechanism(DP())
def chosen_of_three(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 3
    first = f[0] + sample(Laplace(2 / eps))
    yield first
    asked = f[1] if first > T else f[2]
    yield asked + sample(Laplace(2 / eps))


@mechanism(DP())
def up_and_down(f: Count, eps: Epsilon) -> float:
    up = sample(Exponential(1 / eps))
    down = sample(Exponential(1 / eps))
    return f + up - down


def squared(x: int) -> int:
    return (x - other(x)) ** 2


@mechanism(DPrivacy(squared))
def squared_twice(x: Private[int], eps: Epsilon) -> Iterator[int]:
    yield x + sample(TwoSidedGeometric(2 / eps))
    yield x + sample(TwoSidedGeometric(2 / eps))
