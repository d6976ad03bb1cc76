"""Wrong by little: siblings of private mechanisms whose proofs are hard to find."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Count,
    Counts,
    DataSet,
    DiscreteUniform,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Nat,
    OneSidedGeometric,
    Public,
    Queries,
    Query,
    Uniform,
    Values,
    Vector,
    argmax,
    count,
    mechanism,
    sample,
    top_k,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Scaled = Annotated[Sequence[float], Queries(sensitivity="D")]
One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
People = Annotated[Sequence[float], Values("lo", "hi")]
Ages = Annotated[Sequence[Sequence[int]], DataSet(1)]


def at_most(r: tuple[int, ...], t: int) -> bool:
    return r[0] <= t


@mechanism(DP(), expect="refuted")
def near_lyu_1(
    q: Scaled, T: Public[Vector], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1, sensitivity forgotten in the answers."""
    assert c >= 1 and D > 1 and len(T) == len(q)
    rho = sample(Laplace(2 * D / eps))
    answered = 0
    for i in range(len(q)):
        nu = sample(Laplace(4 * c / eps))
        if q[i] + nu >= T[i] + rho:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2, expect="refuted")
def near_lyu_7(
    q: Scaled,
    T: Public[float],
    c: Public[Nat],
    D: Public[float],
    eps1: Epsilon,
    eps2: Epsilon,
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7, with c D / eps2 for the answers."""
    assert c >= 1 and D > 0
    rho = sample(Laplace(D / eps1))
    answered = 0
    for i in range(len(q)):
        nu = sample(Laplace(c * D / eps2))
        if q[i] + nu >= T + rho:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def near_book_sparse(f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 2, a fresh threshold with the noise of one."""
    assert c >= 2
    lift = sample(Laplace(2 * c / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + lift:
            yield True
            lift = sample(Laplace(1 / eps))
            answered += 1
        else:
            yield False
        if answered >= c:
            return


@mechanism(DP(), expect="refuted")
def near_top_k_with_gaps(q: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Free Gap Information (VLDB 2019), Algorithm 1, half of its noise."""
    assert 1 <= k < len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(k / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP(), expect="refuted")
def near_smart_sum(q: One, M: Public[Nat], T: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: CheckDP (CCS 2020), SmartSum, claimed for eps instead of 2 eps."""
    assert M >= 1
    following = 0.0
    total = 0.0
    i = 0
    while i < len(q) and i <= T:
        noise = sample(Laplace(1 / eps))
        if (i + 1) % M == 0:
            following = total + q[i] + noise
            total = 0.0
            yield following
        else:
            following = following + q[i] + noise
            total = total + q[i]
            yield following
        i += 1


@mechanism(LDP(), expect="refuted")
def near_bounded_mean(
    x: People, n: Public[Nat], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    """Source: diffprivlib, tools.mean, the noise of twice as many people."""
    assert lo < hi and n >= 1 and len(x) == n
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (2 * n * eps)))
    return total / n + noise


@mechanism(LDP(), expect="refuted")
def near_clipped_mean(
    x: Annotated[Sequence[float], Values(0, 100)],
    lo: Public[float],
    hi: Public[float],
    n: Public[Nat],
    eps: Epsilon,
) -> float:
    """Source: OpenDP, make_clamp to [0, 100] in place of the bounds that the noise is made for."""
    assert 0 < lo and lo < hi and hi < 100 and n >= 1 and len(x) == n
    total = 0.0
    for v in x:
        total += min(max(v, 0.0), 100.0)
    noise = sample(Laplace((hi - lo) / (n * eps)))
    return total / n + noise


@mechanism(LDP(), expect="refuted")
def near_diffprivlib_mean(x: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    """Source: diffprivlib, tools.mean, noise for one person more, not divided again."""
    assert len(x) >= 1
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(1 / ((len(x) + 1) * eps)))
    return total / len(x) + noise


@mechanism(DP("add-remove"), expect="refuted")
def near_simple_counter_1(f: Histogram, T: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Simple Counting Mechanism I, noise for T - 1."""
    assert T >= 2 and len(f) == T
    running = 0
    for t in range(T):
        noise = sample(Laplace((T - 1) / eps))
        running += f[t]
        yield running + noise


@mechanism(DP(), expect="refuted")
def near_quantile(data: Ages, m: Public[Nat], rank: Public[int], eps: Epsilon) -> int:
    """Source: Smith (STOC 2011), the quantile among m candidates, half of the noise."""
    assert m >= 2
    score = [0.0] * m
    for t in range(m):
        noise = sample(Laplace(1 / eps))
        score[t] = -abs(count(at_most, data, t) - rank) + noise
    return argmax(score)


@mechanism(DP(), expect="refuted")
def near_confident_votes(votes: Histogram, T: Public[float], eps: Epsilon) -> int | None:
    """Source: Papernot et al. (PATE, ICLR 2018), the Confident aggregator with an exact check."""
    assert len(votes) >= 1
    most = 0
    for v in votes:
        most = max(most, v)
    noisy = [0.0] * len(votes)
    for j in range(len(votes)):
        noise = sample(Laplace(2 / eps))
        noisy[j] = votes[j] + noise
    if most < T:
        return None
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def near_mixture(f: Count, p: Public[float], eps: Epsilon) -> float:
    """Source: Kifer and Lin (2012), convexity, of two mechanisms of which one loses 2 eps."""
    assert 1 / 2 < p < 1
    precise = sample(Bernoulli(p))
    fine = sample(Laplace(1 / (2 * eps)))
    finer = sample(Laplace(1 / (3 * eps)))
    return f + fine if precise else f + finer


@mechanism(DP(), expect="refuted")
def near_difference_of_geometrics(f: Count, eps: Epsilon) -> int:
    """Source: Inusah and Kozubowski (2006), the difference of geometric variables of half the
    scale.
    """
    plus = sample(OneSidedGeometric(1 / (2 * eps)))
    minus = sample(OneSidedGeometric(1 / (2 * eps)))
    return f + plus - minus


@mechanism(DP(), expect="refuted")
def near_difference_of_exponentials(
    f: Annotated[float, Query(sensitivity="D")], D: Public[float], eps: Epsilon
) -> float:
    """Source: Kotz, Kozubowski and Podgorski (2001), one of the two scales halved."""
    assert D > 0
    plus = sample(Exponential(D / eps))
    minus = sample(Exponential(D / (2 * eps)))
    return f + plus - minus


@mechanism(DP(), expect="refuted")
def near_exponential_with_a_sign(f: Count, eps: Epsilon) -> float:
    """Source: Devroye (1986), Chapter IX, an exponential size, and 0 from the start."""
    size = sample(Exponential(1 / eps))
    sign = sample(Bernoulli(1 / 2))
    return f + size if sign else f - 2 * size / 3


@mechanism(DP(), expect="refuted")
def near_staircase_from_its_parts(f: Count, eps: Epsilon) -> float:
    """Source: Geng and Viswanath (2016), Algorithm 1, places that fill half of a step."""
    step = sample(OneSidedGeometric(1 / eps))
    place = sample(Uniform(0, 1))
    sign = sample(Bernoulli(1 / 2))
    return f + (step + place) / 2 if sign else f - (step + place) / 2


@mechanism(DP(), expect="refuted")
def near_geometric_by_coins(f: Count, eps: Epsilon) -> int:
    """Source: Balcer and Vadhan (2019), geometric noise of coins, no coin for the zero."""
    sign = sample(Bernoulli(1 / 2))
    size = 1
    more = sample(Bernoulli(exp(-eps)))
    while more:
        size += 1
        more = sample(Bernoulli(exp(-eps)))
    return f + size if sign else f - size


@mechanism(DP(), budget=lambda eps: 2 * eps, expect="refuted")
def near_best_of_random_repetitions(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: Liu and Talwar (STOC 2019), Theorem 3.2, claimed for 2 eps instead of 3 eps."""
    assert len(f) >= 1
    i = sample(DiscreteUniform(0, len(f) - 1))
    noise = sample(Laplace(1 / eps))
    best = f[i] + noise
    which = i
    stop = sample(Bernoulli(1 / 10))
    while not stop:
        i = sample(DiscreteUniform(0, len(f) - 1))
        noise = sample(Laplace(1 / eps))
        if f[i] + noise > best:
            best = f[i] + noise
            which = i
        stop = sample(Bernoulli(1 / 10))
    return which, best
