"""Metric privacy, Blowfish, groups, and budgets that depend on the values."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    Bernoulli,
    Blowfish,
    Categorical,
    ContextAwareLDP,
    Count,
    DPrivacy,
    Epsilon,
    Group,
    Histogram,
    InputDiscriminativeLDP,
    IntegerValue,
    IntegerValues,
    Laplace,
    Private,
    Related,
    TwoSidedGeometric,
    UtilityOptimizedLDP,
    mechanism,
    other,
    sample,
)


def distance(x: int) -> int:
    return abs(x - other(x))


def real_distance(x: float) -> float:
    return abs(x - other(x))


def on_a_grid(x: int, y: int) -> int:
    return abs(x - other(x)) + abs(y - other(y))


def as_a_king_walks(x: int, y: int) -> int:
    return max(abs(x - other(x)), abs(y - other(y)))


def discrete(x: int) -> int:
    return 0 if x == other(x) else 1


def next_to_it(x: int) -> bool:
    return abs(x - other(x)) <= 1


def same_half(x: int) -> bool:
    return (x < 4) == (other(x) < 4)


def secret(x: int) -> bool:
    return x <= 1


def by_one(a: float) -> bool:
    return abs(a - other(a)) <= 1


def of_pair(x: int, eps_near: float, eps: float) -> float:
    return eps_near if abs(x - other(x)) == 1 else eps


def of_value(x: int, eps1: float, eps: float) -> float:
    return eps1 if x == 0 else eps


Spot = Annotated[int, IntegerValue(0, 7)]
OneOfThree = Annotated[int, IntegerValue(0, 2)]


@mechanism(DPrivacy(distance))
def metric_geometric(x: Private[int], eps: Epsilon) -> int:
    """Source: Chatzikokolakis, Andres, Bordenabe and Palamidessi (PETS 2013), geometric noise."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(DPrivacy(real_distance))
def metric_laplace(x: Private[float], eps: Epsilon) -> float:
    """Source: Chatzikokolakis et al. (PETS 2013), Laplace noise on the line."""
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DPrivacy(real_distance), expect="refuted")
def metric_laplace_scaled(x: Private[float], eps: Epsilon) -> float:
    """Source: Chatzikokolakis et al. (PETS 2013), Laplace noise, the value scaled by two."""
    noise = sample(Laplace(1 / eps))
    return 2 * x + noise


@mechanism(DPrivacy(on_a_grid))
def place_on_a_grid(x: Private[int], y: Private[int], eps: Epsilon) -> tuple[int, int]:
    """Source: Andres, Bordenabe, Chatzikokolakis and Palamidessi, Geo-Indistinguishability (CCS
    2013), on a grid with the Manhattan metric.
    """
    a = sample(TwoSidedGeometric(1 / eps))
    b = sample(TwoSidedGeometric(1 / eps))
    return x + a, y + b


@mechanism(DPrivacy(as_a_king_walks))
def place_for_a_king(x: Private[int], y: Private[int], eps: Epsilon) -> tuple[int, int]:
    """Source: Geo-Indistinguishability (CCS 2013), on a grid with the maximum metric."""
    a = sample(TwoSidedGeometric(2 / eps))
    b = sample(TwoSidedGeometric(2 / eps))
    return x + a, y + b


@mechanism(DPrivacy(as_a_king_walks), expect="refuted")
def place_for_a_king_on_foot(x: Private[int], y: Private[int], eps: Epsilon) -> tuple[int, int]:
    """Source: Geo-Indistinguishability (CCS 2013), the maximum metric, Manhattan noise."""
    a = sample(TwoSidedGeometric(1 / eps))
    b = sample(TwoSidedGeometric(1 / eps))
    return x + a, y + b


@mechanism(DPrivacy(on_a_grid), expect="refuted")
def place_with_an_exact_column(x: Private[int], y: Private[int], eps: Epsilon) -> tuple[int, int]:
    """Source: Geo-Indistinguishability (CCS 2013), noise on one coordinate only."""
    a = sample(TwoSidedGeometric(1 / eps))
    return x + a, y


@mechanism(DPrivacy(distance))
def place_on_a_line_by_weights(x: OneOfThree, eps: Epsilon) -> int:
    """Source: Chatzikokolakis et al. (PETS 2013), the exponential mechanism of the metric on 0, 1
    and 2, each with e^(-eps d / 2).
    """
    w0 = exp(-eps * x / 2)
    w1 = exp(-eps * abs(x - 1) / 2)
    w2 = exp(-eps * (2 - x) / 2)
    y = sample(Categorical([w0, w1, w2]))
    return y


