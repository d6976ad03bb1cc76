"""Private mechanisms with alignments as their authors would write them."""

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
    TwoSidedGeometric,
    Uniform,
    Value,
    Vector,
    align,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Bit = Annotated[int, IntegerValue(0, 1)]


def clipped(x, most):
    if x > most:
        return most
    return x


@mechanism(DP())
def single_count(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, f - other(f))
    yield f + noise


@mechanism(DP())
def sparse_vector(f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    align(rho, 1)
    above = 0
    for x in f:
        noise = sample(Laplace(4 * c / eps))
        align(noise, 1 + x - other(x) if x + noise >= T + rho else 0)
        if x + noise >= T + rho:
            yield True
            above += 1
            if above >= c:
                return
        else:
            yield False


@mechanism(ADP(visited))
def asymmetric(f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon) -> Iterator[object]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        align(noise, f[i] - other(f[i]) if f[i] + noise >= T[i] else 0)
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def first_of_two(f: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[float, int]:
    a = sample(Laplace(1 / eps1))
    align(a, f - other(f))
    b = sample(TwoSidedGeometric(1 / eps2))
    return f + a, f + b


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def second_of_two(f: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[float, int]:
    a = sample(Laplace(1 / eps1))
    b = sample(TwoSidedGeometric(1 / eps2))
    align(b, f - other(f))
    return f + a, f + b


@mechanism(DP())
def other_of_a_sum(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, f - T - other(f - T))
    yield f + noise


@mechanism(DP())
def other_of_a_variable(f: Count, most: Public[float], eps: Epsilon) -> Iterator[float]:
    x = f if f < most else most
    noise = sample(Laplace(1 / eps))
    align(noise, x - other(x))
    yield x + noise


@mechanism(DP())
def other_of_a_helper(f: Count, most: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, clipped(f, most) - other(clipped(f, most)))
    yield clipped(f, most) + noise


@mechanism(DP())
def other_of_an_earlier_sample(f: Count, eps: Epsilon) -> Iterator[float]:
    a = sample(Laplace(1 / eps))
    align(a, f - other(f))
    b = sample(Uniform(0, 1))
    align(b, f + a - other(f + a))
    yield f + a
    yield b


@mechanism(DP())
def other_of_a_test(f: Bit, eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(0.5))
    align(b, (f >= 1) != other(f >= 1))
    yield b != (f >= 1)


@mechanism(DP())
def other_of_what_is_public(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, T * 0.5 - other(T) / 2 + f - other(f))
    yield f + noise


@mechanism(DP())
def around_a_circle(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> Iterator[bool]:
    # The support is closed: the end that half a turn has no room for stays where it is.
    u = sample(Uniform(0, 1))
    align(u, 0.5 if u < 0.5 else -0.5 if u < 1 else 0)
    yield eps > 1


@mechanism(DP())
def shift_by_an_earlier_guard(f: Count, T: Public[float], eps: Epsilon) -> Iterator[float]:
    first = sample(Uniform(0, 1))
    align(first, 0)
    noise = sample(Laplace(1 / eps))
    align(noise, f - other(f) if first < 0.5 else 0)
    if first < 0.5:
        yield f + noise
    else:
        yield noise


#: What a report says of each alignment, by the name of its sample.
WRITTEN = {
    "single_count": {"noise": "f - other(f)"},
    "sparse_vector": {
        "rho": "1",
        "noise": "1 + x - other(x) if x + noise >= T + rho else 0",
    },
    "asymmetric": {"noise": "f[i] - other(f[i]) if f[i] + noise >= T[i] else 0"},
    "first_of_two": {"a": "f - other(f)"},
    "second_of_two": {"b": "f - other(f)"},
    "other_of_a_sum": {"noise": "f - T - other(f - T)"},
    "other_of_a_variable": {"noise": "x - other(x)"},
    "other_of_an_earlier_sample": {"a": "f - other(f)", "b": "f + a - other(f + a)"},
    "other_of_a_test": {"b": "(f >= 1) != other(f >= 1)"},
    "other_of_what_is_public": {"noise": "T * 0.5 - other(T) / 2 + f - other(f)"},
    "around_a_circle": {"u": "0.5 if u < 0.5 else -0.5 if u < 1 else 0"},
    "shift_by_an_earlier_guard": {"first": "0", "noise": "f - other(f) if first < 0.5 else 0"},
}
