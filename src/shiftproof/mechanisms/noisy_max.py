"""Report noisy max: the index of the largest noisy answer, and nothing else."""

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Policy,
    argmax,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP())
def noisy_max(q: Counts, eps: Epsilon) -> int | None:
    """Say which count is the largest one with noise; None of no counts.

    Args:
        q: counts over the records; replacing one moves each by at most 1, either way.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Claim 3.9,
    with noise for answers that move either way.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(DP())
def noisy_max_exponential(q: Counts, eps: Epsilon) -> int | None:
    """Say the same with one-sided noise, which does not need to be larger.

    Args:
        q: counts over the records; replacing one moves each by at most 1, either way.
        eps: the privacy parameter in nats.

    Source: McKenna and Sheldon, Permute-and-Flip (NeurIPS 2020), and Ding et al., The
    Permute-and-Flip Mechanism is Identical to Report-Noisy-Max with Exponential Noise.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(DP())
def noisy_argmax(q: Counts, eps: Epsilon) -> int:
    """Say the same with ``argmax`` of a list of noisy answers.

    Args:
        q: counts over the records, at least one; replacing a record moves each by at most 1.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Claim 3.9.
    """
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(DP())
def noisy_argmax_exponential(q: Counts, eps: Epsilon) -> int:
    """Say the same with ``argmax`` and one-sided noise.

    Args:
        q: counts over the records, at least one; replacing a record moves each by at most 1.
        eps: the privacy parameter in nats.

    Source: McKenna and Sheldon, Permute-and-Flip (NeurIPS 2020).
    """
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)


@mechanism(ADP(visited))
def asymmetric_noisy_max(q: Counts, eps: Epsilon) -> int | None:
    """Say which count is the largest, with half the noise: counts only ever fall.

    Args:
        q: counts of the sensitive value; each falls by at most 1 and none rises.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired) for k = 1, the index alone.
    """
    best = None
    top = 0.0
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        if best is None or q[i] + noise > top:
            best = i
            top = q[i] + noise
    return best


@mechanism(ADP(visited))
def asymmetric_noisy_argmax(q: Counts, eps: Epsilon) -> int:
    """Say the same with ``argmax``.

    Args:
        q: counts of the sensitive value, at least one; each falls by at most 1, none rises.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Algorithm 1 (repaired) for k = 1, the index alone.
    """
    assert len(q) >= 1
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = q[i] + noise
    return argmax(noisy)
