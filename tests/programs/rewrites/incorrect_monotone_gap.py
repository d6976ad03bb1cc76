"""Monotone, gap and numeric sparse vectors, each broken in one small place.

A truth names a witness, as in ``incorrect_svt``.
"""

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
    Vector,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


# truth: not private because replaced records move counts both ways: c = 1, FFT +1 +1 -1: 1.47 eps
@mechanism(DP("replacement"), expect="refuted")
def monotone_for_replacement(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
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


# truth: not private because it releases the noisy count: c = 1, FF and a low value at +1: 1.5 eps
@mechanism(DP("add-remove"), expect="refuted")
def monotone_gap_value(
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
        yield x + nu
        answered += 1
        if answered == c:
            return


# truth: not private because nu is released again: c = 1, FFF and a low value at +1: 1.33 eps
@mechanism(DP("add-remove"), expect="refuted")
def monotone_numeric_no_fresh_noise(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    remaining, scale = c, 3 * c / eps
    for x in f:
        nu = sample(Laplace(scale))
        if x + nu >= T + rho:
            fresh = sample(Laplace(scale))
            yield x + nu
            remaining -= 1
            if remaining <= 0:
                return
        else:
            yield False


# truth: not private because answers rise and T has no noise: c = 1, far above T, FF at +1: 2 eps
@mechanism(DP(), expect="refuted")
def falling_answers_that_rise(
    f: Annotated[Sequence[float], Queries(sensitivity=1, direction="increasing")],
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


# truth: not private because it releases the noisy count: c = 1, FFFF and a low value: 1.25 eps
@mechanism(DP(), expect="refuted")
def gap_svt_value(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    noisy_threshold = T + rho
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        noisy = f[i] + nu
        if noisy >= noisy_threshold:
            yield noisy
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: not private because the fresh noise forgets c: c = 4, low T, four low answers: 1.33 eps
@mechanism(DP(), expect="refuted")
def numeric_svt_fresh_scale(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    answered = 0
    for i in range(len(f)):
        nu = sample(Laplace(6 * c / eps))
        if f[i] + nu >= T + rho:
            fresh = sample(Laplace(3 / eps))
            yield f[i] + fresh
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: not private because the answer is not paid: eps3 = 9, others 1, low T, a low answer: 9 > 2
@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2, expect="refuted")
def numeric_unpaid_answer(
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
