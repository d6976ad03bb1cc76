"""Runs that end on one side, and raise or never end on the other.

Solvers make every operation total; Python does not, and whoever calls sees the exception.
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
    Laplace,
    Policy,
    Public,
    Queries,
    Query,
    Uniform,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


# truth: f = 0 raises after its last release, f = 1 ends: 1 against 0
@mechanism(DP())
def division_after_the_last_release(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    unused = 1 / f


# truth: f = 1 divides by 0, f = 0 does not get that far: 1 against 0
@mechanism(ADP(visited))
def division_behind_a_short_circuit(f: Count, eps: Epsilon) -> Iterator[int]:
    if f > 0 and 1 / (f - 1) > 5:
        pass
    yield 0


# truth: f = len(t) is out of range, f = len(t) - 1 is in: the error has probability 1 against 0
@mechanism(ADP(visited))
def index_by_the_data(f: Count, t: Public[Vector], eps: Epsilon) -> Iterator[int]:
    assert len(t) >= 1
    unused = t[f]
    yield 0


# truth: z is unbound for f < t (an error), 1 for f >= t: 1 against 0
@mechanism(ADP(visited))
def unbound_on_one_side(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    if f >= t:
        z = 1
    yield z


# truth: assuming the assert makes f >= t on both sides; f = t - 1 raises: 1 against 0
@mechanism(ADP(visited))
def private_assert_later(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    yield f + noise >= t
    assert f >= t


# truth: the discarded draw has scale 0 for f = 0 and raises: 1 against 0
@mechanism(ADP(visited))
def scale_from_the_data(f: Count, eps: Epsilon) -> Iterator[int]:
    noise = sample(Laplace(f / eps))
    yield 0


# truth: an idle coin: f = t has p = 1/2, f = t + 1 has p = 1, which raises: 1 against 0
@mechanism(DP())
def probability_from_the_data(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    if f >= t:
        b = sample(Bernoulli((f - t + 1) / 2))
    yield True


# truth: None + 1 raises for f < t; f >= t releases 2: 1 against 0
@mechanism(ADP(visited))
def arithmetic_on_none(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    a = None
    if f >= t:
        a = 1
    b = a + 1 if a != 5 else 0
    yield 2


# truth: noise > 3 / eps divides by f: f = 0 raises with probability e^-3 / 2, f = 1 never does
@mechanism(DP())
def rare_division(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    if eps * noise > 3:
        unused = 1 / f
    yield f + noise


# truth: range with step 0 raises at f = 0, not at f = 1: 1 against 0
@mechanism(ADP(visited))
def step_from_the_data(f: Count, eps: Epsilon) -> Iterator[int]:
    for i in range(0, 3, f):
        pass
    yield 0


# truth: an idle draw from [q, 1] raises at q = 1, not at q = 0: 1 against 0
@mechanism(DP())
def bounds_from_the_data(q: One, eps: Epsilon) -> Iterator[int]:
    u = sample(Uniform(q, 1))
    yield 0


# truth: q[0] = 0 never ends, q[0] = 1 ends at once: 1 against 0; the draws in the loop are idle
@mechanism(DP())
def endless_unless_above(
    q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Laplace(1 / eps))
    yield q[0] + noise
    while q[0] <= 0:
        noise = sample(Laplace(1 / eps))


# truth: the index is -2 for f[0] = 0, out of range, and -1, the last, for f[0] = 1: 1 against 0
@mechanism(ADP(visited))
def negative_index(f: Counts, t: Public[Vector], eps: Epsilon) -> Iterator[int]:
    assert len(t) == 1 and len(f) >= 1
    unused = t[-2 + min(f[0], 1)]
    yield 0
