"""Mechanisms that entries need and the gallery lacks: other readings, and other budgets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from ....dsl.language.runtime import sample
from ....dsl.mechanism import mechanism
from ....dsl.noise import Exponential, Laplace, NegativeExponential
from ....dsl.privacy.definitions import ADP, DP
from ....dsl.privacy.inputs import (
    CountingQueries,
    CountingQuery,
    Counts,
    Epsilon,
    Nat,
    Public,
    Query,
    Vector,
)
from ....dsl.privacy.policies import Policy

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})
#: How many have the value that is not sensitive: neighbours can only raise it.
Others = Annotated[int, CountingQuery({0})]
OthersOfAll = Annotated[Sequence[int], CountingQueries({0})]


@mechanism(ADP(visited))
def decision_if_increasing(f: Others, T: Public[float], eps: Epsilon) -> bool:
    """Section 5.1.1 for an increasing count."""
    noise = sample(NegativeExponential(1 / eps))
    return f + noise < T


@mechanism(ADP(visited))
def decision_if_neither(
    f: Annotated[float, Query(sensitivity=1)], T: Public[float], eps: Epsilon
) -> bool:
    """Section 5.1.1 for an answer that moves either way."""
    noise = sample(Laplace(1 / eps))
    return f + noise < T


@mechanism(DP())
def sparse_vector_prints_value_of_four(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """The sparse vector technique with Lap(4c/ε), right under DP, which prints what it compared."""
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + threshold_noise:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(ADP(visited))
def sparse_vector_silent_abort(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Algorithm 2 with "abort if count > c" before the output: it stops and does not say why."""
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            answered += 1
            if answered > c:
                return
            yield f[i] + noise
        else:
            yield None


@mechanism(ADP(visited))
def sparse_vector_strict(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Algorithm 2 (repaired) with > for >=."""
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise > T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(ADP(visited))
def sparse_vector_increasing(
    f: OthersOfAll, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Algorithm 2 (repaired) for increasing counts: what is below is paid for and printed."""
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(NegativeExponential(c / eps))
        if f[i] + noise < T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(ADP(visited))
def sparse_vector_increasing_unchanged(
    f: OthersOfAll, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Algorithm 2 (repaired) run on increasing counts as it is: what is below is not paid for."""
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(NegativeExponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None
