"""Sparse vectors that release numbers, under replacement DP, in many styles."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    Vector,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


def gap_of(noisy: float, bar: float, shake: float) -> float:
    moved = bar + shake
    return noisy - moved


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps; the gap is the same in both runs
@mechanism(DP())
def gap_svt(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    noisy_threshold = T + rho
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        noisy = f[i] + nu
        if noisy >= noisy_threshold:
            yield noisy - noisy_threshold
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps; the gap is the same in both runs
@mechanism(DP())
def gap_helper(
    f: Answers, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(f) == len(T)
    rho = sample(Laplace(2 / eps))
    remaining = c
    i = 0
    while i < len(f):
        nu = sample(Laplace(4 * c / eps))
        gap = gap_of(f[i] + nu, T[i], rho)
        i += 1
        yield gap if gap >= 0 else None
        remaining -= 1 if gap >= 0 else 0
        if remaining <= 0:
            return


# truth: private because 1 / (2/eps) + c * 2 / (4c/eps) = eps; the gap is the same in both runs
@mechanism(DP())
def gap_default(
    f: Answers, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    count = 0
    for x, t in zip(f, T):
        nu = sample(Laplace(4 * c / eps))
        gap = x + nu - t - rho
        answer = None
        if 0 <= gap:
            answer = gap
            count += 1
        yield answer
        if count >= c:
            break


# truth: private because 1 / (4/eps) + c * 2 / (8c/(3 eps)) = eps; the capped gap is equal too
@mechanism(DP())
def gap_capped(
    f: Counts, T: Public[float], most: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert most >= 0 and c >= 1
    rho = sample(Laplace(4 / eps))
    left = c
    for x in f:
        nu = sample(Laplace(8 * c / (3 * eps)))
        gap = x - T + nu - rho
        if not 0 <= gap:
            yield None
            continue
        yield min(gap, most)
        left -= 1
        if left <= 0:
            return


# truth: private because 1 / (3/eps) + c * 2 / (6c/eps) + c * 1 / (3c/eps) = eps
@mechanism(DP())
def numeric_svt(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(6 * c / eps))
        if f[i] + nu >= T + rho:
            fresh = sample(Laplace(3 * c / eps))
            yield f[i] + fresh
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: private because 1 / (3/eps) + c * 2 / (6c/eps) + c * 1 / (3c/eps) = eps
@mechanism(DP())
def numeric_continue(
    f: Answers, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    third = eps / 3
    rho = sample(Laplace(1 / third))
    test_scale, answer_scale = 2 * c / third, c / third
    remaining = c
    for i, x in enumerate(f):
        noise = sample(Laplace(test_scale))
        below = x + noise < T[i] + rho
        if below:
            yield None
            continue
        noise = sample(Laplace(answer_scale))
        yield x + noise
        remaining -= 1
        if remaining == 0:
            return


# truth: private because 1 / (1/eps1) + c * 2 / (2c/eps2) + c * 1 / (c/eps3) = eps1 + eps2 + eps3
@mechanism(DP(), budget=lambda eps1, eps2, eps3: eps1 + eps2 + eps3)
def numeric_three_parameters(
    f: Answers,
    T: Public[float],
    c: Public[Nat],
    eps1: Epsilon,
    eps2: Epsilon,
    eps3: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(1 / eps1))
    bar, count, i = T + rho, 0, 0
    while count < c and i < len(f):
        x = f[i]
        nu = sample(Laplace(2 * c / eps2))
        if bar <= x + nu:
            fresh = sample(Laplace(c / eps3))
            value = x + fresh
            count += 1
            yield value
        else:
            yield None
        i += 1


# truth: private because 1 / (4/eps) + c * 2 / (8c/eps) + c * 1 / (2c/eps) = eps
@mechanism(DP())
def numeric_uneven(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    hits = 0
    for i in range(len(f) - 1, -1, -1):
        nu = sample(Laplace(8 * c / eps))
        answer = None
        if not f[i] + nu < T + rho:
            fresh = sample(Laplace(2 * c / eps))
            answer = fresh + f[i]
            hits += 1
        yield answer
        if hits >= c:
            return


# truth: private because shifts are integers: 1 / (3/eps) + c * 2 / (6c/eps) + c / (3c/eps) = eps
@mechanism(DP())
def numeric_geometric(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    assert c >= 1
    rho = sample(TwoSidedGeometric(3 / eps))
    left = c
    for x in f:
        k = sample(TwoSidedGeometric(6 * c / eps))
        if x + k < T + rho:
            yield None
            continue
        k = sample(TwoSidedGeometric(3 * c / eps))
        yield x + k
        left -= 1
        if left <= 0:
            break
