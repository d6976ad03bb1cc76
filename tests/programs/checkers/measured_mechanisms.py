"""A maximum that a loop finds, and the answer there with fresh noise; histograms of records."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    DataSet,
    Epsilon,
    Histogram,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    argmax,
    count,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Two = Annotated[Sequence[tuple[int, int]], DataSet(2)]
Levels = Annotated[Sequence[int], IntegerValues(0, 3)]


@mechanism(DP())
def told_together(q: Answers, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 1
    best = 0
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if i == 0 or q[i] + noise > top:
            best = i
            top = q[i] + noise
    fresh = sample(Laplace(2 / eps))
    return best, q[best] + fresh


@mechanism(DP())
def told_before(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    best = -1
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if best == -1 or q[i] + noise > top:
            best = i
            top = q[i] + noise
    yield best
    fresh = sample(Laplace(2 / eps))
    yield q[best] + fresh


@mechanism(DP(), expect="refuted")
def measured_for_nothing(q: Answers, eps: Epsilon) -> tuple[int, float]:
    """The measurement alone takes all of eps."""
    assert len(q) >= 1
    best = 0
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if i == 0 or q[i] + noise > top:
            best = i
            top = q[i] + noise
    fresh = sample(Laplace(1 / eps))
    return best, q[best] + fresh


@mechanism(DP(), expect="refuted")
def measured_elsewhere(q: Answers, r: Answers, eps: Epsilon) -> float:
    """Where the first one is largest the second is read; in D' that may be another place."""
    assert len(q) == 2 and len(r) == 2
    best = 0
    if q[1] > q[0]:
        best = 1
    fresh = sample(Laplace(2 / eps))
    return r[best] + fresh


@mechanism(DP(), expect="refuted")
def measured_without_noise(q: Answers, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 1
    best = 0
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if i == 0 or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best, q[best]


def with_both(r: tuple[int, int], a: int, b: int) -> bool:
    return r[0] == a and r[1] == b


@mechanism(DP())
def table(data: Two, k: Public[Nat], m: Public[Nat], eps: Epsilon) -> Iterator[float]:
    for a in range(k):
        for b in range(m):
            noise = sample(Laplace(2 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP())
def table_of_two_bits(data: Two, eps: Epsilon) -> Iterator[float]:
    for a in range(2):
        for b in range(2):
            noise = sample(Laplace(2 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP("add-remove"))
def table_add_remove(data: Two, k: Public[Nat], m: Public[Nat], eps: Epsilon) -> Iterator[float]:
    for a in range(k):
        for b in range(m):
            noise = sample(Laplace(1 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP(), expect="refuted")
def table_half_noise(data: Two, eps: Epsilon) -> Iterator[float]:
    for a in range(2):
        for b in range(2):
            noise = sample(Laplace(1 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP(), expect="refuted")
def table_row_twice(data: Two, eps: Epsilon) -> Iterator[float]:
    """The cells of the first row are asked again."""
    for a in range(2):
        for b in range(2):
            noise = sample(Laplace(2 / eps))
            yield count(with_both, data, a, b) + noise
    for b in range(2):
        noise = sample(Laplace(2 / eps))
        yield count(with_both, data, 0, b) + noise


@mechanism(DP())
def levels(x: Levels, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    for b in range(k):
        cell = 0
        for v in x:
            if v == b:
                cell += 1
        noise = sample(TwoSidedGeometric(2 / eps))
        yield cell + noise


@mechanism(DP(), expect="refuted")
def levels_or_above(x: Levels, eps: Epsilon) -> Iterator[int]:
    """A value is in the cells of all levels below it."""
    for b in range(4):
        cell = 0
        for v in x:
            if v >= b:
                cell += 1
        noise = sample(TwoSidedGeometric(2 / eps))
        yield cell + noise


@mechanism(DP(), budget=lambda eps: 2 * eps)
def votes(f: Histogram, eps: Epsilon) -> int:
    """A vote that is changed moves two cells."""
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for j in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[j] = f[j] + noise
    return argmax(noisy)
