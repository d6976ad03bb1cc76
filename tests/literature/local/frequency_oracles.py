"""Frequency oracles: a user reports one of k values, as bits, hashes, signs or subsets."""

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    Categorical,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    IntVector,
    Nat,
    Public,
    mechanism,
    sample,
)

OneOfK = Annotated[int, IntegerValue(0, "last")]
OneOfFour = Annotated[int, IntegerValue(0, 3)]
OneOfThree = Annotated[int, IntegerValue(0, 2)]


@mechanism(LDP())
def direct_encoding(x: OneOfK, last: Public[Nat], eps: Epsilon) -> int:
    """Source: Wang, Blocki, Li and Jha (USENIX Security 2017), Direct Encoding; k-RR of Kairouz,
    Oh and Viswanath (JMLR 2016).
    """
    assert last >= 1
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + last)))
    step = sample(DiscreteUniform(1, last))
    return x if honest else (x + step) % (last + 1)


@mechanism(LDP(), expect="refuted")
def direct_encoding_of_two(x: OneOfK, last: Public[Nat], eps: Epsilon) -> int:
    """Source: Wang et al. (USENIX Security 2017), Direct Encoding, as honest as with two values."""
    assert last >= 1
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    step = sample(DiscreteUniform(1, last))
    return x if honest else (x + step) % (last + 1)


@mechanism(LDP())
def response_of_four(x: OneOfFour, eps: Epsilon) -> int:
    """Source: Kairouz, Bonawitz and Ramage (ICML 2016), k-RR with k = 4."""
    step = sample(Categorical([exp(eps), 1, 1, 1]))
    y = x + step
    return y if y < 4 else y - 4


@mechanism(LDP(), expect="refuted")
def response_of_four_without_the_own(x: OneOfFour, eps: Epsilon) -> int:
    """Source: Kairouz, Bonawitz and Ramage (ICML 2016), k-RR that lies only, with k = 4."""
    step = sample(Categorical([0, 1, 1, 1]))
    y = x + step
    return y if y < 4 else y - 4


@mechanism(LDP())
def symmetric_unary(x: OneOfK, last: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Symmetric Unary Encoding."""
    for v in range(last + 1):
        kept = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
        yield (x == v) == kept


@mechanism(LDP(), expect="refuted")
def symmetric_unary_whole_budget(x: OneOfK, last: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Symmetric Unary Encoding, eps for each bit."""
    assert last >= 1
    for v in range(last + 1):
        kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
        yield (x == v) == kept


@mechanism(LDP())
def optimized_unary(x: OneOfK, last: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Optimized Unary Encoding: 1/2, 1/(e^eps + 1)."""
    for v in range(last + 1):
        coin = sample(Bernoulli(1 / 2))
        noise = sample(Bernoulli(1 / (exp(eps) + 1)))
        yield coin if x == v else noise


@mechanism(LDP(), expect="refuted")
def optimized_unary_too_honest(x: OneOfK, last: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Optimized Unary Encoding, 3/4 for the own bit."""
    assert last >= 1
    for v in range(last + 1):
        coin = sample(Bernoulli(3 / 4))
        noise = sample(Bernoulli(1 / (exp(eps) + 1)))
        yield coin if x == v else noise


@mechanism(LDP())
def optimized_unary_of_three(x: OneOfThree, eps: Epsilon) -> tuple[bool, bool, bool]:
    """Source: Wang et al. (USENIX Security 2017), Optimized Unary Encoding, k = 3, one by one."""
    a = sample(Bernoulli(1 / 2 if x == 0 else 1 / (exp(eps) + 1)))
    b = sample(Bernoulli(1 / 2 if x == 1 else 1 / (exp(eps) + 1)))
    c = sample(Bernoulli(1 / 2 if x == 2 else 1 / (exp(eps) + 1)))
    return a, b, c


@mechanism(LDP())
def local_hashing(
    x: OneOfK, h: Public[IntVector], last: Public[Nat], g: Public[Nat], eps: Epsilon
) -> int:
    """Source: Wang et al. (USENIX Security 2017), Optimized Local Hashing, for one hash function.

    The function is public; its value goes through the response of g values.
    """
    assert g >= 2 and len(h) == last + 1
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + g - 1)))
    step = sample(DiscreteUniform(1, g - 1))
    return h[x] % g if honest else (h[x] + step) % g


@mechanism(LDP())
def binary_local_hashing(x: OneOfFour, eps: Epsilon) -> tuple[int, bool]:
    """Source: Bassily and Smith (STOC 2015), as Binary Local Hashing in Wang et al. (2017); the
    family of all functions of two bits.
    """
    seed = sample(DiscreteUniform(0, 15))
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    bit = seed // (1 if x == 0 else 2 if x == 1 else 4 if x == 2 else 8) % 2
    return seed, (bit == 1) == honest


@mechanism(LDP(), expect="refuted")
def binary_local_hashing_half_the_noise(x: OneOfFour, eps: Epsilon) -> tuple[int, bool]:
    """Source: Wang et al. (2017), Binary Local Hashing with the odds e^(2 eps)."""
    seed = sample(DiscreteUniform(0, 15))
    honest = sample(Bernoulli(exp(2 * eps) / (exp(2 * eps) + 1)))
    bit = seed // (1 if x == 0 else 2 if x == 1 else 4 if x == 2 else 8) % 2
    return seed, (bit == 1) == honest


