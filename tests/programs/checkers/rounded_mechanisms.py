"""Rounded answers whose noise is too small, reused, or rounded away; none is private."""

from collections.abc import Iterator
from math import ceil, floor

from shiftproof import (
    DP,
    Count,
    Epsilon,
    Laplace,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)


@mechanism(DP(), expect="refuted")
def rounded_with_half_the_noise(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / (2 * eps)))
    return round(f + noise)


@mechanism(DP(), expect="refuted")
def in_tens_with_half_the_noise(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / (2 * eps)))
    return 10 * round((f + noise) / 10)


@mechanism(DP(), expect="refuted")
def one_noise_for_two_answers(f: Count, g: Count, eps: Epsilon) -> Iterator[int]:
    noise = sample(Laplace(1 / eps))
    yield floor(f + noise)
    yield ceil(g + noise)


@mechanism(DP(), expect="refuted")
def noise_left_in_a_log(f: Count, eps: Epsilon) -> Iterator[float | int]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
    yield int(noise)


@mechanism(DP(), expect="refuted")
def above_a_rounded_limit(f: Count, T: Public[int], eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / (2 * eps)))
    return round(f + noise) >= T


@mechanism(DP(), expect="refuted")
def dozens(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return (f + noise) // 12


@mechanism(DP(), expect="refuted")
def noise_that_is_rounded_away(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / eps))
    return f + 2 * round(noise / 2)
