"""The sparse vector with its budget split, scaled or spent in other ways."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import shiftproof as sp
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

PARTS = 4


# truth: private because 1 / (3/eps) + c * 2 / (3c/eps) = eps/3 + 2 eps/3 = eps
@mechanism(DP())
def svt_third(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    found = 0
    for x in f:
        nu = sample(Laplace(3 * c / eps))
        if x + nu >= T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: private because 1 / (4/eps) + c * 2 / (8c/(3 eps)) = eps/4 + 3 eps/4 = eps
@mechanism(DP())
def svt_quarter(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1 and len(T) == len(f)
    share = eps / PARTS
    rest = eps - share
    rho = sample(Laplace(1 / share))
    remaining = c
    for i in range(len(f)):
        nu = sample(Laplace(2 * c / rest))
        if f[i] + nu >= T[i] + rho:
            remaining -= 1
            yield True
        else:
            yield False
        if remaining <= 0:
            break


# truth: private because 1 / (4/eps) + c * 2 / (4c/eps) = 3 eps/4 <= eps (some is left over)
@mechanism(DP())
def svt_thrifty(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    found, i = 0, 0
    while i < len(f):
        nu = sample(Laplace(4 * c / eps))
        above = f[i] + nu >= T + rho
        yield above
        if above:
            found += 1
            if found >= c:
                return
        i += 1


# truth: private because 1 / (1/eps1) + c * 2 / (2c/eps2) = eps1 + eps2
@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def svt_two_parameters(
    f: Counts, T: Public[float], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(1 / eps1))
    count = 0
    for x in f:
        nu = sample(Laplace(2 * c / eps2))
        if x + nu < T + rho:
            yield False
            continue
        yield True
        count += 1
        if count >= c:
            return


# truth: private because 1 / (1/(c eps)) + c * 2 / (2/eps) = 2 c eps
@mechanism(DP(), budget=lambda c, eps: 2 * c * eps)
def svt_budget_per_answer(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(1 / (c * eps)))
    left = c
    for x in f:
        nu = sample(Laplace(2 / eps))
        if T + rho <= x + nu:
            yield True
            left -= 1
            if left < 1:
                return
        else:
            yield False


# truth: private because c * 1 / (2c/eps) + c * 2 / (4c/eps) = eps (a fresh rho after each answer)
@mechanism(DP())
def svt_fresh_threshold(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 * c / eps))
    found = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            found += 1
            if found >= c:
                return
            rho = sample(Laplace(2 * c / eps))
        else:
            yield False


# truth: private because c * 1 / (2c/eps) + c * 2 / (4c/eps) = eps (c rounds in an outer loop)
@mechanism(DP())
def svt_rounds(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    i = 0
    for turn in range(c):
        rho = sample(Laplace(2 * c / eps))
        bar = T + rho
        while i < len(f):
            nu = sample(Laplace(4 * c / eps))
            x = f[i]
            i += 1
            if x + nu >= bar:
                yield True
                break
            yield False


# truth: private because answers move by 2: 2 / (4/eps) + c * 4 / (8c/eps) = eps
@mechanism(DP())
def svt_sensitivity_two(
    f: Annotated[Sequence[float], Queries(sensitivity=2)],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    hits = 0
    for x in f:
        nu = sample(Laplace(8 * c / eps))
        if x + nu >= T + rho:
            yield True
            hits += 1
            if hits >= c:
                return
        else:
            yield False


# truth: private because all shifts are integers: 1 / (2/eps) + c * 2 / (4c/eps) = eps
@mechanism(DP())
def svt_geometric(f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(TwoSidedGeometric(2 / eps))
    found = 0
    for x in f:
        nu = sample(TwoSidedGeometric(4 * c / eps))
        if x + nu > T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: private because P^DP is replacement: 1 / (2/eps) + c * 2 / (4c/eps) = eps
@sp.mechanism(ADP(Policy.everything()))
def svt_every_value_sensitive(
    f: sp.Counts, T: sp.Public[float], c: sp.Public[sp.Nat], eps: sp.Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sp.sample(sp.Laplace(2 / eps))
    bar, left = T + rho, c
    for x in f:
        nu = sp.sample(sp.Laplace(scale=4 * c / eps))
        above = bar <= x + nu
        left = left - 1 if above else left
        yield above
        if left == 0:
            return
