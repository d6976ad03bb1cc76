"""Many bits of one kind: neighbour lists of graphs, and responses that are given again."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    Epsilon,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    mechanism,
    sample,
)


@mechanism(LDP())
def edges_of_a_graph(
    edges: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[bool]:
    """Source: Qin, Yu, Yang, Khalil, Xiao and Ren, LDPGen (CCS 2017), randomised neighbour list:
    each bit of an adjacency list is kept with odds e^eps; edge privacy.
    """
    for e in edges:
        kept = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield (e == 1) == kept


@mechanism(LDP())
def degree(edges: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon) -> float:
    """Source: Qin et al., LDPGen (CCS 2017), the degree of a user, edge privacy."""
    total = 0
    for e in edges:
        total += e
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(LDP(), expect="refuted")
def degree_and_edges_for_one(
    edges: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[float | bool]:
    """Source: Qin et al., LDPGen (CCS 2017), the degree and the list, each for all of eps."""
    total = 0
    for e in edges:
        total += e
    noise = sample(Laplace(1 / eps))
    yield total + noise
    for e in edges:
        kept = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield (e == 1) == kept


@mechanism(LDP(), budget=lambda k, eps: k * eps)
def memoryless_response(
    x: Annotated[Sequence[int], IntegerValues(0, 1)], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: RAPPOR (CCS 2014), Section 4: a response that is drawn afresh on each of k days."""
    assert len(x) == 1
    for day in range(k):
        kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
        yield (x[0] == 1) == kept


@mechanism(LDP(), expect="refuted")
def memoryless_response_for_one_day(
    x: Annotated[Sequence[int], IntegerValues(0, 1)], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: RAPPOR (CCS 2014), Section 4: drawn afresh each day, paid for once."""
    assert len(x) == 1
    for day in range(k):
        kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
        yield (x[0] == 1) == kept
