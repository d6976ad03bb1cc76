"""Mechanisms that claim never to be wrong in one direction.

What a name begins with says what comes of its claims: ``right`` ones are proved, ``wrong``
ones are broken, and of ``unseen`` ones, which are wrong too, no run is found that shows it.
All of them are private, unless they say ``raw``; of ``undefined`` ones no run gives an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    CountingQuery,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    Vector,
    argmax,
    ensure,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Absent = Annotated[int, CountingQuery({0})]


def within(n, limit):
    return n < limit


@mechanism(ADP(visited))
def right_safe(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


# f = T and no noise
@mechanism(ADP(visited))
def wrong_safe_at_the_threshold(f: Count, T: Public[int], eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def right_safe_up_to_the_threshold(f: Count, T: Public[int], eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(DP())
def wrong_with_two_sided_noise(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(DP())
def wrong_with_two_sided_geometric_noise(f: Count, T: Public[int], eps: Epsilon) -> str:
    noise = sample(TwoSidedGeometric(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


# noise that only takes away: an alarm is right, and a "safe" is not
@mechanism(ADP(visited))
def right_alarm(f: Absent, T: Public[float], eps: Epsilon) -> str:
    noise = sample(NegativeExponential(1 / eps))
    if f + noise >= T:
        ensure(f >= T)
        return "alarm"
    return "safe"


@mechanism(ADP(visited))
def wrong_direction(f: Absent, T: Public[float], eps: Epsilon) -> str:
    noise = sample(NegativeExponential(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


# whole numbers: what is less than 3 is at most 2
@mechanism(ADP(visited))
def right_whole(f: Absent, T: Public[int], eps: Epsilon) -> str:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    if f + noise > T:
        ensure(f >= T + 1)
        return "alarm"
    return "safe"


# wrong for T = 5/2 and f = 3
@mechanism(ADP(visited))
def unseen_between_whole_numbers(f: Absent, T: Public[float], eps: Epsilon) -> str:
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    if f + noise > T:
        ensure(f >= T + 1)
        return "alarm"
    return "safe"


@mechanism(ADP(visited))
def right_at_every_place(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[str]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < T[i]:
            ensure(within(f[i], T[i]))
            yield "safe"
        else:
            ensure(answered < c)
            yield "alarm"
            answered += 1
            if answered >= c:
                return


# the place before is not the one that was compared
@mechanism(ADP(visited))
def wrong_at_another_place(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[str]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < T[i]:
            ensure(f[i] < T[0])
            yield "safe"
        else:
            yield "alarm"
            answered += 1
            if answered >= c:
                return


# the last of the c answers
@mechanism(ADP(visited))
def wrong_at_the_last_answer(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[str]:
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < T:
            yield "safe"
        else:
            ensure(answered + 1 < c)
            yield "alarm"
            answered += 1
            if answered >= c:
                return


# what the noise adds up to needs an invariant, and is not negative
@mechanism(DP())
def right_total(n: Public[Nat], f: Count, eps: Epsilon) -> float:
    total = 0.0
    for i in range(n):
        noise = sample(Exponential(1 / eps))
        total += noise
    ensure(total >= 0)
    return total


@mechanism(DP())
def wrong_total(n: Public[Nat], f: Count, eps: Epsilon) -> float:
    total = 0.0
    for i in range(n):
        noise = sample(Laplace(1 / eps))
        total += noise
    ensure(total >= 0)
    return total


@mechanism(DP())
def right_index(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = f[i] + noise
    best = argmax(noisy)
    ensure(0 <= best < len(f))
    return best


# the largest noisy count is not the largest count
@mechanism(DP())
def wrong_index(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = f[i] + noise
    best = argmax(noisy)
    ensure(f[best] >= f[0])
    return best


# preconditions are known
@mechanism(DP())
def right_of_public_inputs(f: Count, T: Public[float], n: Public[Nat], eps: Epsilon) -> str:
    assert T >= 1
    ensure(T > 0 and n >= 0 and f >= 0)
    return "always"


@mechanism(ADP(visited))
def two_of_three(f: Count, T: Public[float], eps: Epsilon) -> tuple[str, float]:
    noise = sample(Exponential(1 / eps))
    if f + noise < T:
        ensure(f < T)
        ensure(f < T - 1)
        ensure(f < T + 1)
        return "safe", f + noise
    return "alarm", f + noise


# the second claim would follow from the first one, which is wrong too
@mechanism(DP())
def first_of_two_wrong(f: Count, T: Public[float], eps: Epsilon) -> str:
    ensure(f < T)
    ensure(f < T + 100)
    return "safe"


# nothing of a claim is taken for granted where privacy is proved
@mechanism(DP())
def raw_constant(f: Count, eps: Epsilon) -> int:
    ensure(f == 3)
    return f


@mechanism(DP())
def raw_but_right(f: Count, eps: Epsilon) -> int:
    ensure(f >= 0)
    return f


@mechanism(ADP(visited))
def raw_by_a_claim_that_crashes(f: Count, eps: Epsilon) -> str:
    zeros = [0] * 3
    ensure(zeros[f] == 0)
    return "safe"


# wrong for one count only
@mechanism(ADP(visited))
def unseen_one_in_many(f: Count, eps: Epsilon) -> str:
    ensure(f != 123456)
    return "safe"


# f = T and noise that is exactly 0
@mechanism(ADP(visited))
def broken_by_no_noise_at_all(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + noise <= T:
        ensure(f < T)
        return "safe"
    return "alarm"


# examples that are known to be wrong
@mechanism(DP(), expect="refuted")
def expected_to_be_wrong(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited), expect="refuted")
def expected_to_be_wrong_and_right(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(Policy({1})))
def undefined_without_scale(f: Count, T: Public[float], eps: Epsilon) -> str:
    """No run gives an answer, as no noise has the scale 0."""
    noise = sample(Exponential(0 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(DP())
def right_same_place(f: Counts, i: Public[Nat], j: Public[Nat], eps: Epsilon) -> float:
    assert i < len(f) and j < len(f)
    noise = sample(Laplace(2 / eps))
    if i == j:
        ensure(f[i] == f[j])
        return f[i] + noise
    return f[j] + noise


@mechanism(DP())
def at_another_place(f: Counts, i: Public[Nat], j: Public[Nat], eps: Epsilon) -> float:
    assert i < len(f) and j < len(f)
    noise = sample(Laplace(2 / eps))
    if i <= j:
        ensure(f[i] == f[j])
        return f[i] + noise
    return f[j] + noise
