"""Noise that is drawn again until it fits, and loops that go on by a coin."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    DiscreteUniform,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    TwoSidedGeometric,
    mechanism,
    sample,
)


@mechanism(DP(), expect="refuted")
def not_below_zero(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    while f + noise < 0:
        noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP(), expect="refuted")
def within_four(f: Count, eps: Epsilon) -> float:
    while True:
        noise = sample(Laplace(1 / eps))
        if 0 <= f + noise and f + noise <= 4:
            break
    return f + noise


@mechanism(LDP(), expect="refuted")
def never_the_truth(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    y = sample(DiscreteUniform(0, 3))
    while y == x:
        y = sample(DiscreteUniform(0, 3))
    return y


@mechanism(LDP(), budget=1, expect="refuted")
def one_in_three(x: Annotated[int, IntegerValue(0, 2)]) -> int:
    """Two coins in each round: a loop in a loop."""
    heads = True
    other = 3
    while heads:
        other = sample(DiscreteUniform(0, 3))
        while other == 3:
            other = sample(DiscreteUniform(0, 3))
        heads = sample(Bernoulli(1 / 4))
    honest = sample(Bernoulli(1 / 2))
    return x if honest else other


@mechanism(DP(), expect="refuted")
def above_a_noisy_limit(f: Count, eps: Epsilon) -> float:
    """What a round asks depends on what was drawn before all rounds."""
    limit = sample(Exponential(1 / eps))
    noise = sample(Exponential(1 / eps))
    while noise < limit:
        noise = sample(Exponential(1 / eps))
    return f + noise


@mechanism(DP(), budget=lambda eps: 0 * eps, expect="refuted")
def answers_until_tails(f: Count, eps: Epsilon) -> Iterator[bool]:
    """A round that releases is one of its own."""
    more = True
    while more:
        yield f > 0
        more = sample(Bernoulli(1 / 2))


@mechanism(DP(), budget=lambda eps: 0 * eps, expect="refuted")
def an_int_or_a_float(f: Count, eps: Epsilon) -> float:
    """A round that leaves 1.0 where 1 was leaves something else."""
    more = True
    x = 1
    while more:
        more = sample(Bernoulli(1 / 4))
        if more:
            x = 1.0 if f > 0 else 1
    return x
