"""Mechanisms over values of users; here, as pytest rewrites asserts in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    LDP,
    Blowfish,
    DPrivacy,
    Epsilon,
    InputDiscriminativeLDP,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Private,
    Public,
    Queries,
    Related,
    TwoSidedGeometric,
    Value,
    Values,
    mechanism,
    other,
    sample,
)


def close(x: int) -> bool:
    return abs(x - other(x)) <= 5


def close_both(x: int, y: int) -> bool:
    return abs(x - other(x)) + abs(y - other(y)) <= 2


def two_only(x: int) -> bool:
    return x == 3 and other(x) == 7


def nobody(x: int) -> bool:
    return x < 0 and x > 0


def next_to_top(x: int) -> bool:
    return x == 40 and other(x) == 41


def apart(x: float) -> float:
    return abs(x - other(x))


def by_rank(x: float) -> float:
    return 1 / x


def within(q: int, s: int) -> bool:
    return abs(q - other(q)) <= s


def own(x: int, eps: float) -> float:
    return eps if x == 0 else eps / 2


@mechanism(LDP())
def in_a_named_range(
    x: Annotated[int, IntegerValue("low", "high")],
    low: Public[int],
    high: Public[int],
    eps: Epsilon,
) -> float:
    assert high >= low + 2
    noise = sample(Laplace((high - low) / eps))
    return x + noise


@mechanism(LDP())
def from_far_on(x: Annotated[int, IntegerValue(100, "k")], k: Public[Nat], eps: Epsilon) -> float:
    noise = sample(Laplace((k - 100) / eps))
    return x + noise


@mechanism(Blowfish(close_both))
def place(
    x: Annotated[Sequence[int], IntegerValues(0, 9)],
    y: Annotated[Sequence[int], IntegerValues(0, "k")],
    k: Public[Nat],
    eps: Epsilon,
) -> float:
    noise = sample(Laplace(2 / eps))
    return noise


@mechanism(Blowfish(next_to_top))
def needs_room(x: Annotated[int, IntegerValue(0, "k")], k: Public[Nat], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(Blowfish(nobody))
def alone(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(Related(within))
def scores(
    q: Annotated[Sequence[int], IntegerValues(0, "top")],
    s: Public[Nat],
    top: Public[Nat],
    eps: Epsilon,
) -> float:
    assert s >= 1 and top >= s
    noise = sample(Laplace(s / eps))
    return noise


@mechanism(LDP())
def single_and_many(
    x: Annotated[float, Value(0, 1)], y: Annotated[Sequence[float], Values(-1, 1)], eps: Epsilon
) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DPrivacy(apart))
def single_and_answers(
    x: Annotated[float, Value(0, 1)], f: Annotated[Sequence[float], Queries()], eps: Epsilon
) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DPrivacy(by_rank))
def by_its_rank(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(InputDiscriminativeLDP(own))
def of_own_budget(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> float:
    noise = sample(Laplace(4 / eps))
    return x + noise
