"""An element is read under a guard that is not passed: nothing is known of what is not there."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Private,
    Public,
    Query,
    Related,
    Value,
    Values,
    Vector,
    align,
    mechanism,
    other,
    sample,
    top_k,
)


def near(f: float, s: float) -> bool:
    return abs(s - other(s)) <= 1 and abs(f - other(f)) <= 1


OneAnswer = Annotated[float, Query(sensitivity=1)]


# truth: infinite for each that says nothing else: where f is empty, s may be anything on D'
@mechanism(Related(near))
def rule_in_a_choice(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    first = f[0] if len(f) > 0 else 0.0
    yield s + noise


@mechanism(Related(near))
def rule_in_an_answer(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(2 / eps))
    yield s + noise + (f[0] if len(f) > 0 else 0.0)


@mechanism(Related(near))
def rule_after_and(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    above = len(f) > 0 and f[0] > 1
    yield s + noise


@mechanism(Related(near))
def rule_after_or(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    above = len(f) == 0 or f[0] > 1
    yield s + noise


@mechanism(Related(near))
def rule_further_on(
    f: Private[list[float]], s: Private[float], k: Public[int], eps: Epsilon
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    there = f[k] if 0 <= k and k < len(f) else 0.0
    yield s + noise


@mechanism(Related(near))
def rule_in_a_shift(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    align(noise, s - other(s) + (f[0] - f[0] if len(f) > 0 else 0))
    yield s + noise


@mechanism(Related(near))
def rule_in_a_helper(f: Private[list[float]], s: Private[float], eps: Epsilon) -> Iterator[float]:
    def first():
        return f[0] if len(f) > 0 else 0.0

    noise = sample(Laplace(1 / eps))
    y = first()
    yield s + noise


# truth: infinite: with no threshold there is no noise
@mechanism(DP())
def picked_in_a_choice(
    q: OneAnswer, T: Public[Vector], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    assert k <= len(T)
    noise = sample(Laplace(1 / eps))
    order = top_k(T, k)
    first = order[0] if k > 0 else 0
    yield q + (0.0 if len(T) == 0 else noise)


@mechanism(DP())
def picked_after_and(
    q: OneAnswer, T: Public[Vector], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    assert k <= len(T)
    noise = sample(Laplace(1 / eps))
    order = top_k(T, k)
    if k > 0 and order[0] >= 0:
        noise = noise + 0.0
    yield q + (0.0 if len(T) == 0 else noise)


@mechanism(DP())
def picked_out_of_range(
    q: OneAnswer, T: Public[Vector], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    assert k <= len(T) and k <= 1
    noise = sample(Laplace(1 / eps))
    order = top_k(T, k)
    fifth = order[5] if k > 5 else 0
    yield q + (0.0 if k == 1 else noise)


@mechanism(DP())
def range_of_nobody(
    x: Count,
    v: Annotated[Sequence[float], Values("lo", "hi")],
    lo: Public[float],
    hi: Public[float],
    eps: Epsilon,
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    first = v[0] if len(v) > 0 else 0.0
    yield x + (0.0 if lo > hi else noise)


@mechanism(LDP())
def range_of_nobody_local(
    x: Annotated[float, Value(0, 1)],
    v: Annotated[Sequence[float], Values("lo", "hi")],
    lo: Public[float],
    hi: Public[float],
    eps: Epsilon,
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield x + (0.0 if lo > hi else noise)


# truth: infinite: an empty f is no reason for less noise
@mechanism(DP())
def counts_that_are_not_there(f: Counts, x: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    first = f[0] if len(f) > 0 else -1
    yield x + (0.0 if first < 0 else noise)
