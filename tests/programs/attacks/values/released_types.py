"""Released values that are equal as numbers, but not in type or in kind.

The value is the same on both sides, or as if it were; `repr` of what is released is not.
"""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Epsilon,
    Laplace,
    Policy,
    Public,
    Query,
    TwoSidedGeometric,
    Value,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
One = Annotated[float, Query(sensitivity=1)]


# truth: releases 1.0 for q > 0 and 1 for q <= 0: 1 against 0
@mechanism(DP())
def int_on_one_side(q: One, eps: Epsilon) -> Iterator[float]:
    a = 1
    if q > 0:
        a = 1.0
    yield a


# truth: min(1, 1.0) is the int 1 for f = 0, min(2, 1.0) the float 1.0 for f = 1: 1 against 0
@mechanism(ADP(visited))
def min_of_equals_takes_the_first(f: Count, eps: Epsilon) -> Iterator[float]:
    yield min(f + 1, 1.0)


# truth: `or` gives True for f >= t and the 1 beside it for f < t: 1 against 0
@mechanism(ADP(visited))
def or_gives_its_operand(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    yield f >= t or 1


# truth: an atom: False for q <= 0, 0 for q > 0: 1 against 0
@mechanism(DP())
def false_or_zero(q: One, eps: Epsilon) -> Iterator[int]:
    yield 0 if q > 0 else False


# truth: the noisy count comes out as a float for f >= t and as an int below: 1 against 0
@mechanism(ADP(visited))
def noisy_int_or_float(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    k = sample(TwoSidedGeometric(1 / eps))
    if f >= t:
        yield f + k + 0.0
    else:
        yield f + k


# truth: `/=` makes a float of the noisy count, and is reached for f >= t only: 1 against 0
@mechanism(ADP(visited))
def augmented_division_makes_a_float(f: Count, t: Public[int], eps: Epsilon) -> Iterator[float]:
    k = sample(TwoSidedGeometric(1 / eps))
    noisy = f + k
    if f >= t:
        noisy /= 1
    yield noisy


# truth: the function falls off its end for f < t and returns None, else 0: 1 against 0
@mechanism(ADP(visited))
def falls_off_the_end(f: Count, t: Public[int], eps: Epsilon) -> int | None:
    if f >= t:
        return 0


# truth: a bare yield releases None for x >= 1/2; otherwise nothing is released: 1 against 0
@mechanism(LDP())
def bare_yield(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> Iterator[None]:
    if x >= 0.5:
        yield


# truth: one pair or two values, the same numbers: len of what is released is 1 or 2
@mechanism(DP())
def a_pair_or_two_values(q: One, eps: Epsilon) -> Iterator[object]:
    noise = sample(Laplace(1 / eps))
    if q > 0:
        yield (q + noise, None)
    else:
        yield q + noise
        yield None


# truth: the conditional picks "1" or 1: 1 against 0
@mechanism(LDP())
def string_or_number(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> Iterator[str | int]:
    yield "1" if x >= 0.5 else 1


# truth: True + 0 is the int 1: releases 1 for f >= t and True below: 1 against 0
@mechanism(ADP(visited))
def boolean_that_was_added_to(f: Count, t: Public[int], eps: Epsilon) -> Iterator[int]:
    flag = True
    if f >= t:
        flag += 0
    yield flag


# truth: an if on a number is an if on its being 0: f = 0 releases "none", f = 1 "some"
@mechanism(ADP(visited))
def truth_of_a_count(f: Count, eps: Epsilon) -> Iterator[str]:
    noise = sample(Laplace(1 / eps))
    if f and f + noise:
        yield "some"
    else:
        yield "none"
