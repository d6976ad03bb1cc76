"""What libraries release: OpenDP, diffprivlib, Google DP, PipelineDP, Tumult, SmartNoise."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Categorical,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    Group,
    Histogram,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    Query,
    TwoSidedGeometric,
    Values,
    argmax,
    count,
    mechanism,
    sample,
)

Sum = Annotated[float, Query(sensitivity="L")]
Rows = Annotated[Sequence[Sequence[int]], DataSet(2)]


def is_group(r: tuple[int, ...], g: int) -> bool:
    return r[0] == g


def in_group_and_one(r: tuple[int, ...], g: int) -> bool:
    return r[0] == g and r[1] == 1


def at_least(r: tuple[int, ...], v: int) -> bool:
    return r[1] >= v


@mechanism(DP("add-remove"))
def opendp_count(data: Rows, eps: Epsilon) -> int:
    """Source: OpenDP, make_count with make_geometric (discrete Laplace), unbounded neighbours."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return count(at_least, data, -100) + noise


@mechanism(DP("add-remove"))
def opendp_count_by_categories(data: Rows, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: OpenDP, make_count_by_categories with noise of sensitivity 1."""
    for g in range(k):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield count(is_group, data, g) + noise


@mechanism(DP(), expect="refuted")
def opendp_count_by_categories_bounded(data: Rows, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: OpenDP, make_count_by_categories, where a record is replaced: two counts move."""
    for g in range(k):
        noise = sample(TwoSidedGeometric(1 / eps))
        yield count(is_group, data, g) + noise


@mechanism(LDP())
def opendp_response_bool(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> bool:
    """Source: OpenDP, make_randomized_response_bool with prob = e^eps / (1 + e^eps)."""
    kept = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return (x == 1) == kept


@mechanism(LDP())
def opendp_response(x: Annotated[int, IntegerValue(0, 4)], p: Public[float], eps: Epsilon) -> int:
    """Source: OpenDP, make_randomized_response of five categories: ln(p (k - 1) / (1 - p))."""
    assert 1 / 5 <= p < 1 and 4 * p <= exp(eps) * (1 - p)
    kept = sample(Bernoulli(p))
    lie = sample(Categorical([1, 1, 1, 1]))
    if kept:
        return x
    return lie if lie < x else lie + 1


@mechanism(DP())
def opendp_noisy_max(q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon) -> int:
    """Source: OpenDP, make_noisy_max with exponential noise of scale 2 / eps."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP())
def opendp_report_noisy_min(
    q: Annotated[Sequence[float], Queries(sensitivity=1)], eps: Epsilon
) -> int:
    """Source: OpenDP, make_noisy_max with negate: the index of the smallest."""
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = noise - q[i]
    return argmax(noisy)


@mechanism(DP())
def diffprivlib_laplace(f: Sum, L: Public[float], eps: Epsilon) -> float:
    """Source: diffprivlib, mechanisms.Laplace with delta = 0."""
    assert L > 0
    noise = sample(Laplace(L / eps))
    return f + noise


@mechanism(LDP())
def diffprivlib_binary(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Source: diffprivlib, mechanisms.Binary."""
    u = sample(Bernoulli(exp(eps) / (exp(eps) + 1)))
    if u:
        return x
    return 1 - x


@mechanism(LDP())
def diffprivlib_mean(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    """Source: diffprivlib, tools.mean with bounds (0, 1)."""
    assert len(x) >= 1
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(1 / (len(x) * eps)))
    return total / len(x) + noise


@mechanism(LDP(), expect="refuted")
def diffprivlib_mean_unscaled_range(
    x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon
) -> float:
    """Source: diffprivlib, tools.mean with bounds (0, 1) of data that is not clipped to them."""
    assert len(x) >= 1
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(1 / (len(x) * eps)))
    return total / len(x) + noise


@mechanism(LDP())
def diffprivlib_count_nonzero(
    x: Annotated[Sequence[int], IntegerValues(0, 9)], eps: Epsilon
) -> int:
    """Source: diffprivlib, tools.count_nonzero with the geometric mechanism."""
    total = 0
    for v in x:
        if v != 0:
            total += 1
    noise = sample(TwoSidedGeometric(1 / eps))
    return total + noise


@mechanism(LDP())
def diffprivlib_histogram(
    x: Annotated[Sequence[int], IntegerValues(0, 3)], eps: Epsilon
) -> Iterator[int]:
    """Source: diffprivlib, tools.histogram, whose cells have sensitivity 1; a record that is
    replaced moves two cells, so the noise here is that of 2.
    """
    for b in range(4):
        cell = 0
        for v in x:
            if v == b:
                cell += 1
        noise = sample(TwoSidedGeometric(2 / eps))
        yield cell + noise


@mechanism(LDP(), expect="refuted")
def diffprivlib_histogram_bounded(
    x: Annotated[Sequence[int], IntegerValues(0, 3)], eps: Epsilon
) -> Iterator[int]:
    """Source: diffprivlib, tools.histogram, scale 1 / eps where a record is replaced."""
    for b in range(4):
        cell = 0
        for v in x:
            if v == b:
                cell += 1
        noise = sample(TwoSidedGeometric(1 / eps))
        yield cell + noise


@mechanism(Group(DP("add-remove"), 3))
def google_count_of_contributions(f: Count, eps: Epsilon) -> float:
    """Source: Google DP libraries, Count with at most 3 contributions of a user to a partition."""
    noise = sample(Laplace(3 / eps))
    return f + noise


@mechanism(DP("add-remove"))
def google_count_over_partitions(f: Counts, m: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Google DP libraries, Count in m partitions that a user may all be in (L0 = m)."""
    assert m >= 1 and len(f) == m
    for i in range(m):
        noise = sample(Laplace(m / eps))
        yield f[i] + noise


@mechanism(DP("add-remove"), expect="refuted")
def google_count_over_partitions_l0(f: Counts, m: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Google DP libraries, Count in m partitions, the bound of partitions taken as 1."""
    assert m >= 2 and len(f) == m
    for i in range(m):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP())
def google_bounded_mean(
    s: Annotated[float, Query(sensitivity="H")],
    n: Count,
    mid: Public[float],
    H: Public[float],
    eps: Epsilon,
) -> float:
    """Source: Google DP libraries, BoundedMean: the sum of distances from the middle, the count,
    and the mean clamped into its range of half width H.
    """
    assert H > 0
    a = sample(Laplace(2 * H / eps))
    c = sample(Laplace(2 / eps))
    mean = mid + (s + a) / max(1.0, n + c)
    return min(max(mean, mid - H), mid + H)


@mechanism(DP("add-remove"))
def tumult_count_and_share(data: Rows, groups: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Tumult Analytics, two counts by group, each with half of the budget."""
    for g in range(groups):
        a = sample(TwoSidedGeometric(2 / eps))
        yield count(is_group, data, g) + a
        b = sample(TwoSidedGeometric(2 / eps))
        yield count(in_group_and_one, data, g) + b


@mechanism(DP("add-remove"), expect="refuted")
def tumult_count_and_share_for_one(data: Rows, groups: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: Tumult Analytics, two counts by group, each with the whole budget."""
    for g in range(groups):
        a = sample(TwoSidedGeometric(1 / eps))
        yield count(is_group, data, g) + a
        b = sample(TwoSidedGeometric(1 / eps))
        yield count(in_group_and_one, data, g) + b


@mechanism(DP("add-remove"))
def pipelinedp_sum(f: Sum, n: Count, L: Public[float], eps: Epsilon) -> tuple[float, float]:
    """Source: PipelineDP, SUM and COUNT of a partition, half of the budget each."""
    assert L > 0
    a = sample(Laplace(L / (eps / 2)))
    b = sample(Laplace(1 / (eps / 2)))
    return f + a, n + b


@mechanism(DP("add-remove"), expect="refuted")
def smartnoise_threshold_by_the_count(f: Histogram, T: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: SmartNoise SQL censors rare groups by their noisy counts; here by the exact ones."""
    for x in f:
        noise = sample(TwoSidedGeometric(1 / eps))
        if x >= T:
            yield x + noise
        else:
            yield 0


@mechanism(DP("add-remove"))
def smartnoise_threshold(f: Histogram, T: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """Source: SmartNoise SQL, censoring of rare groups by their noisy counts."""
    for x in f:
        noise = sample(TwoSidedGeometric(1 / eps))
        if x + noise >= T:
            yield x + noise
        else:
            yield 0
