"""Mechanisms that call others. Composition is "not yet".

A name that starts with `_` is a mechanism that is private as claimed and is there to be called.
None of the others may be proved.
"""

import random
from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    Bernoulli,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Value,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Own = Annotated[float, Value(0, 1)]


# honest: releases a fair bit, costs nothing
@mechanism(LDP())
def _pad(x: Own, eps: Epsilon) -> bool:
    b = sample(Bernoulli(1 / 2))
    return b


# honest: releases a bit xor a fair bit, costs nothing
@mechanism(LDP())
def _masked(x: Own, eps: Epsilon) -> bool:
    b = sample(Bernoulli(1 / 2))
    return not b if x > 0.5 else b


# honest: exactly eps
@mechanism(ADP(visited))
def _first_count(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(Laplace(1 / eps))
    yield f[0] + noise


# honest: exactly eps (the thresholds are public)
@mechanism(ADP(visited))
def _sparse_vector(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: both calls draw the same bit b if the sampler obeys the seed; b xor (x xor b) is x, raw
@mechanism(LDP())
def row14_seeded_alike(x: Own, eps: Epsilon) -> Iterator[bool]:
    random.seed(7)
    (b,) = _pad(x, eps)
    yield b
    random.seed(7)
    (masked,) = _masked(x, eps)
    yield masked


# truth: the same by one generator's state, saved and set back: x > 0.5, raw
@mechanism(LDP())
def row14_state_set_back(x: Own, eps: Epsilon) -> Iterator[bool]:
    state = random.getstate()
    (b,) = _pad(x, eps)
    yield b
    random.setstate(state)
    (masked,) = _masked(x, eps)
    yield masked


# truth: in one function: each output alone is a fair bit, both together are x > 0.5, raw
@mechanism(LDP())
def row14_one_bit_for_both(x: Own, eps: Epsilon) -> Iterator[bool]:
    b = sample(Bernoulli(1 / 2))
    yield b
    yield not b if x > 0.5 else b


# truth: two calls cost eps each: exactly 2 eps
@mechanism(ADP(visited))
def row14_called_twice(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(2):
        (x,) = _first_count(f, eps)
        yield x


# truth: the argument moves by 2 in each answer: exactly 2 eps
@mechanism(ADP(visited))
def row14b_doubled_argument(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    (x,) = _first_count([2 * v for v in f], eps)
    yield x


# truth: one argument is the sum of two counts, which moves by 2: exactly 2 eps
@mechanism(ADP(visited))
def row14b_summed_argument(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    (x,) = _first_count([f[0] + f[1]], eps)
    yield x


# truth: 100 - f[0] rises where Counts fall, and the noise is one-sided: infinite
@mechanism(ADP(visited))
def row14b_negated_argument(f: Counts, eps: Epsilon) -> Iterator[float | None]:
    assert len(f) >= 1
    (x,) = _sparse_vector([100 - f[0]], [0], 1, eps)
    yield x


# truth: the callee's budget is private: (1, m) against (0, m) costs (1 + m) * eps
@mechanism(ADP(visited))
def row14b_private_budget(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    (x,) = _first_count(f, eps * (1 + f[1]))
    yield x


# truth: the call happens or not under a raw comparison: 1 against 0
@mechanism(ADP(visited))
def row14b_called_under_a_private_guard(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    if f[0] > 5:
        (x,) = _first_count(f, eps)
        yield x


# truth: len(T) == len(f) fails in the callee iff a count is 0: (1) against (0), 1 against 0
@mechanism(ADP(visited))
def row14b_callee_raises(f: Counts, eps: Epsilon) -> Iterator[int]:
    out = _sparse_vector([x for x in f if x > 0], [0] * len(f), 1, eps)
    yield 0


# truth: (2, 1) may say "below" at the second threshold 2, (1, 1) never does: infinite at c >= 2
@mechanism(ADP(visited))
def row20_thresholds_from_the_data(
    f: Counts, c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    for out in _sparse_vector(f, sorted(f), c, eps):
        yield out
