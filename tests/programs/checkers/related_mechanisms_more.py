"""More pairs of :mod:`.related_mechanisms`: directions, values, rules, two private inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    NegativeExponential,
    Private,
    Related,
    mechanism,
    other,
    sample,
)
from tests.programs.checkers.related_mechanisms import (
    AllMove,
    Falling,
    Grade,
    OneMoves,
    Rising,
    Unit,
    low_grade,
    visited,
)


@mechanism(ADP(visited))
def good_queries_falling(f: Falling, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(DP())
def bad_queries_falling_direction(f: Rising, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Exponential(1 / eps))
    return f[0] + noise


@mechanism(ADP(visited))
def good_queries_rising(f: Rising, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(NegativeExponential(1 / eps))
    return f[0] + noise


@mechanism(DP())
def bad_queries_rising_both(f: AllMove, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(NegativeExponential(1 / eps))
    return f[0] + noise


@mechanism(DP())
def good_queries_one(f: OneMoves, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP())
def bad_queries_one_all(f: AllMove, eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP())
def bad_queries_one_twice(f: OneMoves, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise
        again = sample(Laplace(1 / eps))
        yield f[0] + again


@mechanism(DP())
def good_value_dp(x: Unit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DP())
def bad_value_dp_size(x: Unit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return 2 * x + noise


@mechanism(LDP())
def good_value_ldp(x: Unit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(LDP())
def bad_value_ldp_direction(x: Unit, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return x + noise


@mechanism(ADP(low_grade))
def good_value_adp(x: Grade, eps: Epsilon) -> float:
    noise = sample(Exponential(2 / eps))
    return x + noise


@mechanism(ADP(low_grade))
def bad_value_adp_size(x: Grade, eps: Epsilon) -> float:
    noise = sample(Exponential(1 / eps))
    return x + noise


@mechanism(LDP())
def bad_value_adp_ldp(x: Grade, eps: Epsilon) -> float:
    noise = sample(Exponential(2 / eps))
    return x + noise


def together(visits, stays):
    up = visits - other(visits)
    far = stays - other(stays)
    return 0 <= up and 0 <= far and up + far <= 1


def apart(visits, stays):
    return 0 <= visits - other(visits) <= 1 and 0 <= stays - other(stays) <= 1


@mechanism(Related(together))
def good_rule(visits: Private[float], stays: Private[float], eps: Epsilon) -> tuple[float, float]:
    a = sample(Exponential(1 / eps))
    b = sample(Exponential(1 / eps))
    return visits + a, stays + b


@mechanism(Related(apart))
def bad_rule_apart(
    visits: Private[float], stays: Private[float], eps: Epsilon
) -> tuple[float, float]:
    a = sample(Exponential(1 / eps))
    b = sample(Exponential(1 / eps))
    return visits + a, stays + b


def close(f):
    return -1 <= f - other(f) <= 1


@mechanism(Related(close))
def good_rule_sequence(f: Private[Sequence[float]], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise
        return


@mechanism(Related(close))
def bad_rule_sequence_all(f: Private[Sequence[float]], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(ADP(visited))
def good_two_inputs(f: Counts, g: Count, eps: Epsilon) -> tuple[float, float]:
    assert len(f) >= 1
    a = sample(Exponential(2 / eps))
    b = sample(Exponential(2 / eps))
    return f[0] + a, g + b


@mechanism(ADP(visited))
def bad_two_inputs_size(f: Counts, g: Count, eps: Epsilon) -> tuple[float, float]:
    assert len(f) >= 1
    a = sample(Exponential(1 / eps))
    b = sample(Exponential(1 / eps))
    return f[0] + a, g + b
