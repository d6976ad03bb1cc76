"""Mechanisms that run exactly, and such as do not; most of them are not private."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    IntegerValue,
    Nat,
    Public,
    Query,
    TwoSidedGeometric,
    Value,
    Vector,
    mechanism,
    sample,
)
from shiftproof.mechanisms.geometric import geometric


@mechanism(DP())
def above(f: Counts, T: Public[Vector], eps: Epsilon) -> Iterator[bool]:
    assert len(T) == len(f)
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield f[i] + noise >= T[i]


@mechanism(DP(), budget=2)
def whole(f: Count, n: Public[Nat], scale: Public[float]) -> int:
    noise = sample(TwoSidedGeometric(scale))
    low = [0, -1]
    return max(low[0], min(n // 2 + n % 2, abs(-(f + 2 * noise) - 1)))


@mechanism(LDP(), budget=2)
def coin(x: Annotated[int, IntegerValue(0, 1)]) -> bool:
    flipped = sample(Bernoulli(0.25))
    return (x == 1) != flipped


@mechanism(DP())
def half(x: Count, eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    return (x + noise) / 2


@mechanism(DP())
def times_a_float(x: Count, eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    return 0.5 * x + noise


@mechanism(DP())
def of_a_float(x: Annotated[float, Query()], eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(LDP(), budget=2)
def only_compared(x: Annotated[float, Value(0, 1)], T: Public[float]) -> bool:
    flipped = sample(Bernoulli(0.1))
    return (max(x, 0.5) >= T) != flipped


@mechanism(DP())
def rounded_scale(x: Count, k: Public[Nat], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric((k + 1) / 2))
    more = sample(TwoSidedGeometric(2.0 / eps))
    return x + noise + more


@mechanism(DP())
def gap(x: Count, T: Public[float], eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise - T


@mechanism(DP())
def either(x: Count, T: Public[float], eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    y = x
    if x + noise > T:
        y = 0.5
    z = 0 if y > 3 else T
    return y + z


@mechanism(DP())
def calling(x: Count, y: Count, eps: Epsilon) -> tuple[float, int]:
    (a,) = of_a_float(x, eps / 2)
    (b,) = geometric(y, eps / 2)
    return a, b


@mechanism(DP())
def in_a_loop(f: Counts, eps: Epsilon) -> float:
    total = 0
    for i in range(len(f)):
        half_of_it = total / 2
        if half_of_it > 3:
            total = f[i]
    return total


@mechanism(DP(), budget=2)
def gaps(f: Counts, T: Public[Vector], scale: Public[float]) -> Iterator[float]:
    assert len(T) == len(f)
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(scale))
        yield f[i] + noise - T[i]


@mechanism(DP())
def strange(x: Count, eps: Epsilon) -> float:
    noise = sample(TwoSidedGeometric(1 / eps))
    print(noise)
    return x + noise
