"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log
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
    Exponential,
    Group,
    IntegerValue,
    Laplace,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    WindowCounts,
    argmax,
    mechanism,
    sample,
)


@mechanism(ADP(Policy(sensitive={1})))
def alarm(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[str]:
    """Source: own."""
    for x in f:
        e = sample(Exponential(1 / eps))
        if x + e >= T:
            yield "alarm"
            return
        yield "quiet"


@mechanism(ADP(Policy(sensitive={1})))
def amax(f: Counts, eps: Epsilon) -> int:
    """Source: own."""
    assert len(f) >= 1
    a = [0] * len(f)
    for i in range(len(f)):
        e = sample(OneSidedGeometric(1 / eps))
        a[i] = f[i] + e
    return argmax(a)


@mechanism(DP())
def ratio(a: Count, b: Count, eps: Epsilon) -> float:
    """Source: own."""
    e1 = sample(Laplace(2 / eps))
    e2 = sample(Laplace(2 / eps))
    den = max(b + e2, 1.0)
    return (a + e1) / den


@mechanism(DP())
def logcount(a: Count, eps: Epsilon) -> float:
    """Source: own."""
    e = sample(Laplace(1 / eps))
    return log(max(a + e, 1.0))


@mechanism(DP(), budget=lambda eps, f: len(f) * eps)
def all_answers(f: Counts, eps: Epsilon) -> Iterator[int]:
    """Source: own."""
    for i, x in enumerate(f):
        e = sample(TwoSidedGeometric(1 / eps))
        yield round((x + e) / 5) * 5


@mechanism(DP(), budget=INFER)
def two_counts(a: Count, b: Count, eps: Epsilon) -> tuple[float, float]:
    """Source: own."""
    e1 = sample(Laplace(1 / eps))
    e2 = sample(Laplace(2 / eps))
    return a + e1, b + e2


@mechanism(DP())
def noisy_again(f: Count, eps: Epsilon) -> float:
    """Source: own."""
    e = sample(Laplace(1 / eps))
    return f + e


@mechanism(DP())
def best(f: Counts, eps: Epsilon) -> int:
    """Source: own."""
    assert len(f) >= 1
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(2 / eps))
        a[i] = f[i] + e
    return argmax(a)


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def report(
    f: Counts, n: Count, T: Public[float], eps1: Epsilon, eps2: Epsilon
) -> Iterator[float | int]:
    """Source: own."""
    assert len(f) >= 1
    (m,) = noisy_again(n, eps1)
    yield m
    if m > T:
        yield from best(f, eps2)


@mechanism(DP())
def windows(f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    for x in f:
        e = sample(Laplace(6 / eps))
        yield x + e


@mechanism(Group(DP(), 3))
def grp(f: Count, eps: Epsilon) -> int:
    """Source: own."""
    e = sample(TwoSidedGeometric(3 / eps))
    return max(f + e, 0)


@mechanism(LDP())
def lh(x: Annotated[int, IntegerValue(0, 11)], a: Public[int], eps: Epsilon) -> int:
    """Source: own."""
    h = (x + a) % 4
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 3)))
    u = sample(DiscreteUniform(1, 3))
    return h if honest else (h + u) % 4
