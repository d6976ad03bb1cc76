"""Finite noise in loops and beside other noise: what is kept, and what is lost by a slip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Categorical,
    Count,
    Counts,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)

ones = Policy(sensitive={1})
Value = Annotated[int, IntegerValue(0, "k")]
Bit = Annotated[int, IntegerValue(0, 1)]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]
Values = Annotated[Sequence[int], IntegerValues(0, "k")]


# What is kept.


@mechanism(LDP())
def optimised_unary_encoding(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        own = sample(Bernoulli(1 / 2)) if x == i else sample(Bernoulli(1 / (1 + exp(eps))))
        yield own


@mechanism(LDP())
def odds_by_a_test(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        p = 1 / 2 if x == i else 1 / (1 + exp(eps))
        own = sample(Bernoulli(p))
        yield own


@mechanism(LDP())
def released_in_each_arm(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        if x == i:
            own = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
            yield own
        else:
            other_one = sample(Bernoulli(1 / (1 + exp(eps / 2))))
            yield other_one


@mechanism(LDP())
def encoding_in_a_list(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    out = []
    for i in range(k + 1):
        own = sample(Bernoulli(1 / 2 if x == i else 1 / (1 + exp(eps))))
        out.append(1 if own else 0)
    for i in range(len(out)):
        yield out[i]


@mechanism(LDP())
def two_stages(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        keep = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
        permanent = (x == i) if keep else (x != i)
        seen = sample(Bernoulli(3 / 4 if permanent else 1 / 4))
        yield seen


@mechanism(LDP())
def responses(xs: Values, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert k >= 1
    for i in range(len(xs)):
        keep = sample(Bernoulli(exp(eps) / (exp(eps) + k)))
        lie = sample(DiscreteUniform(0, k - 1))
        if keep:
            yield xs[i]
        else:
            yield lie if lie < xs[i] else lie + 1


@mechanism(LDP())
def responses_by_an_offset(xs: Values, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert k >= 1
    for i in range(len(xs)):
        offset = sample(DiscreteUniform(1, k))
        keep = sample(Bernoulli(exp(eps) / (exp(eps) + k)))
        yield xs[i] if keep else (xs[i] + offset) % (k + 1)


@mechanism(LDP())
def redrawn_responses(xs: Values, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert k >= 1
    for i in range(len(xs)):
        keep = sample(Bernoulli(exp(eps) / (exp(eps) + k)))
        said = xs[i]
        if not keep:
            said = sample(DiscreteUniform(0, k))
            while said == xs[i]:
                said = sample(DiscreteUniform(0, k))
        yield said


@mechanism(LDP())
def redrawn_until_it_returns(x: Value, k: Public[Nat], eps: Epsilon) -> int:
    assert k >= 1
    keep = sample(Bernoulli(exp(eps) / (exp(eps) + k)))
    if keep:
        return x
    while True:
        lie = sample(DiscreteUniform(0, k))
        if lie != x:
            return lie


@mechanism(LDP())
def unfair_coins(x: Bit, eps: Epsilon) -> Iterator[float]:
    a = sample(Bernoulli(1 / 3))
    b = sample(Bernoulli(1 / 3))
    while a == b:
        a = sample(Bernoulli(1 / 3))
        b = sample(Bernoulli(1 / 3))
    truth = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    yield x if truth else (1 if a else 0)
    noise = sample(Laplace(1))
    yield noise


@mechanism(LDP())
def two_fair_coins(xs: Bits, eps: Epsilon) -> Iterator[int]:
    assert exp(eps) >= 3
    for i in range(len(xs)):
        truth = sample(Bernoulli(1 / 2))
        lie = sample(Bernoulli(1 / 2))
        yield xs[i] if truth else (1 if lie else 0)


@mechanism(LDP(), budget=1.1)
def two_fair_coins_at_a_number(xs: Bits) -> Iterator[int]:
    for i in range(len(xs)):
        truth = sample(Bernoulli(1 / 2))
        lie = sample(Bernoulli(1 / 2))
        yield xs[i] if truth else (1 if lie else 0)


@mechanism(DP())
def coin_beside_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(Laplace(2 / eps))
    yield f[0] + noise
    truth = sample(Bernoulli((exp(eps / 2) - 1) / (exp(eps / 2) + 1)))
    if truth:
        yield 1 if f[0] > 3 else 0
    else:
        lie = sample(Bernoulli(1 / 2))
        yield 1 if lie else 0


@mechanism(DP())
def coin_about_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(TwoSidedGeometric(2 / eps))
    yield f[0] + noise
    if noise > 0:
        own = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
    else:
        own = sample(Bernoulli(1 / (1 + exp(eps / 2))))
    yield own


@mechanism(LDP())
def weights(x: Annotated[int, IntegerValue(0, 2)], n: Public[Nat], eps: Epsilon) -> Iterator[int]:
    for i in range(n):
        noise = sample(TwoSidedGeometric(1))
        yield noise
    own = sample(
        Categorical(
            [exp(eps) if x == 0 else 1, exp(eps) if x == 1 else 1, exp(eps) if x == 2 else 1]
        )
    )
    yield own


@mechanism(ADP(ones))
def nobody_lies_about_zero(x: Bit, n: Public[Nat], p: Public[float], eps: Epsilon) -> Iterator[int]:
    assert 0 < p and p < 1 and p * exp(eps) <= exp(eps) - 1
    for i in range(n):
        noise = sample(DiscreteUniform(0, 3))
        yield noise
    admit = sample(Bernoulli(p))
    yield 0 if x == 0 and admit else 1


@mechanism(DP(), budget=0.5)
def weight_of_nothing(f: Count, eps: Epsilon) -> Iterator[bool]:
    sample_of_one = sample(Categorical([1, 0]))
    found = sample_of_one > 0
    while not found:
        found = sample(Bernoulli(1 / 4))
    yield found


@mechanism(LDP(), budget=0.32)
def prices_that_are_numbers(x: Annotated[int, IntegerValue(0, 2)]) -> Iterator[float]:
    noise = sample(Laplace(1000))
    coin = sample(Bernoulli(0.5 if x != 0 else 0.625))
    yield coin
    yield noise


@mechanism(DP(), budget=lambda eps: eps + 1.2)
def a_number_beside_eps(f: Count, T: Public[int], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    truth = sample(Bernoulli(0.5))
    lie = sample(Bernoulli(0.5))
    if truth:
        yield f > T
    else:
        yield lie


@mechanism(DP(), budget=1)
def released_in_the_midst(f: Count, T: Public[int]) -> Iterator[bool]:
    noise = sample(Laplace(4))
    yield f + noise > T
    coin = sample(Bernoulli(0.5))
    if coin:
        yield True
    else:
        coin = f > T
    other_one = sample(Bernoulli(0.5 if f > T else 0.375))
    yield other_one


@mechanism(DP(), budget=lambda eps: 2 * eps)
def redrawn_and_told_later(f: Count, T: Public[int], eps: Epsilon) -> Iterator[float]:
    said = 0
    again = True
    while again:
        said = sample(Categorical([exp(eps) if f > T else 1, 1 if f > T else exp(eps), 1]))
        again = said == 2
    noise = sample(TwoSidedGeometric(1 / eps))
    yield f + noise
    yield said


KEPT = (
    weight_of_nothing,
    prices_that_are_numbers,
    a_number_beside_eps,
    released_in_the_midst,
    redrawn_and_told_later,
    optimised_unary_encoding,
    odds_by_a_test,
    released_in_each_arm,
    encoding_in_a_list,
    two_stages,
    responses,
    responses_by_an_offset,
    redrawn_responses,
    redrawn_until_it_returns,
    unfair_coins,
    two_fair_coins,
    two_fair_coins_at_a_number,
    coin_beside_noise,
    coin_about_noise,
    weights,
    nobody_lies_about_zero,
)


# What is lost.


@mechanism(LDP())
def encoding_with_twice_the_odds(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        own = sample(Bernoulli(1 / 2 if x == i else 1 / (1 + exp(2 * eps))))
        yield own


@mechanism(LDP())
def encoding_with_the_odds_of_a_response(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(k + 1):
        own = sample(Bernoulli(exp(eps) / (1 + exp(eps)) if x == i else 1 / (1 + exp(eps))))
        yield own


@mechanism(LDP())
def offset_on_a_smaller_circle(xs: Values, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    assert k >= 1
    for i in range(len(xs)):
        offset = sample(DiscreteUniform(1, k))
        keep = sample(Bernoulli(exp(eps) / (exp(eps) + k)))
        yield xs[i] if keep else (xs[i] + offset) % k


@mechanism(LDP())
def redrawn_among_too_many(x: Value, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert k >= 2
    noise = sample(Laplace(1))
    yield noise
    keep = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    said = x
    if not keep:
        said = sample(DiscreteUniform(0, k))
        while said == x:
            said = sample(DiscreteUniform(0, k))
    yield said


@mechanism(LDP())
def coin_is_released_later(x: Bit, eps: Epsilon) -> Iterator[float]:
    coin = sample(Bernoulli(1 / 2))
    yield coin != (x == 1)
    noise = sample(Laplace(1))
    yield noise
    yield coin


@mechanism(LDP())
def coin_shifts_noise(x: Bit, eps: Epsilon) -> Iterator[float]:
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    yield x if keep else 1 - x
    noise = sample(Laplace(1))
    yield noise + (1 if keep else 0)


@mechanism(LDP())
def coin_in_a_list(x: Bit, eps: Epsilon) -> Iterator[float]:
    kept = []
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    kept.append(1 if keep else 0)
    yield x if keep else 1 - x
    noise = sample(Laplace(1))
    yield noise + kept[0]


@mechanism(LDP())
def coin_of_the_round_before(x: Bit, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    coin = False
    for i in range(n):
        noise = sample(Laplace(1))
        yield noise
        yield coin != (x == 1)
        coin = sample(Bernoulli(1 / 2))
    yield coin


@mechanism(LDP())
def silence_tells(x: Bit, eps: Epsilon) -> Iterator[float]:
    coin = sample(Bernoulli(1 / 2))
    if coin or x == 1:
        yield 1
    noise = sample(Laplace(1))
    yield noise


@mechanism(LDP())
def rounds_that_count(x: Bit, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1))
    yield noise
    t = x
    again = sample(Bernoulli(1 / 2))
    while again:
        t = t + 1
        again = sample(Bernoulli(1 / 2))
    yield t


@mechanism(LDP())
def the_first_round_is_another(x: Bit, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1))
    yield noise
    said = x
    fits = False
    while not fits:
        fits = sample(Bernoulli(1 / 2))
        if not fits:
            said = 0
    yield said


@mechanism(ADP(ones))
def admits_too_often(x: Bit, n: Public[Nat], p: Public[float], eps: Epsilon) -> Iterator[int]:
    assert 0 < p and p < 1
    for i in range(n):
        noise = sample(DiscreteUniform(0, 3))
        yield noise
    admit = sample(Bernoulli(p))
    yield 0 if x == 0 and admit else 1


LOST = (
    encoding_with_twice_the_odds,
    encoding_with_the_odds_of_a_response,
    offset_on_a_smaller_circle,
    redrawn_among_too_many,
    coin_is_released_later,
    coin_shifts_noise,
    coin_in_a_list,
    coin_of_the_round_before,
    silence_tells,
    rounds_that_count,
    the_first_round_is_another,
    admits_too_often,
)
