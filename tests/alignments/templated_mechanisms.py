"""Mechanisms for the tests of templates and of the taint reading, each written in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    Policy,
    Public,
    Queries,
    Query,
    Value,
    Vector,
    align,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=2)]


def at_most(x, most):
    if x > most:
        return most
    return x


def reaches(x, limit):
    return x >= limit


@mechanism(ADP(visited))
def plain(f: Counts, T: Public[Vector], eps: Epsilon) -> Iterator[bool]:
    for i in range(len(f)):
        if i < len(T):
            noise = sample(Exponential(1 / eps))
            if f[i] + noise >= T[i]:
                yield True


@mechanism(DP())
def renamed(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    for answer in f:
        noise = sample(Laplace(1 / eps))
        value = answer + noise
        limit = T
        if value >= limit:
            yield True


@mechanism(DP())
def helped(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        if reaches(x + noise, T):
            yield True


@mechanism(DP())
def clipped(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield at_most(x, T) + noise


@mechanism(DP())
def expression(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield noise - (2 * x - T) if x + noise > T else 0.0


@mechanism(DP())
def noisy_threshold(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(2 / eps))
    for x in f:
        noise = sample(Laplace(4 / eps))
        if x + noise >= T + rho:
            yield True
            return
        yield False


@mechanism(DP())
def earlier(x: Count, eps: Epsilon) -> Iterator[float]:
    first = sample(Laplace(2 / eps))
    second = sample(Laplace(2 / eps))
    if x + first >= 0:
        yield x + second


@mechanism(DP())
def three_tests(x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    if noise >= 1:
        yield 1.0
    if noise >= 2:
        yield 2.0
    if noise >= 3:
        yield 3.0


@mechanism(DP())
def coin(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(0.5))
    yield b != (x >= 1)


@mechanism(DP())
def named(x: Annotated[float, Query(sensitivity="s")], s: Public[float], eps: Epsilon) -> float:
    assert s > 0
    noise = sample(Laplace(s / eps))
    return x + noise


@mechanism(DP())
def fractional(x: Annotated[float, Value(0, 0.5)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DP())
def partly_given(x: Count, eps: Epsilon) -> tuple[float, float]:
    a = sample(Laplace(2 / eps))
    align(a, 1)
    b = sample(Laplace(2 / eps))
    return a, x + b


@mechanism(DP())
def tainted(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    size = len(f)
    secret = f[0]
    level = T
    if secret >= 3:
        level = T + 1
    noise = sample(Laplace(1 / eps))
    mixed = secret + noise
    hidden = 0.0
    if mixed >= T:
        hidden = 1.0
    secret = size
    yield mixed + 0.0
    yield hidden
    yield level + secret
