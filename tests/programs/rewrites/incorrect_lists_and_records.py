"""Wrong programs with lists, counts over records, locations, streams and running sums.

None has the privacy it claims; the comment says what it costs.
"""

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
    mechanism,
    sample,
    top_k,
)

visited = Policy(sensitive={1})
#: Grades 0, 1 and 2, of which only the best one is sensitive, or both good ones are.
best_grade = Policy(sensitive={2}, universe={0, 1, 2})
good_grades = Policy(sensitive={1, 2}, universe={0, 1, 2})
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
AllMove = Annotated[Sequence[float], Queries(sensitivity=1)]
Records = Annotated[Sequence[Sequence[int]], DataSet(1)]
Pairs = Annotated[Sequence[Sequence[int]], DataSet(2)]
AtPlaces = Annotated[Sequence[int], LocationCounts(by="place")]


def is_value(r, v):
    return r[0] == v


def first(r):
    return r[0] == 1


def second(r):
    return r[1] == 1


# infinite: the noisy value is written over by the raw one
@mechanism(ADP(visited), expect="refuted")
def written_over(f: Histogram, eps: Epsilon) -> Iterator[float]:
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = f[i] + noise
        noisy[i] -= noise
    for v in noisy:
        yield v


# infinite: only the first cell gets noise
@mechanism(ADP(visited), expect="refuted")
def stored_in_the_first_cell(f: Histogram, eps: Epsilon) -> Iterator[float]:
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noisy[i] = 0.0 + f[i]
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        noisy[0] = f[i] + noise
    for v in noisy:
        yield v


