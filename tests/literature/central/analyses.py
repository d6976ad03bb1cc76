"""Tests, clusters, trees and marginals: analyses that are made of noisy parts."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    Categorical,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    Histogram,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    Query,
    Related,
    TwoSidedGeometric,
    Uniform,
    argmax,
    count,
    mechanism,
    other,
    sample,
)

Pairs = Annotated[Sequence[Sequence[int]], DataSet(2)]
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


def left_of(r: tuple[int, ...], cut: int) -> bool:
    return r[0] < cut


def right_of(r: tuple[int, ...], cut: int) -> bool:
    return r[0] >= cut


def with_both(r: tuple[int, ...], a: int, b: int) -> bool:
    return r[0] == a and r[1] == b


def with_first(r: tuple[int, ...], a: int) -> bool:
    return r[0] == a


def with_second(r: tuple[int, ...], b: int) -> bool:
    return r[1] == b


def positive_left_of(r: tuple[int, ...], cut: int) -> bool:
    return r[0] < cut and r[1] == 1


def moves_by_one(q: int) -> bool:
    return abs(q - other(q)) <= 1


@mechanism(DP())
def tulap(f: Count, eps: Epsilon) -> float:
    """Source: Awan and Slavkovic, Differentially Private Uniformly Most Powerful Tests for Binomial
    Data (NeurIPS 2018), Tulap noise: discrete Laplace and a uniform part.
    """
    whole = sample(TwoSidedGeometric(1 / eps))
    part = sample(Uniform(-1 / 2, 1 / 2))
    return f + whole + part


@mechanism(DP(), expect="refuted")
def tulap_without_its_lattice(f: Count, eps: Epsilon) -> float:
    """Source: Awan and Slavkovic (NeurIPS 2018), the uniform part alone."""
    part = sample(Uniform(-1 / 2, 1 / 2))
    return f + part


@mechanism(DP())
def binomial_test(f: Count, T: Public[float], eps: Epsilon) -> bool:
    """Source: Awan and Slavkovic (NeurIPS 2018), rejection above a threshold."""
    whole = sample(TwoSidedGeometric(1 / eps))
    part = sample(Uniform(-1 / 2, 1 / 2))
    return f + whole + part > T


@mechanism(DP(), expect="refuted")
def binomial_test_exact(f: Count, T: Public[float], eps: Epsilon) -> bool:
    """Source: Awan and Slavkovic (NeurIPS 2018), rejection by the exact count."""
    part = sample(Uniform(0, 1))
    return f + part > T


@mechanism(DP())
def contingency_table(data: Pairs, eps: Epsilon) -> Iterator[int]:
    """Source: Gaboardi, Lim, Rogers and Vadhan, Differentially Private Chi-Squared Hypothesis
    Testing (ICML 2016), the four cells of a table of two bits.
    """
    for a in range(2):
        for b in range(2):
            noise = sample(TwoSidedGeometric(2 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP(), expect="refuted")
def contingency_table_unbounded(data: Pairs, eps: Epsilon) -> Iterator[int]:
    """Source: Gaboardi, Lim, Rogers and Vadhan (ICML 2016), with the noise of one cell."""
    for a in range(2):
        for b in range(2):
            noise = sample(TwoSidedGeometric(1 / eps))
            yield count(with_both, data, a, b) + noise


@mechanism(DP("add-remove"))
def two_marginals(data: Pairs, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar (PODS 2007), both one-way
    marginals with half of the budget each.
    """
    for a in range(k):
        noise = sample(Laplace(2 / eps))
        yield count(with_first, data, a) + noise
    for b in range(k):
        noise = sample(Laplace(2 / eps))
        yield count(with_second, data, b) + noise


