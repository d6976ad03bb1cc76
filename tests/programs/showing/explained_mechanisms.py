"""Mechanisms whose accounts are easily wrong: odd names, several noises, relations of their own."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    Categorical,
    ContextAwareLDP,
    Count,
    Counts,
    DPrivacy,
    Epsilon,
    Exponential,
    IntegerValue,
    Laplace,
    Nat,
    Policy,
    Private,
    Public,
    Queries,
    Related,
    TwoSidedGeometric,
    Uniform,
    WindowCounts,
    ensure,
    mechanism,
    other,
    sample,
)


@mechanism(DP(), budget=lambda eps1, eps2, eps_rest: eps1 + 2 * eps2 + eps_rest / 3)
def names_of_the_account(
    D: Count, b: Count, d1: Count, M: Public[float], eps1: Epsilon, eps2: Epsilon, eps_rest: Epsilon
) -> tuple[float, float, float]:
    z = sample(Laplace(1 / eps1))
    C = sample(Laplace(1 / (2 * eps2)))
    P = sample(Laplace(3 / eps_rest))
    return D + z + M, b + C, d1 + P


@mechanism(DP())
def größe(zählung: Count, ε: Epsilon) -> float:
    λ = sample(Laplace(1 / ε))
    变量 = zählung + λ
    return 变量


@mechanism(DP())
def _under_score_(_q_: Count, k__: Public[Nat], eps_: Epsilon) -> float:
    _ = sample(Laplace(1 / eps_))
    return _q_ - _ + k__


@mechanism(DP())
def special_letters(q: Counts, eps: Epsilon) -> str:
    return "50% of $1 & {x}_y^2 ~ #1 \\ `tick`  <b>"


@mechanism(DP())
def nothing_at_all(x: Count, eps: Epsilon) -> None:
    return None


@mechanism(DP(), budget=lambda: 1 / 2)
def no_epsilon(x: Count) -> float:
    noise = sample(Laplace(2))
    return x + noise


@mechanism(DP())
def noise_only(q: Count, eps: Epsilon) -> float:
    u = sample(Uniform(0, 1))
    return u


def gap(x: float) -> float:
    return abs(x - other(x))


@mechanism(DPrivacy(gap))
def blurred(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DPrivacy(gap))
def blurred_twice(x: Private[float], eps: Epsilon) -> Iterator[float]:
    (a,) = blurred(x, eps / 3)
    yield a
    (b,) = blurred(x, 2 * eps / 3)
    yield b


def next_to(x: int) -> bool:
    return x - other(x) == 1


@mechanism(Blowfish(next_to))
def line_of_values(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


def at_most(x: float, cap: float) -> bool:
    return x >= other(x) and x - other(x) <= cap


@mechanism(Related(at_most))
def falling(x: Private[float], cap: Public[float], eps: Epsilon) -> float:
    assert 0 < cap < 10
    noise = sample(Exponential(cap / eps))
    return x + noise


def budget_of_pair(x: int, eps_fine: float, eps: float) -> float:
    return eps if x == 0 or other(x) == 0 else eps_fine


@mechanism(ContextAwareLDP(budget_of_pair))
def coin_of_pairs(x: Annotated[int, IntegerValue(0, 2)], eps_fine: Epsilon, eps: Epsilon) -> bool:
    coin = sample(Bernoulli(1 / 2))
    return coin


@mechanism(LDP())
def same_law(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    weights = [1.0, 1.0, 2.0]
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(ADP(Policy({0}, universe={0, 1, 2})), expect="refuted")
def odd_strings(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> str:
    flip = sample(Bernoulli(1 / 3))
    if x == 1 and flip:
        return "a|b *c* $d$ _e_ \\f"
    return "else"


@mechanism(DP(), expect="refuted")
def told(q: Counts, eps: Epsilon) -> Iterator[int]:
    for i in range(len(q)):
        if q[i] > 0:
            yield 1


@mechanism(ADP(Policy({1})), expect="refuted")
def wrong_answer(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + noise <= T:
        ensure(f < T or f > T + 1)
        return "sa_fe 100%"
    return "alarm"


@mechanism(DP())
def outside_the_language(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return (q + noise) ** 2


@mechanism(DP(), budget=lambda eps: 2 * eps)
def two_sequences(
    f: Annotated[Sequence[float], Queries(sensitivity=1, direction="both", differing="one")],
    g: Annotated[Sequence[float], Queries(sensitivity=1, direction="both", differing="one")],
    eps: Epsilon,
) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise
    for i, x in enumerate(g):
        noise = sample(Laplace(1 / eps))
        yield x + noise + i
    for _ in range(2):
        yield 0.0


@mechanism(DP())
def windows(w1: Annotated[Sequence[int], WindowCounts(width=2)], eps: Epsilon) -> Iterator[int]:
    for p1 in range(len(w1)):
        noise = sample(TwoSidedGeometric(4 / eps))
        yield w1[p1] + noise
