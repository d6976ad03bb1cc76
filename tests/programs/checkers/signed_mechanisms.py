"""One-sided noise that is shifted down earns what a shift up costs; two-sided noise never earns.

In all of these x is 0 or 1, a 0 is sensitive and may become a 1, and a stands for exp(-eps).
What is released on x = 0 where m has its second value is released on x = 1 where m has its
first one, so m must be shifted from the one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Policy,
    TwoSidedGeometric,
    align,
    mechanism,
    other,
    sample,
)

absent = Policy(sensitive={0})
Bit = Annotated[int, IntegerValue(0, 1)]


@mechanism(ADP(absent))
def right_credit_found(x: Bit, eps: Epsilon) -> float | None:
    """Private at eps.

    Released is x + n, on x = 0 if m = 1, with probability (1 - a) a, and on x = 1 if m = 0,
    with probability 1 - a.  The density at any v grows by a · exp(eps) = 1 at most: what the
    Laplace noise costs is what m earns.  "None" has probability 1 - a + a² on x = 0, and a on
    x = 1; the quotient is below 1 / a = exp(eps).
    """
    m = sample(OneSidedGeometric(1 / eps))
    if m >= 2:
        return None
    if (m == 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        return x + n
    return None


@mechanism(ADP(absent))
def right_credit_of_negative_noise(x: Bit, eps: Epsilon) -> float | None:
    """Private at eps: the mirror image; m earns by going up from -1 to 0."""
    m = sample(NegativeOneSidedGeometric(1 / eps))
    if m <= -2:
        return None
    if (m == -1) == (x == 0):
        n = sample(Laplace(1 / eps))
        return x + n
    return None


@mechanism(ADP(absent))
def right_credit_of_exponential_noise(x: Bit, eps: Epsilon) -> float | None:
    """Private at eps: P(1 <= m < 2) = a · P(0 <= m < 1), as above."""
    m = sample(Exponential(1 / eps))
    if m >= 2:
        return None
    if (m >= 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        return x + n
    return None


@mechanism(ADP(absent))
def right_two_for_one(x: Bit, eps: Epsilon) -> Iterator[float]:
    """Private at eps: two releases cost 2 eps, of which m earns one."""
    m = sample(OneSidedGeometric(1 / eps))
    if m < 2 and (m == 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        yield x + n
        k = sample(Laplace(1 / eps))
        yield x + k


@mechanism(ADP(absent))
def wrong_three_for_one(x: Bit, eps: Epsilon) -> Iterator[float]:
    """Not private at eps: the density at v = (0, 0, 0) is a · exp(3 eps) times as large."""
    m = sample(OneSidedGeometric(1 / eps))
    if m < 2 and (m == 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        yield x + n
        k = sample(Laplace(1 / eps))
        yield x + k
        j = sample(Laplace(1 / eps))
        yield x + j


@mechanism(ADP(absent))
def wrong_credit_of_another_run(x: Bit, eps: Epsilon) -> float | None:
    """Not private at eps: on x = 0 released if m = 0, and on x = 1 if m = 1.

    The shift goes up and is paid for, and so is the Laplace noise: the density at 0 is
    exp(2 eps) times as large.
    """
    m = sample(OneSidedGeometric(1 / eps))
    if m >= 2:
        return None
    if (m == 0) == (x == 0):
        n = sample(Laplace(1 / eps))
        return x + n
    return None


@mechanism(ADP(absent))
def wrong_shift_down_of_two_sided_noise(x: Bit, eps: Epsilon) -> float | None:
    """Not private at eps: on x = 0 released if m = 0, and on x = 1 if m = -1.

    A shift down by 1, as above, but P(m = -1) = a · P(m = 0): the density at 0 is exp(2 eps)
    times as large.
    """
    m = sample(TwoSidedGeometric(1 / eps))
    align(m, (x - other(x)) if m == 0 else (other(x) - x) if m == -1 else 0)
    if m >= 1 or m <= -2:
        return None
    if (m == 0) == (x == 0):
        n = sample(Laplace(1 / eps))
        align(n, x - other(x))
        return x + n
    return None


@mechanism(ADP(absent))
def wrong_shift_down_of_laplace_noise(x: Bit, eps: Epsilon) -> float | None:
    """Not private at eps: m is as likely to lie in [0, 1) as in [-1, 0), and n costs 2 eps."""
    m = sample(Laplace(1 / eps))
    align(m, 0 if m >= 1 or m < -1 else (x - other(x)) if m >= 0 else (other(x) - x))
    if m >= 1 or m < -1:
        return None
    if (m >= 0) == (x == 0):
        n = sample(Laplace(0.5 / eps))
        align(n, x - other(x))
        return x + n
    return None


@mechanism(ADP(absent))
def unearned_by_two_sided_noise(x: Bit, eps: Epsilon) -> float | None:
    """Not to be proved at eps: two-sided noise is charged for every shift, wherever it starts.

    Only what is known of m, that it is 1 and comes to 0, makes it private at eps; the price
    of a shift does not look at that, and a price that did so by its sign alone would prove
    the wrong ones above.
    """
    m = sample(TwoSidedGeometric(1 / eps))
    align(m, (x - other(x)) if m == 1 else (other(x) - x) if m == 0 else 0)
    if m >= 2 or m < 0:
        return None
    if (m == 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        align(n, x - other(x))
        return x + n
    return None


@mechanism(ADP(absent), budget=lambda eps: 2 * eps)
def right_when_both_are_paid(x: Bit, eps: Epsilon) -> float | None:
    """Private at 2 eps, by the same shifts."""
    m = sample(TwoSidedGeometric(1 / eps))
    align(m, (x - other(x)) if m == 1 else (other(x) - x) if m == 0 else 0)
    if m >= 2 or m < 0:
        return None
    if (m == 1) == (x == 0):
        n = sample(Laplace(1 / eps))
        align(n, x - other(x))
        return x + n
    return None
