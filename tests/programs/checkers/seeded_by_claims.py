"""Broken mechanisms whose fault shows where a predicate, a precondition or a claim says so."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    Public,
    Value,
    Values,
    count,
    mechanism,
    other,
    sample,
)


def grown_up(r):
    return r[0] >= 18


def in_their(r, decade):
    return r[0] // 10 == decade


def at_most(r, age):
    return r[1] <= age


@mechanism(DP("add-remove"), expect="refuted")
def of_an_age(data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (2 * eps)))
    return count(grown_up, data) + noise


@mechanism(DP(), expect="refuted")
def forties(data: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / (2 * eps)))
    return count(in_their, data, 4) + noise


@mechanism(DP("add-remove"), expect="refuted")
def enough_of_them(data: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if count(at_most, data, 65) >= 12:
        return count(at_most, data, 65) + noise
    return noise


@mechanism(DP(), expect="refuted")
def thirty_at_least(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    assert len(x) >= 30
    noise = sample(Laplace(1 / (2 * eps)))
    return sum(x) + noise


@mechanism(DP("add-remove"), expect="refuted")
def eight_cells(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) == 8
    for i in range(8):
        noise = sample(Laplace(1 / (2 * eps)))
        yield h[i] + noise


@mechanism(DP(), expect="refuted")
def a_high_limit(h: Counts, T: Public[float], eps: Epsilon) -> bool:
    assert T >= 100 and len(h) >= 1
    noise = sample(Laplace(1 / (2 * eps)))
    return h[0] + noise >= T


@mechanism(DP(), expect="refuted")
def surely_above(f: Count, T: Public[int], eps: Epsilon) -> bool:
    assert T >= 50
    noise = sample(Laplace(1 / eps))
    if f > 3 * T:
        return True
    return f + noise >= T


@mechanism(LDP(), budget=1, expect="refuted")
def coins_up_to_three_quarters(x: Annotated[int, IntegerValue(0, 1)], p: Public[float]) -> int:
    assert 0 < p <= 3 / 4
    honest = sample(Bernoulli(p))
    coin = sample(Bernoulli(1 / 2))
    if honest:
        return x
    return 1 if coin else 0


def nearby(x: float) -> bool:
    return abs(x - other(x)) <= 100


@mechanism(Blowfish(nearby), expect="refuted")
def salaries(x: Annotated[float, Value(0, 10000)], eps: Epsilon) -> float:
    noise = sample(Laplace(50 / eps))
    return x + noise


@mechanism(DP(), expect="refuted")
def eleven_answers(f: Counts, eps: Epsilon) -> Iterator[float | None]:
    told = 0
    for x in f:
        if told <= 10:
            noise = sample(Laplace(10 / eps))
            yield x + noise
            told += 1
        else:
            yield None


@mechanism(DP(), expect="refuted")
def alternating(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Only answers in a row are limited."""
    assert c >= 1
    row = 0
    for x in f:
        noise = sample(Exponential(2 * c / eps))
        if x + noise >= T:
            yield True
            row += 1
            if row >= c:
                return
        else:
            yield False
            row = 0
