"""Names that are not what they look like. The running code is what counts."""

import builtins
from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Counts,
    Epsilon,
    Nat,
    Policy,
    Public,
    Queries,
    Query,
    Vector,
    mechanism,
)
from shiftproof import Laplace as Wide
from shiftproof import NegativeExponential as Exponential
from shiftproof import OneSidedGeometric as TwoSidedGeometric
from shiftproof import sample as draw

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


def Laplace(scale):
    """Half as wide as it looks."""
    return Wide(scale / 2)


def sample(distribution):
    """No noise at all."""
    return 0.0


def max(a, b):
    """The sum: moves by 2 where the maximum moves by 1."""
    return a + b


def abs(x):
    """Three times `x`."""
    return 3 * x


def range(n):
    """One round more."""
    return builtins.range(n + 1)


def len(xs):
    """The largest of `xs`, hence private."""
    return builtins.max(xs)


def zip(xs, ts):
    """Every pair twice."""
    for i in builtins.range(builtins.len(xs)):
        yield xs[i], ts[i]
        yield xs[i], ts[i]


# truth: this Exponential is the negative one: y > f' has probability > 0 for f, 0 for f' = f - 1
@mechanism(ADP(visited))
def negative_by_another_name(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = draw(Exponential(1 / eps))
    yield f + noise


# truth: this TwoSidedGeometric is one-sided: y = f has probability > 0, and 0 for f' = f + 1
@mechanism(DP())
def one_sided_by_another_name(f: Count, eps: Epsilon) -> Iterator[int]:
    k = draw(TwoSidedGeometric(1 / eps))
    yield f + k


# truth: exactly 2 eps: this Laplace halves its scale
@mechanism(DP())
def laplace_of_the_house(q: One, eps: Epsilon) -> Iterator[float]:
    noise = draw(Laplace(1 / eps))
    yield q + noise


# truth: releases q raw: this sample is 0
@mechanism(DP())
def sample_of_the_house(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Wide(1 / eps))
    yield q + noise


# truth: exactly 2 eps: this max is the sum
@mechanism(DP())
def max_of_the_house(
    q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    assert builtins.len(q) == 2
    noise = draw(Wide(1 / eps))
    yield max(q[0], q[1]) + noise


# truth: exactly 3 eps: this abs is three times its argument
@mechanism(DP())
def abs_of_the_house(q: One, eps: Epsilon) -> Iterator[float]:
    noise = draw(Wide(1 / eps))
    yield abs(q) + noise


# truth: range(c) has c + 1 rounds: exactly (c + 1) / c eps
@mechanism(ADP(visited))
def range_of_the_house(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    for i in range(c):
        noise = draw(Wide(c / eps))
        yield f + noise


# truth: this len is the largest count, released raw
@mechanism(ADP(visited))
def len_of_the_house(f: Counts, eps: Epsilon) -> Iterator[int]:
    yield len(f)


# truth: this zip yields every pair twice: exactly 2 eps
@mechanism(DP())
def zip_of_the_house(
    q: Annotated[Sequence[float], Queries(sensitivity=1, differing="one")],
    t: Public[Vector],
    eps: Epsilon,
) -> Iterator[float]:
    assert builtins.len(q) == builtins.len(t)
    for x, low in zip(q, t):
        noise = draw(Wide(1 / eps))
        yield x - low + noise


# truth: exactly 3 eps: the local `min` is the abs of this file
@mechanism(DP())
def local_alias(q: One, eps: Epsilon) -> Iterator[float]:
    min = abs
    noise = draw(Wide(1 / eps))
    yield min(q) + noise
