"""Decisions that entries of Theorem 11 need and the gallery lacks: the other comparisons."""

from __future__ import annotations

from ....dsl.inputs import Count, Epsilon, Public
from ....dsl.mechanism import mechanism
from ....dsl.noise import (
    Exponential,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
)
from ....dsl.policies import Policy
from ....dsl.privacy import ADP
from ....dsl.runtime import ensure, sample

#: A one (having visited) is sensitive, a zero is not: neighbours can only lower a count of ones.
visited = Policy(sensitive={1})
#: A zero is sensitive, a one is not: neighbours can only raise a count of ones.
unvisited = Policy(sensitive={0})


@mechanism(ADP(visited))
def at_most(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for q = 1 iff f <= T."""
    noise = sample(Exponential(1 / eps))
    if f + noise <= T:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def at_most_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """The same with noise on the integers."""
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited), expect="refuted")
def at_most_one_more(f: Count, T: Public[float], eps: Epsilon) -> str:
    """The same, with a test that allows for one more."""
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T + 1:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(unvisited))
def at_least(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for an increasing count and q = 1 iff f >= T."""
    noise = sample(NegativeExponential(1 / eps))
    if f + noise >= T:
        ensure(f >= T)
        return "reached"
    return "open"


@mechanism(ADP(unvisited))
def above_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Section 5.1.1 for an increasing count and q = 1 iff f > T, with noise on the integers."""
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    if f + noise > T:
        ensure(f > T)
        return "reached"
    return "open"
