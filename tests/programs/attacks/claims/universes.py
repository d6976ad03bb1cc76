"""Values of records that nobody thought of: an attribute may be more than 0 and 1.

Found by an attacker.
"""

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    DP,
    CountingQueries,
    DataSet,
    Epsilon,
    Laplace,
    count,
    mechanism,
    sample,
)

Data = Annotated[Sequence[Sequence[int]], DataSet(2)]


def is_two(r: tuple[int, ...]) -> bool:
    return r[0] == 2


def is_one(r: tuple[int, ...]) -> bool:
    return r[0] == 1


def is_large(r: tuple[int, ...]) -> bool:
    return r[0] >= 2 and r[1] < 0


# truth: a record (2, 0) that becomes (1, 0) changes what is released raw: infinite
@mechanism(DP())
def counted_twos(data: Data, eps: Epsilon) -> int:
    return count(is_two, data)


# truth: a record (2, 0) that is added changes what is released raw: infinite
@mechanism(DP("add-remove"))
def counted_twos_added(data: Data, eps: Epsilon) -> int:
    return count(is_two, data)


# truth: a 1 that becomes a 2 moves the difference by 2: 2ε
@mechanism(DP())
def ones_less_twos(data: Data, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return count(is_one, data) - count(is_two, data) + noise


# truth: a record (5, -1) that becomes (0, 0) changes what is released raw: infinite
@mechanism(DP())
def counted_large_and_negative(data: Data, eps: Epsilon) -> int:
    return count(is_large, data)


# truth: a record may have a third value, which is not counted: infinite
@mechanism(DP())
def zeros_and_ones(f: Annotated[Sequence[int], CountingQueries({0, 1})], eps: Epsilon) -> int:
    return f[0] if len(f) > 0 else 0
