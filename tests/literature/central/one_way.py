"""Asymmetric and one-sided privacy: a sensitive value may change, others may be known."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    Bernoulli,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    Histogram,
    IntegerValue,
    Laplace,
    Nat,
    NegativeExponential,
    OneSidedDP,
    OneSidedGeometric,
    Policy,
    Public,
    argmax,
    count,
    ensure,
    mechanism,
    sample,
    top_k,
)

visited = Policy(sensitive={1})
minors = Policy(sensitive={0, 1}, universe=range(5))
Bit = Annotated[int, IntegerValue(0, 1)]


def of_age(r: tuple[int, ...], v: int) -> bool:
    return r[0] == v and v >= 2


@mechanism(ADP(visited))
def adp_laplace(f: Count, eps: Epsilon) -> float:
    """Source: Asymmetric Differential Privacy, Definition 15 and Theorem 10, decreasing."""
    noise = sample(Exponential(1 / eps))
    return f + noise


@mechanism(ADP(visited), expect="refuted")
def adp_laplace_downwards(f: Count, eps: Epsilon) -> float:
    """Source: Asymmetric Differential Privacy, Definition 15, the sign of the increasing case."""
    noise = sample(NegativeExponential(1 / eps))
    return f + noise


@mechanism(ADP(visited))
def adp_decision(f: Count, T: Public[int], eps: Epsilon) -> str:
    """Source: Asymmetric Differential Privacy, Section 5.1.1 and Theorem 11."""
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "perhaps"


@mechanism(ADP(visited))
def adp_top_k(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Asymmetric Differential Privacy, Algorithm 1 (repaired) and Theorem 12."""
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + noise
    for j in top_k(noisy, k):
        yield j
        yield noisy[j]


@mechanism(ADP(visited), expect="refuted")
def adp_top_k_as_typeset(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Source: Asymmetric Differential Privacy, Algorithm 1 as typeset: the count counts twice."""
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + f[i] + noise
    for j in top_k(noisy, k):
        yield j
        yield noisy[j]


@mechanism(ADP(visited))
def adp_sparse_vector(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Asymmetric Differential Privacy, Algorithm 2 (repaired) and Theorem 13."""
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(ADP(visited), expect="refuted")
def adp_sparse_vector_as_typeset(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Asymmetric Differential Privacy, Algorithm 2 as typeset: one answer more."""
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T:
            yield f[i] + noise
            answered += 1
            if answered > c:
                return
        else:
            yield None


@mechanism(ADP(visited), expect="refuted")
def adp_sparse_vector_upside_down(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Asymmetric Differential Privacy, Algorithm 2, below is told and above is counted
    for nothing.
    """
    assert c >= 1
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise < T:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(ADP(visited))
def adp_noisy_max(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: Asymmetric Differential Privacy, Algorithm 1 with k = 1, index and value."""
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = f[i] + noise
    best = argmax(noisy)
    return best, noisy[best]


@mechanism(ADP(visited))
def adp_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Asymmetric Differential Privacy, Theorem 10, the cells of one-hot records."""
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(ADP(visited), expect="refuted")
def adp_counts_as_a_histogram(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: Asymmetric Differential Privacy, Theorem 10, places that one record visits all."""
    for x in f:
        noise = sample(Exponential(1 / eps))
        yield x + noise


@mechanism(ADP(visited))
def adp_mangat(x: Bit, eps: Epsilon) -> int:
    """Source: Mangat (JRSS B 1994) in Asymmetric Differential Privacy, Section 1: a zero is
    admitted with probability 1 - e^(-eps).
    """
    honest = sample(Bernoulli(1 - exp(-eps)))
    return 0 if x == 0 and honest else 1


@mechanism(ADP(visited), expect="refuted")
def adp_mangat_half_lies(x: Bit, eps: Epsilon) -> int:
    """Source: Mangat (JRSS B 1994), a zero admitted with probability 1 - e^(-2 eps)."""
    honest = sample(Bernoulli(1 - exp(-2 * eps)))
    return 0 if x == 0 and honest else 1


@mechanism(OneSidedDP(minors))
def osdp_response(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> int | None:
    """Source: Kotsogiannis, Doudalis, Haney, Machanavajjhala and Mehrotra, One-Sided Differential
    Privacy (ICDE 2020), Algorithm 1, OsdpRR.
    """
    told = sample(Bernoulli(1 - exp(-eps)))
    if x >= 2 and told:
        return x
    return None


@mechanism(OneSidedDP(minors), expect="refuted")
def osdp_response_telling_all(x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon) -> int | None:
    """Source: One-Sided Differential Privacy (ICDE 2020), releasing all that is not sensitive."""
    if x >= 2:
        return x
    return None


@mechanism(OneSidedDP(minors), expect="refuted")
def osdp_response_telling_sensitive(
    x: Annotated[int, IntegerValue(0, 4)], eps: Epsilon
) -> int | None:
    """Source: One-Sided Differential Privacy (ICDE 2020), OsdpRR for sensitive values too."""
    told = sample(Bernoulli(1 - exp(-eps)))
    return x if told else None


@mechanism(OneSidedDP(minors))
def osdp_laplace(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon
) -> Iterator[float]:
    """Source: One-Sided Differential Privacy (ICDE 2020), OsdpLaplace: counts of records that are
    not sensitive, with noise that subtracts.
    """
    for v in range(5):
        noise = sample(NegativeExponential(1 / eps))
        yield count(of_age, data, v) + noise


@mechanism(OneSidedDP(minors))
def osdp_laplace_cut(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon
) -> Iterator[float]:
    """Source: One-Sided Differential Privacy (ICDE 2020), OsdpLaplaceL1: negative counts are cut
    and the median of the noise is added again.
    """
    for v in range(5):
        noise = sample(NegativeExponential(1 / eps))
        noisy = count(of_age, data, v) + noise
        if noisy <= 0:
            yield 0.0
        else:
            yield noisy + 7 / (10 * eps)


@mechanism(OneSidedDP(minors), expect="refuted")
def osdp_laplace_upwards(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon
) -> Iterator[float]:
    """Source: One-Sided Differential Privacy (ICDE 2020), OsdpLaplace with noise that adds."""
    for v in range(5):
        noise = sample(Exponential(1 / eps))
        yield count(of_age, data, v) + noise


@mechanism(ADP(visited))
def adp_two_sided(f: Count, eps: Epsilon) -> float:
    """Source: Asymmetric Differential Privacy, Theorem 5: what is private is asymmetrically so."""
    noise = sample(Laplace(1 / eps))
    return f + noise
