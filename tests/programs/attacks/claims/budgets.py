"""Budgets and scales that are right for most parameters, but not for all."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    DP,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Query,
    mechanism,
    sample,
)

One = Annotated[float, Query(sensitivity=1)]
Five = Annotated[float, Query(sensitivity=5)]


# truth: costs c eps / round(c / 2); Python rounds 2.5 to 2, so c = 5 costs 2.5 eps (up: 5/3 eps)
@mechanism(DP(), budget=lambda eps: 2 * eps)
def half_to_even(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 2
    for i in range(c):
        noise = sample(Laplace(round(c / 2) / eps))
        yield q + noise


# truth: c % -2 is -1 for odd c, the scale 4 / eps: 5/4 eps; a remainder of +1 makes it 6 / eps
@mechanism(DP())
def remainder_of_a_negative_divisor(q: Five, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace((5 + c % -2) / eps))
    yield q + noise


# truth: 7 // -2 is -4, the scale 4 / eps: exactly 5/4 eps; -3 as in SMT-LIB makes it 5 / eps
@mechanism(DP())
def quotient_of_a_negative_divisor(q: Five, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c == 7
    noise = sample(Laplace((8 + c // -2) / eps))
    yield q + noise


# truth: int(-1.5) is -1, the scale 4 / eps: exactly 5/4 eps; the floor -2 makes it 5 / eps
@mechanism(DP())
def int_truncates(q: Five, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c == 3
    noise = sample(Laplace((3 - int(-c / 2)) / eps))
    yield q + noise


# truth: c eps against 2 (c - 1) eps: false at c = 1 (eps against 0), true from c = 2 on
@mechanism(DP(), budget=lambda eps, c: 2 * (c - 1) * eps)
def budget_of_nothing(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    for i in range(c):
        noise = sample(Laplace(1 / eps))
        yield q + noise


# truth: eps against (c - 3) * (c - 4) * eps: 0 at c = 3 and 4, at least 2 eps at all other integers
@mechanism(DP(), budget=lambda eps, c: (c - 3) * (c - 4) * eps)
def budget_with_roots(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise


# truth: c eps against 2 (c // 2) eps: one eps too little for odd c
@mechanism(DP(), budget=lambda eps, c: 2 * (c // 2) * eps)
def budget_rounds_down(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    for i in range(c):
        noise = sample(Laplace(1 / eps))
        yield q + noise


# truth: c eps against c * c * eps: true for integers, false for every c between 0 and 1
@mechanism(DP(), budget=lambda eps, c: c * c * eps)
def square_of_a_real(q: One, c: Public[float], eps: Epsilon) -> Iterator[float]:
    assert c > 0
    noise = sample(Laplace(1 / (c * eps)))
    yield q + noise


# truth: eps against min(eps, 1): false for eps > 1
@mechanism(DP(), budget=lambda eps: min(eps, 1))
def budget_with_a_cap(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise


# truth: eps against eps * eps: false for eps < 1
@mechanism(DP(), budget=lambda eps: eps * eps)
def square_of_eps(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise


# truth: costs 1, whatever eps is: false for eps < 1
@mechanism(DP())
def scale_without_eps(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1))
    yield q + noise


# truth: costs 1 / eps: false for eps < 1, true from 1 on
@mechanism(DP())
def scale_upside_down(q: One, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(eps))
    yield q + noise


# truth: 2 first eps against first + second eps: false where first is the larger
@mechanism(DP(), budget=lambda first, second: first + second)
def one_of_two_epsilons(q: One, first: Epsilon, second: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / first))
    yield q + noise
    noise = sample(Laplace(1 / first))
    yield q + noise


# truth: 1/2 + 1/3 + 1/4 eps and more: 13/12 eps at n = 3, unbounded in n; n <= 2 is within eps
@mechanism(DP())
def harmonic_scales(q: One, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    for i in range(n):
        noise = sample(Laplace((i + 2) / eps))
        yield q + noise


# truth: the scale uses twice the eps that is claimed: exactly 2 eps
@mechanism(DP())
def eps_is_bound_again(q: One, eps: Epsilon) -> Iterator[float]:
    eps = 2 * eps
    noise = sample(Laplace(1 / eps))
    yield q + noise


# truth: scales c, c - 1, ... 1 over eps: 1/c + ... + 1/2 + 1: 3/2 eps at c = 2 (eps at c = 1)
@mechanism(DP())
def c_counts_down(q: One, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    while c > 0:
        noise = sample(Laplace(c / eps))
        yield q + noise
        c -= 1


# truth: after a release above 0 the second scale is halved: eps + 2 eps against 2 eps
@mechanism(DP(), budget=lambda eps: 2 * eps)
def scale_chosen_by_a_release(q: One, eps: Epsilon) -> Iterator[float]:
    b = 1 / eps
    noise = sample(Laplace(b))
    yield q + noise
    if q + noise > 0:
        b = b / 2
    more = sample(Laplace(b))
    yield q + more
