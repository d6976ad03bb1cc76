"""Mechanisms on users' own values, under definitions of many kinds, right and wrong."""

from collections.abc import Iterator, Sequence
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
    DataSet,
    DiscreteUniform,
    DPrivacy,
    Epsilon,
    Exponential,
    InputDiscriminativeLDP,
    IntegerValue,
    IntegerValues,
    Nat,
    NegativeExponential,
    OneSidedDP,
    Policy,
    Private,
    Public,
    Related,
    Staircase,
    TwoSidedGeometric,
    UtilityOptimizedLDP,
    Value,
    Values,
    count,
    mechanism,
    other,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]
UpTo = Annotated[int, IntegerValue(0, "n")]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]
Places = Annotated[Sequence[float], Values(-1, 1)]
one_of_three = Policy({1}, (0, 1, 2))


@mechanism(LDP())
def k_ary(x: UpTo, n: Public[Nat], eps: Epsilon) -> int:
    assert n >= 1
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + n)))
    lie = sample(DiscreteUniform(0, n))
    return x if honest else lie


@mechanism(LDP())
def k_ary_off_by_one(x: UpTo, n: Public[Nat], eps: Epsilon) -> int:
    assert n >= 1
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + n - 1)))
    lie = sample(DiscreteUniform(0, n))
    return x if honest else lie


@mechanism(LDP())
def by_weights(x: UpTo, n: Public[Nat], eps: Epsilon) -> int:
    weights = []
    for v in range(n + 1):
        weights.append(exp(eps) if v == x else 1.0)
    said = sample(Categorical(weights))
    return said


@mechanism(LDP())
def rappor(x: UpTo, n: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(n + 1):
        truth = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
        yield (i == x) == truth


@mechanism(LDP())
def rappor_split_wrongly(x: UpTo, n: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    for i in range(n + 1):
        truth = sample(Bernoulli(exp(2 * eps / 3) / (1 + exp(2 * eps / 3))))
        yield (i == x) == truth


@mechanism(ADP(Policy({1})))
def mangat(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 - exp(-eps)))
    if honest or x == 1:
        return x
    return 1


@mechanism(ADP(Policy({0})))
def mangat_reversed(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 - exp(-eps)))
    if honest or x == 1:
        return x
    return 1


def low(v: int) -> bool:
    return v <= 1


@mechanism(UtilityOptimizedLDP(low, low))
def utility_optimised(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    if honest:
        return x
    lie = sample(DiscreteUniform(0, 1))
    return lie


@mechanism(UtilityOptimizedLDP(low, low))
def utility_optimised_wrong_weights(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    if honest:
        return x
    lie = sample(DiscreteUniform(0, 1))
    return lie


@mechanism(OneSidedDP(one_of_three))
def one_sided(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> int | None:
    told = sample(Bernoulli(1 - exp(-eps)))
    return x if told and x != 1 else None


@mechanism(OneSidedDP(one_of_three))
def one_sided_tells_a_sensitive_value(
    x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon
) -> int | None:
    told = sample(Bernoulli(1 - exp(-eps)))
    return x if told and x != 2 else None


def both_zero(r: Sequence[int]) -> bool:
    return r[0] == 0 and r[1] == 0


def first_zero(r: Sequence[int]) -> bool:
    return r[0] == 0


@mechanism(OneSidedDP(one_of_three))
def one_sided_count(data: Annotated[list[list[int]], DataSet(2)], eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return count(both_zero, data) + noise


@mechanism(OneSidedDP(one_of_three))
def one_sided_count_of_half_a_record(
    data: Annotated[list[list[int]], DataSet(2)], eps: Epsilon
) -> float:
    noise = sample(Exponential(1 / eps))
    return count(first_zero, data) + noise


def near(q: int) -> bool:
    return -1 <= q - other(q) <= 1


@mechanism(Related(near))
def exponential_mechanism(q: Bits, eps: Epsilon) -> int:
    assert len(q) >= 1
    weights = []
    for i in range(len(q)):
        weights.append(exp(eps * q[i] / 2))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(Related(near))
def exponential_mechanism_doubled(q: Bits, eps: Epsilon) -> int:
    assert len(q) >= 1
    weights = []
    for i in range(len(q)):
        weights.append(exp(eps * q[i]))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(LDP())
def search(x: Places, tau: Public[float], L: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert L >= 1
    least = -1.0
    most = 1.0
    for t in range(L):
        middle = (least + most) / 2
        yes = 0
        for i in range(len(x)):
            truth = sample(Bernoulli(exp(eps / L) / (1 + exp(eps / L))))
            answer = (x[i] < middle) == truth
            yield answer
            if answer:
                yes += 1
        if yes >= tau:
            most = middle
        else:
            least = middle


@mechanism(LDP())
def search_without_split(
    x: Places, tau: Public[float], L: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert L >= 1
    least = -1.0
    most = 1.0
    for t in range(L):
        middle = (least + most) / 2
        yes = 0
        for i in range(len(x)):
            truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
            answer = (x[i] < middle) == truth
            yield answer
            if answer:
                yes += 1
        if yes >= tau:
            most = middle
        else:
            least = middle


def gap(x: int) -> int:
    return abs(x - other(x))


@mechanism(DPrivacy(gap))
def truncated(x: UpTo, n: Public[Nat], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return min(max(x + noise, 0), n)


@mechanism(DPrivacy(gap))
def truncated_half_noise(x: UpTo, n: Public[Nat], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return min(max(x + noise, 0), n)


@mechanism(DPrivacy(gap))
def geometric_half_noise(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return x + noise


def close(x: int) -> bool:
    return 0 <= x - other(x) <= 5


@mechanism(Blowfish(close))
def blowfish(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(5 / eps))
    return x + noise


@mechanism(Blowfish(close))
def blowfish_too_small_a_scale(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(4 / eps))
    return x + noise


def coarse(x: int, fine: float, eps: float) -> float:
    if x == 0 or other(x) == 0:
        return fine
    return eps


@mechanism(ContextAwareLDP(coarse))
def context_aware(x: UpTo, n: Public[Nat], fine: Epsilon, eps: Epsilon) -> int:
    assert fine <= eps and n >= 1
    honest = sample(Bernoulli((exp(fine) - 1) / (exp(fine) + n)))
    lie = sample(DiscreteUniform(0, n))
    return x if honest else lie


@mechanism(ContextAwareLDP(coarse))
def context_aware_too_honest(x: UpTo, n: Public[Nat], fine: Epsilon, eps: Epsilon) -> int:
    assert fine <= eps and n >= 1
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + n)))
    lie = sample(DiscreteUniform(0, n))
    return x if honest else lie


def nothing(x: int) -> float:
    return 0 if x + other(x) == 1 else 1


@mechanism(ContextAwareLDP(nothing))
def must_not_tell_zero_from_one(x: Annotated[int, IntegerValue(0, 2)]) -> int:
    honest = sample(Bernoulli(1 / 8))
    lie = sample(DiscreteUniform(0, 2))
    return x if honest else lie


def own(x: int, fine: float, eps: float) -> float:
    return fine if x == 0 else eps


@mechanism(InputDiscriminativeLDP(own))
def discriminative_too_honest(x: UpTo, n: Public[Nat], fine: Epsilon, eps: Epsilon) -> int:
    assert n >= 1
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + n)))
    lie = sample(DiscreteUniform(0, n))
    return x if honest else lie


@mechanism(DP())
def stairs_too_low(f: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    noise = sample(Staircase(1 / (2 * eps), 1, 0.5))
    return f + noise
