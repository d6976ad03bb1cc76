"""Wrong ways to write report noisy max and its relatives; none has the privacy it claims."""

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
    align,
    argmax,
    mechanism,
    other,
    outcome,
    sample,
    top_k,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


# not private: what is picked is raw
@mechanism(DP(), expect="refuted")
def argmax_of_counts(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    return argmax(q)


# not private: the same through a list
@mechanism(DP(), expect="refuted")
def argmax_of_a_copy(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    copy = [0] * len(q)
    for i in range(len(q)):
        copy[i] = q[i]
    return argmax(copy)


# row 8: not private at no cost; ties decide for the first one
@mechanism(ADP(visited), budget=lambda eps: 0 * eps, expect="refuted")
def argmax_for_nothing(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    noisy = [0] * len(q)
    for i in range(len(q)):
        noise = sample(OneSidedGeometric(1 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


# not as claimed: the shift that is stated is too small for answers that cross
@mechanism(DP(), expect="refuted")
def annotated_too_small(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        align(noise, 1 if i == outcome() else 0)
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


# not private: the gap to the second one moves by 2, for the price of the index
@mechanism(DP(), expect="refuted")
def with_the_gap(q: Counts, eps: Epsilon) -> Iterator[float]:
    best = -1
    top = 0.0
    second = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        if best < 0 or q[i] + noise > top:
            best = i
            second = top
            top = q[i] + noise
    yield best
    yield top - second


# not private: the answer at the index that was picked is raw
@mechanism(DP(), expect="refuted")
def argmax_and_raw(q: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    yield best
    yield q[best]


# not private: the noise of the index that was picked is released, so its count is bounded
@mechanism(DP(), expect="refuted")
def argmax_and_its_noisy_value(q: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    best = argmax(noisy)
    yield best
    yield noisy[best]


# row 8b: the price of one index for k of them
@mechanism(DP(), expect="refuted")
def top_k_for_one(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k)
    for j in order:
        yield j


# not private: k - 1 are paid for
@mechanism(ADP(visited), expect="refuted")
def top_k_one_short(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert 2 <= k <= len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential((k - 1) / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k)
    for j in order:
        yield j


# not private: the noisy value of the first that is not picked has not been paid for
@mechanism(ADP(visited), expect="refuted")
def the_next_value(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 1 <= k < len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(k / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k + 1):
        yield noisy[order[r]]


# not private: a second list is read where the first one was picked
@mechanism(ADP(visited), expect="refuted")
def another_list(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 1 <= k <= len(q)
    noisy = [0.0] * len(q)
    raw = [0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(k / eps))
        noisy[i] = q[i] + noise
        raw[i] = q[i]
    order = top_k(noisy, k)
    for j in order:
        yield raw[j]


# not private: the same noise for all answers shows their differences
@mechanism(DP(), expect="refuted")
def one_noise_for_all(q: Counts, eps: Epsilon) -> int:
    assert len(q) > 0
    noisy = [0.0] * len(q)
    noise = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noisy[i] = q[i] + noise
    return argmax(noisy)


# not private: each round of the peeling costs as much as the first
@mechanism(DP(), expect="refuted")
def peeling_for_one(q: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    taken = [False] * len(q)
    for r in range(k):
        best = None
        top = 0.0
        for i in range(len(q)):
            if not taken[i]:
                noise = sample(Laplace(2 / eps))
                if best is None or q[i] + noise > top:
                    best = i
                    top = q[i] + noise
        if best is None:
            return
        yield best
        taken[best] = True


# not private: whether a count is zero decides who takes part
@mechanism(DP(), expect="refuted")
def only_those_that_count(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(q)):
        if q[i] > 0:
            noise = sample(Laplace(2 / eps))
            if best is None or q[i] + noise > top:
                best = i
                top = q[i] + noise
    return best


# not private: the alignment shifts by the wrong index's outcome
@mechanism(DP(), expect="refuted")
def annotated_for_all_but_one(q: Counts, eps: Epsilon) -> int | None:
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        align(noise, q[i] - other(q[i]) if i != outcome() else 0)
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best
