"""Wrong by little: siblings of local mechanisms whose proofs are hard to find."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    Blowfish,
    Categorical,
    ContextAwareLDP,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    IntegerValues,
    IntVector,
    Laplace,
    Nat,
    Public,
    Uniform,
    Value,
    mechanism,
    other,
    sample,
)

OneOfK = Annotated[int, IntegerValue(0, "last")]
OneOfThree = Annotated[int, IntegerValue(0, 2)]


def two_apart(x: int) -> bool:
    return abs(x - other(x)) <= 2


def of_pair(x: int, eps_near: float, eps: float) -> float:
    return eps_near if abs(x - other(x)) == 1 else eps


@mechanism(LDP(), expect="refuted")
def near_local_hashing(
    x: OneOfK, h: Public[IntVector], last: Public[Nat], g: Public[Nat], eps: Epsilon
) -> int:
    """Source: Wang et al. (USENIX Security 2017), Optimized Local Hashing, honest as for g = 2."""
    assert g >= 3 and len(h) == last + 1
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    step = sample(DiscreteUniform(1, g - 1))
    return h[x] % g if honest else (h[x] + step) % g


@mechanism(LDP(), expect="refuted")
def near_piecewise(x: Annotated[float, Value(-1, 1)], eps: Epsilon) -> float:
    """Source: Wang et al. (ICDE 2019), the Piecewise Mechanism, eps in place of eps / 2 for the
    probability of the middle.
    """
    C = (exp(eps / 2) + 1) / (exp(eps / 2) - 1)
    left = (C + 1) / 2 * x - (C - 1) / 2
    near = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    u = sample(Uniform(0, 1))
    if near:
        return left + (C - 1) * u
    y = -C + (C + 1) * u
    return y if y < left else y + C - 1


@mechanism(LDP(), expect="refuted")
def near_square_wave(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    """Source: Li et al. (SIGMOD 2020), Square Wave with b = 1/4, its wave too high."""
    near = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    u = sample(Uniform(0, 1))
    if near:
        return x - 1 / 4 + u / 2
    y = -1 / 4 + u
    return y if y < x - 1 / 4 else y + 1 / 2


@mechanism(LDP(), expect="refuted")
def near_subset_selection(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> tuple[int, int]:
    """Source: Ye and Barg (2018), k = 4, d = 2: in the set with odds e^(3 eps / 2)."""
    inside = sample(Bernoulli(exp(3 * eps / 2) / (exp(3 * eps / 2) + 1)))
    step = sample(DiscreteUniform(1, 3))
    other_one = (x + step) % 4
    if inside:
        return min(x, other_one), max(x, other_one)
    a = (x + 1 + (1 if step == 1 else 0)) % 4
    b = (x + 3 - (1 if step == 3 else 0)) % 4
    return min(a, b), max(a, b)


@mechanism(LDP(), expect="refuted")
def near_optimized_unary(x: OneOfK, last: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Optimized Unary Encoding, 1 / (e^eps + 2)."""
    assert last >= 1
    for v in range(last + 1):
        coin = sample(Bernoulli(1 / 2))
        noise = sample(Bernoulli(1 / (exp(eps) + 2)))
        yield coin if x == v else noise


@mechanism(Blowfish(two_apart), expect="refuted")
def near_cumulative_counts(
    x: Annotated[Sequence[int], IntegerValues(0, 7)], eps: Epsilon
) -> Iterator[float]:
    """Source: Blowfish Privacy (SIGMOD 2014), the ordered mechanism where secrets are two apart."""
    for t in range(8):
        below = 0
        for v in x:
            if v <= t:
                below += 1
        noise = sample(Laplace(1 / eps))
        yield below + noise


@mechanism(ContextAwareLDP(of_pair), expect="refuted")
def near_high_low_response(x: OneOfThree, eps_near: Epsilon, eps: Epsilon) -> int:
    """Source: Acharya et al. (ICML 2020), with the laxest of the budgets."""
    assert eps_near <= eps
    step = sample(Categorical([exp(eps), 1, 1]))
    return (x + step) % 3


@mechanism(LDP(), budget=lambda eps1, eps2: eps1 + eps2 / 2, expect="refuted")
def near_key_and_value(
    key: Annotated[int, IntegerValue(0, 1)],
    v: Annotated[float, Value(-1, 1)],
    eps1: Epsilon,
    eps2: Epsilon,
) -> tuple[int, int]:
    """Source: PrivKV (S&P 2019), half of what the value costs."""
    kept = sample(Bernoulli(exp(eps1) / (exp(eps1) + 1)))
    honest = sample(Bernoulli((v * (exp(eps2) - 1) + exp(eps2) + 1) / (2 * exp(eps2) + 2)))
    coin = sample(Bernoulli(1 / 2))
    if key == 1:
        if kept:
            return 1, 1 if honest else -1
        return 0, 0
    if kept:
        return 0, 0
    return 1, 1 if coin else -1
