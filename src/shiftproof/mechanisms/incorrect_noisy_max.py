"""Noisy maxima and top-k lists that do not have the privacy they claim."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    mechanism,
    sample,
    top_k,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP(), expect="refuted")
def noisy_max_value(q: Counts, eps: Epsilon) -> float:
    """The largest noisy count itself, not its index.

    Wrong: all counts may move at once, and the largest value tells of all of them: for many
    equal counts the ratio grows up to e^(k eps / 2).

    Args:
        q: counts over the records; replacing one moves each by at most 1, either way.
        eps: the privacy parameter in nats.

    Source: Ding et al., Detecting Violations of Differential Privacy (CCS 2018), the third
    noisy max; CheckDP's BadNoisyMax.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return top


@mechanism(DP(), expect="refuted")
def noisy_max_value_exponential(q: Counts, eps: Epsilon) -> float:
    """The largest count with one-sided noise itself, not its index.

    Wrong: where all counts rise by 1, values below the old maximum become impossible.

    Args:
        q: counts over the records; replacing one moves each by at most 1, either way.
        eps: the privacy parameter in nats.

    Source: Ding et al., Detecting Violations of Differential Privacy (CCS 2018), the fourth
    noisy max.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return top


@mechanism(DP(), expect="refuted")
def noisy_max_half_noise(q: Counts, eps: Epsilon) -> int | None:
    """The index of the largest noisy count, with noise for counts that move one way only.

    Wrong: one count may fall while another rises, so the lead changes by 2.

    Args:
        q: counts over the records; replacing one moves each by at most 1, either way.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Claim 3.9,
    with the scale of its monotone case.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(ADP(visited), expect="refuted")
def asymmetric_top_k_typeset(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Algorithm 1 as printed: noise that contains the count is added to the count.

    Wrong: twice the count comes out, so each released value costs twice as much: for
    k = 1 and one count the ratio is 4 where 2 is allowed (eps = ln 2).

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many counts are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (as typeset).
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + (f[i] + noise)
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield noisy[j]


@mechanism(ADP(visited), expect="refuted")
def asymmetric_top_k_for_one(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int]:
    """The k largest counts with the noise that is right for the largest one alone.

    Wrong: each of the k indices has its price.  Pairs of counts show the order, not the cost.

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many indices are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1, with the scale for k = 1.
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for r in range(k):
        yield order[r]


@mechanism(ADP(visited), expect="refuted")
def asymmetric_top_k_measured_for_nothing(
    f: Counts, k: Public[Nat], eps: Epsilon
) -> Iterator[int | float]:
    """The k largest noisy counts, and each of them measured once more.

    Wrong: the choice has all of the budget already; what is measured costs half of it again.

    Args:
        f: counts of the sensitive value; each falls by at most 1 and none rises.
        k: how many counts are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired), and a measurement.
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for j in order:
        fresh = sample(Exponential(2 * k / eps))
        yield j
        yield noisy[j]
        yield f[j] + fresh


@mechanism(DP(), expect="refuted")
def noisy_top_k_without_noise(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    """Which k counts are the largest with noise, and then the counts themselves.

    Wrong: the counts come out as they are.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        k: how many counts are released, at most all of them.
        eps: the privacy parameter in nats.

    Source: Ding et al., Free Gap Information from the Differentially Private Sparse Vector
    and Noisy Max Mechanisms (VLDB 2020), Algorithm 1 with raw answers.
    """
    assert 1 <= k <= len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    for j in order:
        yield j
        yield f[j]
