"""Counts over records that the mechanism asks for itself: their sensitivity is proved."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    DataSet,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    Policy,
    Public,
    Stream,
    count,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})
Visits = Annotated[Sequence[Sequence[int]], DataSet(2)]
Ages = Annotated[Sequence[Sequence[int]], DataSet(1)]


def everywhere(r: tuple[int, ...]) -> bool:
    """Whether somebody visited both places."""
    return r[0] == 1 and r[1] == 1


def nowhere(r: tuple[int, ...]) -> bool:
    """Whether somebody visited neither place."""
    return r[0] == 0 and r[1] == 0


def is_value(r: tuple[int, ...], value: int) -> bool:
    """Whether the one attribute of a record has this value."""
    return r[0] == value


@mechanism(ADP(visited))
def visitors_of_both(data: Visits, eps: Epsilon) -> float:
    """Release how many visited both places: a count that only falls.

    Args:
        data: for each person, whether they visited the first and the second place.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 and Theorem 10 (decreasing).
    """
    noise = sample(Exponential(1 / eps))
    return count(everywhere, data) + noise


@mechanism(ADP(visited))
def visitors_of_none(data: Visits, eps: Epsilon) -> float:
    """Release how many visited no place: a count that only rises, so the noise takes away.

    Args:
        data: for each person, whether they visited the first and the second place.
        eps: the privacy parameter in nats; the noise has mean -1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 and Theorem 10 (increasing).
    """
    noise = sample(NegativeExponential(1 / eps))
    return count(nowhere, data) + noise


@mechanism(DP("add-remove"))
def table_of_values(data: Ages, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Release how many records have each value: one record is counted once, so it pays once.

    Args:
        data: records with one attribute, 0 or 1.
        n: how many values are asked for, from 0 on.
        eps: the privacy parameter in nats; each count has noise of scale 1 / eps.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Example 3.2.
    """
    for value in range(n):
        noise = sample(Laplace(1 / eps))
        yield count(is_value, data, value) + noise


@mechanism(ADP(visited))
def adaptive_stream_vector(
    answers: Annotated[Iterable[float], Stream(direction="decreasing")],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float | None]:
    """The asymmetric sparse vector for queries that are thought of on the way.

    Args:
        answers: answers to queries that may depend on all that was released before; each
            falls by at most 1 and none rises.
        T: the threshold.
        c: how many answers may be released.
        eps: the privacy parameter in nats; the noise has mean c / eps.

    Source: Asymmetric Differential Privacy, Algorithm 2 (repaired) and Theorem 13.
    """
    assert c >= 1
    answered = 0
    for x in answers:
        noise = sample(Exponential(c / eps))
        if x + noise >= T:
            yield x + noise
            answered += 1
            if answered >= c:
                return
        else:
            ensure(x < T)
            yield None
