"""Arithmetic as people write it: weights, grids, windows, and lists that are filled first."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    Epsilon,
    Histogram,
    IntegerValue,
    IntVector,
    Laplace,
    LocationCounts,
    Nat,
    Public,
    Queries,
    Query,
    Value,
    Values,
    Vector,
    mechanism,
    sample,
)

One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
All = Annotated[Sequence[float], Queries(sensitivity=1)]
OneScaled = Annotated[Sequence[float], Queries(sensitivity="D", differing="one")]


@mechanism(DP())
def dot_product(a: One, w: Public[Vector], W: Public[float], eps: Epsilon) -> float:
    """Source: Dwork, McSherry, Nissim and Smith (TCC 2006), a linear query, weights cut to W."""
    assert W > 0 and len(w) == len(a)
    total = 0.0
    for i in range(len(a)):
        total += min(max(w[i], -W), W) * a[i]
    noise = sample(Laplace(W / eps))
    return total + noise


@mechanism(DP(), expect="refuted")
def dot_product_any_weights(a: One, w: Public[Vector], eps: Epsilon) -> float:
    """Source: Dwork, McSherry, Nissim and Smith (TCC 2006), a linear query with any weights."""
    assert len(w) == len(a)
    total = 0.0
    for i in range(len(a)):
        total += w[i] * a[i]
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP())
def sum_of_scaled(a: OneScaled, D: Public[float], eps: Epsilon) -> float:
    """Source: CheckDP (CCS 2020), PartialSum, for any sensitivity."""
    assert D > 0
    total = 0.0
    for x in a:
        total += x
    noise = sample(Laplace(D / eps))
    return total + noise


@mechanism(DP())
def prefix_sums_of_scaled(a: OneScaled, D: Public[float], eps: Epsilon) -> Iterator[float]:
    """Source: ShadowDP (PLDI 2019), PrefixSum, for any sensitivity."""
    assert D > 0
    total = 0.0
    for x in a:
        noise = sample(Laplace(D / eps))
        total += x + noise
        yield total


@mechanism(DP())
def sum_over_sensitivity(a: OneScaled, D: Public[float], eps: Epsilon) -> float:
    """Source: CheckDP (CCS 2020), PartialSum, in units of the sensitivity."""
    assert D > 0
    total = 0.0
    for x in a:
        total += x / D
    noise = sample(Laplace(1 / eps))
    return D * (total + noise)


@mechanism(DP())
def sliding_sums_of_two(a: One, eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), windows of two steps, fresh noise for each window."""
    for t in range(1, len(a)):
        noise = sample(Laplace(2 / eps))
        yield a[t - 1] + a[t] + noise


@mechanism(DP(), expect="refuted")
def sliding_sums_of_two_for_one(a: One, eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), windows of two steps, paid for once."""
    for t in range(1, len(a)):
        noise = sample(Laplace(1 / eps))
        yield a[t - 1] + a[t] + noise


@mechanism(DP())
def differences(a: One, eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), changes from step to step, each step in two of them."""
    before = 0.0
    for x in a:
        noise = sample(Laplace(2 / eps))
        yield x - before + noise
        before = x


