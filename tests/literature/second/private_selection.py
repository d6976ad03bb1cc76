"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, floor
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    DataSet,
    DiscreteUniform,
    DPrivacy,
    Epsilon,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    Private,
    Public,
    TwoSidedGeometric,
    count,
    mechanism,
    other,
    sample,
)


@mechanism(DP("add-remove"))
def median_bin(h: Histogram, eps: Epsilon) -> int:
    """Source: own."""
    assert len(h) >= 1
    total = 0.0
    noisy = []
    for x in h:
        e = sample(Laplace(1 / eps))
        noisy.append(max(x + e, 0.0))
        total += max(x + e, 0.0)
    run = 0.0
    med = len(h)
    for i in range(len(h)):
        run += noisy[i]
        if run >= total / 2 and med == len(h):
            med = i
    return med


def at_most(r, t):
    return r[0] <= t


@mechanism(DP())
def bisect(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)],
    n: Public[Nat],
    k: Public[Nat],
    eps: Epsilon,
) -> float:
    """Source: own."""
    assert k >= 1
    lo = 0.0
    hi = 1024.0
    for i in range(k):
        mid = (lo + hi) / 2
        e = sample(Laplace(k / eps))
        if count(at_most, data, mid) + e < n / 2:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


@mechanism(DP("add-remove"))
def tree(h: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    s = 0
    for x in h:
        e = sample(Laplace(2 / eps))
        yield x + e
        s += x
    root = sample(Laplace(2 / eps))
    yield s + root


@mechanism(DP("add-remove"))
def cdf(h: Histogram, eps: Epsilon) -> Iterator[int]:
    """Source: own."""
    acc = 0
    for i in range(len(h)):
        e = sample(TwoSidedGeometric(1 / eps))
        acc += h[i] + e
        yield max(0, acc)


@mechanism(LDP())
def krr(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    """Source: own."""
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 3)))
    u = sample(DiscreteUniform(0, 3))
    return x if honest else u


@mechanism(LDP())
def oue(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    for i in range(5):
        one = sample(Bernoulli(1 / 2))
        zero = sample(Bernoulli(1 / (exp(eps) + 1)))
        yield one if i == x else zero


@mechanism(LDP())
def sue(x: Annotated[int, IntegerValue(0, "k")], k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    assert k >= 1
    for i in range(k + 1):
        keep = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
        bit = i == x
        yield bit if keep else not bit


@mechanism(LDP())
def duchi_again(x: Annotated[int, IntegerValue(-1, 1)], eps: Epsilon) -> float:
    """Source: own."""
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    coin = sample(Bernoulli(1 / 2))
    b = coin if x == 0 else (truth if x == 1 else not truth)
    return 1.0 if b else -1.0


def dist(x: float) -> float:
    return abs(x - other(x))


@mechanism(DPrivacy(dist))
def geo(x: Private[float], cell: Public[float], eps: Epsilon) -> float:
    """Source: own."""
    assert cell > 0
    e = sample(Laplace(1 / eps))
    return floor((x + e) / cell) * cell


def dist(x: float, y: float) -> float:
    return abs(x - other(x)) + abs(y - other(y))


@mechanism(DPrivacy(dist))
def plane(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    """Source: own."""
    e1 = sample(Laplace(1 / eps))
    e2 = sample(Laplace(1 / eps))
    return x + e1, y + e2
