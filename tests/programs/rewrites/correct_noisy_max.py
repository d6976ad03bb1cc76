"""Correct ways to write report noisy max, its relatives, and programs that pick an index."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    align,
    argmax,
    mechanism,
    other,
    outcome,
    sample,
)

visited = Policy(sensitive={1})
absent = Policy(sensitive={0})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def annotated(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        align(noise, q[i] - other(q[i]) + 1 if i == outcome() else 0)
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(DP())
def with_a_name_for_the_noisy_answer(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i, x in enumerate(q):
        noise = sample(Laplace(2 / eps))
        noisy = x + noise
        if best is None or noisy > top:
            best, top = i, noisy
    return best


@mechanism(DP())
def the_smallest(q: Counts, eps: Epsilon) -> int | None:
    best = None
    least = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if best is None or q[i] + noise < least:
            best = i
            least = q[i] + noise
    return best


@mechanism(DP())
def the_last_of_equal_ones(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0
    for i in range(len(q)):
        noise = sample(TwoSidedGeometric(2 / eps))
        if best is None or q[i] + noise >= top:
            best = i
            top = q[i] + noise
    return best


@mechanism(ADP(visited))
def one_sided_geometric(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0
    for i in range(len(q)):
        noise = sample(OneSidedGeometric(1 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(ADP(visited))
def argmax_of_ints(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    noisy = [0] * len(q)
    for i in range(len(q)):
        noise = sample(OneSidedGeometric(1 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return best


@mechanism(DP())
def argmax_of_answers(q: Answers, eps: Epsilon) -> int:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


# Counts rise under this policy.  Noise that only adds can still follow: the winner goes up by 1,
# and then no other answer, which rises by at most 1, gets past it.
@mechanism(ADP(absent))
def argmax_of_rising_counts(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    return best


@mechanism(DP(), budget=lambda eps: 2 * eps)
def argmax_then_its_answer(q: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    yield best
    fresh = sample(Laplace(1 / eps))
    yield q[best] + fresh


@mechanism(DP(), budget=lambda eps: 2 * eps)
def two_argmaxes(q: Counts, r: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(q) > 0 and len(r) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    yield argmax(noisy)
    noisy = [0.0] * len(r)
    for i in range(len(r)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = r[i] + noise
    yield argmax(noisy)


@mechanism(DP())
def an_index_moved_by_one(q: Counts, eps: Epsilon) -> int:
    best = 0
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if best == 0 or q[i] + noise > top:
            best = i + 1
            top = q[i] + noise
    return best


@mechanism(DP())
def argmax_of_public_values(T: Public[Nat], q: Counts, eps: Epsilon) -> int:
    weights = [3, 1, 2]
    noise = sample(Laplace(1 / eps))
    return argmax(weights)