@mechanism(DP("add-remove"))
def grid_row_by_row(
    f: Histogram, rows: Public[Nat], columns: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Qardaji, Yang and Li, Differentially Private Grids (ICDE 2013), the uniform grid."""
    assert len(f) == rows * columns
    for i in range(rows):
        for j in range(columns):
            noise = sample(Laplace(1 / eps))
            yield f[i * columns + j] + noise


@mechanism(DP("add-remove"))
def grid_of_two_levels(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Qardaji, Yang and Li (ICDE 2013), the adaptive grid: cells, and each in two parts,
    half of the budget each.
    """
    for i in range(len(f) // 2):
        a = sample(Laplace(2 / eps))
        yield f[2 * i] + f[2 * i + 1] + a
        b = sample(Laplace(2 / eps))
        yield f[2 * i] + b
        c = sample(Laplace(2 / eps))
        yield f[2 * i + 1] + c


@mechanism(DP("add-remove"))
def group_sums(
    f: Histogram, group: Public[IntVector], g: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: PipelineDP, sums by a public key: cells of a histogram that are added up by group."""
    assert g >= 1 and len(group) == len(f)
    totals = [0] * g
    for i in range(len(f)):
        k = group[i]
        if 0 <= k < g:
            totals[k] += f[i]
    for k in range(g):
        noise = sample(Laplace(1 / eps))
        yield totals[k] + noise


@mechanism(DP("add-remove"))
def group_sums_one_at_a_time(
    f: Histogram, group: Public[IntVector], g: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: PipelineDP, sums by a public key, a pass over the cells for each group."""
    assert len(group) == len(f)
    for k in range(g):
        total = 0
        for i in range(len(f)):
            if group[i] == k:
                total += f[i]
        noise = sample(Laplace(1 / eps))
        yield total + noise


@mechanism(DP())
def visits_by_place(
    f: Annotated[Sequence[int], LocationCounts(by="place")],
    place: Public[IntVector],
    n: Public[Nat],
    eps: Epsilon,
) -> Iterator[float]:
    """Source: Google DP libraries, counts of a user in at most one partition, n answers there."""
    assert n >= 1 and len(f) == n and len(place) == n
    for x in f:
        noise = sample(Laplace(n / eps))
        yield x + noise


@mechanism(DP())
def noisy_gradient_step(
    g: Annotated[float, Query(sensitivity=2)], w: Public[float], rate: Public[float], eps: Epsilon
) -> float:
    """Source: Song, Chaudhuri and Sarwate, Stochastic Gradient Descent with Differentially Private
    Updates (2013), one step with a clipped gradient and Laplace noise.
    """
    noise = sample(Laplace(2 / eps))
    return w - rate * (g + noise)


@mechanism(LDP(), budget=lambda steps, eps: steps * eps)
def gradient_steps(
    x: Annotated[Sequence[float], Values(-1, 1)],
    steps: Public[Nat],
    rate: Public[float],
    eps: Epsilon,
) -> Iterator[float]:
    """Source: Song, Chaudhuri and Sarwate (2013), several steps for a mean: the gradient at w is
    the sum of w - x, whose sensitivity is 2.
    """
    w = 0.0
    for s in range(steps):
        gradient = 0.0
        for v in x:
            gradient += w - v
        noise = sample(Laplace(2 / eps))
        w = w - rate * (gradient + noise)
        yield w


@mechanism(LDP())
def clipped_square(x: Annotated[float, Value(-1, 1)], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6: a square in [0, 1]."""
    noise = sample(Laplace(1 / eps))
    return x * x + noise


@mechanism(LDP())
def clipped_distance(
    x: Annotated[float, Value(0, 10)], centre: Public[float], eps: Epsilon
) -> float:
    """Source: Dwork and Roth (2014), Theorem 3.6: a distance that is cut at 1."""
    noise = sample(Laplace(1 / eps))
    return min(abs(x - centre), 1.0) + noise


@mechanism(LDP())
def thermometer(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Thresholding: 0 to 3 as three bits, all of which
    may differ.
    """
    for t in range(1, 4):
        kept = sample(Bernoulli(exp(eps / 3) / (exp(eps / 3) + 1)))
        yield (x >= t) == kept


@mechanism(LDP(), expect="refuted")
def thermometer_like_one_hot(x: Annotated[int, IntegerValue(0, 3)], eps: Epsilon) -> Iterator[bool]:
    """Source: Wang et al. (USENIX Security 2017), Thresholding with the shares of one-hot bits."""
    for t in range(1, 4):
        kept = sample(Bernoulli(exp(eps / 2) / (exp(eps / 2) + 1)))
        yield (x >= t) == kept


@mechanism(DP())
def noise_in_a_list_of_two(f: Count, g: Count, eps: Epsilon) -> tuple[float, float]:
    """Source: Dwork and Roth (2014), Theorem 3.6 for two counts; noise kept in a list."""
    noise = [0.0, 0.0]
    a = sample(Laplace(2 / eps))
    noise[0] = a
    b = sample(Laplace(2 / eps))
    noise[1] = b
    return f + noise[0], g + noise[1]


@mechanism(DP())
def noise_in_a_list(q: All, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 3.6 for n answers; noise drawn first, into a list."""
    assert n >= 1 and len(q) == n
    noise = []
    for i in range(n):
        v = sample(Laplace(n / eps))
        noise.append(v)
    for i in range(n):
        yield q[i] + noise[i]


@mechanism(DP())
def consistent_pair(f: Count, g: Count, eps: Epsilon) -> tuple[float, float, float]:
    """Source: Hay et al. (VLDB 2010), constrained inference: two counts and their sum, averaged."""
    a = sample(Laplace(4 / eps))
    b = sample(Laplace(4 / eps))
    c = sample(Laplace(4 / eps))
    x = f + a
    y = g + b
    s = f + g + c
    correction = (s - x - y) / 3
    return x + correction, y + correction, x + y + 2 * correction


@mechanism(DP())
def index_of_dispersion(f: Count, g: Count, eps: Epsilon) -> float | None:
    """Source: Dwork and Roth (2014), Proposition 2.1: a quotient of noisy counts."""
    a = sample(Laplace(2 / eps))
    b = sample(Laplace(2 / eps))
    x = f + a
    y = g + b
    if x + y <= 0:
        return None
    return (x - y) ** 2 / (x + y)
