"""Means of numbers that users keep: one bit, pieces, key-value pairs, bit pushing."""

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    Laplace,
    Public,
    Uniform,
    Value,
    mechanism,
    sample,
)

Signed = Annotated[float, Value(-1, 1)]
Share = Annotated[float, Value(0, 1)]
Bit = Annotated[int, IntegerValue(0, 1)]


@mechanism(LDP())
def duchi(x: Signed, eps: Epsilon) -> int:
    """Source: Duchi, Jordan and Wainwright (JASA 2018), one dimension, up to its public factor."""
    up = sample(Bernoulli(1 / 2 + x * (exp(eps) - 1) / (2 * (exp(eps) + 1))))
    return 1 if up else -1


@mechanism(LDP(), expect="refuted")
def duchi_up_to_the_edge(x: Signed, eps: Epsilon) -> int:
    """Source: Duchi, Jordan and Wainwright (JASA 2018), the share 1/2 + x / 3 for any epsilon."""
    up = sample(Bernoulli(1 / 2 + x / 3))
    return 1 if up else -1


@mechanism(LDP())
def telemetry_bit(x: Annotated[float, Value(0, "m")], m: Public[float], eps: Epsilon) -> bool:
    """Source: Ding, Kulkarni and Yekhanin, Collecting Telemetry Data Privately (NIPS 2017),
    1BitMean.
    """
    assert m > 0
    bit = sample(Bernoulli(1 / (exp(eps) + 1) + x / m * (exp(eps) - 1) / (exp(eps) + 1)))
    return bit


@mechanism(LDP(), expect="refuted")
def telemetry_bit_not_squeezed(
    x: Annotated[float, Value(0, "m")], m: Public[float], eps: Epsilon
) -> bool:
    """Source: Ding, Kulkarni and Yekhanin (NIPS 2017), 1BitMean with a share of x / m alone."""
    assert m > 0
    bit = sample(Bernoulli((x / m + 1) / 3))
    return bit


@mechanism(LDP())
def telemetry_rounding(x: Share, a: Public[float], eps: Epsilon) -> bool:
    """Source: Ding, Kulkarni and Yekhanin (NIPS 2017), alpha-point rounding with memoisation."""
    assert 0 <= a <= 1
    rounded = 1 if x + a >= 1 else 0
    kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    return (rounded == 1) == kept


@mechanism(LDP())
def bits_of_buckets(x: Annotated[int, IntegerValue(0, 7)], j: Public[int], eps: Epsilon) -> bool:
    """Source: Ding, Kulkarni and Yekhanin (NIPS 2017), dBitFlip with d = 1, at bucket j."""
    kept = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
    return (x == j) == kept


@mechanism(LDP())
def two_bits_of_buckets(
    x: Annotated[int, IntegerValue(0, 7)], i: Public[int], j: Public[int], eps: Epsilon
) -> tuple[bool, bool]:
    """Source: Ding, Kulkarni and Yekhanin (NIPS 2017), dBitFlip with d = 2."""
    assert i != j
    first = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
    second = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
    return (x == i) == first, (x == j) == second


@mechanism(LDP(), expect="refuted")
def two_bits_of_buckets_whole_budget(
    x: Annotated[int, IntegerValue(0, 7)], eps: Epsilon
) -> tuple[bool, bool]:
    """Source: Ding, Kulkarni and Yekhanin (NIPS 2017), dBitFlip, epsilon for each bucket."""
    first = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    second = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    return (x == 2) == first, (x == 5) == second


@mechanism(LDP())
def laplace_in_a_range(
    x: Annotated[float, Value("lo", "hi")], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    """Source: Dwork, McSherry, Nissim and Smith (TCC 2006) under local DP."""
    assert lo < hi
    noise = sample(Laplace((hi - lo) / eps))
    return x + noise


@mechanism(LDP(), expect="refuted")
def laplace_in_a_range_of_one(
    x: Annotated[float, Value("lo", "hi")], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    """Source: Dwork, McSherry, Nissim and Smith (TCC 2006), noise for a range of length 1."""
    assert lo + 2 <= hi
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(LDP())
def piecewise(x: Signed, eps: Epsilon) -> float:
    """Source: Wang et al., Collecting and Analyzing Multidimensional Data with Local Differential
    Privacy (ICDE 2019), the Piecewise Mechanism.
    """
    C = (exp(eps / 2) + 1) / (exp(eps / 2) - 1)
    left = (C + 1) / 2 * x - (C - 1) / 2
    near = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
    u = sample(Uniform(0, 1))
    if near:
        return left + (C - 1) * u
    y = -C + (C + 1) * u
    return y if y < left else y + C - 1


@mechanism(LDP())
def square_wave(x: Share, eps: Epsilon) -> float:
    """Source: Li et al., Estimating Numerical Distributions under Local Differential Privacy
    (SIGMOD 2020), the Square Wave mechanism with b = 1/4.
    """
    near = sample(Bernoulli(exp(eps) / (exp(eps) + 2)))
    u = sample(Uniform(0, 1))
    if near:
        return x - 1 / 4 + u / 2
    y = -1 / 4 + u
    return y if y < x - 1 / 4 else y + 1 / 2


@mechanism(LDP())
def one_coordinate_of_two(x: Signed, y: Signed, eps: Epsilon) -> tuple[int, int]:
    """Source: Nguyen et al., Collecting and Analyzing Data from Smart Device Users (Harmony, 2016),
    two dimensions.
    """
    axis = sample(DiscreteUniform(0, 1))
    v = x if axis == 0 else y
    up = sample(Bernoulli((v * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return axis, 1 if up else -1


@mechanism(LDP(), expect="refuted")
def both_coordinates_for_one(x: Signed, y: Signed, eps: Epsilon) -> tuple[int, int]:
    """Source: Nguyen et al. (Harmony, 2016), both coordinates at the price of one."""
    a = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    b = sample(Bernoulli((y * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    return 1 if a else -1, 1 if b else -1


@mechanism(LDP(), budget=lambda eps1, eps2: eps1 + eps2)
def key_and_value(key: Bit, v: Signed, eps1: Epsilon, eps2: Epsilon) -> tuple[int, int]:
    """Source: Ye, Hu, Meng and Zheng, PrivKV (S&P 2019), the local perturbation of one pair."""
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


@mechanism(LDP(), budget=lambda eps1: eps1, expect="refuted")
def key_and_value_for_the_key(key: Bit, v: Signed, eps1: Epsilon, eps2: Epsilon) -> tuple[int, int]:
    """Source: PrivKV (S&P 2019), paid for the key alone."""
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


@mechanism(LDP())
def bit_pushing(x: Annotated[int, IntegerValue(0, 15)], eps: Epsilon) -> tuple[int, bool]:
    """Source: Cormode and Markov, Bit-Efficient Numerical Aggregation and Stronger Privacy (2021),
    one random bit of a number of four bits, through a randomised response.
    """
    j = sample(DiscreteUniform(0, 3))
    kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    bit = x // (1 if j == 0 else 2 if j == 1 else 4 if j == 2 else 8) % 2
    return j, (bit == 1) == kept


@mechanism(LDP(), expect="refuted")
def bit_pushing_all_bits(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> Iterator[bool]:
    """Source: Cormode and Markov (2021), all bits at the price of one."""
    low = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    yield (x % 2 == 1) == low
    high = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    yield (x // 2 == 1) == high
