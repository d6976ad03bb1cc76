"""Partial operations on private data, thresholds from the data.

A name of a function starts with its row. None of them may be proved.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Queries,
    Value,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Own = Annotated[float, Value(0, 1)]


# truth: x = 1 releases 0, x = 0 raises: 1 against 0
@mechanism(LDP())
def row07_division(x: Own, eps: Epsilon) -> Iterator[int]:
    y = 1 / x
    yield 0


# truth: f = 1 releases 0, its neighbour f = 0 raises: 1 against 0
@mechanism(ADP(visited))
def row07_division_by_a_count(f: Count, eps: Epsilon) -> Iterator[int]:
    y = 1 / f
    yield 0


# truth: f = 1 releases 0, f = 0 raises, though the quotient is multiplied by 0: 1 against 0
@mechanism(ADP(visited))
def row07_zero_times_a_quotient(f: Count, eps: Epsilon) -> Iterator[float]:
    yield 0 * (1 / f)


# truth: f = 1 releases 0, f = 0 raises, though the condition is never false: 1 against 0
@mechanism(ADP(visited))
def row07_division_in_a_condition(f: Count, eps: Epsilon) -> Iterator[int]:
    if 1 / f > 0 or f >= 0:
        yield 0
    else:
        yield 0


# truth: f = 1 releases 0, f = 0 raises: 1 against 0
@mechanism(ADP(visited))
def row07_quotient(f: Count, eps: Epsilon) -> Iterator[int]:
    y = 1 // f
    yield 0


# truth: f = 1 releases 0, f = 0 raises: 1 against 0
@mechanism(ADP(visited))
def row07_remainder(f: Count, eps: Epsilon) -> Iterator[int]:
    y = 1 % f
    yield 0


# truth: f = 1 reads T[0], f = 0 reads T[1], which is not there: 1 against 0
@mechanism(ADP(visited))
def row07_index_out_of_range(f: Count, T: Public[Vector], eps: Epsilon) -> Iterator[int]:
    assert len(T) == 1
    y = T[1 - f]
    yield 0


# truth: the loop reads T[0], T[1], ... while i < q[0]: q = 1 releases 0, q = 2 raises at len(T) = 1
@mechanism(DP())
def row07_loop_runs_out_of_range(q: Answers, T: Public[Vector], eps: Epsilon) -> Iterator[int]:
    assert len(T) == 1 and len(q) >= 1
    i = 0
    total = 0.0
    while i < q[0]:
        total += T[i]
        i += 1
    yield 0


# truth: f = 1 has a name y, f = 0 has none and raises: 1 against 0
@mechanism(ADP(visited))
def row07_unbound_name(f: Count, eps: Epsilon) -> Iterator[int]:
    if f > 0:
        y = 0
    yield y


# truth: the assert holds for f = 1 and raises for f = 0: 1 against 0
@mechanism(ADP(visited))
def row07_private_assert(f: Count, eps: Epsilon) -> Iterator[int]:
    n = 0
    assert f > 0
    yield n


# truth: None + 1 raises for f <= t: 1 against 0
@mechanism(ADP(visited))
def row07_sum_with_none(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    x = 0 if f > t else None
    y = x + 1
    yield 0


# truth: T_i = f[0] falls by 1, f[i] = f[0] - 1 does not: "below" gets impossible, infinite
@mechanism(ADP(visited))
def row20_threshold_is_an_answer(f: Counts, c: Public[Nat], eps: Epsilon) -> Iterator[float | None]:
    assert c >= 1 and len(f) >= 1
    answered = 0
    for i in range(1, len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= f[0]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: the same by way of a name, T starts as f[0]: infinite
@mechanism(ADP(visited))
def row20_threshold_has_a_name(f: Counts, c: Public[Nat], eps: Epsilon) -> Iterator[float | None]:
    assert c >= 1 and len(f) >= 1
    T = f[0]
    answered = 0
    for i in range(1, len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: T falls with f[i - 1]; f[i] = f[i - 1] - 1 fixed makes "below" impossible: infinite
@mechanism(ADP(visited))
def row20_threshold_is_the_answer_before(
    f: Counts, c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    T = 0
    answered = 0
    for x in f:
        noise = sample(Exponential(c / eps))
        if x + noise >= T:
            yield x + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None
        T = x


# truth: T is a second private sequence and falls alone: "below" gets impossible, infinite
@mechanism(ADP(visited))
def row20_thresholds_are_counts(
    f: Counts, T: Counts, c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for x, t in zip(f, T):
        noise = sample(Exponential(c / eps))
        if x + noise >= t:
            yield x + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: q[1] - q[0] moves by 2 (from 0 to -2): exactly 2 eps
@mechanism(DP())
def row20_private_threshold_under_replacement(q: Answers, eps: Epsilon) -> bool:
    assert len(q) >= 2
    noise = sample(Laplace(1 / eps))
    return q[1] + noise >= q[0]
