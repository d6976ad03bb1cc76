"""Pairs of mechanisms for every relation: a private one and a neighbour that is not.

``good_x`` is private as claimed; ``bad_x_why`` differs in the noise, its size or the relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    CountingQueries,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    IntegerValue,
    Laplace,
    NegativeExponential,
    Policy,
    Public,
    Queries,
    Query,
    Value,
    WindowCounts,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
low_grade = Policy(sensitive={2}, universe={0, 1, 2})
Absences = Annotated[Sequence[int], CountingQueries(counted={0})]
Unit = Annotated[float, Value(0, 1)]
Grade = Annotated[int, IntegerValue(0, 2)]
Week = Annotated[Sequence[int], WindowCounts(7)]
Twos = Annotated[Sequence[float], Queries(sensitivity=2)]
Named = Annotated[float, Query(sensitivity="s")]
Falling = Annotated[Sequence[float], Queries(direction="decreasing")]
Rising = Annotated[Sequence[float], Queries(direction="increasing")]
OneMoves = Annotated[Sequence[float], Queries(differing="one")]
AllMove = Annotated[Sequence[float], Queries()]


@mechanism(ADP(visited))
def good_counts_adp(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def bad_counts_adp_direction(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(NegativeExponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def bad_counts_adp_size(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / (2 * eps)))
    return f[0] + noise


@mechanism(ADP(visited))
def bad_counts_adp_all(f: Counts, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(ADP(Policy.everything()))
def good_counts_everything(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(1 / eps))
    return f[0] + noise


@mechanism(ADP(Policy.everything()))
def bad_counts_everything_direction(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def good_counted_zeros(f: Absences, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(NegativeExponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def bad_counted_zeros_direction(f: Absences, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def good_histogram_adp(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(ADP(visited))
def bad_histogram_adp_twice(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(DP())
def good_histogram_dp(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(DP())
def bad_histogram_dp_size(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP("add-remove"))
def good_histogram_add_remove(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP("add-remove"))
def bad_histogram_add_remove_direction(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(DP("add-remove"))
def good_counts_add_remove(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


@mechanism(DP())
def bad_counts_add_remove_replacement(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise


@mechanism(DP("add-remove"))
def bad_counts_add_remove_sum(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    return f[0] + f[1] + noise


@mechanism(ADP(visited))
def good_window_adp(f: Week, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(7 / eps))
        yield x + noise


@mechanism(ADP(visited))
def bad_window_adp_size(f: Week, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(6 / eps))
        yield x + noise


@mechanism(DP("add-remove"))
def good_window_dp(f: Week, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(7 / eps))
        yield x + noise


# the record that replaces another may come at another time: 14 answers move
@mechanism(DP())
def bad_window_dp_size(f: Week, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(7 / eps))
        yield x + noise


@mechanism(DP())
def bad_window_dp_direction(f: Week, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Exponential(7 / eps))
        yield x + noise


@mechanism(DP())
def good_queries_number(f: Twos, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(2 / eps))
    return f[0] + noise


@mechanism(DP())
def bad_queries_number_size(f: Twos, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(1 / eps))
    return f[0] + noise


@mechanism(DP())
def good_queries_name(f: Named, s: Public[float], eps: Epsilon) -> float:
    assert s > 0
    noise = sample(Laplace(s / eps))
    return f + noise


@mechanism(DP())
def bad_queries_name_size(f: Named, s: Public[float], eps: Epsilon) -> float:
    assert s > 0
    noise = sample(Laplace(1 / eps))
    return f + noise
