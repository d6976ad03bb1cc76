"""The sparse vector where all answers move the same way, in many styles."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    Vector,
    mechanism,
    sample,
)

# A record is removed: answers fall by at most 1, rho stays, an answer above moves by at most 1.
# A record is added: answers rise by at most 1, rho moves by 1, an answer above by at most 1.


def next_count(count: int, above: bool) -> int:
    if above:
        return count + 1
    return count


# truth: private because 1 / (2/eps) + c * 1 / (2c/eps) = eps
@mechanism(DP("add-remove"))
def monotone(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1 and len(T) == len(f)
    rho = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(2 * c / eps))
        if f[i] + nu >= T[i] + rho:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 1 / (2c/eps) = eps
@mechanism(DP(neighbours="add-remove"))
def monotone_countdown(
    counts: Counts, bar: Public[float], quota: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert quota >= 1
    shake = sample(Laplace(2 / eps))
    scale = 2 * quota / eps
    remaining = quota
    k = 0
    while remaining > 0 and k < len(counts):
        noisy = sample(Laplace(scale))
        noisy += counts[k]
        k += 1
        if bar + shake > noisy:
            yield False
            continue
        remaining -= 1
        yield True


# truth: private because 1 / (3/eps) + c * 1 / (3c/(2 eps)) = eps/3 + 2 eps/3 = eps
@mechanism(DP("add-remove"))
def monotone_third(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    count = 0
    for x in f:
        nu = sample(Laplace(3 * c / (2 * eps)))
        above = x + nu >= T + rho
        yield above
        count = next_count(count, above)
        if count >= c:
            break


# truth: private because 1 / (3/eps) + c * 1 / (3c/eps) = 2 eps/3 <= eps (some is left over)
@mechanism(DP("add-remove"))
def monotone_thrifty(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool | None]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    remaining = c
    for x, t in zip(f, T):
        nu = sample(Laplace(3 * c / eps))
        gap = x + nu - t - rho
        yield None if gap < 0 else True
        if gap >= 0:
            remaining -= 1
            if not remaining > 0:
                return


# truth: private because 1 / (1/eps1) + c * 1 / (c/eps2) = eps1 + eps2
@mechanism(DP("add-remove"), budget=lambda eps1, eps2: eps1 + eps2)
def monotone_two_parameters(
    f: Counts, T: Public[Vector], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    assert len(f) == len(T)

    def passes(x: float, shake: float, index: int) -> bool:
        return x >= T[index] + shake

    rho = sample(Laplace(1 / eps1))
    answered = 0
    for i, x in enumerate(f):
        if answered >= c:
            break
        nu = sample(Laplace(c / eps2))
        if passes(x + nu, rho, i):
            answered += 1
            yield True
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 1 / (2c/eps) = eps; the gap moves with rho
@mechanism(DP("add-remove"))
def monotone_gap(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    answered = 0
    for x in f:
        nu = sample(Laplace(2 * c / eps))
        gap = x + nu - (T + rho)
        if gap < 0:
            yield None
            continue
        yield gap
        answered += 1
        if answered == c:
            return


# truth: private because 1 / (3/eps) + c * 1 / (3c/eps) + c * 1 / (3c/eps) = eps
@mechanism(DP("add-remove"))
def monotone_numeric(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    remaining, scale = c, 3 * c / eps
    for x in f:
        nu = sample(Laplace(scale))
        if x + nu >= T + rho:
            fresh = sample(Laplace(scale))
            yield x + fresh
            remaining -= 1
            if remaining <= 0:
                return
        else:
            yield False


# truth: private because answers only fall, so T needs no noise: c * 1 / (c/eps) = eps
@mechanism(ADP(Policy({1})))
def falling_answers(
    f: Annotated[Sequence[float], Queries(sensitivity=1, direction="decreasing")],
    T: Public[Vector],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1 and len(T) == len(f)
    count = 0
    i = 0
    while i < len(f) and count < c:
        nu = sample(Laplace(c / eps))
        above = T[i] <= f[i] + nu
        count += 1 if above else 0
        i += 1
        yield above


# truth: private because answers only rise: 1 / (2/eps) + c * 1 / (2c/eps) = eps
@mechanism(DP())
def rising_answers(
    f: Annotated[Sequence[float], Queries(sensitivity=1, direction="increasing")],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    left = c
    for x in f:
        nu = sample(Laplace(2 * c / eps))
        if x + nu <= T + rho:
            yield False
            continue
        yield True
        left -= 1
        if left <= 0:
            return


# truth: private because all shifts are integers: 1 / (2/eps) + c * 1 / (2c/eps) = eps
@mechanism(DP("add-remove"))
def monotone_geometric(f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(TwoSidedGeometric(2 / eps))
    bar, answered = T + rho, 0
    for i in range(len(f)):
        k = sample(TwoSidedGeometric(2 * c / eps))
        if not bar > f[i] + k:
            yield True
            answered += 1
        else:
            yield False
        if answered >= c:
            return
