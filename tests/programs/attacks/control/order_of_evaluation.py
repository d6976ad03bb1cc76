"""Control flow, order of evaluation, leaked and swapped names."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Query,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


# truth: i jumps by len(f) - 1 when f[0] falls below t, the noise hides 1: exactly (len(f) - 1) eps
@mechanism(ADP(visited))
def loop_index_after_a_raw_break(f: Counts, t: Public[int], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(len(f)):
        if f[i] >= t:
            break
    noise = sample(Laplace(1 / eps))
    yield i + noise


# truth: the `else` of the loop runs iff no count reaches t: None has probability 0 or 1
@mechanism(ADP(visited))
def else_of_a_loop(f: Counts, t: Public[int], eps: Epsilon) -> Iterator[None]:
    for i in range(len(f)):
        if f[i] >= t:
            break
    else:
        yield None


# truth: below the threshold a raw test ends the run early: (y <= t, "low") has probability 0 or > 0
@mechanism(DP())
def raw_return_in_a_noisy_else(q: One, t: Public[float], eps: Epsilon) -> Iterator[float | str]:
    noise = sample(Laplace(1 / eps))
    yield q + noise
    if q + noise > t:
        yield "high"
    else:
        if q > t:
            return
        yield "low"


# truth: the first answer is never counted, so there is always a first: len(f) / c eps
@mechanism(ADP(visited))
def continue_skips_the_counter(
    f: Counts, t: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(t) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < t[i]:
            yield None
            continue
        yield f[i] + noise
        if answered == 0:
            continue
        answered += 1
        if answered >= c:
            return


# truth: f = 0 draws nothing: it releases 0, f = 1 anything but 0: 1 against 0
@mechanism(ADP(visited))
def as_many_draws_as_records(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = 0
    k = 0
    while k < f:
        noise = sample(Laplace(1 / eps))
        k += 1
    yield f + noise


# truth: k is bound only if the raw test before it holds: 1 against 0
@mechanism(ADP(visited))
def walrus_behind_a_short_circuit(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    k = 0
    if f >= t and (k := k + 1) > 5:
        pass
    yield k


# truth: releases q raw; assigned one after the other, b would be 0
@mechanism(DP())
def swap(q: One, eps: Epsilon) -> Iterator[float]:
    a = q
    b = 0.0
    a, b = b, a
    yield b


# truth: releases 2 q raw; read as (z - q) - q it would be 0
@mechanism(DP())
def augmented_minus(q: One, eps: Epsilon) -> Iterator[float]:
    z = 2 * q
    z -= q - q
    yield z


# truth: the left side is read first: releases q raw; with the new z it would be 0
@mechanism(DP())
def augmented_after_walrus(q: One, eps: Epsilon) -> Iterator[float]:
    z = q
    z += (z := 0)
    yield z


# truth: True has probability > 0 for f < t and 0 for f >= t; f < noise alone would be eps-private
@mechanism(DP())
def chain_with_a_raw_link(f: Count, t: Public[int], eps: Epsilon) -> Iterator[bool]:
    noise = sample(Laplace(1 / eps))
    yield f < t < noise


# truth: `break` leaves the inner loop only, each round answers once more: exactly rounds * eps
@mechanism(ADP(visited))
def break_of_the_inner_loop(
    f: Counts, t: Public[Vector], rounds: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert len(t) == len(f)
    for r in range(rounds):
        for i in range(len(f)):
            noise = sample(Exponential(1 / eps))
            if f[i] + noise >= t[i]:
                yield f[i] + noise
                break
            yield None


# truth: k draws fall below with probability (1/2)^k at q = 0, (e^-eps / 2)^k at q = 1: k eps
@mechanism(DP())
def counts_its_rejections(q: One, eps: Epsilon) -> Iterator[int]:
    k = 0
    noise = sample(Laplace(1 / eps))
    while q + noise < 0:
        k += 1
        noise = sample(Laplace(1 / eps))
    yield k


# truth: after the loop `noise` is the last count: releases 2 f[-1] raw
@mechanism(ADP(visited))
def loop_variable_over_the_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(Laplace(1 / eps))
    last = 0
    for noise in f:
        last = noise
    yield last + noise
