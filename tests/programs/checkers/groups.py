"""Mechanisms whose neighbours are groups: proved, and refuted by a chain of several records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated, Any

from shiftproof import (
    DP,
    Bernoulli,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Group,
    Histogram,
    IntegerValue,
    IntegerValues,
    IntVector,
    Laplace,
    LocationCounts,
    Public,
    Queries,
    Query,
    TwoSidedGeometric,
    WindowCounts,
    count,
    mechanism,
    sample,
)  # fmt: skip


def one(r: Any) -> Any:
    return r[0] == 1


@mechanism(Group(DP(), 2))
def of_counts(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        yield f[i] + noise


@mechanism(Group(DP(), 2))
def of_histogram(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        noise = sample(Laplace(4 / eps))
        yield h[i] + noise


@mechanism(Group(DP(), 2))
def of_both(f: Counts, h: Histogram, eps: Epsilon) -> float:
    noise = sample(Laplace(2 / eps))
    return f[0] + noise


@mechanism(Group(DP(), 2))
def of_data(data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(2 / eps))
    return count(one, data) + noise


@mechanism(Group(DP(), 2))
def of_data_and_a_count(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], n: Count, eps: Epsilon
) -> float:
    noise = sample(Laplace(2 / eps))
    return n + noise


@mechanism(Group(DP(), 2))
def of_users(x: Annotated[Sequence[int], IntegerValues(0, 2)], eps: Epsilon) -> float:
    assert len(x) >= 1
    noise = sample(Laplace(4 / eps))
    return x[0] + noise


@mechanism(Group(DP(), 2))
def of_one_user_and_many(
    x: Annotated[int, IntegerValue(0, 1)],
    y: Annotated[Sequence[int], IntegerValues(0, 1)],
    z: Annotated[Sequence[int], IntegerValues(0, 1)],
    eps: Epsilon,
) -> float:
    noise = sample(Laplace(2 / eps))
    return x + noise


@mechanism(Group(DP(), 3))
def of_answers(
    q: Annotated[Sequence[float], Queries(sensitivity="s", differing="one")],
    d: Annotated[float, Query(sensitivity=2, direction="decreasing")],
    s: Public[float],
    eps: Epsilon,
) -> float:
    assert len(q) >= 1 and s > 0
    noise = sample(Laplace(3 * s / eps))
    return q[0] + noise


@mechanism(Group(DP(), 2))
def of_windows(
    w: Annotated[Sequence[int], WindowCounts(2)],
    g: Annotated[Sequence[int], LocationCounts(by="by")],
    by: Public[IntVector],
    eps: Epsilon,
) -> float:
    noise = sample(Laplace(2 / eps))
    return w[0] + noise


@mechanism(Group(DP(), 2), budget=lambda eps: 2 * eps)
def whole_budget(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(Group(DP(), 3), expect="refuted")
def two_are_paid(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(2 / eps))
    return f + noise


@mechanism(Group(DP(), 3), expect="refuted")
def nearly_all_are_paid(f: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> float:
    noise = sample(Laplace(2.99 / eps))
    return f + noise


@mechanism(Group(DP(), 2), expect="refuted")
def moves_twice(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        noise = sample(Laplace(2 / eps))
        yield h[i] + noise


@mechanism(Group(DP("add-remove"), 2), expect="refuted")
def one_is_paid(data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return count(one, data) + noise


@mechanism(Group(DP(), 2), expect="refuted")
def users_together(x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon) -> Iterator[int]:
    for i in range(len(x)):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield x[i] + noise


@mechanism(Group(DP(), 2), budget=lambda eps: 2 * eps)
def each_answers(x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon) -> Iterator[int]:
    for i in range(len(x)):
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield x[i] if honest else 1 - x[i]


@mechanism(Group(DP(), 2), budget=lambda eps: 3 * eps / 2, expect="refuted")
def each_answers_too_well(
    x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[int]:
    for i in range(len(x)):
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield x[i] if honest else 1 - x[i]


@mechanism(Group(DP(), 2))
def one_user_is_no_group(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(Group(DP("add-remove"), 3))
def data_and_an_answer(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)],
    q: Annotated[float, Query(sensitivity=1)],
    eps: Epsilon,
) -> float:
    noise = sample(Laplace(3 / eps))
    return q + noise
