"""The noise fits another relation, policy, direction or sensitivity.

Every budget is eps. Scales are right for the relation that one thinks of first.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Count,
    CountingQueries,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    NegativeExponential,
    Policy,
    Queries,
    Query,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
stayed_away = Policy(sensitive={0})
either = Policy(sensitive={0, 1})
two_of_three = Policy(sensitive={1, 2}, universe={0, 1, 2})

Zeros = Annotated[Sequence[int], CountingQueries(counted={0})]
Ones = Annotated[Sequence[int], CountingQueries(counted={1})]


# truth: one record leaves a cell and enters another, each costs eps: exactly 2 eps
@mechanism(DP())
def histogram_by_replacement(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        yield h[i] + noise


# truth: h[0] - h[1] moves by 2 when a record changes cells: exactly 2 eps
@mechanism(DP())
def histogram_difference(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) >= 2
    noise = sample(Laplace(1 / eps))
    yield h[0] - h[1] + noise


# truth: the cell that the record enters rises, so y < h'[i] has probability > 0 against 0
@mechanism(DP())
def histogram_one_sided(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        noise = sample(Exponential(2 / eps))
        yield h[i] + noise


# truth: all counts move together by one record: f[0] + f[1] moves by 2: exactly 2 eps
@mechanism(DP("add-remove"))
def together_they_add_up(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    yield f[0] + f[1] + noise


# truth: by replacement one count may rise while another falls: f[0] - f[1] moves by 2: 2 eps
@mechanism(DP())
def apart_they_do_not_cancel(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    noise = sample(Laplace(1 / eps))
    yield f[0] - f[1] + noise


# truth: a record may be added as well: y < f' has probability > 0 for f = f' - 1, 0 for f'
@mechanism(DP("add-remove"))
def one_sided_when_records_come(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: the sensitive value is not the counted one: counts rise; y < f' has > 0 for f = f' - 1, 0
@mechanism(ADP(stayed_away))
def policy_of_the_others(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: both are sensitive, so counts rise too: y in [10, 11) has > 0 for f = 10 and 0 for f' = 11
@mechanism(ADP(either))
def both_values_sensitive(f: Counts, eps: Epsilon) -> Iterator[float | None]:
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        if f[i] + noise >= 10:
            yield f[i] + noise
            return
        yield None


# truth: P^DP is replacement in both directions: y < f' has > 0 for f = f' - 1 and 0 for f'
@mechanism(ADP(Policy.everything()))
def everything_is_sensitive(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise


# truth: counts of 0 rise when the sensitive 1 goes away: y < z' has > 0 for z = z' - 1, 0 for z'
@mechanism(ADP(visited))
def counts_the_others(z: Zeros, eps: Epsilon) -> Iterator[float]:
    assert len(z) >= 1
    noise = sample(Exponential(1 / eps))
    yield z[0] + noise


# truth: 1 is sensitive, but so is 2, and 2 may turn into 1: the count of 1 rises too: infinite
@mechanism(ADP(two_of_three))
def one_sensitive_value_for_another(f: Ones, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    yield f[0] + noise


# truth: the answers rise: y < q' has probability > 0 for q = q' - 1 and 0 for q'
@mechanism(ADP(visited))
def increasing(
    q: Annotated[Sequence[float], Queries(sensitivity=1, direction="increasing")], eps: Epsilon
) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Exponential(1 / eps))
    yield q[0] + noise


# truth: 10 - q rises as q falls: y < 10 - q' has > 0 for q = q' + 1 and 0 for q'
@mechanism(ADP(visited))
def complement_of_decreasing(
    q: Annotated[Sequence[float], Queries(sensitivity=1, direction="decreasing")], eps: Epsilon
) -> Iterator[float]:
    assert len(q) >= 1
    noise = sample(Exponential(1 / eps))
    yield 10 - q[0] + noise


# truth: the answers move by 2: exactly 2 eps
@mechanism(DP())
def twice_as_sensitive(q: Annotated[float, Query(sensitivity=2)], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise


# truth: all answers move, not one of them: exactly len(q) eps
@mechanism(DP())
def all_differ_not_one(
    q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    for x in q:
        noise = sample(Laplace(1 / eps))
        yield x + noise


# truth: in the cell that is entered y > -h'[i] has probability > 0 for h[i] = h'[i] - 1, 0 for h'
@mechanism(DP())
def negated_cells(h: Histogram, eps: Epsilon) -> Iterator[float]:
    for i in range(len(h)):
        noise = sample(NegativeExponential(2 / eps))
        yield noise - h[i]
