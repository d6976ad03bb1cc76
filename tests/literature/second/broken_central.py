"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    DiscreteUniform,
    Epsilon,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    NegativeExponential,
    Policy,
    Public,
    Uniform,
    Values,
    argmax,
    mechanism,
    sample,
)


@mechanism(DP(), expect="refuted")
def alg3(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[float | None]:
    """Source: own."""
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    k = 0
    for x in f:
        nu = sample(Laplace(2 * c / eps))
        if x + nu >= T + rho:
            yield x + nu
            k += 1
            if k >= c:
                return
        else:
            yield None


@mechanism(DP(), expect="refuted")
def alg5(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    rho = sample(Laplace(2 / eps))
    for x in f:
        yield x >= T + rho


@mechanism(DP(), expect="refuted")
def alg4(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    k = 0
    for x in f:
        nu = sample(Laplace(4 / (3 * eps)))
        if x + nu >= T + rho:
            yield True
            k += 1
            if k >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def max_value(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: own."""
    assert len(f) >= 1
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(1 / eps))
        a[i] = f[i] + e
    best = argmax(a)
    return best, a[best]


@mechanism(DP(), expect="refuted")
def half_range(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    """Source: own."""
    s = 0.0
    for v in x:
        s += v
    e = sample(Laplace(5 / eps))
    return s + e


@mechanism(DP(), expect="refuted")
def hist(h: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: own."""
    for x in h:
        e = sample(Laplace(1 / eps))
        yield x + e


@mechanism(LDP(), expect="refuted")
def krr_wrong(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    """Source: own."""
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    u = sample(DiscreteUniform(0, 3))
    return x if honest else u


@mechanism(LDP(), expect="refuted")
def sue_full(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    for i in range(3):
        keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        bit = i == x
        yield bit if keep else not bit


@mechanism(ADP(Policy(sensitive={1})), expect="refuted")
def wrong_side(f: Count, eps: Epsilon) -> float:
    """Source: own."""
    e = sample(NegativeExponential(1 / eps))
    return f + e


@mechanism(DP(), expect="refuted")
def uniform_noise_again(f: Count, eps: Epsilon) -> float:
    """Source: own."""
    e = sample(Uniform(-1 / eps, 1 / eps))
    return f + e


@mechanism(DP(), expect="refuted")
def skip_zero(f: Counts, eps: Epsilon) -> Iterator[float | None]:
    """Source: own."""
    for x in f:
        e = sample(Laplace(len(f) / eps))
        if x > 0:
            yield x + e
        else:
            yield None
