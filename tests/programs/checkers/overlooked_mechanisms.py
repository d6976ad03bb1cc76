"""Mechanisms that are not private, each for a fault that a prover could overlook.

The function's name is that of the fault in ``kernel/broken_provers.py`` that hides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Private,
    Public,
    Queries,
    Query,
    Related,
    Uniform,
    Vector,
    align,
    argmax,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
OneAnswer = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]


@mechanism(DP())
def no_support(f: Count, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    align(noise, f - other(f))
    return f + noise


@mechanism(DP())
def no_support_found(f: Count, eps: Epsilon) -> int:
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP())
def no_measure(f: Count, eps: Epsilon) -> Iterator[bool]:
    u = sample(Uniform(0, 4))
    align(
        u,
        -1
        if f < 1 and other(f) >= 1 and u >= 1 and u < 2
        else (1 if f >= 1 and other(f) < 1 and u >= 1 and u < 2 else 0),
    )
    bound = 2
    if f >= 1:
        bound = 1
    yield u < bound


@mechanism(DP())
def costs_of_the_wrong_sign(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return f + noise


@mechanism(DP())
def costs_of_the_wrong_sign_aligned(f: Answers, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, f[i] - other(f[i]))
        yield f[i] + noise


@mechanism(DP())
def costs_halved(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    return f + noise


@mechanism(DP())
def costs_halved_in_a_loop(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    lift = sample(Laplace(1 / eps))
    done = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            done += 1
            if done >= c:
                return
        else:
            yield False


@mechanism(DP())
def proposals_kept(f: Answers, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, f[i] - other(f[i]))
        yield f[i] + noise


@mechanism(DP())
def assumed_in_the_loop(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, 0)
        if f[i] + noise >= T:
            yield True
        else:
            yield False


@mechanism(DP())
def a_second_pass_is_free(f: OneAnswer, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, f[i] - other(f[i]))
        yield f[i] + noise
    for j in range(len(f)):
        again = sample(Laplace(1 / eps))
        align(again, f[j] - other(f[j]))
        yield f[j] + again


@mechanism(DP())
def no_same_output(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    return f + noise * 0.5


@mechanism(DP())
def no_same_output_found(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / eps))
    return f


@mechanism(DP())
def no_same_samples(f: Count, eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(0.25 / eps))
    align(noise, 0)
    if f + noise >= 3:
        yield True
    else:
        yield False


@mechanism(DP())
def no_definedness(f: Count, xs: Public[Vector], eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    align(noise, 0)
    here = xs[f]
    yield True


@mechanism(DP())
def no_prophecy(f: Answers, eps: Epsilon) -> int:
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        align(noise, 0)
        noisy[i] = f[i] + noise
    return argmax(noisy)


@mechanism(DP(), budget=lambda eps1, eps2: eps1)
def a_rate_forgotten(f: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[float, float]:
    one = sample(Laplace(1 / eps1))
    align(one, f - other(f))
    two = sample(Laplace(1 / eps2))
    align(two, f - other(f))
    return f + one, f + two


def one_more(x: float) -> bool:
    return x == other(x) + 1


@mechanism(Related(one_more))
def budgets_always_met(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(0.5 / eps))
    align(noise, 1)
    return x + noise


@mechanism(ADP(visited))
def neighbours_the_wrong_way(f: Count, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    align(noise, f - other(f))
    return f + noise


@mechanism(DP())
def neighbours_too_near(x: Annotated[float, Query(sensitivity=2)], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    align(noise, x - other(x))
    return x + noise
