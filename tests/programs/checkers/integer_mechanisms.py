"""Integers whose sensitivity is declared, with noise on the integers."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Epsilon,
    IntegerQueries,
    IntegerQuery,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)


@mechanism(DP())
def one_answer(q: Annotated[int, IntegerQuery(sensitivity=5)], eps: Epsilon) -> int:
    n = sample(TwoSidedGeometric(5 / eps))
    return q + n


@mechanism(DP(), expect="refuted")
def one_with_less_noise(q: Annotated[int, IntegerQuery(sensitivity=5)], eps: Epsilon) -> int:
    n = sample(TwoSidedGeometric(4 / eps))
    return q + n


@mechanism(ADP(Policy({1})))
def one_that_falls(
    q: Annotated[int, IntegerQuery(sensitivity="s", direction="decreasing")],
    s: Public[Nat],
    eps: Epsilon,
) -> int:
    assert s >= 1
    n = sample(OneSidedGeometric(s / eps))
    return q + n


@mechanism(DP(), expect="refuted")
def all_move(
    q: Annotated[Sequence[int], IntegerQueries(sensitivity=2)], eps: Epsilon
) -> Iterator[int]:
    for x in q:
        n = sample(TwoSidedGeometric(2 / eps))
        yield x + n
