"""Alignments that are no measure-preserving bijections.

With `f > t` against `f <= t`, f' is lower than f, so only one direction is owed and each
alignment would pass all but the condition on measure. None of them may be proved.
"""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    Bernoulli,
    Count,
    Epsilon,
    Laplace,
    Policy,
    Public,
    Uniform,
    Value,
    align,
    mechanism,
    other,
    sample,
)

visited = Policy(sensitive={1})
Own = Annotated[float, Value(0, 1)]


# truth: True has probability 1 at x = 0, 1/2 elsewhere: ratio 2 (and False: 1/2 against 0)
@mechanism(LDP())
def row03_halved(x: Own, eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    align(u, -u / 2)
    return u < (1 if x == 0 else 0.5)


# truth: True has probability 1 for f > t and 1/2 for f <= t: ratio exactly 2 for every eps
@mechanism(ADP(visited))
def row03_halved_one_way(f: Count, t: Public[int], eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    align(u, -u / 2 if f > t and other(f) <= t else 0)
    return u < (1 if f > t else 0.5)


# truth: as above, ratio exactly 2; no alignment exists
@mechanism(ADP(visited))
def row03_not_aligned(f: Count, t: Public[int], eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    return u < (1 if f > t else 0.5)


# truth: the density on (t + 1, t + 2) is 1 for f > t and 1/2 for f <= t: ratio exactly 2
@mechanism(ADP(visited))
def row03b_through_the_released_sum(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))
    # (min(f, t + 1) + u) is what the run on D releases, so it looks public; the shift is -u/2.
    align(u, (min(f, t + 1) - (min(f, t + 1) + u)) / 2 if f > t and other(f) <= t else 0)
    if f > t:
        yield min(f, t + 1) + u
    else:
        yield t + 1 + 2 * u


# truth: the same with a name for the released value, the alignment after it: ratio exactly 2
@mechanism(ADP(visited))
def row03b_through_a_named_release(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))
    out = t + 1 + u if f > t else t + 1 + 2 * u
    align(u, (t + 1 - out) / 2 if f > t and other(f) <= t else 0)
    yield out


# truth: the same, the value is released before the alignment reads it: ratio exactly 2
@mechanism(ADP(visited))
def row03b_released_then_aligned(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    u = sample(Uniform(0, 1))
    out = u if f > t else 2 * u
    yield out
    align(u, -out / 2 if f > t and other(f) <= t else 0)


# truth: True has probability 1 for f > t and 0 for f <= t (a == b never happens): infinite
@mechanism(ADP(visited))
def row04_each_shifted_by_the_other(f: Count, t: Public[int], eps: Epsilon) -> bool:
    a = sample(Laplace(1 / eps))
    b = sample(Laplace(1 / eps))
    align(a, b)
    align(b, a)
    return f > t or a == b


# truth: True has probability 1 for f > t and 0 for f <= t: infinite; b is bound again after a
@mechanism(ADP(visited))
def row04_name_bound_again(f: Count, t: Public[int], eps: Epsilon) -> bool:
    b = 0
    a = sample(Uniform(0, 1))
    align(a, (b - a) / 2)
    b = sample(Uniform(0, 1))
    align(b, (a - b) / 2)
    return f > t or a == b


# truth: True has probability 1 for f > t and 1/2 for f <= t: (a, b) -> (a xor b, a xor b); ratio 2
@mechanism(ADP(visited))
def row04_bits(f: Count, t: Public[int], eps: Epsilon) -> bool:
    a = sample(Bernoulli(1 / 2))
    b = sample(Bernoulli(1 / 2))
    align(a, b and f > t and other(f) <= t)
    align(b, a and f > t and other(f) <= t)
    return f > t or (a and b) or (not a and not b)


# truth: the same with b bound before and again after: ratio exactly 2
@mechanism(ADP(visited))
def row04_bits_name_bound_again(f: Count, t: Public[int], eps: Epsilon) -> bool:
    b = False
    a = sample(Bernoulli(1 / 2))
    align(a, b and f > t and other(f) <= t)
    b = sample(Bernoulli(1 / 2))
    align(b, a and f > t and other(f) <= t)
    return f > t or (a and b) or (not a and not b)


# truth: True has probability 1 at x = 0, 1/2 elsewhere: ratio 2 (and False: 1/2 against 0)
@mechanism(LDP())
def row11_prophecy_of_the_sample(x: Own, eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    z = int(2 * u)
    align(u, -z / 2)
    return True if x == 0 else u < 0.5


# truth: True has probability 1 for f > t, 1/2 for f <= t: both halves go to [0, 1/2); ratio 2
@mechanism(ADP(visited))
def row11_in_the_shift(f: Count, t: Public[int], eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    align(u, -int(2 * u) / 2 if f > t and other(f) <= t else 0)
    return True if f > t else u < 0.5


# truth: the same shift in two pieces whose images overlap: ratio exactly 2
@mechanism(ADP(visited))
def row11_two_pieces(f: Count, t: Public[int], eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    align(u, -0.5 if u >= 0.5 and f > t and other(f) <= t else 0)
    return True if f > t else u < 0.5


# truth: True has probability 1 for f > t, 1/n for f <= t: n pieces on one another; ratio exactly n
@mechanism(ADP(visited))
def row11_many_pieces(f: Count, t: Public[int], n: Public[int], eps: Epsilon) -> bool:
    assert n >= 2
    u = sample(Uniform(0, n))
    align(u, -int(u) if f > t and other(f) <= t else 0)
    return True if f > t else u < 1


# truth: True has probability 1 for f > t and 1/2 for f <= t: ratio exactly 2
@mechanism(ADP(visited))
def row11_named_half(f: Count, t: Public[int], eps: Epsilon) -> bool:
    u = sample(Uniform(0, 1))
    z = 0.5 if u >= 0.5 else 0
    align(u, -z if f > t and other(f) <= t else 0)
    return True if f > t else u < 0.5


# truth: False has probability 1 for f > t and 1/2 for f <= t: ratio exactly 2, for a flip of cost 0
@mechanism(ADP(visited))
def row12_flipped_if_set(f: Count, t: Public[int], eps: Epsilon) -> bool:
    b = sample(Bernoulli(1 / 2))
    align(b, b and f > t and other(f) <= t)
    return b and f <= t


# truth: False has probability 1 for f > t, 9/10 for f <= t: ratio exactly 10/9; flip is a credit
@mechanism(ADP(visited))
def row12_flipped_for_a_credit(f: Count, t: Public[int], eps: Epsilon) -> bool:
    b = sample(Bernoulli(1 / 10))
    align(b, b and f > t and other(f) <= t)
    return b and f <= t


# truth: x = 0 releases False, x = 1 releases a fair bit: True 1/2 against 0
@mechanism(LDP())
def row12_flipped_if_set_both_ways(x: Own, eps: Epsilon) -> bool:
    b = sample(Bernoulli(1 / 2))
    align(b, b)
    return b and x > 0.5
