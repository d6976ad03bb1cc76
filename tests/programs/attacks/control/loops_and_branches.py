"""Passes over the answers, loops, and private control flow.

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
    Laplace,
    Policy,
    Public,
    Queries,
    Value,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Own = Annotated[float, Value(0, 1)]


# truth: each pass costs eps for the one answer that moves: exactly 2 eps
@mechanism(DP())
def row01_two_passes(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i] + noise
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i] + noise


# truth: the second pass, written differently, costs as much as the first: exactly 2 eps
@mechanism(DP())
def row01_two_passes_unlike(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for x in q:
        first = sample(Laplace(1 / eps))
        yield x + first
    i = len(q) - 1
    while i >= 0:
        second = sample(Laplace(1 / eps))
        yield q[i] + second
        i -= 1


# truth: both reads of the moving answer are released with own noise: exactly 2 eps
@mechanism(DP())
def row01_two_reads_a_step(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        first = sample(Laplace(1 / eps))
        yield q[i] + first
        second = sample(Laplace(1 / eps))
        yield q[i] + second


# truth: zip reads every answer twice: exactly 2 eps
@mechanism(DP())
def row01_zipped_with_itself(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for x, y in zip(q, q):
        first = sample(Laplace(1 / eps))
        yield x + first
        second = sample(Laplace(1 / eps))
        yield y + second


# truth: an answer inside is in two sums, each moves by 1: exactly 2 eps from three answers on
@mechanism(DP())
def row01_sums_of_two(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(1, len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[i - 1] + q[i] + noise


# truth: the answer kept from the step before is released again: exactly 2 eps from two answers on
@mechanism(DP())
def row01_kept_in_a_variable(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    before = 0.0
    for x in q:
        first = sample(Laplace(1 / eps))
        yield before + first
        second = sample(Laplace(1 / eps))
        yield x + second
        before = x


# truth: q[0] is released len(q) times: exactly len(q) * eps
@mechanism(DP())
def row01_the_same_answer_each_step(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        yield q[0] + noise


# truth: x = 1 never ends, x = 0 releases 0: 1 against 0
@mechanism(LDP())
def row05_never_ends(x: Own, eps: Epsilon) -> Iterator[int]:
    while x == 1:
        pass
    yield 0


# truth: f = 2 releases 0, its neighbour f = 1 never ends: 1 against 0
@mechanism(ADP(visited))
def row05_never_ends_for_one(f: Count, eps: Epsilon) -> Iterator[int]:
    while f == 1:
        pass
    yield 0


# truth: f = 2 ends, its neighbour f = 1 never does, though both released the 0: 1 against 0
@mechanism(ADP(visited))
def row05_never_ends_after_the_output(f: Count, eps: Epsilon) -> Iterator[int]:
    yield 0
    while f == 1:
        continue


# truth: n steps over an odd f: an even f releases 0, f - 1 never ends: 1 against 0
@mechanism(ADP(visited))
def row05_steps_over(f: Count, eps: Epsilon) -> Iterator[int]:
    n = 0
    while n != f:
        n += 2
    yield 0


# truth: the count of answers above 5 is released raw: f = (6) against (5) gives 1 against 0
@mechanism(ADP(visited))
def row06_counts_with_constants(q: Counts, eps: Epsilon) -> Iterator[int]:
    n = 0
    for i in range(len(q)):
        if q[i] > 5:
            n += 1
    yield n


# truth: the flag tells whether q[0] > 0, raw: 1 against 0
@mechanism(DP())
def row06_flag(q: Answers, eps: Epsilon) -> bool:
    assert len(q) >= 1
    above = False
    if q[0] > 0:
        above = True
    return above


# truth: the same by an assignment of a pair: 1 against 0
@mechanism(DP())
def row06_swapped(q: Answers, eps: Epsilon) -> Iterator[int]:
    assert len(q) >= 1
    a, b = 0, 1
    if q[0] > 0:
        a, b = b, a
    yield a


# truth: the number of outputs tells the first answer above 0, raw: 1 against 0
@mechanism(DP())
def row06b_return_under_a_private_guard(q: Answers, eps: Epsilon) -> Iterator[int]:
    for i in range(len(q)):
        if q[i] > 0:
            return
        yield 0


# truth: releases the ceiling of q[0], raw: 1 against 0
@mechanism(DP())
def row06b_private_while(q: Answers, eps: Epsilon) -> Iterator[int]:
    assert len(q) >= 1
    i = 0
    while i < q[0]:
        i += 1
    yield i


# truth: the counter where the loop broke off is released raw: 1 against 0
@mechanism(DP())
def row06b_break_under_a_private_guard(q: Answers, eps: Epsilon) -> Iterator[int]:
    steps = 0
    for x in q:
        if x > 0:
            break
        steps += 1
    yield steps


# truth: `continue` skips the counter, which is released raw: 1 against 0
@mechanism(DP())
def row06b_continue_under_a_private_guard(q: Answers, eps: Epsilon) -> Iterator[int]:
    n = 0
    for x in q:
        if x > 0:
            continue
        n += 1
    yield n


# truth: releases f times a 0, so the length is f, raw: 1 against 0
@mechanism(ADP(visited))
def row06b_private_range(f: Count, eps: Epsilon) -> Iterator[int]:
    for i in range(f):
        yield 0


# truth: a raw comparison chooses the atom: 1 against 0
@mechanism(ADP(visited))
def row06b_conditional_expression(f: Count, t: Public[int], eps: Epsilon) -> Iterator[str | None]:
    yield "above" if f > t else None


# truth: a short circuit decides between constants: f = t + 1 against f = t, 1 against 0
@mechanism(ADP(visited))
def row06b_short_circuit(f: Count, t: Public[int], eps: Epsilon) -> bool:
    return f > t and True


# truth: the second output is there or not, raw; the noise belongs to another output: 1 against 0
@mechanism(ADP(visited))
def row06b_one_output_more(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    if f > t:
        yield 0
