"""Written from the documents alone, before the tool was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Nat,
    Public,
    Queries,
    Values,
    Vector,
    argmax,
    mechanism,
    sample,
    top_k,
)


@mechanism(DP())
def clamped_mean(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    """Source: own."""
    assert len(x) >= 1
    s = 0.0
    for v in x:
        s += min(max(v, 2.0), 7.0)
    noise = sample(Laplace(5 / eps))
    return (s + noise) / len(x)


@mechanism(DP("add-remove"))
def weighted(f: Histogram, w: Public[Vector], eps: Epsilon) -> float:
    """Source: own."""
    assert len(w) == len(f)
    s = 0.0
    for i in range(len(f)):
        s += min(max(w[i], -1.0), 1.0) * f[i]
    noise = sample(Laplace(1 / eps))
    return s + noise


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def svt(
    q: Annotated[Sequence[float], Queries(sensitivity=1)],
    T: Public[Vector],
    c: Public[Nat],
    eps1: Epsilon,
    eps2: Epsilon,
) -> Iterator[bool]:
    """Source: own."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(1 / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c / eps2))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count >= c:
                break
        else:
            yield False


@mechanism(DP("add-remove"), budget=lambda eps1, eps2: eps1 + eps2)
def svt_mono(
    f: Counts, T: Public[float], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    """Source: own."""
    assert c >= 1
    rho = sample(Laplace(1 / eps1))
    left = c
    for x in f:
        nu = sample(Laplace(c / eps2))
        if left > 0:
            if x + nu >= T + rho:
                yield True
                left -= 1
            else:
                yield False


@mechanism(DP())
def below(f: Counts, T: Public[float], eps: Epsilon) -> int:
    """Source: own."""
    lift = sample(Laplace(2 / eps))
    found = -1
    for i in range(len(f)):
        nu = sample(Laplace(4 / eps))
        if found < 0 and f[i] + nu <= T + lift:
            found = i
    return found


@mechanism(DP())
def sparse(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: own."""
    assert c >= 1
    lift = sample(Laplace(2 * c / eps))
    hits = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if f[i] + nu >= T + lift:
            yield True
            hits += 1
            if hits >= c:
                return
            lift = sample(Laplace(2 * c / eps))
        else:
            yield False


@mechanism(DP())
def rnm(q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon) -> int:
    """Source: own."""
    assert len(q) >= 1
    a = [0.0] * len(q)
    for i in range(len(q)):
        e = sample(Exponential(2 / eps))
        a[i] = q[i] + e
    return argmax(a)


@mechanism(DP("add-remove"))
def rnmin(f: Counts, eps: Epsilon) -> int:
    """Source: own."""
    assert len(f) >= 1
    a = []
    for x in f:
        e = sample(Exponential(1 / eps))
        a.append(e - x)
    best = argmax(a)
    return best


@mechanism(DP())
def pick_and_count(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: own."""
    assert len(f) >= 1
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(4 / eps))
        a[i] = f[i] + e
    best = argmax(a)
    fresh = sample(Laplace(2 / eps))
    return best, f[best] + fresh


@mechanism(DP())
def topk(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: own."""
    assert 1 <= k <= len(f)
    a = [0.0] * len(f)
    for i in range(len(f)):
        e = sample(Laplace(2 * k / eps))
        a[i] = f[i] + e
    for j in top_k(a, k):
        yield j
