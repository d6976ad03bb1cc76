"""Under add-remove a record appears in one data set only; others move beside an empty one."""

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    DataSet,
    Epsilon,
    IntegerValue,
    Query,
    TwoSidedGeometric,
    WindowCounts,
    count,
    mechanism,
    sample,
)

Records = Annotated[Sequence[Sequence[int]], DataSet(1)]


def always(r):
    return r[0] == r[0]


def one(r):
    return r[0] == 1


# truth: infinite, a record appears in a alone
@mechanism(DP("add-remove"))
def difference_of_sizes(a: Records, b: Records, eps: Epsilon) -> int:
    return count(always, a) - count(always, b)


# truth: infinite
@mechanism(DP("add-remove"))
def same_size(a: Records, b: Records, eps: Epsilon) -> bool:
    return count(always, a) == count(always, b)


# truth: infinite
@mechanism(DP("add-remove"))
def three_sizes(a: Records, b: Records, c: Records, eps: Epsilon) -> int:
    return 2 * count(always, a) - count(always, b) - count(always, c)


# truth: exactly 2 eps
@mechanism(DP("add-remove"))
def query_beside_nobody(
    data: Records, q: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return ((1 if q > 0 else -1) if count(always, data) == 0 else 0) + noise


# truth: exactly 2 eps
@mechanism(DP())
def value_beside_nobody(data: Records, x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return ((2 * x - 1) if count(always, data) == 0 else 0) + noise


# truth: exactly 2 eps, as x may move where the data has the same one record
@mechanism(DP("add-remove"))
def count_beside_one(data: Records, x: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return (2 * x if count(one, data) == 1 else 0) + noise


# truth: exactly 3 eps
@mechanism(DP("add-remove"))
def window_beside_nobody(
    data: Records, w: Annotated[Sequence[int], WindowCounts(2)], eps: Epsilon
) -> int:
    assert len(w) >= 1
    noise = sample(TwoSidedGeometric(1 / eps))
    return (3 * w[0] if count(always, data) == 0 else 0) + noise
