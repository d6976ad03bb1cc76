"""A parameter is assigned on one side only: the other side must not count as the same."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    Epsilon,
    IntegerValue,
    Laplace,
    Nat,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Bit = Annotated[int, IntegerValue(0, 1)]


# truth: infinite
@mechanism(ADP(visited))
def leak(f: Count, T: Public[float], eps: Epsilon) -> float:
    if f < 1:
        T = 0.0
    return T


# truth: infinite, as the densities of two scales have no bounded ratio for all T
@mechanism(ADP(visited))
def as_a_scale(f: Count, T: Public[float], eps: Epsilon) -> float:
    assert T > 0
    if f < 1:
        T = 1000.0
    noise = sample(Laplace(T))
    return noise


# truth: infinite; scales that are no multiples of 1 / eps are refuted, too
@mechanism(ADP(visited))
def as_a_scale_of_any_sign(f: Count, T: Public[float], eps: Epsilon) -> float:
    if f < 1:
        T = 1000.0
    noise = sample(Laplace(T))
    return noise


# truth: infinite
@mechanism(DP())
def under_replacement(f: Count, T: Public[int], eps: Epsilon) -> int:
    if f >= 1:
        T = T + 1
    return T


# truth: infinite
@mechanism(DP("add-remove"))
def under_add_remove(f: Count, T: Public[int], eps: Epsilon) -> int:
    if f >= 1:
        T += 1
    return T


# truth: infinite
@mechanism(LDP())
def under_local(x: Bit, T: Public[int], eps: Epsilon) -> int:
    if x == 1:
        T = 7
    return T


# truth: infinite
@mechanism(DP())
def else_arm(f: Count, T: Public[float], eps: Epsilon) -> float:
    if f < 1:
        noise = 0.0
    else:
        T = 5.0
    return T


# truth: infinite
@mechanism(DP())
def in_a_nested_branch(f: Count, T: Public[float], U: Public[float], eps: Epsilon) -> float:
    if U > 0:
        if f < 1:
            T = U
    return T


# truth: infinite
@mechanism(DP())
def in_a_loop(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        if f[i] < 1:
            T = 0.0
        yield T


# truth: infinite
@mechanism(ADP(visited))
def before_a_loop(f: Count, T: Public[float], n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    if f < 1:
        T = 0.0
    for _ in range(n):
        yield T


# truth: infinite
@mechanism(DP())
def as_a_bound(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    if f < 1:
        n = 0
    for i in range(n):
        yield i


# truth: infinite
@mechanism(DP())
def as_a_condition(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    if f < 1:
        n = 0
    while n > 0:
        yield n
        n -= 1


# truth: e to the 99 eps at least, as f is 100 on one side only
@mechanism(DP())
def private_at_a_head(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    if f < 100:
        f = 100
    for _ in range(n):
        noise = sample(Laplace(1 / eps))
        yield f + noise


# truth: infinite
@mechanism(DP())
def by_a_pair(f: Count, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    if f < 1:
        T, U = U, T
    return T


# truth: 2 eps, as the loop variable is the answer
@mechanism(DP())
def as_a_loop_variable(
    q: Annotated[Sequence[float], Queries(sensitivity=1, differing="one")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[float]:
    for T in q:
        noise = sample(Laplace(2 / eps))
        yield T + noise
    noise = sample(Laplace(0.5 / eps))
    yield T + noise


# truth: infinite
@mechanism(DP())
def through_a_helper(f: Count, T: Public[float], eps: Epsilon) -> float:
    def read():
        return T

    if f < 1:
        T = 0.0
    return read()


# truth: infinite: the draw goes by the parameter's name on one side only
@mechanism(DP())
def in_the_shift(f: Count, T: Public[int], eps: Epsilon) -> int:
    if f < 1:
        T = T - 1
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise + T + T


# truth: infinite
@mechanism(LDP())
def as_an_index(x: Bit, n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    a = [1, 2]
    if x == 1:
        n = 1
    else:
        n = 0
    yield a[n]


# truth: infinite, as ε itself is assigned
@mechanism(LDP())
def as_epsilon(x: Bit, eps: Epsilon) -> bool:
    if x == 1:
        eps = 2 * eps
    truthful = sample(Bernoulli(1 / 2))
    return truthful if eps > 1 else not truthful and truthful