@mechanism(LDP())
def hadamard_response_of_four(x: OneOfFour, eps: Epsilon) -> tuple[int, int]:
    """Source: Acharya, Sun and Zhang, Hadamard Response (AISTATS 2019), one bit, K = 4; HRR of
    Nguyen et al. (2016).
    """
    row = sample(DiscreteUniform(0, 3))
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    low = (row % 2) * (x % 2)
    high = (row // 2) * (x // 2)
    sign = 1 if (low + high) % 2 == 0 else -1
    return row, sign if honest else -sign


@mechanism(LDP(), expect="refuted")
def hadamard_response_two_rows(x: OneOfFour, eps: Epsilon) -> tuple[int, int]:
    """Source: Acharya, Sun and Zhang (AISTATS 2019), two rows that each cost epsilon."""
    first = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    second = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    a = 1 if x % 2 == 0 else -1
    b = 1 if x // 2 == 0 else -1
    return a if first else -a, b if second else -b


@mechanism(LDP())
def subset_selection(x: OneOfFour, eps: Epsilon) -> tuple[int, int]:
    """Source: Ye and Barg, Optimal Schemes for Discrete Distribution Estimation under Locally
    Differential Privacy (2018), k = 4, d = 2: the own value is in the set with odds e^eps.
    """
    inside = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    step = sample(DiscreteUniform(1, 3))
    other_one = (x + step) % 4
    if inside:
        return min(x, other_one), max(x, other_one)
    a = (x + 1 + (1 if step == 1 else 0)) % 4
    b = (x + 3 - (1 if step == 3 else 0)) % 4
    return min(a, b), max(a, b)


@mechanism(LDP())
def rappor_permanent(
    x: OneOfK, f: Public[float], last: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Erlingsson, Pihur and Korolova, RAPPOR (CCS 2014), Theorem 1 with h = 1."""
    assert 0 < f < 1 and 2 - f <= exp(eps / 2) * f
    for v in range(last + 1):
        randomised = sample(Bernoulli(f))
        coin = sample(Bernoulli(1 / 2))
        yield coin if randomised else x == v


@mechanism(LDP(), expect="refuted")
def rappor_permanent_of_one_bit(
    x: OneOfK, f: Public[float], last: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: RAPPOR (CCS 2014), Theorem 1 without the factor 2."""
    assert last >= 1 and 0 < f < 1 and 2 - f <= exp(eps) * f
    for v in range(last + 1):
        randomised = sample(Bernoulli(f))
        coin = sample(Bernoulli(1 / 2))
        yield coin if randomised else x == v


@mechanism(LDP(), budget=lambda: 27 / 50)
def rappor_instantaneous(x: OneOfK, last: Public[Nat]) -> Iterator[bool]:
    """Source: RAPPOR (CCS 2014), Section 3.2, f = 1/2, p = 1/2, q = 3/4: q* = 11/16, p* = 9/16.

    ln(q*(1 - p*) / (p*(1 - q*))) = ln(77 / 45) = 0.537 for a value of one bit.
    """
    for v in range(last + 1):
        randomised = sample(Bernoulli(1 / 2))
        coin = sample(Bernoulli(1 / 2))
        bit = coin if randomised else x == v
        high = sample(Bernoulli(3 / 4))
        low = sample(Bernoulli(1 / 2))
        yield high if bit else low


@mechanism(LDP(), budget=lambda: 1 / 2, expect="refuted")
def rappor_instantaneous_claiming_less(x: OneOfK, last: Public[Nat]) -> Iterator[bool]:
    """Source: RAPPOR (CCS 2014), Section 3.2, f = 1/2, p = 1/2, q = 3/4, below ln(77 / 45)."""
    assert last >= 1
    for v in range(last + 1):
        randomised = sample(Bernoulli(1 / 2))
        coin = sample(Bernoulli(1 / 2))
        bit = coin if randomised else x == v
        high = sample(Bernoulli(3 / 4))
        low = sample(Bernoulli(1 / 2))
        yield high if bit else low


@mechanism(LDP())
def count_mean_sketch(x: OneOfFour, eps: Epsilon) -> Iterator[int | bool]:
    """Source: Apple, Learning with Privacy at Scale (2017), the client of Count Mean Sketch:
    one of two hash functions into two cells, and every cell flipped.
    """
    which = sample(DiscreteUniform(0, 1))
    cell = x % 2 if which == 0 else x // 2
    yield which
    for v in range(2):
        kept = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
        yield (cell == v) == kept


@mechanism(LDP())
def hadamard_count_mean_sketch(x: OneOfFour, eps: Epsilon) -> tuple[int, int, int]:
    """Source: Apple (2017), the client of Hadamard Count Mean Sketch: one coordinate, flipped."""
    which = sample(DiscreteUniform(0, 1))
    row = sample(DiscreteUniform(0, 1))
    kept = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    cell = x % 2 if which == 0 else x // 2
    sign = -1 if cell == 1 and row == 1 else 1
    return which, row, sign if kept else -sign
