"""Counts of records that are replaced as soon as one of their values is sensitive."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    Count,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    NegativeExponential,
    OneSidedDP,
    Policy,
    WindowCounts,
    mechanism,
    sample,
)

P0, P1 = Policy({0}), Policy({1})


@mechanism(OneSidedDP(P1))
def one_count_falls(f: Count, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return f + noise


@mechanism(OneSidedDP(P0))
def one_count_rises(f: Count, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return f + noise


@mechanism(OneSidedDP(P1), expect="refuted")
def others_may_be_sensitive(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 2
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(OneSidedDP(P1))
def each_moves(f: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(len(f) / eps))
        yield x + noise


@mechanism(OneSidedDP(P1))
def cells(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(OneSidedDP(P1), expect="refuted")
def cells_for_one(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(OneSidedDP(P1), expect="refuted")
def windows(f: Annotated[Sequence[int], WindowCounts(2)], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(OneSidedDP(P1), expect="refuted")
def beside_another(f: Count, g: Count, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return f + noise
