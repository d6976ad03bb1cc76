"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    Bernoulli,
    Blowfish,
    Count,
    Counts,
    DPrivacy,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    OneSidedDP,
    Policy,
    Private,
    Public,
    TwoSidedGeometric,
    Vector,
    WindowCounts,
    argmax,
    mechanism,
    other,
    sample,
    top_k,
)


@mechanism(DP(), expect="refuted")
def stop_exact(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[int]:
    """Source: own."""
    s = 0
    for x in f:
        e = sample(TwoSidedGeometric(len(f) / eps))
        yield x + e
        s += x
        if s >= T:
            return


@mechanism(DP(), expect="refuted")
def top_two(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    assert len(f) >= 3
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(1 / eps))
        a[i] = f[i] + e
    for j in top_k(a, 2):
        yield a[j]


@mechanism(DP(), expect="refuted")
def leak(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    level = 0.0
    for x in f:
        e = sample(Laplace(len(f) / eps))
        if x > level:
            level = x + e
        yield level


@mechanism(DP(), expect="refuted")
def no_noise_zero(f: Count, eps: Epsilon) -> int:
    """Source: own."""
    e = sample(TwoSidedGeometric(1 / eps))
    return 0 if f == 0 else f + e


def near(x: int) -> bool:
    return abs(x - other(x)) <= 5


@mechanism(Blowfish(near), expect="refuted")
def salary4(x: Private[int], eps: Epsilon) -> int:
    """Source: own."""
    e = sample(TwoSidedGeometric(4 / eps))
    return x + e


@mechanism(DP())
def noisy(f: Count, eps: Epsilon) -> float:
    """Source: own."""
    e = sample(Laplace(1 / eps))
    return f + e


@mechanism(DP(), expect="refuted")
def mean_of_two(f: Count, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    (a,) = noisy(f, eps)
    (b,) = noisy(f, eps)
    yield a + b
    yield a


@mechanism(DP(), expect="refuted")
def windows3(f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    for x in f:
        e = sample(Laplace(3 / eps))
        yield x + e


@mechanism(OneSidedDP(Policy({1}, universe={0, 1})), expect="refuted")
def osdp_wrong(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> str:
    """Source: own."""
    keep = sample(Bernoulli(exp(-eps)))
    if x == 0:
        return "zero" if keep else "hidden"
    return "hidden" if keep else "sensitive"


def dist(x: float) -> float:
    return abs(x - other(x))


@mechanism(DPrivacy(dist), expect="refuted")
def geo_half(x: Private[float], eps: Epsilon) -> float:
    """Source: own."""
    e = sample(Laplace(1 / (2 * eps)))
    return x + e


@mechanism(DP(), expect="refuted")
def alg6(f: Counts, T: Public[Vector], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    assert len(T) == len(f)
    rho = sample(Laplace(2 / eps))
    for x, t in zip(f, T):
        nu = sample(Laplace(2 / eps))
        yield x + nu >= t + rho


@mechanism(DP(), expect="refuted")
def rnm_small(f: Counts, eps: Epsilon) -> int:
    """Source: own."""
    assert len(f) >= 1
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Exponential(1 / eps))
        a[i] = f[i] + e
    return argmax(a)