@mechanism(DPrivacy(distance), expect="refuted")
def place_on_a_line_by_sharp_weights(x: OneOfThree, eps: Epsilon) -> int:
    """Source: Chatzikokolakis et al. (PETS 2013), weights e^(-2 eps d)."""
    w0 = exp(-2 * eps * x)
    w1 = exp(-2 * eps * abs(x - 1))
    w2 = exp(-2 * eps * (2 - x))
    y = sample(Categorical([w0, w1, w2]))
    return y


@mechanism(DPrivacy(discrete))
def metric_of_equality(x: Spot, eps: Epsilon) -> int:
    """Source: Chatzikokolakis et al. (PETS 2013): the discrete metric is local DP; k-RR, k = 8."""
    step = sample(Categorical([exp(eps), 1, 1, 1, 1, 1, 1, 1]))
    return (x + step) % 8


@mechanism(Blowfish(next_to_it))
def line_graph(x: Spot, eps: Epsilon) -> int:
    """Source: He, Machanavajjhala and Ding, Blowfish Privacy (SIGMOD 2014), the line graph."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(Blowfish(next_to_it), expect="refuted")
def line_graph_half_noise(x: Spot, eps: Epsilon) -> int:
    """Source: Blowfish Privacy (SIGMOD 2014), the line graph, half of the noise."""
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return x + noise


@mechanism(Blowfish(next_to_it))
def cumulative_counts(
    x: Annotated[Sequence[int], IntegerValues(0, 7)], eps: Epsilon
) -> Iterator[float]:
    """Source: Blowfish Privacy (SIGMOD 2014), the ordered mechanism: along the line graph one
    cumulative count moves, by 1.
    """
    for t in range(8):
        below = 0
        for v in x:
            if v <= t:
                below += 1
        noise = sample(Laplace(1 / eps))
        yield below + noise


@mechanism(Blowfish(same_half))
def partition_graph(x: Spot, eps: Epsilon) -> int:
    """Source: Blowfish Privacy (SIGMOD 2014), a partition: which part is no secret."""
    noise = sample(TwoSidedGeometric(3 / eps))
    if x < 4:
        return min(max(x + noise, 0), 3)
    return min(max(x + noise, 4), 7)


@mechanism(Blowfish(next_to_it), expect="refuted")
def partition_for_the_line_graph(x: Spot, eps: Epsilon) -> int:
    """Source: Blowfish Privacy (SIGMOD 2014), the partition's mechanism on the line graph."""
    noise = sample(TwoSidedGeometric(3 / eps))
    if x < 4:
        return min(max(x + noise, 0), 3)
    return min(max(x + noise, 4), 7)


@mechanism(Group(DP(), 3))
def group_laplace(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 2.2, groups of three."""
    noise = sample(Laplace(3 / eps))
    return f + noise


@mechanism(Group(DP(), 3), expect="refuted")
def group_laplace_for_one(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 2.2, groups of three with the noise for two."""
    noise = sample(Laplace(2 / eps))
    return f + noise


@mechanism(Group(DP("add-remove"), 2))
def group_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 2.2 and Example 3.2; users with two records each."""
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(UtilityOptimizedLDP(secret, protected=secret))
def utility_optimized_of_four(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    """Source: Murakami and Kawamoto (USENIX Security 2019), uRR, two sensitive values of four."""
    step = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    keep = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    coin = sample(Bernoulli(1 / 2))
    if x <= 1:
        return x if step else 1 - x
    if keep:
        return x
    return 0 if coin else 1


@mechanism(UtilityOptimizedLDP(secret, protected=secret), expect="refuted")
def utility_optimized_half_hidden(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    """Source: Murakami and Kawamoto (USENIX Security 2019), uRR that lets the rest go free."""
    step = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    if x <= 1:
        return x if step else 1 - x
    return x


@mechanism(InputDiscriminativeLDP(of_value))
def min_id_response(x: Annotated[int, IntegerValue(0, 1)], eps1: Epsilon, eps: Epsilon) -> int:
    """Source: Gu, Li, Xiong and Cao (ICDE 2020), MinID-LDP of two values."""
    assert eps <= eps1
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    return x if honest else 1 - x


@mechanism(ContextAwareLDP(of_pair))
def high_low_response(x: OneOfThree, eps_near: Epsilon, eps: Epsilon) -> int:
    """Source: Acharya, Bonawitz, Kairouz, Ramage and Sun, Context-Aware Local Differential Privacy
    (ICML 2020), with the strictest of the budgets.
    """
    assert eps_near <= eps
    step = sample(Categorical([exp(eps_near), 1, 1]))
    return (x + step) % 3


@mechanism(Related(by_one))
def related_laplace(a: Private[float], eps: Epsilon) -> float:
    """Source: Kifer and Machanavajjhala, Pufferfish (TODS 2014), secrets that are one apart."""
    noise = sample(Laplace(1 / eps))
    return a + noise
