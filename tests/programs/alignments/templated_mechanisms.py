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
    Nat,
    Policy,
    Public,
    Queries,
    Query,
    Value,
    Vector,
    align,
    argmax,
    mechanism,
    sample,
    top_k,
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


@mechanism(DP())
def picked(f: Answers, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        if best is None or f[i] + noise > top:
            best = i
            top = f[i] + noise
    return best


@mechanism(DP())
def picked_twice(f: Answers, T: Public[float], eps: Epsilon) -> tuple[int, int]:
    first = 0
    last = 0
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        if f[i] + noise >= T:
            last = i
        if f[i] - noise >= T:
            first = i
    return first, last


@mechanism(DP())
def picked_by_argmax(f: Answers, eps: Epsilon) -> int:
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for j in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[j] = f[j] + noise
    return argmax(noisy)


@mechanism(DP())
def picked_by_top_k(f: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert 1 <= k <= len(f)
    other_list = [0.0] * len(f)
    noisy = [0.0] * len(f)
    for j in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[j] = f[j] + noise
        fresh = sample(Laplace(1 / eps))
        other_list[j] = f[j] + fresh
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield other_list[j]


@mechanism(DP())
def picked_as_annotated(f: Answers, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(f)):
        first = sample(Laplace(1 / eps))
        align(first, 0)
        noise = sample(Laplace(1 / eps))
        if best is None or f[i] + first + noise > top:
            best = i
            top = f[i] + first + noise
    return best
