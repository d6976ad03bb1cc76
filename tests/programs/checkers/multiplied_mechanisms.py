"""Products of users' values: squares, moments and covariances, which ranges bound."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Epsilon,
    IntegerValues,
    Laplace,
    TwoSidedGeometric,
    Value,
    Values,
    mechanism,
    sample,
)


@mechanism(DP())
def sum_of_squares(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    total = 0.0
    for v in x:
        total += v**2
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def of_either_sign(x: Annotated[Sequence[float], Values(-1, 1)], eps: Epsilon) -> float:
    total = 0.0
    for v in x:
        total += v * v
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def covariance(
    x: Annotated[Sequence[float], Values(-1, 1)],
    y: Annotated[Sequence[float], Values(-1, 1)],
    eps: Epsilon,
) -> float:
    assert len(x) == len(y)
    total = 0.0
    for v, w in zip(x, y):
        total += v * w
    noise = sample(Laplace(2 / eps))
    return total + noise


@mechanism(DP())
def moments(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> Iterator[float]:
    assert len(x) >= 1
    first = 0.0
    second = 0.0
    for v in x:
        first += v
        second += v * v
    a = sample(Laplace(2 / (len(x) * eps)))
    b = sample(Laplace(2 / (len(x) * eps)))
    mean = first / len(x) + a
    yield mean
    yield second / len(x) + b - mean * mean


@mechanism(DP())
def of_integers(x: Annotated[Sequence[int], IntegerValues(0, 5)], eps: Epsilon) -> int:
    total = 0
    for v in x:
        total += v * v
    noise = sample(TwoSidedGeometric(25 / eps))
    return total + noise


@mechanism(LDP())
def own_square(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x * x + noise


@mechanism(DP(), expect="refuted")
def too_little_for_a_covariance(
    x: Annotated[Sequence[float], Values(-1, 1)],
    y: Annotated[Sequence[float], Values(-1, 1)],
    eps: Epsilon,
) -> float:
    assert len(x) == len(y)
    total = 0.0
    for v, w in zip(x, y):
        total += v * w
    noise = sample(Laplace(1.9 / eps))
    return total + noise


@mechanism(DP(), expect="refuted")
def too_little_for_squares(x: Annotated[Sequence[float], Values(-1, 2)], eps: Epsilon) -> float:
    total = 0.0
    for v in x:
        total += v * v
    noise = sample(Laplace(3.9 / eps))
    return total + noise