@mechanism(DP("add-remove"), expect="refuted")
def two_marginals_for_one(data: Pairs, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Barak et al. (PODS 2007), both one-way marginals with the whole budget each."""
    for a in range(k):
        noise = sample(Laplace(1 / eps))
        yield count(with_first, data, a) + noise
    for b in range(k):
        noise = sample(Laplace(1 / eps))
        yield count(with_second, data, b) + noise


@mechanism(DP("add-remove"))
def marginals_from_the_table(data: Pairs, eps: Epsilon) -> tuple[float, float, float, float]:
    """Source: Barak et al. (PODS 2007): marginals that are added up from one noisy table."""
    n00 = sample(Laplace(1 / eps))
    n01 = sample(Laplace(1 / eps))
    n10 = sample(Laplace(1 / eps))
    n11 = sample(Laplace(1 / eps))
    t00 = count(with_both, data, 0, 0) + n00
    t01 = count(with_both, data, 0, 1) + n01
    t10 = count(with_both, data, 1, 0) + n10
    t11 = count(with_both, data, 1, 1) + n11
    return t00 + t01, t10 + t11, t00 + t10, t01 + t11


@mechanism(DP("add-remove"))
def split_of_a_node(data: Pairs, cut: Public[int], eps: Epsilon) -> Iterator[int]:
    """Source: Blum, Dwork, McSherry and Nissim, Practical Privacy: the SuLQ Framework (PODS 2005),
    ID3: counts of the two sides of a split, which no record is on both of.
    """
    a = sample(TwoSidedGeometric(1 / eps))
    yield count(left_of, data, cut) + a
    b = sample(TwoSidedGeometric(1 / eps))
    yield count(right_of, data, cut) + b


@mechanism(DP("add-remove"), expect="refuted")
def split_of_a_node_with_labels(data: Pairs, cut: Public[int], eps: Epsilon) -> Iterator[int]:
    """Source: SuLQ (PODS 2005), ID3: a side, and its positive ones, at the price of one count."""
    a = sample(TwoSidedGeometric(1 / eps))
    yield count(left_of, data, cut) + a
    b = sample(TwoSidedGeometric(1 / eps))
    yield count(positive_left_of, data, cut) + b


@mechanism(DP("add-remove"))
def cluster_step(
    n1: Histogram, s1: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    """Source: SuLQ (PODS 2005), one step of k-means: sizes of clusters, and the sum of one of
    them, half of the budget each.
    """
    for n in n1:
        a = sample(Laplace(2 / eps))
        yield n + a
    b = sample(Laplace(2 / eps))
    yield s1 + b


@mechanism(DP())
def best_split(q: Answers, eps: Epsilon) -> int:
    """Source: Friedman and Schuster, Data Mining with Differential Privacy (KDD 2010), the choice
    of an attribute, with exponential noise in place of the exponential mechanism.
    """
    assert len(q) >= 1
    scores = []
    for x in q:
        noise = sample(Exponential(2 / eps))
        scores.append(x + noise)
    return argmax(scores)


@mechanism(DP())
def best_split_then_its_counts(
    q: Answers, left: Counts, right: Counts, eps: Epsilon
) -> tuple[int, float, float]:
    """Source: Friedman and Schuster (KDD 2010), the choice of an attribute and two counts of the
    chosen one, a third of the budget each.
    """
    assert len(q) >= 1 and len(left) == len(q) and len(right) == len(q)
    scores = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(6 / eps))
        scores[i] = q[i] + noise
    best = argmax(scores)
    a = sample(Laplace(3 / eps))
    b = sample(Laplace(3 / eps))
    return best, left[best] + a, right[best] + b


@mechanism(DP(), expect="refuted")
def best_split_exactly_then_its_count(q: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: Friedman and Schuster (KDD 2010), an exact choice, and a noisy count of it."""
    assert len(q) >= 2
    best = argmax(q)
    a = sample(Laplace(1 / eps))
    return best, q[best] + a


@mechanism(DP(), budget=lambda rounds, eps: rounds * eps)
def worst_query_again_and_again(
    q: Answers, guess: Public[float], rounds: Public[Nat], eps: Epsilon
) -> Iterator[int | float]:
    """Source: Hardt, Ligett and McSherry, MWEM (NIPS 2012), with report noisy max: in each round
    the worst query is found and measured, half of a round's budget each.
    """
    assert len(q) >= 1
    for r in range(rounds):
        scores = [0.0] * len(q)
        for i in range(len(q)):
            noise = sample(Laplace(4 / eps))
            scores[i] = abs(q[i] - guess) + noise
        worst = argmax(scores)
        fresh = sample(Laplace(2 / eps))
        yield worst
        yield q[worst] + fresh


@mechanism(DP())
def larger_of_two_counts(f: Count, g: Count, eps: Epsilon) -> bool:
    """Source: Dwork and Roth (2014), Claim 3.9 for two counts: one comparison."""
    noise = sample(Laplace(2 / eps))
    return f - g + noise > 0


@mechanism(DP(), expect="refuted")
def larger_of_two_counts_half_noise(f: Count, g: Count, eps: Epsilon) -> bool:
    """Source: Dwork and Roth (2014), Claim 3.9 for two counts, with the sensitivity of one."""
    noise = sample(Laplace(1 / eps))
    return f - g + noise > 0


@mechanism(Related(moves_by_one))
def auction_prices(q: Annotated[Sequence[int], IntegerValues(0, 2)], eps: Epsilon) -> int:
    """Source: McSherry and Talwar (FOCS 2007), digital goods: price j with weight e^(eps r_j / 2),
    where r_j is the revenue at price j, of three prices.
    """
    assert len(q) == 3
    chosen = sample(Categorical([exp(eps * q[0] / 2), exp(eps * q[1] / 2), exp(eps * q[2] / 2)]))
    return chosen


@mechanism(Related(moves_by_one), expect="refuted")
def auction_prices_greedy(q: Annotated[Sequence[int], IntegerValues(0, 2)], eps: Epsilon) -> int:
    """Source: McSherry and Talwar (FOCS 2007), digital goods, always the best price."""
    assert len(q) == 3
    return argmax(q)
