"""Mechanisms with many inputs and preconditions; here, as pytest rewrites asserts in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    DataSet,
    Epsilon,
    Histogram,
    Laplace,
    Nat,
    Private,
    Public,
    Query,
    Related,
    Vector,
    WindowCounts,
    mechanism,
    other,
    sample,
)


@mechanism(DP())
def demanding(
    f: Counts, T: Public[Vector], k: Public[Nat], n: Public[Nat], low: Public[float], eps: Epsilon
) -> float:
    assert 2 <= k < len(f) and n == len(f) and len(T) == n and low >= 3 and T[0] >= 1
    noise = sample(Laplace(1 / eps))
    return f[0] + noise


@mechanism(DP())
def impossible(f: Counts, k: Public[Nat], eps: Epsilon) -> float:
    assert k > len(f) and k < len(f)
    noise = sample(Laplace(1 / eps))
    return noise


@mechanism(DP())
def unreadable(f: Counts, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sorted(f)[0] + noise


def together(x: float, y: float) -> bool:
    return abs(x - other(x)) + abs(y - other(y)) <= 1


@mechanism(Related(together))
def ruled(x: Private[list[float]], y: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return y + noise


@mechanism(DP("add-remove"))
def of_all_kinds(
    f: Counts,
    h: Histogram,
    w: Annotated[Sequence[int], WindowCounts(2)],
    data: Annotated[Sequence[Sequence[int]], DataSet(1)],
    q: Annotated[float, Query(sensitivity="s")],
    s: Public[float],
    eps: Epsilon,
) -> float:
    noise = sample(Laplace(1 / eps))
    return q + noise
