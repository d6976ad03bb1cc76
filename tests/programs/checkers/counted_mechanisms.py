"""Mechanisms whose draws and private inputs are finite, each with wrong siblings."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    Bernoulli,
    Categorical,
    DiscreteUniform,
    Epsilon,
    Nat,
    Policy,
    Public,
    mechanism,
    other,
    sample,
)
from shiftproof.dsl.privacy.definitions import DPrivacy, Related, UtilityOptimizedLDP
from shiftproof.dsl.privacy.inputs import IntegerValue, IntegerValues

Bit = Annotated[int, IntegerValue(0, 1)]
Marks = Annotated[list[int], IntegerValues(0, 1)]
Category = Annotated[int, IntegerValue(1, "k")]


def close(q: int) -> bool:
    return abs(q - other(q)) <= 1


def distance(x: int) -> int:
    return abs(x - other(x))


def low(x: int) -> bool:
    return x <= 2


def shown(z: int) -> bool:
    return z <= 2


@mechanism(LDP())
def warner(x: Bit, eps: Epsilon) -> bool:
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x == 1 if keep else x == 0


@mechanism(LDP())
def wrong_warner(x: Bit, eps: Epsilon) -> bool:
    keep = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x == 1 if keep else x == 0


@mechanism(LDP(), budget=1.1)
def warner_of_numbers(x: Bit) -> bool:
    keep = sample(Bernoulli(0.75))
    return x == 1 if keep else x == 0


@mechanism(LDP(), budget=1.09)
def wrong_warner_of_numbers(x: Bit) -> bool:
    keep = sample(Bernoulli(0.75))
    return x == 1 if keep else x == 0


@mechanism(ADP(Policy({1})))
def mangat(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    assert p > 0 and p <= 1 - exp(-eps)
    if x == 1:
        return True
    lie = sample(Bernoulli(1 - p))
    return lie


@mechanism(ADP(Policy({0})))
def mangat_of_the_others(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    assert p > 0 and p <= 1 - exp(-eps)
    if x == 1:
        return True
    lie = sample(Bernoulli(1 - p))
    return lie


@mechanism(ADP(Policy({1})))
def wrong_mangat(x: Bit, p: Public[float], eps: Epsilon) -> bool:
    assert p > 0 and p < 1
    if x == 1:
        return True
    lie = sample(Bernoulli(1 - p))
    return lie


@mechanism(LDP())
def k_ary(x: Category, k: Public[Nat], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    other_value = sample(DiscreteUniform(1, k))
    return x if truth else other_value


@mechanism(LDP())
def wrong_k_ary(x: Category, k: Public[Nat], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    other_value = sample(DiscreteUniform(1, k))
    return x if truth else other_value


@mechanism(LDP())
def k_ary_off_by_one(x: Category, k: Public[Nat], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    other_value = sample(DiscreteUniform(1, k - 1))
    return x if truth else other_value


@mechanism(Related(close))
def exponential_mechanism(q: Marks, eps: Epsilon) -> int:
    assert len(q) >= 1
    weights = [0.0] * len(q)
    for i in range(len(q)):
        weights[i] = exp(eps * q[i] / 2)
    return_value = sample(Categorical(weights))
    return return_value


@mechanism(Related(close))
def wrong_exponential_mechanism(q: Marks, eps: Epsilon) -> int:
    assert len(q) >= 1
    weights = [0.0] * len(q)
    for i in range(len(q)):
        weights[i] = exp(eps * q[i])
    return_value = sample(Categorical(weights))
    return return_value


@mechanism(Related(close))
def without_normalisation(q: Marks, eps: Epsilon) -> int | None:
    for i in range(len(q)):
        hit = sample(Bernoulli(exp(eps * (q[i] - 2)) / len(q)))
        if hit:
            return i
    return None


@mechanism(Related(close))
def permute_and_flip(q: Marks, eps: Epsilon) -> int:
    assert len(q) >= 1
    best = q[0]
    for x in q:
        best = max(best, x)
    tried = [False] * len(q)
    for step in range(len(q)):
        skip = sample(DiscreteUniform(0, len(q) - step - 1))
        chosen = 0
        for i in range(len(q)):
            if not tried[i]:
                if skip == 0:
                    chosen = i
                skip -= 1
        if q[chosen] == best:
            return chosen
        keep = sample(Bernoulli(exp(eps * (q[chosen] - best) / 2)))
        if keep:
            return chosen
        tried[chosen] = True
    return 0


@mechanism(Related(close))
def wrong_permute_and_flip(q: Marks, eps: Epsilon) -> int:
    assert len(q) >= 1
    best = q[0]
    for x in q:
        best = max(best, x)
    tried = [False] * len(q)
    for step in range(len(q)):
        skip = sample(DiscreteUniform(0, len(q) - step - 1))
        chosen = 0
        for i in range(len(q)):
            if not tried[i]:
                if skip == 0:
                    chosen = i
                skip -= 1
        if q[chosen] == best:
            return chosen
        keep = sample(Bernoulli(exp(eps * (q[chosen] - best))))
        if keep:
            return chosen
        tried[chosen] = True
    return 0


@mechanism(Related(close))
def biased_permute_and_flip(q: Marks, eps: Epsilon) -> int:
    assert len(q) >= 1
    best = q[0]
    for x in q:
        best = max(best, x)
    for i in range(len(q)):
        if q[i] == best:
            return i
        keep = sample(Bernoulli(exp(eps * (q[i] - best) / 2)))
        if keep:
            return i
    return 0


@mechanism(LDP())
def rappor(x: Category, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(1, k + 1):
        flip = sample(Bernoulli(1 / (1 + exp(eps / 2))))
        yield (x == i) != flip


@mechanism(LDP())
def wrong_rappor(x: Category, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(1, k + 1):
        flip = sample(Bernoulli(1 / (1 + exp(eps))))
        yield (x == i) != flip


@mechanism(LDP())
def optimised_unary(x: Category, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(1, k + 1):
        if x == i:
            mine = sample(Bernoulli(1 / 2))
            yield mine
        else:
            theirs = sample(Bernoulli(1 / (1 + exp(eps))))
            yield theirs


@mechanism(LDP())
def wrong_optimised_unary(x: Category, k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(1, k + 1):
        if x == i:
            mine = sample(Bernoulli(2 / 3))
            yield mine
        else:
            theirs = sample(Bernoulli(1 / (1 + exp(eps))))
            yield theirs


@mechanism(LDP(), budget=lambda eps: eps)
def offset(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> int:
    shift = sample(DiscreteUniform(0, 4))
    return (x + shift) % 5


@mechanism(LDP(), budget=lambda eps: eps)
def wrong_offset(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> int:
    shift = sample(DiscreteUniform(0, 4))
    return x + shift


@mechanism(LDP(), budget=lambda first, second: first + second)
def two_rounds(x: Bit, first: Epsilon, second: Epsilon) -> Iterator[bool]:
    keep = sample(Bernoulli(exp(first) / (1 + exp(first))))
    said = (x == 1) == keep
    yield said
    if said:
        again = sample(Bernoulli(exp(second) / (1 + exp(second))))
        yield (x == 1) == again


@mechanism(LDP(), budget=lambda first, second: first)
def two_rounds_for_one(x: Bit, first: Epsilon, second: Epsilon) -> Iterator[bool]:
    keep = sample(Bernoulli(exp(first) / (1 + exp(first))))
    said = (x == 1) == keep
    yield said
    if said:
        again = sample(Bernoulli(exp(second) / (1 + exp(second))))
        yield (x == 1) == again


@mechanism(DPrivacy(distance))
def by_distance(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    z = sample(
        Categorical([
            exp(-eps * abs(x - 0) / 2), exp(-eps * abs(x - 1) / 2),
            exp(-eps * abs(x - 2) / 2), exp(-eps * abs(x - 3) / 2),
        ])
    )  # fmt: skip
    return z


@mechanism(DPrivacy(distance))
def wrong_by_distance(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    z = sample(
        Categorical([
            exp(-eps * abs(x - 0)), exp(-eps * abs(x - 1)),
            exp(-eps * abs(x - 2)), exp(-eps * abs(x - 3)),
        ])
    )  # fmt: skip
    return z


@mechanism(UtilityOptimizedLDP(low, shown))
def utility(x: Annotated[int, IntegerValue(1, 4)], eps: Epsilon) -> int:
    if x <= 2:
        keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        return x if keep else 3 - x
    named = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    if named:
        return x
    coin = sample(DiscreteUniform(1, 2))
    return coin


@mechanism(UtilityOptimizedLDP(low, shown))
def utility_of_a_sensitive_value(x: Annotated[int, IntegerValue(1, 4)], eps: Epsilon) -> int:
    keep = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    if keep:
        return x + 10
    return 1


@mechanism(LDP())
def tiny_leak(x: Bit, eps: Epsilon) -> int:
    rare = sample(Bernoulli(0.000001))
    return x if rare else 2


@mechanism(LDP())
def leak_by_type(x: Bit, eps: Epsilon) -> float | int:
    coin = sample(DiscreteUniform(0, 1))
    if x == 1:
        return coin * 1.0
    return coin


@mechanism(LDP())
def leak_by_truth(x: Bit, eps: Epsilon) -> int | bool:
    coin = sample(DiscreteUniform(0, 1))
    if x == 1:
        return coin == 1
    return coin


@mechanism(LDP())
def leak_by_length(x: Bit, eps: Epsilon) -> Iterator[int]:
    coin = sample(DiscreteUniform(0, 1))
    yield coin
    if x == 1:
        yield 0
