"""Small mechanisms for the tests of the paired run, each with one thing to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    Epsilon,
    Exponential,
    Laplace,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    Uniform,
    align,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def straight(x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, x - other(x))
    yield x + noise


@mechanism(DP())
def unshifted(x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    yield x + noise


@mechanism(ADP(visited))
def credit(x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(2 / eps))
    align(noise, x - other(x))
    yield x + noise


@mechanism(DP())
def in_step(x: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    if x + noise >= 3:
        yield 1.0
    elif T >= 3:
        yield 2.0
    else:
        yield 3.0


@mechanism(DP())
def apart(x: Count, eps: Epsilon) -> Iterator[float]:
    y = 5.0
    if x >= 3:
        y = 7.0
    noise = sample(Laplace(1 / eps))
    align(noise, y - other(y))
    yield y + noise


@mechanism(DP())
def nested_apart(x: Count, eps: Epsilon) -> Iterator[int]:
    y = 0
    if x >= 3:
        if x >= 10:
            y = 2
        else:
            y = 1
    yield y


@mechanism(DP())
def apart_in_public(x: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    y = 5.0
    if T >= 3:
        y = 7.0
    yield y


@mechanism(DP())
def unfolded(x: Count, eps: Epsilon) -> Iterator[int]:
    y = 1 if x >= 3 else 0
    yield y


@mechanism(DP())
def pieces(x: Count, eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    align(noise, x - other(x) if noise >= 3 else 0)
    yield True


@mechanism(DP())
def squeezed(x: Count, eps: Epsilon) -> Iterator[bool]:
    u = sample(Uniform(0, 1))
    align(u, -u / 2)
    yield True


@mechanism(DP())
def flipped(x: Count, eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(0.75))
    align(b, x != other(x))
    yield b


@mechanism(DP())
def half_steps(x: Count, eps: Epsilon) -> Iterator[bool]:
    k = sample(TwoSidedGeometric(1 / eps))
    align(k, 0.5)
    yield True


@mechanism(DP())
def loops(f: Answers, eps: Epsilon) -> Iterator[float]:
    total = 0
    for x in f:
        noise = sample(Laplace(1 / eps))
        align(noise, x - other(x))
        yield x + noise
        total += 1
    yield total


@mechanism(DP())
def twice_the_same_name(x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(2 / eps))
    align(noise, x - other(x))
    yield x + noise
    noise = sample(Laplace(2 / eps))
    align(noise, other(x) - x)
    yield x - noise


@mechanism(DP())
def undefined(f: Answers, i: Public[int], eps: Epsilon) -> Iterator[float]:
    x = f[i]
    yield 0.0


@mechanism(DP())
def bad_scale(x: Count, c: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(c))
    align(noise, 0)
    yield noise


@mechanism(DP())
def many_branches(x: Count, eps: Epsilon) -> Iterator[int]:
    y = 0
    if x >= 1:
        y += 1
    if x + y >= 3:
        y += 2
    if x + y >= 6:
        y += 4
    if x + y >= 9:
        y += 8
    if x + y >= 12:
        y += 16
    if x + y >= 15:
        y += 32
    yield y
