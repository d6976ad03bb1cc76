"""Loops that go on for ever for some parameters: each round costs, and no run ever ends.

Only finished runs are bounded by a cost at the end; but what was released before can be seen.
Found by an attacker.
"""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    Public,
    align,
    mechanism,
    other,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w1_min(f: Counts, K: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    while True:
        noise = sample(Laplace(1 / eps))
        yield f[0] + noise
        if K == 0:
            return


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w5_in_helper_branch(f: Counts, K: Public[int], eps: Epsilon) -> Iterator[float]:
    # a budget counter that runs away from its bound
    assert len(f) >= 1
    i = 0
    while i != K:
        noise = sample(Laplace(1 / eps))
        yield f[0] + noise
        if K == 1:
            i += 1
        else:
            i -= 1
        if K >= 1 and i >= 0:
            return


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w7_overshoot(f: Counts, K: Public[Nat], eps: Epsilon) -> Iterator[float]:
    # i steps over K unless K is 0 or 2
    assert len(f) >= 1
    i = 0
    while i != K:
        noise = sample(Laplace(K / (2 * eps)))
        align(noise, f[0] - other(f[0]))
        yield f[0] + noise
        i += 2


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w8_svt_no_stop(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    # it stops after exactly c answers, asked with ==: for c = 0 it never stops
    assert len(f) >= 1
    n = 0
    while True:
        noise = sample(Laplace(1 / eps))
        yield f[0] + noise > T
        n += 1
        if n == c:
            return
        if c != 0:
            return


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w9_noise_only_prefix(f: Counts, K: Public[Nat], eps: Epsilon) -> Iterator[float]:
    # leak first, hang after: no run with K > 0 ends
    assert len(f) >= 1
    one = sample(Laplace(1 / eps))
    align(one, f[0] - other(f[0]))
    yield f[0] + one
    two = sample(Laplace(1 / eps))
    align(two, f[0] - other(f[0]) if K > 0 else 0)
    yield f[0] + two if K > 0 else 0.0
    while K > 0:
        pass


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def w10_hang_raw(f: Counts, K: Public[Nat], eps: Epsilon) -> Iterator[float]:
    # raw data through fine noise, then hang
    assert len(f) >= 1
    two = sample(Laplace(1 / (1000 * eps)))
    align(two, f[0] - other(f[0]) if K > 0 else 0)
    yield f[0] + two if K > 0 else 0.0
    while K > 0:
        pass


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP("add-remove"))
def wm1_stride(f: Histogram, step: Public[Nat], eps: Epsilon) -> Iterator[float]:
    i = 0
    while i < len(f):
        n = sample(Laplace(1 / eps))
        yield f[i] + n
        i += step


# truth: for some parameters it never ends, and each round costs again: unbounded
@mechanism(DP())
def wm4_c_times(f: Count, c: Public[int], eps: Epsilon) -> Iterator[float]:
    # answers c times, counted down to exactly 0; c <= 0 never stops
    while c != 0:
        noise = sample(Laplace(1 / eps))
        yield f + noise
        if c >= 1:
            return
        c -= 1
