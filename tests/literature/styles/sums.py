"""Histograms, sums, counts and responses in the ways in which people write them."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    DiscreteUniform,
    Epsilon,
    Histogram,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    Values,
    mechanism,
    sample,
    top_k,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Bits = Annotated[Sequence[int], IntegerValues(0, 1)]


@mechanism(DP("add-remove"))
def normalised_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Example 3.2; noisy counts, negative ones cut, divided by their
    sum.
    """
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    total = 0.0
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = max(0.0, f[i] + noise)
        total += noisy[i]
    for i in range(len(f)):
        yield noisy[i] / total if total > 0 else 1 / len(f)


@mechanism(DP("add-remove"))
def cumulated_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Example 3.2; noisy counts in a list, then their sums."""
    noisy = []
    for x in f:
        noise = sample(Laplace(1 / eps))
        noisy.append(x + noise)
    running = 0.0
    for v in noisy:
        running += v
        yield running


@mechanism(DP("add-remove"))
def heaviest_noisy_cells(f: Histogram, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Dwork and Roth (2014), Example 3.2; the k largest cells of a noisy histogram."""
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = f[i] + noise
    for j in top_k(noisy, k):
        yield j
        yield noisy[j]


@mechanism(DP("add-remove"), expect="refuted")
def heaviest_cells_by_the_truth(
    f: Histogram, k: Public[Nat], eps: Epsilon
) -> Iterator[int | float]:
    """Source: Dwork and Roth (2014), Example 3.2; the largest cells by their exact counts."""
    assert 1 <= k <= len(f)
    for j in top_k(f, k):
        noise = sample(Laplace(1 / eps))
        yield j
        yield f[j] + noise


@mechanism(DP("add-remove"))
def coarser_histogram(f: Histogram, w: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010), cells of a coarser grid: a sum for each w of them."""
    assert w >= 1
    total = 0
    for i in range(len(f)):
        total += f[i]
        if i % w == w - 1 or i == len(f) - 1:
            noise = sample(Laplace(1 / eps))
            yield total + noise
            total = 0


@mechanism(LDP())
def count_of_ones(x: Bits, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), counting queries; a loop with an if."""
    n = 0
    for i in range(len(x)):
        if x[i] == 1:
            n = n + 1
    noise = sample(Laplace(1 / eps))
    return n + noise


@mechanism(LDP())
def share_of_ones(x: Bits, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), counting queries; a noisy count over the public size."""
    assert len(x) >= 1
    n = 0
    for v in x:
        n += v
    noise = sample(Laplace(1 / eps))
    return (n + noise) / len(x)


@mechanism(LDP())
def count_above_and_below(
    x: Annotated[Sequence[float], Values(0, 100)], t: Public[float], eps: Epsilon
) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Example 3.2 with two cells, one record replaced."""
    above = 0
    below = 0
    for v in x:
        if v > t:
            above += 1
        else:
            below += 1
    a = sample(Laplace(2 / eps))
    b = sample(Laplace(2 / eps))
    return above + a, below + b


@mechanism(LDP(), expect="refuted")
def count_above_and_below_for_one(
    x: Annotated[Sequence[float], Values(0, 100)], t: Public[float], eps: Epsilon
) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Example 3.2 with two cells, noise for one of them."""
    above = 0
    below = 0
    for v in x:
        if v > t:
            above += 1
        else:
            below += 1
    a = sample(Laplace(1 / eps))
    b = sample(Laplace(1 / eps))
    return above + a, below + b


@mechanism(LDP())
def largest_clipped(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6: the largest of values in a range."""
    top = 0.0
    for v in x:
        top = max(top, v)
    noise = sample(Laplace(1 / eps))
    return top + noise


@mechanism(LDP())
def midrange(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6: the middle of the least and the largest value."""
    assert len(x) >= 1
    low = 1.0
    high = 0.0
    for v in x:
        low = min(low, v)
        high = max(high, v)
    noise = sample(Laplace(1 / eps))
    return (low + high) / 2 + noise


@mechanism(LDP(), expect="refuted")
def largest_as_if_it_were_a_mean(
    x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon
) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6, the noise of a mean on a maximum."""
    assert len(x) >= 2
    top = 0.0
    for v in x:
        top = max(top, v)
    noise = sample(Laplace(1 / (len(x) * eps)))
    return top + noise


@mechanism(DP())
def first_minus_last(a: One, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6; a difference of two elements, one differs."""
    assert len(a) >= 2
    noise = sample(Laplace(1 / eps))
    return a[0] - a[len(a) - 1] + noise


@mechanism(DP())
def alternating_sum(a: One, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6; signs that alternate."""
    total = 0.0
    sign = 1
    for x in a:
        total += x if sign == 1 else -x
        sign = -sign
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def moving_average(a: One, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 3.6; noisy elements, and averages of neighbours."""
    before = 0.0
    for x in a:
        noise = sample(Laplace(1 / eps))
        now = x + noise
        yield (before + now) / 2
        before = now


@mechanism(DP())
def polynomial_of_a_noisy_answer(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Proposition 2.1, post-processing by a polynomial."""
    noise = sample(Laplace(1 / eps))
    y = f + noise
    return y**3 - 2 * y**2 + exp(y) / 2


@mechanism(LDP())
def response_by_two_draws(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Source: Warner (JASA 1965); flipped by a bit that is drawn first."""
    flip = sample(Bernoulli(1 / (exp(eps) + 1)))
    bit = 1 if flip else 0
    return (x + bit) % 2


@mechanism(LDP())
def responses_of_a_group(x: Bits, eps: Epsilon) -> Iterator[int]:
    """Source: Warner (JASA 1965); each of many users, and the number of ones at the end."""
    ones = 0
    for v in x:
        flip = sample(Bernoulli(1 / (exp(eps) + 1)))
        answer = 1 - v if flip else v
        yield answer
        ones += answer
    yield ones


@mechanism(LDP())
def shuffled_answer(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> int:
    """Source: Kairouz, Bonawitz and Ramage (ICML 2016); the truth, or anything of four."""
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 3)))
    anything = sample(DiscreteUniform(0, 3))
    return x if honest else anything


@mechanism(DP())
def rounded_to_fives(f: Count, eps: Epsilon) -> int:
    """Source: census tables round to multiples of five; here after geometric noise."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return (f + noise + 2) // 5 * 5


@mechanism(DP(), expect="refuted")
def rounded_to_fives_before(f: Count, eps: Epsilon) -> int:
    """Source: census tables round to multiples of five; here before geometric noise is added."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return (f + 2) // 5 * 5 + noise


@mechanism(DP())
def sum_of_the_counts_of_pairs(
    f: Counts, g: Counts, n: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 3.6; sums of two counts each, n of them."""
    assert len(f) == n and len(g) == n
    for a, b in zip(f, g):
        noise = sample(Laplace(2 * n / eps))
        yield a + b + noise
