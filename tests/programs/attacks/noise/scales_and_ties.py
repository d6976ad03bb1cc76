"""Scales, counters, ties, and noise used twice.

A name of a function starts with its row. None of them may be proved.
"""

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
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    Uniform,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


# truth: exactly eps from two counts on ((1, 1) against (0, 1): winner 0), not eps / 100
@mechanism(ADP(visited), budget=lambda eps: eps / 100)
def row08_first_of_the_largest(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    best = 0
    winner = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(1 / eps))
        if i == 0 or f[i] + noise > best:
            best = f[i] + noise
            winner = i
    return winner


# truth: exactly eps from two counts on ((1, 1) against (1, 0): winner 1), not eps / 100
@mechanism(ADP(visited), budget=lambda eps: eps / 100)
def row08_last_of_the_largest(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    best = 0
    winner = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(1 / eps))
        if i == 0 or f[i] + noise >= best:
            best = f[i] + noise
            winner = i
    return winner


# truth: under replacement one count falls and another rises: exactly 2 eps ((1, 2) against (0, 3))
@mechanism(DP())
def row08_largest_under_replacement(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    best = 0
    winner = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(1 / eps))
        if i == 0 or f[i] + noise > best:
            best = f[i] + noise
            winner = i
    return winner


# truth: c = 0 gives scale 0, which releases the count raw (or raises): no c >= 1 is asked for
@mechanism(ADP(visited))
def row09_scale_zero(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(c / eps))
    yield f + noise


# truth: c = 1 passes the precondition and gives scale 0: the count raw (or an exception)
@mechanism(ADP(visited))
def row09_scale_zero_at_one(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    noise = sample(Exponential((c - 1 + c // 2) / eps))
    yield f + noise


# truth: the scale is negative for c < 0 and zero for c = 0: no distribution at all
@mechanism(DP(), budget=lambda c, eps: eps / c)
def row09_scale_of_any_sign(q: Answers, c: Public[int], eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Laplace(c / eps))
    yield q[0] + noise


# truth: e is any number, 0 and below too: no precondition makes the scale positive
@mechanism(DP(), budget=lambda e: e)
def row09_budget_of_any_sign(q: Answers, e: Public[float]) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Laplace(1 / e))
    yield q[0] + noise


# truth: the scale is the private count, and 0 at f = 0: f = 1 against 0 is infinite
@mechanism(ADP(visited))
def row09_private_scale(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(f / eps))
    yield f + noise


# truth: in a loop the scale falls to 0 at the last step, which releases q[i] raw (or raises)
@mechanism(DP())
def row09_scale_falls_to_zero(q: Answers, eps: Epsilon) -> Iterator[float]:
    for i in range(len(q)):
        noise = sample(Laplace((len(q) - 1 - i) / eps))
        yield q[i] + noise


# truth: ratio p / (1 - p), which is 9 at p = 9/10; p = 0, p = 1 and no odds at all are let in
@mechanism(ADP(visited))
def row09_bit_of_any_odds(f: Count, t: Public[int], p: Public[float], eps: Epsilon) -> bool:
    b = sample(Bernoulli(p))
    return b if f > t else not b


# truth: infinite, the supports [f, f + high] differ; raw (or an exception) where high <= 0
@mechanism(ADP(visited))
def row09_empty_interval(f: Count, high: Public[float], eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, high))
    yield f + u


# truth: exactly eps + eps / 100 (both answers move by 1), not eps / 50
@mechanism(DP(), budget=lambda eps: eps / 50)
def row10_scale_assigned_again(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 2
    b = 1 / eps
    first = sample(Laplace(b))
    yield q[0] + first
    b = 100 / eps
    second = sample(Laplace(b))
    yield q[1] + second


# truth: exactly 1 + 1/2 + ... + 1/n times eps (scale i / eps), not n / n = 1 times
@mechanism(DP())
def row10_scale_grows(q: Answers, eps: Epsilon) -> Iterator[float]:
    b = 0
    for x in q:
        b += 1 / eps
        noise = sample(Laplace(b))
        yield x + noise


# truth: exactly 2 eps, both answers have scale 1 / eps: the later `eps` is another value
@mechanism(DP(), budget=lambda eps: eps / 50)
def row10_parameter_assigned_again(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 2
    first = sample(Laplace(1 / eps))
    yield q[0] + first
    second = sample(Laplace(1 / eps))
    yield q[1] + second
    eps = eps / 100


# truth: exactly eps / (c // 2): at c = 3 that is eps, not 2 eps / 3
@mechanism(DP(), budget=lambda c, eps: 2 * eps / c)
def row10b_floor_dropped(q: Answers, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 2 and len(q) >= 1
    noise = sample(Laplace((c // 2) / eps))
    yield q[0] + noise


# truth: exactly eps / int(c / 2): at c = 3 that is eps, not 2 eps / 3
@mechanism(DP(), budget=lambda c, eps: 2 * eps / c)
def row10b_int_dropped(q: Answers, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 2 and len(q) >= 1
    noise = sample(Laplace(int(c / 2) / eps))
    yield q[0] + noise


# truth: exactly eps / round(c / 2): at c = 5 that is eps / 2 (half to even), not 2 eps / 5
@mechanism(DP(), budget=lambda c, eps: 2 * eps / c)
def row10b_round_dropped(q: Answers, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 2 and len(q) >= 1
    noise = sample(Laplace(round(c / 2) / eps))
    yield q[0] + noise


# truth: the difference of the two outputs is f[0] - f[1], raw: infinite
@mechanism(ADP(visited))
def row19_one_noise_for_two_answers(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    yield f[0] + noise
    yield f[1] + noise


# truth: drawn once before the loop, so all differences of the outputs are raw: infinite
@mechanism(ADP(visited))
def row19_drawn_before_the_loop(f: Counts, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    for i in range(len(f)):
        yield f[i] + noise


# truth: the second output subtracts the noise: the sum of the outputs is f[0] + f[1], raw
@mechanism(ADP(visited))
def row19_once_added_once_subtracted(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    again = noise
    yield f[0] + noise
    yield f[1] - again


# truth: the noise itself is released: the difference of the outputs is f, raw
@mechanism(ADP(visited))
def row19_noise_released(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise
    yield noise


# truth: the difference of the two outputs is f, raw: infinite
@mechanism(ADP(visited))
def row19_twice_the_count(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    yield 2 * f + noise
