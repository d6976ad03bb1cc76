"""Mechanisms under the local definitions: what is private, and what only looks so."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    ContextAwareLDP,
    DataSet,
    DPrivacy,
    Epsilon,
    Exponential,
    InputDiscriminativeLDP,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    NegativeExponential,
    OneSidedDP,
    Policy,
    Private,
    Public,
    Related,
    TwoSidedGeometric,
    Values,
    count,
    mechanism,
    other,
    sample,
)

Bit = Annotated[int, IntegerValue(0, 1)]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]
top = Policy(sensitive={2}, universe=range(3))
pairs = Policy(sensitive={1}, universe=(0, 1))


def gap(x: int) -> int:
    return abs(x - other(x))


def gap_of_two(x: float, y: float) -> float:
    return abs(x - other(x)) + 2 * abs(y - other(y))


def signed(x: int) -> int:
    return x - other(x)


def half(x: int) -> float:
    return abs(x - other(x)) / 2


def close(x: int) -> bool:
    return abs(x - other(x)) <= 5


def below(x: int, s: int) -> bool:
    return x <= s


def nothing(x: int, eps: float) -> float:
    return 0


def one_way(x: int, eps: float) -> float:
    return eps if x > other(x) else 2 * eps


def more_for_ones(x: int, eps: float) -> float:
    return 2 * eps if x == 1 else eps


def has(record: Sequence[int], place: int) -> bool:
    return record[place] == 1


# --- private


@mechanism(LDP())
def warner(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(LDP())
def warner_from_the_other_side(x: Bit, eps: Epsilon) -> int:
    lie = sample(Bernoulli(1 / (1 + exp(eps))))
    return 1 - x if lie else x


@mechanism(LDP())
def warner_with_negative_powers(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(1 / (1 + exp(-eps))))
    return x if honest else 1 - x


@mechanism(LDP())
def warner_for_all(x: Bits, eps: Epsilon) -> Iterator[int]:
    for i in range(len(x)):
        yield from warner(x[i], eps)


@mechanism(LDP())
def warner_twice_for_all(x: Bits, eps: Epsilon) -> Iterator[int]:
    for i in range(len(x)):
        yield from warner(x[i], eps / 3)
        yield from warner(1 - x[i], 2 * eps / 3)


@mechanism(DP())
def one_record_of_many(x: Bits, eps: Epsilon) -> float:
    total = 0
    for i in range(len(x)):
        total += x[i]
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DPrivacy(gap))
def integer(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(DPrivacy(gap))
def integer_twice(x: Private[int], eps: Epsilon) -> Iterator[int]:
    yield from integer(x, eps / 2)
    yield from integer(3 - x, eps / 2)


@mechanism(DPrivacy(half))
def integer_at_half_distance(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(2 / eps))
    return x + noise


@mechanism(DPrivacy(gap_of_two))
def two_coordinates(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    one = sample(Laplace(1 / eps))
    two = sample(Laplace(1 / (2 * eps)))
    return x + one, y + two


@mechanism(DPrivacy(gap))
def clamped(x: Annotated[int, IntegerValue(0, "n")], n: Public[Nat], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return min(max(x + noise, 0), n)


@mechanism(Blowfish(close))
def hidden_among_five(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(5 / eps))
    return x + noise


@mechanism(Blowfish(close))
def hidden_among_five_mirrored(x: Private[int], eps: Epsilon) -> Iterator[int]:
    yield from hidden_among_five(3 - x, eps)


@mechanism(ContextAwareLDP(one_way))
def cheaper_one_way(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(ADP(top))
def falls_from_the_top(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> float:
    noise = sample(Exponential(2 / eps))
    return x + noise


@mechanism(ADP(top))
def calls_it(x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon) -> Iterator[float]:
    yield from falls_from_the_top(x, eps)


@mechanism(OneSidedDP(pairs))
def counts_both_places(
    records: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon
) -> tuple[float, float]:
    one = sample(Laplace(2 / eps))
    two = sample(Laplace(2 / eps))
    return count(has, records, 0) + one, count(has, records, 1) + two


@mechanism(Related(below))
def says_whether_above(
    x: Annotated[int, IntegerValue(0, 9)], s: Public[int], eps: Epsilon
) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return (1 if x > s else 0) + noise


@mechanism(Related(below))
def calls_with_its_own_bound(
    x: Annotated[int, IntegerValue(0, 9)], s: Public[int], eps: Epsilon
) -> Iterator[float]:
    yield from says_whether_above(x, s, eps)


@mechanism(LDP())
def everyone(x: Annotated[Sequence[float], Values(0, 2)], eps: Epsilon) -> Iterator[float]:
    for i in range(len(x)):
        noise = sample(Laplace(2 / eps))
        yield x[i] + noise


# --- not private


@mechanism(LDP(), expect="refuted")
def warner_for_all_twice(x: Bits, eps: Epsilon) -> Iterator[int]:
    for i in range(len(x)):
        yield from warner(x[i], eps)
        yield from warner(x[i], eps)


@mechanism(LDP(), expect="refuted")
def warner_too_honest(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(3 * eps / 2) / (1 + exp(3 * eps / 2))))
    return x if honest else 1 - x


@mechanism(LDP(), expect="refuted")
def flips_that_differ(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (2 + exp(eps))))
    return x if honest else 1 - x


@mechanism(LDP(), expect="refuted")
def two_users_in_one(x: Bits, eps: Epsilon) -> Iterator[bool]:
    for i in range(len(x)):
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield (x[0] == x[i]) == honest


@mechanism(DPrivacy(gap), expect="refuted")
def doubled(x: Private[int], eps: Epsilon) -> Iterator[int]:
    yield from integer(2 * x, eps)


@mechanism(DPrivacy(gap), expect="refuted")
def squeezed(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return x + noise


@mechanism(DPrivacy(half), expect="refuted")
def integer_at_half_distance_for_all_of_it(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(DPrivacy(signed), expect="refuted")
def a_distance_with_a_sign(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(DPrivacy(gap), expect="refuted")
def a_step_at_zero(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return (x + 5 if x > 0 else x) + noise


@mechanism(DPrivacy(gap_of_two), expect="refuted")
def two_coordinates_alike(
    x: Private[float], y: Private[float], eps: Epsilon
) -> tuple[float, float]:
    one = sample(Laplace(1 / (2 * eps)))
    two = sample(Laplace(1 / eps))
    return x + one, y + two


@mechanism(Blowfish(close), expect="refuted")
def hidden_among_four(x: Private[int], eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(4 / eps))
    return x + noise


@mechanism(Blowfish(close), expect="refuted")
def hidden_among_five_doubled(x: Private[int], eps: Epsilon) -> Iterator[int]:
    yield from hidden_among_five(2 * x, eps)


@mechanism(ContextAwareLDP(nothing), expect="refuted")
def no_budget_at_all(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(ContextAwareLDP(one_way), expect="refuted")
def dearer_one_way(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x if honest else 1 - x


@mechanism(InputDiscriminativeLDP(more_for_ones), expect="refuted")
def the_larger_budget(x: Bit, eps: Epsilon) -> int:
    honest = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x if honest else 1 - x


@mechanism(ADP(top), expect="refuted")
def calls_with_another_policy(
    x: Annotated[int, IntegerValue(0, 2)], eps: Epsilon
) -> Iterator[float]:
    yield from falls_from_the_top(2 - x, eps)


@mechanism(OneSidedDP(pairs), expect="refuted")
def counts_both_places_for_one(
    records: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon
) -> tuple[float, float]:
    one = sample(Exponential(2 / eps))
    two = sample(Exponential(2 / eps))
    return count(has, records, 0) + one, count(has, records, 1) + two


@mechanism(Related(below), expect="refuted")
def calls_with_another_bound(
    x: Annotated[int, IntegerValue(0, 9)], s: Public[int], eps: Epsilon
) -> Iterator[float]:
    yield from says_whether_above(x, s - 1, eps)


@mechanism(LDP(), expect="refuted")
def everyone_too_close(
    x: Annotated[Sequence[float], Values(0, "width")], width: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    for i in range(len(x)):
        noise = sample(Laplace(2 / eps))
        yield x[i] + noise


@mechanism(Related(below), expect="refuted")
def says_whether_above_twice(
    x: Annotated[int, IntegerValue(0, 9)], s: Public[int], eps: Epsilon
) -> float:
    noise = sample(NegativeExponential(1 / (2 * eps)))
    return (1 if x > s else 0) + noise
