"""Mechanisms that break one condition of the soundness theorem and meet all others.

The name begins with the condition; the comment ``# here`` marks the line that the report
must name.  Where the alignment is at fault, the mechanism without it is private.
"""

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
    NegativeExponential,
    OneSidedGeometric,
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
def support_below_zero(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))  # here
    align(noise, -1)
    yield 0.0


@mechanism(DP())
def support_above_zero(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(NegativeExponential(1 / eps))  # here
    align(noise, 1)
    yield 0.0


@mechanism(DP())
def support_beyond_the_interval(f: Count, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))  # here
    align(u, 0.25)
    yield 0.0


@mechanism(DP())
def support_between_the_integers(f: Count, eps: Epsilon) -> Iterator[int]:
    k = sample(TwoSidedGeometric(1 / eps))  # here
    align(k, (f - other(f)) / 2)
    yield 0


@mechanism(ADP(visited))
def support_only_one_way(f: Count, eps: Epsilon) -> Iterator[int]:
    k = sample(OneSidedGeometric(1 / eps))  # here
    align(k, other(f) - f)
    yield 0


@mechanism(DP())
def same_samples_at_a_branch(f: Count, eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)  # f - other(f) would do
    if f + noise >= 3:  # here
        yield True
    else:
        yield False


@mechanism(DP())
def same_samples_at_a_loop(f: Count, eps: Epsilon) -> Iterator[int]:
    noise = sample(Laplace(1 / eps))
    align(noise, other(f) - f)  # f - other(f) would do
    i = 0
    while i < f + noise:  # here
        yield i
        i += 1


@mechanism(DP())
def same_samples_at_a_break(f: Answers, eps: Epsilon) -> Iterator[None]:
    noise = sample(Laplace(1 / eps))
    align(noise, 1)
    for x in f:
        if noise >= 3:  # here
            break
        yield None


@mechanism(DP())
def same_output_without_a_shift(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)  # f - other(f) would do
    yield f + noise  # here


@mechanism(DP(), budget=lambda eps: 2 * eps)
def same_output_with_half_the_shift(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, f - other(f))  # twice as much would do
    yield 2 * f + noise  # here


@mechanism(DP())
def same_output_of_a_return(f: Count, eps: Epsilon) -> tuple[bool, float]:
    noise = sample(Laplace(1 / eps))
    align(noise, f - other(f) if f >= 3 else 0)  # f - other(f) would do
    return True, f + noise  # here


@mechanism(DP())
def cost_of_a_shift(f: Count, eps: Epsilon) -> Iterator[float]:  # here
    noise = sample(Laplace(1 / eps))
    align(noise, 2)
    yield 0.0


@mechanism(DP())
def cost_of_every_round(f: Answers, eps: Epsilon) -> Iterator[float]:  # here
    for x in f:
        noise = sample(Exponential(1 / eps))
        align(noise, 1)
        yield 0.0


@mechanism(ADP(visited))
def cost_of_a_flip(f: Count, eps: Epsilon) -> Iterator[float]:  # here
    b = sample(Bernoulli(0.75))
    align(b, True)
    yield 0.0


@mechanism(DP())
def measure_of_a_squeeze(f: Count, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))  # here
    align(u, -u / 2)
    yield 0.0


@mechanism(DP())
def measure_of_two_pieces(f: Count, eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 3))  # here
    align(u, 1 if u < 1 else 0)
    yield 0.0


@mechanism(DP())
def measure_of_one_lattice_point(f: Count, eps: Epsilon) -> Iterator[float]:
    k = sample(TwoSidedGeometric(1 / eps))  # here
    align(k, 1 if k == 0 else 0)
    yield 0.0


@mechanism(DP())
def measure_of_a_bit(f: Count, eps: Epsilon) -> Iterator[float]:
    b = sample(Bernoulli(0.5))  # here
    align(b, b)
    yield 0.0


@mechanism(DP())
def definedness_of_an_index(f: Answers, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    x = f[0]  # here
    yield noise


@mechanism(DP())
def definedness_of_a_quotient(f: Count, n: Public[int], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    yield noise + 1 / n  # here


@mechanism(DP())
def definedness_of_the_shift(f: Count, n: Public[int], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0 if 1 / n > 0 else 0)  # here
    yield noise


@mechanism(DP())
def preconditions_of_a_scale(f: Count, c: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(c / eps))  # here
    align(noise, 0)
    yield noise


@mechanism(DP())
def preconditions_of_a_coin(f: Count, p: Public[float], eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(p))  # here
    align(b, False)
    yield b


@mechanism(DP())
def preconditions_of_an_interval(f: Count, a: Public[float], eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, a))  # here
    align(u, 0)
    yield u
