"""Python tells apart what exact arithmetic does not."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Count, Epsilon, Public, Query, mechanism


# truth: 0.0 or -0.0 tells the sign of q; nothing is noisy
@mechanism(DP())
def zero_of_either_sign(q: Annotated[float, Query()], eps: Epsilon) -> Iterator[float]:
    yield 0.0 if q > 0 else -0.0


# truth: 0 * q is 0.0 or -0.0
@mechanism(DP())
def nothing_times_the_answer(q: Annotated[float, Query()], eps: Epsilon) -> Iterator[float]:
    yield 0 * q


# truth: false in exact arithmetic and true for floats: q is released raw
@mechanism(DP())
def third_of_a_tenth(q: Count, eps: Epsilon) -> Iterator[int]:
    x = 0
    if 0.1 + 0.2 != 0.3:
        x = q
    yield x


# truth: the claimed budget is not defined at c = 0, where c cancels
@mechanism(DP(), budget=lambda eps, c: c * eps / c)
def budget_that_cancels(q: Count, c: Public[float], eps: Epsilon) -> Iterator[int]:
    if c == 0:
        yield q
    else:
        yield 0
