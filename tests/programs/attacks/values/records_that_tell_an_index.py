"""A predicate reads an attribute whose index the record itself tells: D and D' look elsewhere."""

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DataSet,
    Epsilon,
    NegativeOneSidedGeometric,
    OneSidedDP,
    Policy,
    Public,
    count,
    mechanism,
    sample,
)

two = Policy({2}, universe={0, 1, 2})
Records = Annotated[Sequence[Sequence[int]], DataSet(3)]


def pointed_at(r):
    return 0 <= r[0] and r[0] < 3 and r[r[0]] == 1


def chosen(r):
    return r[1 if r[0] == 2 else 2] == 1


def shifted(r):
    return r[2 - r[0]] == 1


def least(r):
    return r[min(r[0], 1)] == 1


def largest(r):
    return r[max(r[0], 1)] == 1


def through_a_variable(r):
    i = r[0]
    return r[i] == 1


def through_a_helper(r):
    return look(r[0], r[1], r[2])


def look(i, b, c):
    return (b if i == 2 else c) == 1


def twice(r):
    return r[r[r[0]]] == 1


def distance(r):
    return r[abs(r[0] - 1)] == 1


def at(r, i):
    return r[i if r[0] == 2 else 0] == 1


# truth: infinite for each: ((2, 0, 1),) and ((1, 0, 1),) have other counts, and noise never rises
@mechanism(ADP(two))
def points(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(pointed_at, data) + noise


@mechanism(ADP(two))
def chooses(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(chosen, data) + noise


@mechanism(ADP(two))
def shifts(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(shifted, data) + noise


@mechanism(ADP(two))
def takes_the_least(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(least, data) + noise


@mechanism(ADP(two))
def takes_the_largest(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(largest, data) + noise


@mechanism(ADP(two))
def by_a_variable(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(through_a_variable, data) + noise


@mechanism(ADP(two))
def three_deep(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(twice, data) + noise


@mechanism(ADP(two))
def by_a_distance(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(distance, data) + noise


@mechanism(ADP(two))
def with_an_argument(data: Records, i: Public[int], eps: Epsilon) -> int:
    assert 1 <= i and i <= 2
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(at, data, i) + noise


@mechanism(OneSidedDP(two))
def under_one_sided(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(pointed_at, data) + noise


# truth: infinite; what is written out is seen for what it is
@mechanism(ADP(two))
def written_out(data: Records, eps: Epsilon) -> int:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    return count(through_a_helper, data) + noise
