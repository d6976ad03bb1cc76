"""One private mechanism for every kind of noise, and some whose proofs would say nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    CountingQuery,
    Counts,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    Nat,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    Uniform,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Absent = Annotated[int, CountingQuery(counted={0})]


@mechanism(DP())
def noise_laplace(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise


@mechanism(ADP(visited))
def noise_exponential(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


@mechanism(ADP(visited))
def noise_negative_exponential(f: Absent, eps: Epsilon) -> Iterator[float]:
    noise = sample(NegativeExponential(1 / eps))
    yield f + noise


@mechanism(DP())
def noise_two_sided_geometric(f: Count, eps: Epsilon) -> Iterator[int]:
    k = sample(TwoSidedGeometric(1 / eps))
    yield f + k


@mechanism(ADP(visited))
def noise_one_sided_geometric(f: Count, eps: Epsilon) -> Iterator[int]:
    k = sample(OneSidedGeometric(1 / eps))
    yield f + k


@mechanism(ADP(visited))
def noise_negative_one_sided_geometric(f: Absent, eps: Epsilon) -> Iterator[int]:
    k = sample(NegativeOneSidedGeometric(1 / eps))
    yield f + k


@mechanism(DP())
def noise_bernoulli(f: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(0.5))
    yield b != (f >= 1)


@mechanism(DP())
def noise_uniform(f: Count, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))
    noise = sample(Laplace(1 / eps))
    if u < 0.5:
        yield f + noise
    else:
        yield u


@mechanism(DP())
def rare_but_reached(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    if T == 123.25:
        yield T


@mechanism(DP())
def unreached_by_public(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    if T > 5 and T < 3:
        yield T  # here


@mechanism(ADP(visited))
def unreached_by_noise(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    if noise < 0:
        yield 1.0  # here
    yield f + noise


@mechanism(DP())
def unreached_after_return(f: Answers, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise
        return
        yield 1.0
    if len(f) > 0:
        yield 2.0  # here


@mechanism(DP())
def endless(f: Count, eps: Epsilon) -> Iterator[float]:
    while True:
        yield 0.0


@mechanism(DP())
def endless_with_noise(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    i = 0
    while i >= 0:
        i += 1
        yield f + noise


@mechanism(DP())
def contradictory(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    assert T > 1  # here
    assert T < 0
    yield f


@mechanism(DP())
def contradictory_sizes(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) < 0  # here
    yield 0.0


@mechanism(DP())
def contradictory_product(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    assert T * T < 0  # here
    noise = sample(Laplace(1 / eps))
    yield f + noise


TENTH = 0.1


def scaled(x: float) -> float:
    return x * TENTH + 0.2


@mechanism(DP())
def halved_downwards(f: Count, eps: Epsilon) -> float:
    """Of a fraction Python's quotient is an int, of a float a float."""
    noise = sample(Laplace(1 / eps))
    return (f + noise) // 2


@mechanism(DP())
def with_floats(f: Count, T: Public[float], n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Where T is 1, numbers are equal that floats tell apart."""
    assert n >= 1

    def share(k: int) -> float:
        return k / n

    noise = sample(Laplace(1 / eps))
    if scaled(T) == 0.3 * T and share(n) == 1:
        yield f + noise + 1 / 3
    else:
        yield 0.0
