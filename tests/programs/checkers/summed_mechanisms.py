"""Mechanisms with finite noise: right ones, for all parameters, and wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    Categorical,
    ContextAwareLDP,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    Policy,
    Private,
    Public,
    Related,
    UtilityOptimizedLDP,
    Value,
    mechanism,
    other,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]
Key = Annotated[int, IntegerValue(1, "k")]
Item = Annotated[int, IntegerValue(1, "n")]
Share = Annotated[float, Value(-1, 1)]


def is_sensitive(x: int, s: int) -> bool:
    return x <= s


def is_protected(z: int, s: int) -> bool:
    return z <= s


def from_a_sensitive_one(x: int, n: int, s: int) -> bool:
    return 1 <= x <= s and 1 <= other(x) <= n


def upwards(x: float) -> bool:
    return 0 <= x <= 1 and 0 <= other(x) <= 1 and x >= other(x)


@mechanism(LDP())
def right_warner(x: Bit, eps: Epsilon) -> int:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if truth else 1 - x


@mechanism(ADP(Policy({1})))
def right_mangat(x: Bit, p: Public[float], eps: Epsilon) -> int:
    assert 0 < p and p < 1 and p <= 1 - exp(-eps)
    zero = sample(Bernoulli(p))
    if x == 1:
        return 1
    return 0 if zero else 1


@mechanism(LDP())
def right_keep(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    keep = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    u = sample(DiscreteUniform(1, k))
    return x if keep else u


@mechanism(LDP())
def right_truth(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    if truth:
        return x
    u = sample(DiscreteUniform(1, k - 1))
    return u if u < x else u + 1


@mechanism(UtilityOptimizedLDP(is_sensitive, is_protected))
def right_utility(x: Item, n: Public[int], s: Public[int], eps: Epsilon) -> int:
    assert 1 <= s and s <= n
    honest = sample(Bernoulli((exp(eps) - 1) / (s + exp(eps) - 1)))
    u = sample(DiscreteUniform(1, s))
    return x if honest else u


@mechanism(UtilityOptimizedLDP(is_sensitive, is_protected))
def right_outcomes_in_order(x: Item, n: Public[int], s: Public[int], eps: Epsilon) -> int:
    assert s == 1 and n == 3
    hidden = sample(Bernoulli(exp(-eps)))
    if hidden or x == s:
        return s
    return s + 1 if x == n else s + n


@mechanism(Related(from_a_sensitive_one))
def right_related(x: Private[int], n: Public[int], s: Public[int], eps: Epsilon) -> int:
    assert 1 <= s and s <= n
    honest = sample(Bernoulli((exp(eps) - 1) / (s + exp(eps) - 1)))
    u = sample(DiscreteUniform(1, s))
    return x if honest else u


@mechanism(ADP(Policy({1})))
def right_one_sided(x: Bit, eps: Epsilon) -> Iterator[int | None]:
    tell = sample(Bernoulli(1 - exp(-eps)))
    if x == 0 and tell:
        yield 0
    else:
        yield None


@mechanism(LDP())
def right_mean_bit(x: Share, eps: Epsilon) -> bool:
    bit = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return bit


@mechanism(LDP())
def right_mean(x: Share, eps: Epsilon) -> float:
    bit = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return (exp(eps) + 1) / (exp(eps) - 1) if bit else -(exp(eps) + 1) / (exp(eps) - 1)


@mechanism(LDP(), budget=lambda eps: 2 * eps)
def right_twice(x: Bit, eps: Epsilon) -> Iterator[int]:
    for _ in range(2):
        truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield x if truth else 1 - x


@mechanism(DP())
def right_halves(x: Bit, eps: Epsilon) -> Iterator[bool]:
    a = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
    yield a == (x == 1)
    b = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
    yield b == (x == 1)


@mechanism(LDP())
def right_weights(x: Bit, eps: Epsilon) -> int:
    u = sample(Categorical([exp(eps), 1, 1]))
    return u if x == 0 else 1 - u if u <= 1 else u


@mechanism(LDP())
def right_private_weights(x: Share, eps: Epsilon) -> int:
    u = sample(Categorical([exp(eps) * (1 + x) + 1 - x, exp(eps) * (1 - x) + 1 + x]))
    return u


@mechanism(Related(upwards))
def right_upwards(x: Private[float], p: Public[float], eps: Epsilon) -> bool:
    assert 0 < p and p <= 1 - exp(-eps) and p < 1
    bit = sample(Bernoulli(1 - p / 2 + p * x / 4))
    return bit


@mechanism(LDP())
def right_linear_odds(x: Bit, eps: Epsilon) -> int:
    truth = sample(Bernoulli((1 + eps) / (2 + eps)))
    return x if truth else 1 - x


@mechanism(LDP())
def right_two_draws(x: Bit, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    u = sample(DiscreteUniform(-k, k))
    v = sample(DiscreteUniform(0, k))
    return u if v >= 1 else (x if truth else 1 - x)


@mechanism(LDP())
def right_constant(x: Bit, eps: Epsilon) -> int:
    u = sample(DiscreteUniform(0, 1))
    return u - x if u >= x else u - x + 2


def cost(x: int, eps: float) -> float:
    return 2 * eps if x > other(x) else eps


def close(x: int) -> bool:
    return abs(x - other(x)) <= 1


@mechanism(ContextAwareLDP(cost))
def right_context(x: Bit, eps: Epsilon) -> int:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if truth else 1 - x


@mechanism(Blowfish(close))
def right_blowfish(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    if truth:
        return x
    u = sample(DiscreteUniform(1, k - 1))
    return u if u < x else u + 1


@mechanism(LDP())
def right_rotation(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    u = sample(DiscreteUniform(1, k))
    return u + x if u + x <= k else u + x - k


@mechanism(LDP())
def right_sum(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    u = sample(DiscreteUniform(1, k))
    v = sample(DiscreteUniform(1, k))
    return u + v


@mechanism(LDP())
def wrong_private_range(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    u = sample(DiscreteUniform(1, x))
    return u


@mechanism(LDP())
def wrong_private_sum(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 1
    u = sample(DiscreteUniform(1, k))
    v = sample(DiscreteUniform(x, k))
    return u + v


@mechanism(LDP())
def wrong_parity(x: Bit, eps: Epsilon) -> Iterator[int]:
    u = sample(DiscreteUniform(0, 1))
    yield u
    yield u + x if u == 0 else 1 - x


@mechanism(LDP())
def wrong_twice(x: Bit, eps: Epsilon) -> int:
    truth = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x if truth else 1 - x


@mechanism(ADP(Policy({1})))
def wrong_mangat(x: Bit, p: Public[float], eps: Epsilon) -> int:
    assert 0 < p and p < 1 and p <= 1 - exp(-2 * eps)
    zero = sample(Bernoulli(p))
    if x == 1:
        return 1
    return 0 if zero else 1


@mechanism(ADP(Policy({0})))
def wrong_policy(x: Bit, p: Public[float], eps: Epsilon) -> int:
    assert 0 < p and p < 1 and p <= 1 - exp(-eps)
    zero = sample(Bernoulli(p))
    if x == 1:
        return 1
    return 0 if zero else 1


@mechanism(LDP())
def wrong_range(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 2
    keep = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    u = sample(DiscreteUniform(1, k - 1))
    return x if keep else u


@mechanism(LDP())
def wrong_shift(x: Key, k: Public[int], eps: Epsilon) -> int:
    assert k >= 2
    truth = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    if truth:
        return x
    u = sample(DiscreteUniform(1, k - 1))
    return u if u <= x else u + 1


@mechanism(UtilityOptimizedLDP(is_sensitive, is_protected))
def wrong_utility(x: Item, n: Public[int], s: Public[int], eps: Epsilon) -> int:
    assert 1 <= s and s <= n
    honest = sample(Bernoulli((exp(eps) - 1) / (s + exp(eps) - 1)))
    u = sample(DiscreteUniform(1, n))
    return x if honest else u


@mechanism(UtilityOptimizedLDP(is_sensitive, is_protected))
def wrong_utility_scale(x: Item, n: Public[int], s: Public[int], eps: Epsilon) -> int:
    assert 1 <= s and s <= n
    honest = sample(Bernoulli((exp(2 * eps) - 1) / (s + exp(2 * eps) - 1)))
    u = sample(DiscreteUniform(1, s))
    return x if honest else u


@mechanism(LDP())
def wrong_rare(x: Bit, eps: Epsilon) -> Iterator[int]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    rare = sample(Bernoulli(1 / 1000000))
    if rare:
        yield x + 5
    else:
        yield x if truth else 1 - x


@mechanism(LDP())
def wrong_type(x: Bit, eps: Epsilon) -> Iterator[float]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    bit = 1 if truth else 0
    if x == 1:
        yield bit
    else:
        yield 1 - bit + 0.0


@mechanism(LDP())
def wrong_division(x: Bit, m: Public[float], eps: Epsilon) -> Iterator[float]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    yield (x if truth else 1 - x) / m


@mechanism(LDP())
def wrong_noise(x: Bit, p: Public[float], eps: Epsilon) -> int:
    u = sample(Bernoulli(p))
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if truth else 1 - x


@mechanism(LDP())
def wrong_endless(x: Bit, eps: Epsilon) -> Iterator[int]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    y = x if truth else 1 - x
    while y == 1:
        y = 1
    yield 0


@mechanism(LDP())
def wrong_reuse(x: Key, k: Public[int], eps: Epsilon) -> Iterator[int]:
    assert k >= 2
    u = sample(DiscreteUniform(1, k))
    yield u
    yield u + x


@mechanism(LDP())
def wrong_same_coin(x: Bit, eps: Epsilon) -> Iterator[int]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    yield x if truth else 1 - x
    yield 1 if truth else 0


@mechanism(LDP())
def wrong_length(x: Bit, eps: Epsilon) -> Iterator[int]:
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    if truth:
        yield x
        yield 0
    else:
        yield 1 - x


@mechanism(ADP(Policy({1})))
def wrong_one_sided(x: Bit, eps: Epsilon) -> Iterator[int | None]:
    tell = sample(Bernoulli(1 - exp(-eps)))
    if x == 1 and tell:
        yield 0
    else:
        yield None


@mechanism(LDP())
def wrong_mean(x: Annotated[float, Value(-2, 2)], eps: Epsilon) -> bool:
    bit = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return bit


@mechanism(LDP())
def wrong_label(x: Share, eps: Epsilon) -> float:
    bit = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return x + 1 if bit else x - 1
