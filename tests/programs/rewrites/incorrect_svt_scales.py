"""Sparse vectors of ``correct_svt_*`` with one wrong scale or threshold each.

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
    TwoSidedGeometric,
    mechanism,
    sample,
)


def query_scale(count: int, eps: float) -> float:
    half = eps / 2
    return 2 / half


def verdict(noisy: float, bar: float) -> bool:
    gap = noisy - bar
    if gap < 0:
        return False
    return True


# truth: not private because the helper forgets c: c = 3, FFFTTT at +1 +1 +1 -1 -1 -1: 1.5 eps
@mechanism(DP(), expect="refuted")
def svt_module_helpers_forget_count(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert 0 < c
    rho = sample(Laplace(2 / eps))
    scale = query_scale(c, eps)
    left = c
    for x in f:
        nu = sample(Laplace(scale))
        answer = verdict(x + nu, T + rho)
        yield answer
        if answer:
            left -= 1
            if left <= 0:
                return


# truth: not private because rho is drawn for each answer: c = 1, all far above T, FFFFF: 1.25 eps
@mechanism(DP(), expect="refuted")
def svt_fresh_threshold_each_time(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    found = 0
    for x in f:
        rho = sample(Laplace(2 * c / eps))
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: not private because the scales fit answers that move by 1: c = 1, FFT at +2 +2 -2: 1.5 eps
@mechanism(DP(), expect="refuted")
def svt_sensitivity_forgotten(
    f: Annotated[Sequence[float], Queries(sensitivity=2)],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    hits = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            hits += 1
            if hits >= c:
                return
        else:
            yield False


# truth: not private because eps multiplies: c = 1, eps = 0.1, T = 0, [0, 1] -> [1, 0], FT: 4.0
@mechanism(DP(), expect="refuted")
def svt_geometric_inverted(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(TwoSidedGeometric(2 / eps))
    found = 0
    for x in f:
        nu = sample(TwoSidedGeometric(4 * c * eps))
        if x + nu > T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: not private because nu is half as wide: FFT at +1 +1 -1, far from T: 1.47 eps
@mechanism(DP(), expect="refuted")
def svt_first_only_half_scale(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(2 / eps))
    for x in f:
        nu = sample(Laplace(2 / eps))
        if x + nu >= T + rho:
            yield True
            return
        yield False
