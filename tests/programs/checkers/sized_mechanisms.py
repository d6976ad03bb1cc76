"""Scales made of lengths that may be 0: where nothing is drawn nothing is paid."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Histogram,
    Laplace,
    Nat,
    Public,
    Queries,
    Query,
    mechanism,
    sample,
)


@mechanism(DP())
def none_or_more(f: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(len(f) / eps))
        yield x + noise


@mechanism(DP(), budget=lambda eps, d: eps + d)
def either_may_be_empty(f: Counts, g: Counts, eps: Epsilon, d: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(len(f) / eps))
        yield x + noise
    for x in g:
        noise = sample(Laplace(len(g) / d))
        yield x + noise


@mechanism(DP())
def up_to_some(f: Counts, T: Public[Nat], eps: Epsilon) -> Iterator[float]:
    i = 0
    while i < T and i < len(f):
        noise = sample(Laplace(T / eps))
        yield f[i] + noise
        i += 1


@mechanism(DP())
def all_but_one(
    f: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(1, len(f)):
        noise = sample(Laplace((len(f) - 1) / eps))
        yield f[i] + noise


@mechanism(DP(), expect="refuted")
def as_much_for_both(f: Counts, g: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(len(f) / eps))
        yield x + noise
    for x in g:
        noise = sample(Laplace(len(g) / eps))
        yield x + noise


@mechanism(DP(), expect="refuted")
def one_more(f: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(len(f) / eps))
        yield x + noise
    last = sample(Laplace((len(f) + 1) / eps))
    yield sum(f) / (len(f) + 1) + last


# A sum is computed first, wherever it stands: loops go by their places.


@mechanism(DP("add-remove"))
def each_and_then_their_sum(f: Histogram, eps: Epsilon) -> Iterator[float]:
    k = 0
    while k < len(f):
        noise = sample(Laplace(2 / eps))
        yield f[k] + noise
        k += 1
    last = sample(Laplace(2 / eps))
    yield sum(f) + last


# Quotients of two noisy numbers: each sample moves by what is beside it.


@mechanism(DP("add-remove"), budget=lambda eps1, eps2: eps1 + eps2)
def mean_of_unknown_size(
    s: Annotated[float, Query(sensitivity="B")],
    n: Count,
    B: Public[float],
    eps1: Epsilon,
    eps2: Epsilon,
) -> float:
    assert B > 0
    a = sample(Laplace(B / eps1))
    b = sample(Laplace(1 / eps2))
    size = max(1.0, n + b)
    mean = (s + a) / size
    return min(B, max(-B, mean))


@mechanism(DP("add-remove"), expect="refuted")
def mean_at_the_price_of_one(
    s: Annotated[float, Query(sensitivity="B")], n: Count, B: Public[float], eps: Epsilon
) -> tuple[float, float]:
    assert B > 0
    a = sample(Laplace(B / eps))
    b = sample(Laplace(1 / eps))
    return s + a, max(1.0, n + b)
