"""Discrete mechanisms whose truth is known: what enumeration must refute, and must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Count,
    CountingQueries,
    Counts,
    Epsilon,
    Histogram,
    IntegerValue,
    Nat,
    OneSidedGeometric,
    Policy,
    Private,
    Public,
    Queries,
    Query,
    Related,
    TwoSidedGeometric,
    WindowCounts,
    align,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
stayed = Policy(sensitive={0})


@mechanism(ADP(visited))
def released_raw(x: Count, eps: Epsilon) -> Iterator[object]:
    yield x


@mechanism(DP())
def half_the_noise(x: Count, eps: Epsilon) -> Iterator[object]:
    k = sample(TwoSidedGeometric(1 / (2 * eps)))
    yield x + k


@mechanism(ADP(visited))
def no_stop(f: Counts, T: Public[int], eps: Epsilon) -> Iterator[object]:
    for i in range(len(f)):
        k = sample(OneSidedGeometric(1 / eps))
        if f[i] + k >= T:
            yield True
        else:
            yield None


@mechanism(ADP(stayed))
def wrong_direction(x: Count, eps: Epsilon) -> Iterator[object]:
    k = sample(OneSidedGeometric(1 / eps))
    yield x + k


@mechanism(ADP(visited))
def counted_the_others(
    z: Annotated[Sequence[int], CountingQueries(counted={0})], eps: Epsilon
) -> Iterator[object]:
    assert len(z) >= 1
    k = sample(OneSidedGeometric(1 / eps))
    yield z[0] + k


@mechanism(DP())
def replaced_in_a_histogram(h: Histogram, eps: Epsilon) -> Iterator[object]:
    for v in h:
        k = sample(TwoSidedGeometric(1 / eps))
        yield v + k


@mechanism(DP("add-remove"))
def both_move_together(x: Count, y: Count, eps: Epsilon) -> Iterator[object]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield x + y + k


@mechanism(ADP(visited))
def the_same_noise_twice(f: Counts, eps: Epsilon) -> Iterator[object]:
    k = sample(TwoSidedGeometric(1 / eps))
    for v in f:
        yield v + k


@mechanism(DP())
def no_threshold_noise(f: Counts, T: Public[int], eps: Epsilon) -> Iterator[object]:
    for v in f:
        k = sample(TwoSidedGeometric(4 / eps))
        if v + k >= T:
            yield True
            return
        yield k


@mechanism(LDP())
def loaded_coin(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> Iterator[object]:
    b = sample(Bernoulli(3 / 4))
    yield (x >= 1) == b


@mechanism(LDP())
def coin_used_twice(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> Iterator[object]:
    b = sample(Bernoulli(1 / 2))
    yield b if x >= 1 else not b
    yield b


@mechanism(ADP(visited))
def coin_that_is_not_tossed(
    x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon
) -> Iterator[object]:
    b = sample(Bernoulli(1 / 2))
    align(b, not b)
    yield b or x >= 1


@mechanism(ADP(Policy(sensitive={2}, universe={0, 1, 2})))
def a_grade_moves_by_two(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> Iterator[object]:
    k = sample(OneSidedGeometric(1 / eps))
    yield x + k


@mechanism(ADP(visited))
def two_steps_of_a_window(
    f: Annotated[Sequence[int], WindowCounts(2)], eps: Epsilon
) -> Iterator[object]:
    for v in f:
        k = sample(OneSidedGeometric(1 / eps))
        yield v + k


@mechanism(DP())
def in_both_directions(
    q: Annotated[float, Query(sensitivity=1)], T: Public[int], eps: Epsilon
) -> Iterator[object]:
    k = sample(OneSidedGeometric(1 / eps))
    yield q + k >= T


@mechanism(DP())
def kind_of_a_number(x: Count, eps: Epsilon) -> Iterator[object]:
    yield 1 if x >= 1 else True


def both_fall(x: float, y: float) -> bool:
    return 0 <= x - other(x) <= 1 and 0 <= y - other(y) <= 1


@mechanism(Related(both_fall))
def two_for_the_price_of_one(
    x: Private[float], y: Private[float], eps: Epsilon
) -> Iterator[object]:
    k = sample(OneSidedGeometric(1 / eps))
    h = sample(OneSidedGeometric(1 / eps))
    yield x + k
    yield y + h


@mechanism(DP(), budget=lambda eps: eps / 2)
def half_the_budget(x: Count, eps: Epsilon) -> Iterator[object]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield x + k


BAD = [
    released_raw, half_the_noise, no_stop, wrong_direction, counted_the_others,
    replaced_in_a_histogram, both_move_together, the_same_noise_twice, no_threshold_noise,
    loaded_coin, coin_used_twice, coin_that_is_not_tossed, a_grade_moves_by_two,
    two_steps_of_a_window, in_both_directions, kind_of_a_number,
    two_for_the_price_of_one, half_the_budget,
]  # fmt: skip


@mechanism(DP())
def sparse_vector(f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon) -> Iterator[object]:
    assert c >= 1
    rho = sample(TwoSidedGeometric(2 / eps))
    n = 0
    for v in f:
        k = sample(TwoSidedGeometric(4 * c / eps))
        if v + k >= T + rho:
            yield True
            n += 1
            if n >= c:
                return
        else:
            yield False


@mechanism(ADP(visited))
def one_sided_sparse_vector(f: Counts, T: Public[int], eps: Epsilon) -> Iterator[object]:
    for v in f:
        k = sample(OneSidedGeometric(1 / eps))
        if v + k >= T:
            yield v + k
            return
        yield None


@mechanism(LDP())
def masked(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> Iterator[object]:
    b = sample(Bernoulli(1 / 2))
    yield (x >= 1) == b


@mechanism(DP())
def cells(h: Histogram, eps: Epsilon) -> Iterator[object]:
    for v in h:
        k = sample(TwoSidedGeometric(2 / eps))
        yield max(v + k, 0)


@mechanism(DP("add-remove"))
def they_cancel(x: Count, y: Count, eps: Epsilon) -> Iterator[object]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield x - y + k


@mechanism(ADP(stayed))
def absent(
    z: Annotated[Sequence[int], CountingQueries(counted={0})], eps: Epsilon
) -> Iterator[object]:
    assert len(z) >= 1
    k = sample(OneSidedGeometric(1 / eps))
    yield z[0] + k


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def one_of_them_moves(
    q: Annotated[Sequence[float], Queries(sensitivity=1, differing="one")],
    T: Public[int],
    eps1: Epsilon,
    eps2: Epsilon,
) -> Iterator[object]:
    for v in q:
        k = sample(TwoSidedGeometric(1 / (eps1 + eps2)))
        yield v + k >= T


GOOD = [
    sparse_vector, one_sided_sparse_vector, masked, cells, they_cancel, absent, one_of_them_moves,
]  # fmt: skip
