"""Claims of ρ of many answers: sums that go on, questions that depend on answers, and calls."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Annotated

from shiftproof import (
    DP,
    ZCDP,
    Count,
    Counts,
    DiscreteGaussian,
    Epsilon,
    Gaussian,
    Laplace,
    Nat,
    Public,
    Queries,
    Rho,
    argmax,
    mechanism,
    sample,
)

#: Answers of which one moves, by at most 1.
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
#: Answers that each move by at most 1.
AllMove = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(ZCDP())
def gaussian_prefix_sum(q: OneMoves, rho: Rho) -> Iterator[float]:
    """Release the sum of each beginning of a sequence, of noisy elements.

    Args:
        q: a sequence of which one element moves, by at most 1.
        rho: the privacy parameter; each element gets noise of the variance 1 / (2 rho).

    Source: PrefixSum of ShadowDP (Wang, Ding, Wang, Kifer and Zhang, PLDI 2019), with the noise
    of Bun and Steinke (TCC 2016), Proposition 1.6.
    """
    total = 0.0
    for x in q:
        noise = sample(Gaussian(1 / sqrt(2 * rho)))
        total += x + noise
        yield total


@mechanism(ZCDP(), budget=lambda n, rho: n * rho)
def gaussian_prefix_sum_all(q: AllMove, n: Public[Nat], rho: Rho) -> Iterator[float]:
    """Release the sums of the beginnings where every element may move: ρ adds up.

    Args:
        q: a sequence of n elements that each move by at most 1.
        n: the length of the sequence.
        rho: the privacy parameter of one element; the claim is n * rho.

    Source: Bun and Steinke (TCC 2016), Lemma 1.7 (composition).
    """
    assert n == len(q)
    total = 0.0
    for x in q:
        noise = sample(Gaussian(1 / sqrt(2 * rho)))
        total += x + noise
        yield total


@mechanism(ZCDP(), budget=lambda rho: 2 * rho)
def gaussian_smart_sum(q: OneMoves, M: Public[Nat], rho: Rho) -> Iterator[float]:
    """Release running sums that start again from the sum of the block at each M-th element.

    Args:
        q: a sequence of which one element moves, by at most 1.
        M: the length of a block.
        rho: half of the claim; an element is paid for once alone and once in its block.

    Source: SmartSum of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020), after Chan, Shi and
    Song, Private and Continual Release of Statistics (TISSEC 2011), with normal noise.
    """
    assert M >= 1
    following = 0.0
    block = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            noise = sample(Gaussian(1 / sqrt(2 * rho)))
            following = block + q[i] + noise
            block = 0.0
        else:
            noise = sample(Gaussian(1 / sqrt(2 * rho)))
            following = following + q[i] + noise
            block = block + q[i]
        yield following


@mechanism(ZCDP(), budget=lambda rho: 2 * rho)
def gaussian_two_level_sum(q: OneMoves, M: Public[Nat], rho: Rho) -> Iterator[float]:
    """Release running sums of whole blocks, which are noisy once, and of what follows them.

    Args:
        q: a sequence of which one element moves, by at most 1.
        M: the length of a block.
        rho: half of the claim; an element is paid for once alone and once in its block.

    Source: Chan, Shi and Song, Private and Continual Release of Statistics (TISSEC 2011), the
    two-level mechanism, with normal noise.
    """
    assert M >= 1
    blocks = 0.0
    block = 0.0
    behind = 0.0
    for i in range(len(q)):
        if (i + 1) % M == 0:
            noise = sample(Gaussian(1 / sqrt(2 * rho)))
            blocks += block + q[i] + noise
            block = 0.0
            behind = 0.0
        else:
            noise = sample(Gaussian(1 / sqrt(2 * rho)))
            behind += q[i] + noise
            block += q[i]
        yield blocks + behind


@mechanism(ZCDP(), budget=lambda rho_first, rho_second: rho_first + rho_second)
def adaptive_question(
    f: Count, g: Count, h: Count, T: Public[float], rho_first: Rho, rho_second: Rho
) -> Iterator[float]:
    """Ask one of two further questions, by what a first one was answered.

    Args:
        f: the count that is asked for first.
        g: what is asked for next if it is large.
        h: what is asked for next if it is not.
        T: where large begins, which is public.
        rho_first: what is spent on the first question.
        rho_second: what is spent on the second one.

    Source: Bun and Steinke (TCC 2016), Lemma 2.3 (adaptive composition).
    """
    noise = sample(Gaussian(1 / sqrt(2 * rho_first)))
    first = f + noise
    yield first
    asked = g if first > T else h
    noise_again = sample(Gaussian(1 / sqrt(2 * rho_second)))
    yield asked + noise_again


@mechanism(ZCDP())
def discrete_gaussian_count(q: Count, rho: Rho) -> int:
    """Release a count with normal noise on the integers.

    Args:
        q: a count over the records; replacing one record moves it by at most 1.
        rho: the privacy parameter; sigma² is 1 / (2 rho).

    Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (NeurIPS
    2020), Theorem 4.
    """
    noise = sample(DiscreteGaussian(1 / sqrt(2 * rho)))
    return q + noise


@mechanism(ZCDP())
def count_in_concentrated_rounds(q: Count, k: Public[Nat], rho: Rho) -> Iterator[int]:
    """The same count k times, each time for a k-th of ρ.

    Args:
        q: a count over the records.
        k: how often, which is public.
        rho: the privacy parameter of all rounds.

    Source: Bun and Steinke (TCC 2016), Lemma 2.3; the callee's claim is all that is used.
    """
    assert k >= 1
    for _ in range(k):
        yield from discrete_gaussian_count(q, rho / k)


@mechanism(DP())
def most_frequent(f: Counts, eps: Epsilon) -> int:
    """The index of the largest count: what costs ε, and is called for ρ.

    Args:
        f: counts over the records.
        eps: the privacy parameter in nats; each count gets noise of scale 2 / eps.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Section
    3.3 (Report Noisy Max).
    """
    assert len(f) >= 1
    noisy: list[float] = []
    for x in f:
        noise = sample(Laplace(2 / eps))
        noisy.append(x + noise)
    return argmax(noisy)


@mechanism(ZCDP(), budget=lambda eps, rho: eps * eps / 2 + rho)
def most_frequent_measured(f: Counts, eps: Epsilon, rho: Rho) -> Iterator[int]:
    """Which count is the largest, and that count: what claims ε is called for ε² / 2.

    Args:
        f: counts over the records.
        eps: the privacy parameter of the selection, in nats.
        rho: what is spent on the count.

    Source: Bun and Steinke (TCC 2016), Proposition 1.4 and Lemma 2.3.
    """
    assert len(f) >= 1
    (best,) = most_frequent(f, eps)
    yield best
    if 0 <= best < len(f):
        yield from discrete_gaussian_count(f[best], rho)


@mechanism(ZCDP(), budget=lambda eps: eps * eps / 2)
def concentrated_noisy_max(f: Counts, eps: Epsilon) -> int:
    """The index of the largest noisy count: of ε it has the half of its square.

    Args:
        f: counts over the records.
        eps: the ε that is kept, in nats; each count gets Laplace noise of scale 2 / eps.

    Source: Bun and Steinke (TCC 2016), Proposition 1.4, of Report Noisy Max.
    """
    assert len(f) >= 1
    noisy: list[float] = []
    for x in f:
        noise = sample(Laplace(2 / eps))
        noisy.append(x + noise)
    return argmax(noisy)


@mechanism(ZCDP(), budget=lambda eps: eps * eps / 2)
def concentrated_sparse_vector(
    f: AllMove, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Which answers are above a threshold, until c are: of ε it has the half of its square.

    Args:
        f: answers that each move by at most 1.
        T: the threshold, which is public.
        c: how many answers above it may be told.
        eps: the ε that is kept, in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential Privacy
    (VLDB 2017), Algorithm 1; Bun and Steinke (TCC 2016), Proposition 1.4.
    """
    assert c >= 1
    lift = sample(Laplace(2 / eps))
    answered = 0
    for x in f:
        noise = sample(Laplace(4 * c / eps))
        if x + noise >= T + lift:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False
