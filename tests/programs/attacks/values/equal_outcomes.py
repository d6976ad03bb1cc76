"""Outcomes that are written differently, and may be the same number.

Under utility-optimised LDP an output that is not protected comes from one value alone.
"""

from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    Categorical,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    Public,
    UtilityOptimizedLDP,
    mechanism,
    sample,
)


def nobody(x: int) -> bool:
    return x > 5


def is_two(x: int) -> bool:
    return x == 2


def is_zero(y: int) -> bool:
    return y == 0


def is_zero_float(y: float) -> bool:
    return y == 0


def above(y: int, T: int) -> bool:
    return y > T


Bit = Annotated[int, IntegerValue(0, 1)]
Grade = Annotated[int, IntegerValue(0, 2)]


# truth: T may be U, and then both values give it
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def two_parameters(x: Bit, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    assert T > 0 and U > 0
    noise = sample(Bernoulli(0.5))
    return T if x == 1 else U


# truth: T may be 3
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def parameter_and_number(x: Bit, T: Public[int], eps: Epsilon) -> int:
    assert T > 0
    noise = sample(Bernoulli(0.5))
    return T if x == 1 else 3


# truth: T + 1 and U may be one
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def sum_and_parameter(x: Bit, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    assert T > 0 and U > 0
    noise = sample(Bernoulli(0.5))
    return T + 1 if x == 1 else U


# truth: 2 T and T + 1 are one at T = 1
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def two_multiples(x: Bit, T: Public[int], eps: Epsilon) -> int:
    assert T > 0
    noise = sample(Bernoulli(0.5))
    return 2 * T if x == 1 else T + 1


# truth: the same of real parameters
@mechanism(UtilityOptimizedLDP(nobody, is_zero_float))
def two_real_parameters(x: Bit, T: Public[float], U: Public[float], eps: Epsilon) -> float:
    assert T > 0 and U > 0
    noise = sample(Bernoulli(0.5))
    return T if x == 1 else U


# truth: |T - U| and |U - T| are written differently
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def two_distances(x: Bit, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    assert T > U + 1 or U > T + 1
    noise = sample(Bernoulli(0.5))
    return max(T - U, U - T) if x == 1 else abs(U - T)


# truth: three values, of which two give numbers that may be one
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def three_values(x: Grade, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    assert T > 0 and U > 0
    noise = sample(Bernoulli(0.5))
    if x == 0:
        return T + U
    if x == 1:
        return T + T
    return 0 if noise else 0


# truth: T and U with probability 1/2, and both values give the one that they may be
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def now_and_then(x: Bit, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    assert T > 0 and U > 0
    noise = sample(Bernoulli(0.5))
    if noise:
        return 0
    return T if x == 1 else U


# truth: which of T and U is protected is not the question, but that both values give T = U
@mechanism(UtilityOptimizedLDP(nobody, above))
def protected_above(x: Bit, T: Public[int], U: Public[int], eps: Epsilon) -> int:
    noise = sample(Bernoulli(0.5))
    return T if x == 1 else min(T, U)


# truth: a sensitive value gives T, which may be 7; it is not protected
@mechanism(UtilityOptimizedLDP(is_two, is_zero))
def sensitive_one_of_three(x: Grade, T: Public[int], eps: Epsilon) -> int:
    assert T > 0
    noise = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    if x == 2:
        return T
    return 0 if noise else 7


# truth: a draw may be T, and any value gives it
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def parameter_among_draws(x: Bit, T: Public[int], eps: Epsilon) -> int:
    assert 1 <= T and T <= 3
    noise = sample(DiscreteUniform(1, 3))
    return T if x == 1 else noise


# truth: 0 is protected, and the value 1 gives it only where T is 0: ratio infinity
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def parameter_that_is_protected(x: Bit, T: Public[int], eps: Epsilon) -> int:
    noise = sample(Bernoulli(0.5))
    return T if x == 1 else 0


# truth: as above, T + x
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def sum_that_is_protected(x: Bit, T: Public[int], eps: Epsilon) -> int:
    noise = sample(Categorical([1, 2]))
    return T + x if noise == 1 else 0


# truth: as above, at one draw of several
@mechanism(UtilityOptimizedLDP(nobody, is_zero))
def larger_one(x: Grade, T: Public[int], eps: Epsilon) -> int:
    noise = sample(DiscreteUniform(0, 3))
    return max(x, T) if noise == 1 else noise
