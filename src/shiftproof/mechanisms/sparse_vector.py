"""The sparse vector technique: tell which answers exceed a threshold, pay for c of them only."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP())
def sparse_vector(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Say of each count whether it reaches the threshold, until c of them did.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many answers may be True.
        eps: the privacy parameter in nats; half is for the threshold, half for the answers.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 1.
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= noisy_threshold:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP("add-remove"))
def sparse_vector_monotone(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Say the same of counts that move the same way, with half the noise on each of them.

    Args:
        f: counts over the records; adding one raises each by at most 1 and lowers none.
        T: the threshold.
        c: how many answers may be True.
        eps: the privacy parameter in nats; half is for the threshold, half for the answers.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 7 with its scale for monotonic queries.
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps))
        if f[i] + noise >= noisy_threshold:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP())
def sparse_vector_fresh_thresholds(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Say of each count whether it reaches the threshold, with a new one after each that does.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many answers may be True.
        eps: the privacy parameter in nats; half is for the c thresholds, half for the answers.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014),
    Algorithm 2 (Sparse); Algorithm 2 of Lyu, Su and Li, Understanding the Sparse Vector
    Technique for Differential Privacy (VLDB 2017); SVT2 of DP-Sniper (Bichsel, Steffen,
    Bogunovic and Vechev, S&P 2021).
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 * c / eps))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= T + threshold_noise:
            yield True
            answered += 1
            if answered >= c:
                return
            threshold_noise = sample(Laplace(2 * c / eps))
        else:
            yield False
