"""Histograms, trees, wavelets and running counters over the cells of one-hot records."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Epsilon,
    Histogram,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    WindowCounts,
    mechanism,
    sample,
)

One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]


@mechanism(DP())
def histogram_bounded(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork, McSherry, Nissim and Smith (TCC 2006), Example 1, bounded neighbours."""
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise


@mechanism(DP("add-remove"), expect="refuted")
def histogram_with_scale_eps(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: StatDP (CCS 2018), Algorithm 10; NoisyHist2 of DP-Sniper: scale eps for 1 / eps."""
    assert eps < 1
    for x in f:
        noise = sample(Laplace(eps))
        yield x + noise


@mechanism(DP("add-remove"))
def histogram_of_integers(f: Histogram, eps: Epsilon) -> Iterator[int]:
    """Source: Tumult Analytics, count by group with geometric noise, each record in one group."""
    for x in f:
        noise = sample(TwoSidedGeometric(1 / eps))
        yield max(0, x + noise)


@mechanism(DP("add-remove"), expect="refuted")
def histogram_telling_empty_cells(f: Histogram, eps: Epsilon) -> Iterator[int]:
    """Source: the Google DP libraries drop empty partitions, which needs delta."""
    for x in f:
        noise = sample(TwoSidedGeometric(1 / eps))
        if x == 0:
            yield 0
        else:
            yield x + noise


@mechanism(DP("add-remove"))
def histogram_and_its_total(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Hay, Rastogi, Miklau and Suciu (VLDB 2010), a tree of height two."""
    total = 0
    for x in f:
        noise = sample(Laplace(2 / eps))
        total += x
        yield x + noise
    last = sample(Laplace(2 / eps))
    yield total + last


@mechanism(DP("add-remove"), expect="refuted")
def histogram_and_its_total_for_one(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010), a tree of height two with the noise of its leaves alone."""
    total = 0
    for x in f:
        noise = sample(Laplace(1 / eps))
        total += x
        yield x + noise
    last = sample(Laplace(1 / eps))
    yield total + last


@mechanism(DP("add-remove"))
def histogram_and_its_total_for_nothing(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010): a total that is added up from noisy leaves costs nothing."""
    total = 0.0
    for x in f:
        noise = sample(Laplace(1 / eps))
        total += x + noise
        yield x + noise
    yield total


@mechanism(DP("add-remove"))
def tree_of_four(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010), the H strategy on four leaves, three levels."""
    assert len(f) == 4
    for i in range(4):
        noise = sample(Laplace(3 / eps))
        yield f[i] + noise
    for j in range(2):
        pair = sample(Laplace(3 / eps))
        yield f[2 * j] + f[2 * j + 1] + pair
    root = sample(Laplace(3 / eps))
    yield f[0] + f[1] + f[2] + f[3] + root


@mechanism(DP("add-remove"), expect="refuted")
def tree_of_four_two_levels(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010), the H strategy, one level forgotten."""
    assert len(f) == 4
    for i in range(4):
        noise = sample(Laplace(2 / eps))
        yield f[i] + noise
    for j in range(2):
        pair = sample(Laplace(2 / eps))
        yield f[2 * j] + f[2 * j + 1] + pair
    root = sample(Laplace(2 / eps))
    yield f[0] + f[1] + f[2] + f[3] + root


@mechanism(DP("add-remove"))
def pairs_of_cells(f: Histogram, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Hay et al. (VLDB 2010), one inner level of the tree of 2 n leaves."""
    assert len(f) == 2 * n
    for j in range(n):
        noise = sample(Laplace(1 / eps))
        yield f[2 * j] + f[2 * j + 1] + noise


@mechanism(DP("add-remove"))
def wavelet_of_four(f: Histogram, eps: Epsilon) -> tuple[float, float, float, float]:
    """Source: Xiao, Wang and Gehrke, Differential Privacy via Wavelet Transforms (Privelet, ICDE
    2010), Haar coefficients of four cells, weights 4, 4, 2, 2.
    """
    assert len(f) == 4
    n0 = sample(Laplace(3 / (4 * eps)))
    n1 = sample(Laplace(3 / (4 * eps)))
    n2 = sample(Laplace(3 / (2 * eps)))
    n3 = sample(Laplace(3 / (2 * eps)))
    mean = (f[0] + f[1] + f[2] + f[3]) / 4 + n0
    half = (f[0] + f[1] - f[2] - f[3]) / 4 + n1
    return mean, half, (f[0] - f[1]) / 2 + n2, (f[2] - f[3]) / 2 + n3


@mechanism(DP("add-remove"), expect="refuted")
def wavelet_of_four_one_level(f: Histogram, eps: Epsilon) -> tuple[float, float, float, float]:
    """Source: Privelet (ICDE 2010), each level with the noise of a single one."""
    assert len(f) == 4
    n0 = sample(Laplace(1 / (4 * eps)))
    n1 = sample(Laplace(1 / (4 * eps)))
    n2 = sample(Laplace(1 / (2 * eps)))
    n3 = sample(Laplace(1 / (2 * eps)))
    mean = (f[0] + f[1] + f[2] + f[3]) / 4 + n0
    half = (f[0] + f[1] - f[2] - f[3]) / 4 + n1
    return mean, half, (f[0] - f[1]) / 2 + n2, (f[2] - f[3]) / 2 + n3


@mechanism(DP("add-remove"))
def simple_counter_1(f: Histogram, T: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Simple Counting Mechanism I: fresh noise for each
    of T running counts.
    """
    assert len(f) == T
    running = 0
    for t in range(T):
        noise = sample(Laplace(T / eps))
        running += f[t]
        yield running + noise


@mechanism(DP("add-remove"), expect="refuted")
def simple_counter_1_little_noise(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Simple Counting Mechanism I, scale 1 / eps."""
    running = 0
    for x in f:
        noise = sample(Laplace(1 / eps))
        running += x
        yield running + noise


@mechanism(DP("add-remove"))
def simple_counter_2(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Simple Counting Mechanism II: noisy steps added."""
    running = 0.0
    for x in f:
        noise = sample(Laplace(1 / eps))
        running = running + x + noise
        yield running


@mechanism(DP("add-remove"))
def two_level_counter(f: Histogram, B: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Two-Level Counting Mechanism with blocks of B."""
    assert B >= 1
    blocks = 0.0
    inside = 0.0
    block = 0
    for t in range(len(f)):
        noise = sample(Laplace(2 / eps))
        inside = inside + f[t] + noise
        block = block + f[t]
        if (t + 1) % B == 0:
            whole = sample(Laplace(2 / eps))
            blocks = blocks + block + whole
            inside = 0.0
            block = 0
        yield blocks + inside


@mechanism(DP("add-remove"), expect="refuted")
def two_level_counter_for_one(f: Histogram, B: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Two-Level Counting, each level for all of eps."""
    assert B >= 1
    blocks = 0.0
    inside = 0.0
    block = 0
    for t in range(len(f)):
        noise = sample(Laplace(1 / eps))
        inside = inside + f[t] + noise
        block = block + f[t]
        if (t + 1) % B == 0:
            whole = sample(Laplace(1 / eps))
            blocks = blocks + block + whole
            inside = 0.0
            block = 0
        yield blocks + inside


@mechanism(DP("add-remove"))
def window_uniform(f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris, Papadopoulos, Xiao and Papadias, w-Event Privacy (VLDB 2014), Uniform, for
    counts of the last three steps.
    """
    for x in f:
        noise = sample(Laplace(3 / eps))
        yield x + noise


@mechanism(DP("add-remove"))
def window_sample(f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), Sample: one count of three is asked, and repeated."""
    last = 0.0
    for t in range(len(f)):
        if t % 3 == 0:
            noise = sample(Laplace(1 / eps))
            last = f[t] + noise
        yield last


@mechanism(DP("add-remove"), expect="refuted")
def window_sample_of_two(
    f: Annotated[Sequence[int], WindowCounts(3)], eps: Epsilon
) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), Sample with steps of two in a window of three."""
    last = 0.0
    for t in range(len(f)):
        if t % 2 == 0:
            noise = sample(Laplace(1 / eps))
            last = f[t] + noise
        yield last
