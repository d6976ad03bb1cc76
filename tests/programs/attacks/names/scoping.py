"""Helpers, closures, defaults, globals; a naive inliner reads them wrongly."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    Epsilon,
    Laplace,
    Policy,
    Public,
    Query,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]

FACTOR = 2
LEVEL = 0


def scaled(x):
    """Two times `x`, by a global of this module."""
    return FACTOR * x


def steep(x):
    """No slope of 1: a jump of 7 at 3."""
    if x > 3:
        return x + 7
    return x


def to_zero(x):
    """Rebinds its own parameter only."""
    x = 0
    return x


def tripled(x, times=3):
    """Three times `x`, unless told."""
    return times * x


# truth: exactly 2 eps; the factor is a global that the helper reads
@mechanism(DP())
def global_factor_in_a_helper(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield scaled(q) + noise


# truth: 3 gives 3 and 4 gives 11: exactly 8 eps
@mechanism(DP())
def helper_with_a_jump(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield steep(q) + noise


# truth: the x of the helper is not the x of its caller: releases q raw
@mechanism(DP())
def helper_rebinds_its_parameter(q: One, eps: Epsilon) -> Iterator[float]:
    x = q
    nothing = to_zero(x)
    yield x + nothing


# truth: the x of the inner function is its own local: releases q raw
@mechanism(DP())
def inner_local(q: One, eps: Epsilon) -> Iterator[float]:
    x = q

    def clear():
        x = 0
        return x

    nothing = clear()
    yield x + nothing


# truth: the closure reads k when it is called: 3 q + noise, exactly 3 eps
@mechanism(DP())
def late_binding(q: One, eps: Epsilon) -> Iterator[float]:
    k = 1

    def weighted(x):
        return k * x

    noise = sample(Laplace(1 / eps))
    k = 3
    yield weighted(q) + noise


# truth: the default was taken when k was 3: 3 q + noise, exactly 3 eps
@mechanism(DP())
def early_default(q: One, eps: Epsilon) -> Iterator[float]:
    k = 3

    def weighted(x, k=k):
        return k * x

    k = 1
    noise = sample(Laplace(1 / eps))
    yield weighted(q) + noise


# truth: exactly 3 eps, by a default of the helper
@mechanism(DP())
def default_of_a_helper(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield tripled(q) + noise


# truth: exactly 2 eps: by keyword b is q, by place it would be 2
@mechanism(DP())
def keywords_out_of_order(q: One, eps: Epsilon) -> Iterator[float]:
    def weighted(a, b):
        return a + 2 * b

    noise = sample(Laplace(1 / eps))
    yield weighted(b=q, a=2) + noise


# truth: the inner function sets k to 3 where it is called: 3 q + noise, exactly 3 eps
@mechanism(DP())
def nonlocal_factor(q: One, eps: Epsilon) -> Iterator[float]:
    k = 1

    def raise_k():
        nonlocal k
        k = 3
        return 0

    nothing = raise_k()
    noise = sample(Laplace(1 / eps))
    yield k * q + noise + nothing


# truth: which of the two definitions holds is a raw test: releases 1 or 0
@mechanism(ADP(visited))
def defined_under_a_guard(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    def level():
        return 0

    if f >= t:

        def level():
            return 1

    yield level()


# truth: inside, `noise` is what was passed first, and that is q: releases q raw
@mechanism(DP())
def parameter_named_as_the_noise(q: One, eps: Epsilon) -> Iterator[float]:
    def strip(noise, q):
        return noise

    noise = sample(Laplace(1 / eps))
    yield strip(q, q + noise)


# truth: the second call releases the f of the first raw; it stays in a global between calls
@mechanism(ADP(visited))
def kept_between_calls(f: Count, eps: Epsilon) -> Iterator[int]:
    global LEVEL
    yield LEVEL
    LEVEL = f


# truth: releases f raw, by a global and back
@mechanism(ADP(visited))
def through_a_global(f: Count, eps: Epsilon) -> Iterator[int]:
    global LEVEL
    LEVEL = f
    yield LEVEL
