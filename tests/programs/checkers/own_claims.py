"""Mechanisms that claim a ρ, a δ, and an ε for each place of a list, for audits of just that."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from shiftproof import (
    DP,
    ZCDP,
    Count,
    Counts,
    Delta,
    Epsilon,
    Gaussian,
    Laplace,
    Public,
    Rho,
    mechanism,
    sample,
)


@mechanism(DP(), budget=lambda f, eps: len(f) * eps)
def each(f: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        yield x + sample(Laplace(1 / eps))


@mechanism(DP(delta=lambda eps, T: exp(-eps * (T - 1)) / 2))
def thresholded(f: Count, T: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise if f > 0 and f + noise >= T else 0


@mechanism(DP(delta="delta"))
def thresholded_for_any_delta(f: Count, delta: Delta, T: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise if f > 0 and f + noise >= T else 0


@mechanism(ZCDP())
def gaussian(f: Count, rho: Rho, sigma: Public[float]) -> float:
    assert sigma > 0 and 2 * rho * sigma * sigma >= 1
    return f + sample(Gaussian(sigma))


@mechanism(ZCDP(), budget=lambda sigma: 1 / (4 * sigma * sigma))
def gaussian_for_half(f: Count, sigma: Public[float]) -> float:
    assert sigma > 0
    return f + sample(Gaussian(sigma))
