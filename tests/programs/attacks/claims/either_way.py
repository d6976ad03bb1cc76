"""What falls from D to D' rises from D' to D, and whoever has a value may come or go.

Every budget is eps.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Epsilon,
    Exponential,
    Group,
    Laplace,
    NegativeExponential,
    OneSidedDP,
    Policy,
    Public,
    Queries,
    Query,
    Stream,
    Values,
    mechanism,
    sample,
)

everything = Policy({0, 1})
Falling = Annotated[float, Query(sensitivity=1, direction="decreasing")]
Rising = Annotated[float, Query(sensitivity=1, direction="increasing")]


# truth: q = 0 and q' = 1 are neighbours as well: y < 1 is impossible on one side: infinite
@mechanism(DP())
def falls_by_replacement(q: Falling, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


# truth: a record that comes makes q rise: infinite
@mechanism(DP("add-remove"))
def falls_where_records_come(q: Falling, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


# truth: a record that comes makes q fall: infinite
@mechanism(DP("add-remove"))
def rises_where_records_come(q: Rising, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return q + noise


# truth: infinite, each of two steps may go either way
@mechanism(Group(DP(), 2))
def falls_in_a_group(q: Falling, eps: Epsilon) -> float:
    noise = sample(Exponential(2 / eps))
    return q + noise


# truth: of local values any two are neighbours: infinite
@mechanism(LDP())
def falls_for_one_user(q: Falling, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


# truth: where every value is sensitive neighbours are so both ways: infinite
@mechanism(ADP(everything))
def falls_where_all_is_sensitive(q: Falling, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return q + noise


# truth: as above: infinite
@mechanism(OneSidedDP(everything))
def falls_where_all_is_replaced(q: Rising, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return q + noise


# truth: all answers rise: T stays, nothing pays for answers below: about 2 eps for two answers
@mechanism(DP())
def below_for_nothing(
    f: Annotated[Sequence[float], Queries(sensitivity=1, direction="decreasing")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[bool]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        if T <= f[i] + noise:
            yield True
            return
        yield False


# truth: as above for answers that arrive
@mechanism(DP("add-remove"))
def below_for_nothing_as_they_come(
    f: Annotated[Iterable[float], Stream(direction="decreasing")], T: Public[float], eps: Epsilon
) -> Iterator[bool]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        if T <= x + noise:
            yield True
            return
        yield False


# truth: q falls as a record goes, when n falls as well: the sum moves by 2: exactly 2 eps
@mechanism(DP("add-remove"))
def fall_together(q: Falling, n: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q + n + noise


# truth: q rises as a record goes, and n falls: the difference moves by 2: exactly 2 eps
@mechanism(DP("add-remove"))
def part_from_each_other(q: Rising, n: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return q - n + noise


# truth: (10,) and () are neighbours where users come and go: exactly 2 eps
@mechanism(DP("add-remove"))
def sum_of_those_who_come(x: Annotated[Sequence[float], Values(5, 10)], eps: Epsilon) -> float:
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(5 / eps))
    return total + noise


# truth: how many there are is told exactly: infinite
@mechanism(Group(DP("add-remove"), 2))
def number_of_those_who_come(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> int:
    return len(x)