# infinite: the same noise in both cells; their difference is raw
@mechanism(DP(), expect="refuted")
def one_noise_in_a_list(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2
    noise = sample(Laplace(2 / eps))
    both = [f[0] + noise, f[1] + noise]
    yield both[0]
    yield both[1]


# 2 eps: two counts move, and each pays as if it were alone
@mechanism(DP(), expect="refuted")
def both_in_a_list(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) == 2
    noise = sample(Laplace(1 / eps))
    more = sample(Laplace(1 / eps))
    both = [f[0] + noise, f[1] + more]
    yield both[1]
    yield both[0]


# infinite: the index is that of the largest raw count where the noise is not stored
@mechanism(DP(), expect="refuted")
def noise_in_another_list(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    raw = [0] * len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        raw[i] = f[i]
        noisy[i] = f[i] + noise
    return argmax(raw)


# infinite: the length of the list is a private count
@mechanism(DP(), expect="refuted")
def as_long_as_a_count(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    marks = [True] * f[0]
    noise = sample(Laplace(1 / eps))
    return len(marks)


# infinite: which cell is marked is a private count
@mechanism(DP(), expect="refuted")
def marked_by_a_count(f: Counts, eps: Epsilon) -> Iterator[bool]:
    marks = [False] * len(f)
    noise = sample(Laplace(1 / eps))
    for i in range(len(f)):
        if f[i] > 0:
            marks[i] = True
    for mark in marks:
        yield mark


# infinite: the list is picked from once more after the noise was taken out
@mechanism(DP(), expect="refuted")
def picked_again(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = f[i] + noise
    yield argmax(noisy)
    for i in range(len(f)):
        noisy[i] = 0.0 + f[i]
    yield argmax(noisy)


# 2 eps: two indices, of which each costs eps
@mechanism(DP(), expect="refuted")
def second_best(f: Counts, eps: Epsilon) -> Iterator[int]:
    assert len(f) >= 2
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield order[1]


# eps for every alarm: the place that is marked is not the one that was asked about
@mechanism(ADP(visited), expect="refuted")
def another_place_is_marked(
    f: AtPlaces, place: Public[IntVector], places: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[bool | None]:
    marked = [False] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places:
            if marked[here]:
                yield None
            else:
                noise = sample(Exponential(1 / eps))
                if f[j] + noise >= T:
                    yield True
                    marked[0] = True
                else:
                    yield False


# 2 eps: two alarms at a place, paid for as one
@mechanism(ADP(visited), expect="refuted")
def two_alarms(
    f: AtPlaces, place: Public[IntVector], places: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[bool | None]:
    alarms = [0] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places:
            if alarms[here] >= 2:
                yield None
            else:
                noise = sample(Exponential(1 / eps))
                if f[j] + noise >= T:
                    yield True
                    alarms[here] += 1
                else:
                    yield False


# eps for every answer: a place is forgotten when another one is asked about
@mechanism(ADP(visited), expect="refuted")
def remembers_one_place(f: AtPlaces, place: Public[IntVector], eps: Epsilon) -> Iterator[float]:
    last = -1
    for j in range(len(f)):
        if place[j] != last:
            last = place[j]
            noise = sample(Exponential(1 / eps))
            yield f[j] + noise


# infinite: the best grade can only be lost, and this noise follows what is won
@mechanism(ADP(best_grade), expect="refuted")
def best_grades(data: Records, eps: Epsilon) -> float:
    noise = sample(NegativeExponential(1 / eps))
    return count(is_value, data, 2) + noise


# infinite: a middle grade is won where the best one is lost
@mechanism(ADP(best_grade), expect="refuted")
def middle_grades(data: Records, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return count(is_value, data, 1) + noise


# infinite: with two sensitive grades the middle one can be won as well
@mechanism(ADP(good_grades), expect="refuted")
def middle_grades_of_two(data: Records, eps: Epsilon) -> int:
    noise = sample(OneSidedGeometric(1 / eps))
    return count(is_value, data, 1) + noise


# 2 eps: a record that loses the best grade wins another one, and both are released
@mechanism(ADP(best_grade), expect="refuted")
def two_grades(data: Records, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield count(is_value, data, 2) + noise
    more = sample(NegativeExponential(1 / eps))
    yield count(is_value, data, 1) + more


# 2 eps: a record that is replaced leaves one value and comes to another
@mechanism(DP(), expect="refuted")
def table_where_records_are_replaced(data: Records, eps: Epsilon) -> Iterator[float]:
    for value in range(2):
        noise = sample(Laplace(1 / eps))
        yield count(is_value, data, value) + noise


# n eps: the same count again and again
@mechanism(DP("add-remove"), expect="refuted")
def the_same_value_again(data: Records, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    for value in range(n):
        noise = sample(Laplace(1 / eps))
        yield count(is_value, data, 0) + noise


# 2 eps: one record can have been at both places
@mechanism(ADP(visited), expect="refuted")
def both_places(data: Pairs, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield count(first, data) + noise
    more = sample(Exponential(1 / eps))
    yield count(second, data) + more


# 2 eps: a record that is replaced can move from the first place to the second
@mechanism(DP(), expect="refuted")
def difference_of_counts(data: Pairs, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return count(first, data) - count(second, data) + noise


# infinite: a raw count decides
@mechanism(DP(), expect="refuted")
def many_or_few(data: Records, T: Public[int], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    return "many" if count(first, data) > T else "few"


# infinite: whether somebody else has the value decides which count is released
@mechanism(DP(), expect="refuted")
def asked_about_a_count(data: Records, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return count(is_value, data, count(first, data)) + noise


# eps for every answer of the stream
@mechanism(ADP(visited), expect="refuted")
def stream_without_an_end(
    s: Annotated[Iterable[float], Stream(direction="decreasing")], T: Public[float], eps: Epsilon
) -> Iterator[bool]:
    for x in s:
        noise = sample(Exponential(1 / eps))
        if x + noise >= T:
            yield True
        else:
            yield False


# infinite: answers may rise, and this noise cannot follow
@mechanism(ADP(visited), expect="refuted")
def stream_that_moves_both_ways(
    s: Annotated[Iterable[float], Stream(sensitivity=1)], T: Public[float], eps: Epsilon
) -> Iterator[float]:
    for x in s:
        noise = sample(Exponential(1 / eps))
        if x + noise >= T:
            yield x + noise
            return


# 2 eps: answers move by 2
@mechanism(ADP(visited), expect="refuted")
def stream_of_steep_answers(
    s: Annotated[Iterable[float], Stream(sensitivity=2, direction="decreasing")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[float]:
    for x in s:
        noise = sample(Exponential(1 / eps))
        if x + noise >= T:
            yield x + noise
            return


# 2 eps: an answer below the threshold that is released has to be paid for as well
@mechanism(ADP(visited), expect="refuted")
def stream_shows_the_one_before(
    s: Annotated[Iterable[float], Stream(direction="decreasing")], T: Public[float], eps: Epsilon
) -> Iterator[float]:
    before = 0.0
    for x in s:
        noise = sample(Exponential(1 / eps))
        if x + noise >= T:
            yield x + noise
            yield before
            return
        before = x + noise


# 2 eps: all elements move, so the even and the odd ones do
@mechanism(DP(), expect="refuted")
def even_and_odd(q: AllMove, eps: Epsilon) -> Iterator[float]:
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


# 2 eps: an element counts among all and among the even ones
@mechanism(DP(), expect="refuted")
def even_and_all(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    even = 0.0
    total = 0.0
    for i in range(len(q)):
        if i % 2 == 0:
            even += q[i]
        total += q[i]
    noise = sample(Laplace(1 / eps))
    yield even + noise
    more = sample(Laplace(1 / eps))
    yield total + more


# 2 eps: an element is paid for alone and in its block
@mechanism(DP(), expect="refuted")
def blocks_for_half_the_price(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
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


# as many eps as there are blocks: what a block holds is never forgotten
@mechanism(DP(), budget=lambda eps: 2 * eps, expect="refuted")
def blocks_that_are_kept(q: OneMoves, M: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            noise = sample(Laplace(1 / eps))
            following = block + q[i] + noise
        else:
            noise = sample(Laplace(1 / eps))
            following += q[i] + noise
        block += q[i]
        yield following


# infinite: every second sum is raw
@mechanism(DP(), expect="refuted")
def every_second_sum(q: OneMoves, eps: Epsilon) -> Iterator[float]:
    total = 0.0
    for i in range(len(q)):
        total += q[i]
        noise = sample(Laplace(1 / eps))
        if i % 2 == 0:
            yield total + noise
        else:
            yield total
