"""Mechanisms that lack a line, and what that line is."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    Values,
    mechanism,
    sample,
)


@mechanism(DP())
def lengths(f: Counts, eps: Epsilon) -> float:
    total = 0
    for q in f:
        total += q
    noise = sample(Laplace(len(f) / eps))
    return total + noise


@mechanism(DP())
def noise_first(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(len(f) / eps))
    total = 0
    for q in f:
        total += q
    return total + noise


@mechanism(DP())
def private_test(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if f < 0:
        return 0.0
    return f + noise


@mechanism(DP())
def mean(f: Count, n: Public[int], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return (f + noise) / n


@mechanism(DP())
def scale(f: Count, w: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(w / eps))
    return w * f + noise


@mechanism(DP())
def answers(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(2 / eps))
    count = 0
    for q in f:
        nu = sample(Laplace(4 * c / eps))
        if q + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP())
def named(
    f: Annotated[Sequence[float], Queries(sensitivity="D")], D: Public[float], eps: Epsilon
) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(D / eps))
    return f[0] + noise


@mechanism(DP())
def element(f: Counts, n: Public[Nat], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f[n] + noise


@mechanism(DP())
def mean_of_values(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(10 / eps))
    return total / len(x) + noise


@mechanism(DP())
def first_ones(f: Counts, k: Public[int], eps: Epsilon) -> Iterator[float]:
    for i in range(k):
        noise = sample(Laplace(k / eps))
        yield f[i] + noise
