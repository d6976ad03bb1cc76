"""The noisy counts of ``correct_laplace``, each broken in one small place."""

from collections.abc import Iterator
from typing import Annotated

import shiftproof as sp
from shiftproof import (
    ADP,
    DP,
    Count,
    CountingQuery,
    Epsilon,
    Exponential,
    Laplace,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
HALF = 2


# truth: not private because the scale is eps: the loss is 1/eps, which is 2 > 0.5 at eps = 0.5
@mechanism(DP(), expect="refuted")
def laplace_wrong_scale(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(eps))
    return x + noise


# truth: not private because the scale is halved: the loss is 2 eps
@sp.mechanism(sp.DP("add-remove"), expect="refuted")
def laplace_half_scale(visits: sp.Count, budget: sp.Epsilon) -> Iterator[float]:
    spread = 1 / (2 * budget)
    fuzz = sp.sample(sp.Laplace(scale=spread))
    visits += fuzz
    yield visits


# truth: not private because both answers use one noise: their sum is 2x, without noise
@mechanism(DP(), expect="refuted")
def laplace_one_noise(x: Count, eps: Epsilon) -> tuple[float, float]:
    first = sample(Laplace(HALF / eps))
    second = sample(Laplace(HALF / eps))
    return x + first, x - first


# truth: not private because the second release is not paid: the loss is eps1 + eps2 > eps1
@mechanism(DP(), budget=lambda eps1: eps1, expect="refuted")
def laplace_unpaid_release(x: Count, eps1: Epsilon, eps2: Epsilon) -> Iterator[float]:
    coarse = sample(Laplace(1 / eps1))
    yield coarse + x
    fine = sample(Laplace(1 / eps2))
    yield fine + x


# truth: not private because one record moves both counts: the difference moves by 2, loss 2 eps
@mechanism(DP(), expect="refuted")
def laplace_difference_too_small(
    came: Count, stayed_away: Annotated[int, CountingQuery({0})], eps: Epsilon
) -> float:
    excess = came - stayed_away
    noise = sample(Laplace(1 / eps))
    return excess + noise


# truth: not private because the noise points down: 1 falls to 0, and 0.5 cannot come from 0
@mechanism(ADP(visited), expect="refuted")
def asymmetric_laplace_downwards(x: Count, eps: Epsilon) -> Iterator[float]:
    answer = x
    noise = sample(NegativeExponential(1 / eps))
    answer += noise
    yield answer


# truth: not private because the scale is halved: 1 falls to 0, and the answer 1 has loss 2 eps
@mechanism(ADP(visited), expect="refuted")
def asymmetric_geometric_half(x: Count, eps: Epsilon) -> int:
    scale = 1 / eps
    upward = sample(OneSidedGeometric(scale / 2))
    return upward + x


# truth: not private because zeros rise and noise points up: 0 rises to 1, 0.5 cannot come from 1
@mechanism(ADP(visited), expect="refuted")
def asymmetric_laplace_of_zeros_upwards(
    absent: Annotated[int, CountingQuery({0})], eps: Epsilon
) -> float:
    noise = sample(Exponential(1 / eps))
    return absent + noise


# truth: not private because the negated count rises: 1 falls to 0, -0.5 cannot come from 0
@mechanism(ADP(Policy(sensitive={2}, universe={0, 1, 2})), expect="refuted")
def asymmetric_laplace_negated_upwards(
    x: Annotated[int, CountingQuery({2})], eps: Epsilon
) -> float:
    noise = sample(Exponential(1 / eps))
    return -x + noise
