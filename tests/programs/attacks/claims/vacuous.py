"""Claims that are true of every mechanism, since no two different inputs are neighbours.

Most of these release their data as they are.
"""

from shiftproof import (
    ADP,
    DP,
    LDP,
    Bernoulli,
    Blowfish,
    ContextAwareLDP,
    Count,
    Counts,
    DataSet,
    DPrivacy,
    Epsilon,
    Histogram,
    IntegerValue,
    IntegerValues,
    Laplace,
    OneSidedDP,
    Policy,
    Private,
    Public,
    Queries,
    Query,
    Related,
    UtilityOptimizedLDP,
    Value,
    WindowCounts,
    count,
    mechanism,
    other,
    sample,
)

NOTHING = ADP(Policy(set()))


@mechanism(NOTHING)
def nothing_is_sensitive(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(NOTHING)
def nothing_in_a_vector(f: Counts, eps: Epsilon) -> int:
    for x in f:
        yield x


@mechanism(NOTHING)
def nothing_in_windows(f: WindowCounts(3), eps: Epsilon) -> int:
    for x in f:
        yield x


@mechanism(NOTHING)
def nothing_in_a_histogram(f: Histogram, eps: Epsilon) -> int:
    for x in f:
        yield x


def is_marked(row) -> bool:
    return row[0] == 1


@mechanism(NOTHING)
def nothing_in_records(rows: DataSet(2), eps: Epsilon) -> int:
    return count(is_marked, rows)


@mechanism(ADP(Policy({1}, {1})))
def one_value_of_an_attribute(f: Counts, eps: Epsilon) -> int:
    for x in f:
        yield x


@mechanism(ADP(Policy({1}, {1, 2})))
def no_sensitive_value_in_range(x: IntegerValue(2, 2), eps: Epsilon) -> int:
    return x


@mechanism(DP())
def one_integer(x: IntegerValue(1, 1), eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(LDP())
def one_integer_between_fractions(x: IntegerValue(0, 0.5), eps: Epsilon) -> int:
    return x


@mechanism(LDP())
def one_real(x: Value(2, 2), eps: Epsilon) -> float:
    return x


@mechanism(LDP())
def one_integer_each(x: IntegerValues(1, 1), eps: Epsilon) -> int:
    for y in x:
        yield y


def same(x: float) -> bool:
    return x == other(x)


@mechanism(Related(same))
def a_rule_that_says_equal(x: Private[float], eps: Epsilon) -> float:
    return x


@mechanism(Related(same))
def a_rule_that_says_equal_everywhere(x: Private[list[float]], eps: Epsilon) -> float:
    for y in x:
        yield y


def apart_and_not(x: float) -> bool:
    return x < other(x) and other(x) < x


@mechanism(Related(apart_and_not))
def a_rule_that_is_never_met(x: Private[float], eps: Epsilon) -> float:
    return x


def within(x: float, D: float) -> bool:
    return x - other(x) <= D and other(x) - x <= D


@mechanism(Related(within))
def a_rule_with_a_parameter(x: Private[float], D: Public[float], eps: Epsilon) -> float:
    assert D <= 0
    return x


@mechanism(DP())
def sensitivity_zero(q: Query(sensitivity=0), eps: Epsilon) -> float:
    return q


@mechanism(DP())
def sensitivity_zero_of_all(q: Queries(sensitivity=0), eps: Epsilon) -> float:
    for x in q:
        yield x


@mechanism(DP())
def sensitivity_that_must_be_zero(
    q: Query(sensitivity="D"), D: Public[float], eps: Epsilon
) -> float:
    assert D <= 0
    return q


def negative(x: int) -> bool:
    return x < 0


@mechanism(Blowfish(negative))
def no_secret_is_in_range(x: IntegerValue(0, 3), eps: Epsilon) -> int:
    return x


def gap(x: int) -> int:
    return abs(x - other(x))


@mechanism(DPrivacy(gap))
def no_distance_but_zero(x: IntegerValue(4, 4), eps: Epsilon) -> int:
    return x


def cheap(x: int, eps: float) -> float:
    return eps if x == 0 else 2 * eps


@mechanism(ContextAwareLDP(cheap))
def one_context(x: IntegerValue(0, 0), eps: Epsilon) -> int:
    return x


@mechanism(OneSidedDP(Policy(set())))
def nothing_one_sided(x: IntegerValue(0, 1), eps: Epsilon) -> int:
    return x


@mechanism(LDP())
def a_range_made_empty(x: IntegerValue(0, "m"), m: Public[int], eps: Epsilon) -> int:
    assert m <= 0
    return x


@mechanism(LDP())
def no_users(x: IntegerValues(0, 3), eps: Epsilon) -> int:
    assert len(x) <= 0
    for y in x:
        yield y


@mechanism(LDP())
def by_sums(x: IntegerValue(1, 1), eps: Epsilon) -> int:
    coin = sample(Bernoulli(1 / 2))
    return x if coin else 1 - x


@mechanism(LDP())
def by_enumeration(x: IntegerValues(1, 1), eps: Epsilon) -> int:
    for y in x:
        coin = sample(Bernoulli(1 / 2))
        yield y if coin else 0


def is_one(x: int) -> bool:
    return x == 1


@mechanism(UtilityOptimizedLDP(is_one, is_one))
def with_utility(x: IntegerValue(1, 1), eps: Epsilon) -> int:
    coin = sample(Bernoulli(1 / 2))
    return x if coin else 1


@mechanism(DP())
def nobody_has_data(T: Public[float], eps: Epsilon) -> float:
    return T
