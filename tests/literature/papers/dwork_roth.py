"""Mechanisms of Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014)."""

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
    Epsilon,
    Histogram,
    IntegerValue,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    Related,
    argmax,
    mechanism,
    other,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Scores = Annotated[Sequence[int], IntegerValues(0, 3)]


def moves_by_one(q: int) -> bool:
    return abs(q - other(q)) <= 1


@mechanism(DP())
def book_laplace(f: Count, eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Definition 3.3 and Theorem 3.6."""
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP(), budget=lambda k, eps: k * eps)
def book_laplace_vector(f: Answers, k: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Definition 3.3 and Theorem 3.6, k answers."""
    assert len(f) == k
    for i in range(k):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP(), expect="refuted")
def book_laplace_vector_for_one(f: Answers, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Theorem 3.6 with the sensitivity of one of the answers."""
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP("add-remove"))
def book_histogram(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Example 3.2."""
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP(), expect="refuted")
def book_histogram_under_replacement(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Example 3.2, where a record is replaced."""
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP("add-remove"))
def book_noisy_max(f: Counts, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9."""
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = f[i] + noise
    return argmax(noisy)


@mechanism(DP(), expect="refuted")
def book_noisy_max_under_replacement(f: Counts, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Claim 3.9, for counts that need not move the same way."""
    assert len(f) >= 1
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = f[i] + noise
    return argmax(noisy)


@mechanism(DP("add-remove"))
def book_common_condition(f: Counts, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Example 3.6 and Claim 3.9, as a running maximum."""
    assert len(f) >= 1
    first = sample(Laplace(1 / eps))
    best = f[0] + first
    winner = 0
    for i in range(1, len(f)):
        noise = sample(Laplace(1 / eps))
        if f[i] + noise > best:
            best = f[i] + noise
            winner = i
    return winner


@mechanism(Related(moves_by_one))
def book_exponential(q: Scores, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Definition 3.4 and Theorem 3.10."""
    assert len(q) >= 1
    weights = []
    for i in range(len(q)):
        weights.append(exp(eps * q[i] / 2))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(Related(moves_by_one), expect="refuted")
def book_exponential_whole_budget(q: Scores, eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Definition 3.4 without the factor 2."""
    assert len(q) >= 1
    weights = []
    for i in range(len(q)):
        weights.append(exp(eps * q[i]))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(LDP(), budget=lambda: 11 / 10)
def book_two_coins(x: Annotated[int, IntegerValue(0, 1)]) -> int:
    """Source: Dwork and Roth (2014), Section 3.2 and Claim 3.5: ln 3."""
    first = sample(Bernoulli(1 / 2))
    second = sample(Bernoulli(1 / 2))
    if first:
        return x
    return 1 if second else 0


@mechanism(LDP(), budget=1, expect="refuted")
def book_two_coins_for_one(x: Annotated[int, IntegerValue(0, 1)]) -> int:
    """Source: Dwork and Roth (2014), Section 3.2, with a claim below ln 3."""
    first = sample(Bernoulli(1 / 2))
    second = sample(Bernoulli(1 / 2))
    if first:
        return x
    return 1 if second else 0


@mechanism(DP())
def book_above_threshold(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[str]:
    """Source: Dwork and Roth (2014), Algorithm 1 and Theorem 3.23."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            yield "above"
            return
        else:
            yield "below"


@mechanism(DP(), expect="refuted")
def book_above_threshold_going_on(f: Answers, T: Public[float], eps: Epsilon) -> Iterator[str]:
    """Source: Dwork and Roth (2014), Algorithm 1 without its halt."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            yield "above"
        else:
            yield "below"


@mechanism(DP(), expect="refuted")
def book_above_threshold_exact_threshold(
    f: Answers, T: Public[float], eps: Epsilon
) -> Iterator[str]:
    """Source: Dwork and Roth (2014), Algorithm 1 without noise on the threshold."""
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        if f[i] + noise >= T:
            yield "above"
            return
        else:
            yield "below"


@mechanism(DP())
def book_sparse(f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[str]:
    """Source: Dwork and Roth (2014), Algorithm 2 and Theorem 3.25 with delta = 0."""
    assert c >= 1
    lift = sample(Laplace(2 * c / eps))
    count = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + lift:
            yield "above"
            lift = sample(Laplace(2 * c / eps))
            count += 1
        else:
            yield "below"
        if count >= c:
            return


@mechanism(DP(), expect="refuted")
def book_sparse_noise_for_one(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[str]:
    """Source: Dwork and Roth (2014), Algorithm 2 with the noise of Algorithm 1."""
    assert c >= 1
    lift = sample(Laplace(2 / eps))
    count = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            yield "above"
            lift = sample(Laplace(2 / eps))
            count += 1
        else:
            yield "below"
        if count >= c:
            return


@mechanism(DP())
def book_numeric_sparse(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Dwork and Roth (2014), Algorithm 3 and Theorem 3.28 with delta = 0."""
    assert c >= 1
    lift = sample(Laplace(2 * c / (8 * eps / 9)))
    count = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / (8 * eps / 9)))
        if f[i] + noise >= T + lift:
            fresh = sample(Laplace(2 * c / (2 * eps / 9)))
            yield f[i] + fresh
            lift = sample(Laplace(2 * c / (8 * eps / 9)))
            count += 1
        else:
            yield None
        if count >= c:
            return


@mechanism(DP(), expect="refuted")
def book_numeric_sparse_same_noise(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Dwork and Roth (2014), Algorithm 3, releasing the noisy value that was tested."""
    assert c >= 1
    lift = sample(Laplace(2 * c / eps))
    count = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + lift:
            yield f[i] + noise
            lift = sample(Laplace(2 * c / eps))
            count += 1
        else:
            yield None
        if count >= c:
            return
