"""Correct programs with lists, counts over records, locations, streams and running sums."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    Histogram,
    IntVector,
    Laplace,
    LocationCounts,
    Nat,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    Stream,
    TwoSidedGeometric,
    argmax,
    count,
    ensure,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
#: Grades 0, 1 and 2, of which only the best one is sensitive, or both good ones are.
best_grade = Policy(sensitive={2}, universe={0, 1, 2})
good_grades = Policy(sensitive={1, 2}, universe={0, 1, 2})
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Records = Annotated[Sequence[Sequence[int]], DataSet(1)]
Pairs = Annotated[Sequence[Sequence[int]], DataSet(2)]
AtPlaces = Annotated[Sequence[int], LocationCounts(by="place")]


def is_value(r, v):
    return r[0] == v


def at_least(r, v):
    return r[0] >= v


def first(r):
    return r[0] == 1


def second(r):
    return r[1] == 1


def either(r):
    return r[0] == 1 or r[1] == 1


def nobody(r):
    return r[0] > 5


@mechanism(ADP(visited))
def noisy_first_released_later(f: Histogram, eps: Epsilon) -> Iterator[float]:
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = f[i] + noise
    for v in noisy:
        yield v


@mechanism(ADP(visited))
def released_from_the_end(f: Histogram, eps: Epsilon) -> Iterator[float]:
    noisy = [0.0] * len(f)
    for i, x in enumerate(f):
        noise = sample(Exponential(1 / eps))
        noisy[len(f) - 1 - i] = x + noise
    for i in range(len(f)):
        yield noisy[i]


@mechanism(DP())
def two_values_in_a_list(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2
    noise = sample(Laplace(2 / eps))
    more = sample(Laplace(2 / eps))
    both = [f[0] + noise, f[1] + more]
    yield both[1]
    yield both[0] - both[1]


@mechanism(DP())
def added_in_the_list(f: Counts, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert len(f) == n and n >= 1
    noisy = [0.0] * n
    for i in range(n):
        noise = sample(Laplace(n / eps))
        noisy[i] = noise
        noisy[i] += f[i]
        yield noisy[i]


# what is raw stays in a list that decides nothing
@mechanism(DP())
def raw_list_for_nothing(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    raw = [0] * len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        raw[i] = f[i]
        noisy[i] = raw[i] + noise
    return argmax(noisy)


# as many alarms at each place as are paid for
@mechanism(ADP(visited))
def location_alarms(
    f: AtPlaces, place: Public[IntVector], places: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[str | None]:
    alarms = [0] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places:
            if alarms[here] < 1:
                noise = sample(Exponential(1 / eps))
                if f[j] + noise >= T:
                    yield "alarm"
                    alarms[here] += 1
                else:
                    ensure(f[j] < T)
                    yield "safe"
            else:
                yield None


# a place that is asked about for the first time
@mechanism(ADP(visited))
def each_place_once(
    f: AtPlaces, place: Public[IntVector], places: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    asked = [False] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places and not asked[here]:
            asked[here] = True
            noise = sample(Exponential(1 / eps))
            yield f[j] + noise


# the best grade can only be lost
@mechanism(ADP(best_grade))
def best_grades(data: Records, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return count(is_value, data, 2) + noise


# a lower grade can only be won
@mechanism(ADP(best_grade))
def middle_grades(data: Records, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return count(is_value, data, 1) + noise


# with two sensitive grades the middle one can be won and lost
@mechanism(ADP(good_grades))
def middle_grades_of_two(data: Records, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return count(is_value, data, 1) + noise


# but good ones together can only be lost
@mechanism(ADP(good_grades))
def good_grades_together(data: Records, eps: Epsilon) -> int:
    noise = sample(OneSidedGeometric(1 / eps))
    return count(at_least, data, 1) + noise


@mechanism(DP())
def a_count_and_its_complement(data: Pairs, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(2 / eps))
    yield count(first, data) + noise
    more = sample(Laplace(2 / eps))
    yield count(second, data) + more


# a record that is added raises the difference, lowers it, or does neither
@mechanism(DP("add-remove"))
def difference_of_counts(data: Pairs, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return count(first, data) - count(second, data) + noise


@mechanism(ADP(visited))
def visitors_of_either(data: Pairs, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return count(either, data) + noise


# no record has such a value: the policy names them all
@mechanism(ADP(Policy.everything()))
def a_count_that_does_not_move(data: Records, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / eps))
    return count(nobody, data)


@mechanism(ADP(visited))
def stream_of_enumerated_answers(
    s: Annotated[Iterable[float], Stream(direction="decreasing")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[int | float]:
    for i, x in enumerate(s):
        noise = sample(Exponential(1 / eps))
        if x + noise >= T:
            yield i
            yield x + noise
            break


@mechanism(ADP(visited))
def stream_of_rising_answers(
    s: Annotated[Iterable[float], Stream(direction="increasing")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[bool]:
    for x in s:
        noise = sample(NegativeExponential(1 / eps))
        if x + noise < T:
            yield True
            return
        yield False


@mechanism(DP())
def stream_above_a_noisy_threshold(
    s: Annotated[Iterable[float], Stream(sensitivity=1)],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool]:
    assert c > 0
    lift = sample(Laplace(2 / eps))
    left = c
    for answer in s:
        noise = sample(Laplace(4 * c / eps))
        if answer + noise < T + lift:
            yield False
        else:
            yield True
            left -= 1
            if left == 0:
                return


# an element stands among the even ones or among the odd ones
@mechanism(DP())
def even_and_odd(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    even = 0.0
    odd = 0.0
    for i in range(len(q)):
        if i % 2 == 0:
            even += q[i]
        else:
            odd += q[i]
    noise = sample(Laplace(1 / eps))
    yield even + noise
    more = sample(Laplace(1 / eps))
    yield odd + more


# the block is over when the quotient changes
@mechanism(DP(), budget=lambda eps: 2 * eps)
def blocks_by_quotient(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) // M > i // M:
            noise = sample(Laplace(1 / eps))
            following = block + q[i] + noise
            block = 0.0
        else:
            noise = sample(Laplace(1 / eps))
            following += q[i] + noise
            block += q[i]
        yield following


# a noisy element goes into every later sum
@mechanism(DP())
def sums_in_a_list(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    sums = [0.0] * len(q)
    total = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        total += q[i] + noise
        sums[i] = total
    for i in range(len(q)):
        if i % 2 == 1:
            yield sums[i]
