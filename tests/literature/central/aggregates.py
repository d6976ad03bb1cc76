"""Means, sums, variances and slopes of data sets."""

from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Count,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Query,
    Values,
    mechanism,
    sample,
)

People = Annotated[Sequence[float], Values("lo", "hi")]


@mechanism(LDP())
def bounded_sum(x: People, lo: Public[float], hi: Public[float], eps: Epsilon) -> float:
    """Source: OpenDP, make_sum over bounded data of known size, with make_laplace."""
    assert lo < hi
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / eps))
    return total + noise


@mechanism(LDP(), expect="refuted")
def bounded_sum_of_the_upper_half(
    x: People, lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    """Source: OpenDP, make_sum of known size, where the range is taken as half of itself."""
    assert lo < hi
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (2 * eps)))
    return total + noise


@mechanism(LDP())
def bounded_mean(
    x: People, n: Public[Nat], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    """Source: diffprivlib, tools.mean: clipped values, scale (hi - lo) / (n eps)."""
    assert lo < hi and n >= 1 and len(x) == n
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (n * eps)))
    return total / n + noise


@mechanism(LDP())
def clipped_mean(
    x: Annotated[Sequence[float], Values("a", "b")],
    a: Public[float],
    b: Public[float],
    lo: Public[float],
    hi: Public[float],
    n: Public[Nat],
    eps: Epsilon,
) -> float:
    """Source: OpenDP, make_clamp, make_mean and make_laplace, one after the other."""
    assert a < b and lo < hi and n >= 1 and len(x) == n
    total = 0.0
    for v in x:
        total += min(max(v, lo), hi)
    noise = sample(Laplace((hi - lo) / (n * eps)))
    return total / n + noise


@mechanism(LDP(), expect="refuted")
def unclipped_mean(
    x: Annotated[Sequence[float], Values("a", "b")],
    a: Public[float],
    b: Public[float],
    lo: Public[float],
    hi: Public[float],
    n: Public[Nat],
    eps: Epsilon,
) -> float:
    """Source: OpenDP, make_mean and make_laplace without make_clamp, scaled for the bounds."""
    assert a < lo and lo < hi and hi < b and n >= 1 and len(x) == n
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (n * eps)))
    return total / n + noise


@mechanism(DP())
def noisy_average(
    s: Annotated[float, Query(sensitivity="L")], n: Count, L: Public[float], eps: Epsilon
) -> float:
    """Source: Google Differential Privacy, Computing Bounded Mean: a noisy sum over a noisy count,
    half of the budget each.
    """
    assert L > 0
    a = sample(Laplace(2 * L / eps))
    b = sample(Laplace(2 / eps))
    return (s + a) / max(1.0, n + b)


@mechanism(DP(), expect="refuted")
def noisy_average_exact_count(
    s: Annotated[float, Query(sensitivity="L")], n: Count, L: Public[float], eps: Epsilon
) -> float:
    """Source: Google Differential Privacy, bounded mean, over the exact count."""
    assert L > 0
    a = sample(Laplace(L / eps))
    return (s + a) / max(1.0, n)


@mechanism(DP())
def noisy_moments(
    s: Annotated[float, Query(sensitivity="L")],
    q: Annotated[float, Query(sensitivity="Q")],
    n: Count,
    L: Public[float],
    Q: Public[float],
    eps: Epsilon,
) -> tuple[float, float, float]:
    """Source: Google Differential Privacy, bounded variance: three noisy parts, a third each."""
    assert L > 0 and Q > 0
    a = sample(Laplace(3 * L / eps))
    b = sample(Laplace(3 * Q / eps))
    c = sample(Laplace(3 / eps))
    size = max(1.0, n + c)
    mean = (s + a) / size
    return size, mean, max(0.0, (q + b) / size - mean * mean)


@mechanism(DP(), expect="refuted")
def noisy_moments_of_two(
    s: Annotated[float, Query(sensitivity="L")],
    q: Annotated[float, Query(sensitivity="Q")],
    n: Count,
    L: Public[float],
    Q: Public[float],
    eps: Epsilon,
) -> tuple[float, float, float]:
    """Source: Google Differential Privacy, bounded variance: three noisy parts, a half each."""
    assert L > 0 and Q > 0
    a = sample(Laplace(2 * L / eps))
    b = sample(Laplace(2 * Q / eps))
    c = sample(Laplace(2 / eps))
    return s + a, q + b, n + c


@mechanism(DP())
def regression_statistics(
    sxy: Annotated[float, Query(sensitivity=1)],
    sxx: Annotated[float, Query(sensitivity=1)],
    eps: Epsilon,
) -> float | None:
    """Source: Alabi, McMillan, Sarathy, Smith and Vadhan, Simple Linear Regression (2022), the
    slope of NoisyStats from two noisy covariances.
    """
    a = sample(Laplace(2 / eps))
    b = sample(Laplace(2 / eps))
    if sxx + b > 0:
        return (sxy + a) / (sxx + b)
    return None
