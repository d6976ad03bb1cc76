"""Two interleaved sparse vectors, an upper and a lower test, under one budget."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    CountingQueries,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    Policy,
    Public,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Zeros = Annotated[Sequence[int], CountingQueries(counted={0})]

# The noise of an upper threshold moves by 1, that of a lower one by -1; an answer beyond
# its threshold moves by at most 2, any other answer by nothing.


# truth: private because 2 * 1 / (4/eps) + c * 2 / (8c/eps) + c * 2 / (8c/eps) = eps
@mechanism(DP())
def two_thresholds(
    f: Counts,
    g: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool | None]:
    assert c >= 1 and len(f) == len(g)
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    high, low = c, c
    for i in range(len(f)):
        if high > 0:
            nu = sample(Laplace(8 * c / eps))
            if f[i] + nu >= upper + rho:
                yield True
                high -= 1
            else:
                yield None
        if low > 0:
            mu = sample(Laplace(8 * c / eps))
            if g[i] + mu <= lower + sigma:
                yield False
                low -= 1
            else:
                yield None


# truth: private because 2 * 1 / (4/eps) + c * 2 / (4c/eps) = eps (c answers of either kind)
@mechanism(DP())
def two_thresholds_one_count(
    f: Counts,
    g: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[str]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    remaining = c
    for x, y in zip(f, g):
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= upper + rho:
            yield "high"
            remaining -= 1
            if remaining <= 0:
                return
        else:
            yield "."
        nu = sample(Laplace(4 * c / eps))
        if y + nu > lower + sigma:
            yield "."
            continue
        yield "low"
        remaining -= 1
        if remaining <= 0:
            return


# truth: private because 2 * 1 / (4/eps) + c * 2 / (4c/eps) = eps (the middle is free)
@mechanism(DP())
def band(
    f: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[int]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    outside = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        noisy = x + nu
        if noisy >= upper + rho:
            yield 1
            outside += 1
        elif noisy <= lower + sigma:
            yield -1
            outside += 1
        else:
            yield 0
        if outside >= c:
            break


# truth: private because only one threshold moves: 1 / (2/eps) + 2c / (4c/eps) = eps
@mechanism(DP("add-remove"))
def two_thresholds_monotone(
    f: Counts,
    g: Counts,
    upper: Public[Vector],
    lower: Public[Vector],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1 and len(f) == len(g) and len(upper) == len(f) and len(lower) == len(f)
    scale = 4 * c / eps
    rho = sample(Laplace(2 / eps))
    sigma = sample(Laplace(2 / eps))
    highs, lows, i = 0, 0, 0
    while i < len(f) and highs < c and lows < c:
        nu = sample(Laplace(scale))
        is_high = upper[i] + rho <= f[i] + nu
        yield is_high
        highs += 1 if is_high else 0
        mu = sample(Laplace(scale))
        is_low = lower[i] + sigma >= g[i] + mu
        yield is_low
        lows += 1 if is_low else 0
        i += 1


# truth: private because f falls and g rises, and no rho is needed: 2 * c * 1 / (2c/eps) = eps
@mechanism(ADP(visited))
def two_thresholds_asymmetric(
    f: Counts,
    g: Zeros,
    upper: Public[Vector],
    lower: Public[Vector],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1
    assert len(f) == len(g) and len(upper) == len(f) and len(lower) == len(g)
    scale = 2 * c / eps
    high, low = 0, 0
    for i in range(len(f)):
        up = sample(Exponential(scale))
        noisy = f[i] + up
        if noisy >= upper[i]:
            yield noisy
            high += 1
            if high >= c:
                return
        else:
            yield None
        down = sample(NegativeExponential(scale))
        noisy = g[i] + down
        if noisy <= lower[i]:
            yield noisy
            low += 1
            if low >= c:
                return
        else:
            yield None


# truth: private because 1 / (1/eps1) + 1 / (1/eps1) + c * 2 / (2c/eps2) = 2 eps1 + eps2
@mechanism(DP(), budget=lambda eps1, eps2: 2 * eps1 + eps2)
def two_gaps(
    f: Counts,
    g: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps1: Epsilon,
    eps2: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(1 / eps1))
    sigma = sample(Laplace(1 / eps1))
    top, bottom = upper + rho, lower - sigma
    answered = 0
    for x, y in zip(f, g):
        nu = sample(Laplace(2 * c / eps2))
        over = x + nu - top
        yield over if over >= 0 else None
        answered += 1 if over >= 0 else 0
        if answered >= c:
            return
        nu = sample(Laplace(2 * c / eps2))
        under = bottom - y - nu
        yield under if under >= 0 else None
        answered += 1 if under >= 0 else 0
        if answered >= c:
            return
