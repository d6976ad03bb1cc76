"""One sensitive value, and all of the record is replaced.

Every budget is eps.  Noise is right where each value changes only if it is sensitive itself.
Others are wrong where a data set is empty, or has not what a rule speaks of.
"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    Bernoulli,
    DataSet,
    Epsilon,
    Exponential,
    IntegerValue,
    IntegerValues,
    Laplace,
    NegativeExponential,
    OneSidedDP,
    Policy,
    Private,
    Public,
    Query,
    Related,
    count,
    mechanism,
    other,
    sample,
)

ones = Policy(sensitive={1})
last_of_three = Policy(sensitive={2}, universe={0, 1, 2})

Bit = Annotated[int, IntegerValue(0, 1)]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]
Grade = Annotated[int, IntegerValue(0, 2)]
Records = Annotated[Sequence[Sequence[int]], DataSet(1)]


def any_record(r: Sequence[int]) -> bool:
    return r[0] == r[0]


def is_one(r: Sequence[int]) -> bool:
    return r[0] == 1


# truth: (x, y) = (1, 0) may become (1, 1), so y = 0 has ratio infinity
@mechanism(OneSidedDP(ones))
def the_other_value(x: Bit, y: Bit, eps: Epsilon) -> int:
    noise = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return y if noise or y == 0 else 0


# truth: y rises where x is sensitive, and noise from above does not cover that
@mechanism(OneSidedDP(ones))
def noise_for_what_falls(x: Bit, y: Bit, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return y + noise


# truth: y alone is raised from 0 to 1, by x that stays sensitive
@mechanism(OneSidedDP(ones))
def raw_where_not_sensitive(x: Bit, y: Bit, eps: Epsilon) -> int:
    noise = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    if y == 1:
        return 1
    return 0 if noise else 0


# truth: a grade that is not sensitive becomes any other one: exactly 2 eps
@mechanism(OneSidedDP(last_of_three))
def grade_beside_a_grade(x: Grade, y: Grade, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return min(y, 1) * 2 + noise


# truth: a value that is not sensitive is released with probability 1 - e^-eps: ratio infinity
@mechanism(OneSidedDP(ones))
def response_of_one_of_two(x: Bit, y: Bit, eps: Epsilon) -> int | None:
    if y == 1:
        return None
    released = sample(Bernoulli(1 - exp(-eps)))
    return y if released else None


# truth: the same of three values
@mechanism(OneSidedDP(ones))
def response_of_one_of_three(x: Bit, y: Bit, z: Bit, eps: Epsilon) -> int | None:
    if z == 1 or y == 1:
        return None
    released = sample(Bernoulli(1 - exp(-eps)))
    return z if released else None


# truth: of users with two values each
@mechanism(OneSidedDP(ones))
def responses_of_the_second(x: Bits, y: Bits, eps: Epsilon) -> Iterator[int | None]:
    assert len(x) == 2 and len(y) == 2
    for i in range(len(y)):
        if y[i] == 1:
            yield None
        else:
            released = sample(Bernoulli(1 - exp(-eps)))
            yield y[i] if released else None


# truth: the user whose x is sensitive changes y
@mechanism(OneSidedDP(ones))
def noise_for_users(x: Bits, y: Bits, eps: Epsilon) -> Iterator[float]:
    assert len(x) == len(y)
    for i in range(len(y)):
        noise = sample(Exponential(1 / eps))
        yield y[i] + noise


# truth: x falls by 1 and y rises by 1, and one of them was paid for: exactly 2 eps
@mechanism(OneSidedDP(ones))
def difference_of_two(x: Bit, y: Bit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x - y + noise


# truth: as above, with noise on one side
@mechanism(OneSidedDP(ones))
def second_from_below(x: Bit, y: Bit, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return noise + y - x


# truth: an empty data set is the same in both, and 2 q moves by 2: exactly 2 eps
@mechanism(DP())
def twice_where_nobody_is(
    data: Records, q: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> float:
    noise = sample(Laplace(1 / eps))
    if count(any_record, data) < 1:
        z = 2 * q
    else:
        z = q
    return z + noise


# truth: as above, with a user's value
@mechanism(DP())
def value_where_nobody_is(data: Records, x: Bit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if count(any_record, data) <= 0:
        z = 3 * x
    else:
        z = x
    return z + noise


def same_data(data: int, x: int) -> bool:
    return data == other(data) and x - other(x) <= 1


# truth: which data sets a rule about numbers relates is not said
@mechanism(Related(same_data))
def rule_about_records(data: Records, x: Private[int], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return count(is_one, data) + noise


# truth: no user is in the sequence where its range is empty, and x is released
@mechanism(DP())
def value_where_the_range_is_empty(
    a: Annotated[Sequence[int], IntegerValues(1, "k")], x: Bit, k: Public[int], eps: Epsilon
) -> float:
    assert 0 <= k
    noise = sample(Laplace(1 / eps))
    if k < 1:
        z = 3 * x
    else:
        z = x
    return z + noise
