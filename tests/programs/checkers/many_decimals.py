"""Budgets and exponents with more decimals than a polynomial in e^(ε / n) can have powers."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    INFER,
    LDP,
    Bernoulli,
    Epsilon,
    IntegerValue,
    Laplace,
    Nat,
    Public,
    Queries,
    mechanism,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]


@mechanism(LDP(), budget=lambda eps: 0.9999999999999999 * eps)
def a_little_less(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(LDP(), budget=lambda eps: 0.33333 * eps)
def a_third(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(LDP(), budget=lambda eps: 1.0000000000000002 * eps)
def a_little_more(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(DP(), budget=INFER)
def threshold_drawn_again(
    q: Annotated[Sequence[float], Queries(sensitivity=1)],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c >= 1
    lift = sample(Laplace(2 / eps))
    n = 0
    for i in range(len(q)):
        if n >= c:
            return
        noise = sample(Laplace(4 * c / eps))
        if q[i] + noise >= T + lift:
            yield True
            n += 1
            lift = sample(Laplace(2 / eps))
        else:
            yield False
