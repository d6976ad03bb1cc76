"""Mechanisms that claim more ε than they need, with noise on the integers.

What they need is in ``test_tighten``; a comment says why it is that much.
"""

from __future__ import annotations

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Count,
    Counts,
    Epsilon,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})


# a count moves by 1, at the price of eps
@mechanism(DP(), budget=lambda eps: 2 * eps)
def half(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


@mechanism(ADP(visited), budget=lambda eps: 3 * eps)
def third(f: Count, eps: Epsilon) -> int:
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP(), budget=lambda eps: 3 * eps / 2)
def two_thirds(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


# the noise is larger than it needs to be
@mechanism(DP())
def half_of_the_parameter(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(2 / eps))
    return f + noise


# eps for the threshold and the answers together
@mechanism(DP(), budget=lambda eps: 4 * eps)
def sparse_vector(f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    lift = sample(TwoSidedGeometric(2 / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(4 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(ADP(visited), budget=lambda eps: 2 * eps)
def asymmetric_sparse_vector(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# nothing that depends on the counts is released
@mechanism(DP())
def nothing_private(f: Counts, T: Public[int], eps: Epsilon) -> Iterator[int]:
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield T + noise


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def nothing_private_for_two(f: Count, eps1: Epsilon, eps2: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps1))
    return noise


# the second parameter is not used, or for what is public only
@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def one_of_two(f: Count, eps1: Epsilon, eps2: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps1))
    return f + noise


@mechanism(DP(), budget=lambda eps1, eps2, eps3: eps1 + eps2 + eps3)
def two_of_three(
    f: Count, g: Count, eps1: Epsilon, eps2: Epsilon, eps3: Epsilon
) -> tuple[int, int, int]:
    first = sample(TwoSidedGeometric(1 / eps1))
    second = sample(TwoSidedGeometric(1 / eps2))
    third = sample(TwoSidedGeometric(1 / eps3))
    return f + first, second, g + third


# all of it is needed
@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def both(f: Count, eps1: Epsilon, eps2: Epsilon) -> tuple[int, int]:
    first = sample(TwoSidedGeometric(1 / eps1))
    second = sample(TwoSidedGeometric(1 / eps2))
    return f + first, f + second


@mechanism(DP())
def all_of_it(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


# it costs eps if n is 1, and nothing if n is 0: no share of n * eps, and not without n
@mechanism(DP(), budget=lambda n, eps: n * eps)
def as_often_as_it_is_told(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    for i in range(n):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield f + noise


# one release of n: every share of n * eps is too little for n = 1
@mechanism(DP(), budget=lambda n, eps: n * eps)
def once_however_often(f: Count, n: Public[Nat], eps: Epsilon) -> int:
    assert n >= 1
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


# two releases out of three that are paid for, whatever comes out of the first
@mechanism(DP(), budget=lambda eps: 3 * eps)
def the_dearer_branch(f: Count, T: Public[int], eps: Epsilon) -> Iterator[int]:
    first = sample(TwoSidedGeometric(1 / eps))
    yield f + first
    if f + first >= T:
        second = sample(TwoSidedGeometric(1 / eps))
        yield f + second


# adding and removing a record are two cases; each of them needs eps
@mechanism(DP("add-remove"), budget=lambda eps: 2 * eps)
def both_cases(f: Counts, T: Public[int], eps: Epsilon) -> Iterator[bool]:
    lift = sample(TwoSidedGeometric(2 / eps))
    for i in range(len(f)):
        noise = sample(TwoSidedGeometric(2 / eps))
        if f[i] + noise >= T + lift:
            yield True
            return
        yield False
