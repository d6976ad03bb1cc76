"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    Counts,
    DiscreteUniform,
    Epsilon,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    OneSidedDP,
    Policy,
    Private,
    Public,
    TwoSidedGeometric,
    mechanism,
    other,
    sample,
    top_k,
)


@mechanism(OneSidedDP(Policy({1}, universe={0, 1})))
def osdprr(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int | None:
    """Source: own."""
    keep = sample(Bernoulli(1 - exp(-eps)))
    if x == 0 and keep:
        return 0
    return None


@mechanism(DP())
def follow(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    level = 0.0
    for x in f:
        e = sample(Laplace(len(f) / eps))
        noisy = x + e
        if noisy > level:
            level = noisy
        yield level


@mechanism(DP())
def gap(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: own."""
    assert len(f) >= 2
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(2 / eps))
        a[i] = f[i] + e
    order = top_k(a, 2)
    return order[0], a[order[0]] - a[order[1]]


@mechanism(DP())
def svt_gap(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[float | None]:
    """Source: own."""
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    k = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield x + nu - T - rho
            k += 1
            if k == c:
                break
        else:
            yield None


def near(x: int) -> bool:
    return abs(x - other(x)) <= 5


@mechanism(Blowfish(near))
def salary(x: Private[int], eps: Epsilon) -> int:
    """Source: own."""
    e = sample(TwoSidedGeometric(5 / eps))
    return x + e


@mechanism(LDP())
def rounded(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> bool:
    """Source: own."""
    u = sample(DiscreteUniform(0, 3))
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    bit = u < x
    return bit if keep else not bit


@mechanism(DP("add-remove"))
def running(h: Histogram, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    s = 0.0
    for x in h:
        e = sample(Laplace(1 / eps))
        s += x + e
        yield s > T
        if s > T:
            return
