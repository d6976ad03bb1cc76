"""The sparse vector technique that measures again what exceeds the threshold."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP())
def numeric_sparse_vector(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Release counts that seem to reach the threshold, with fresh noise, else ``None``.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many counts may be released.
        eps: the privacy parameter in nats; a third each is for the threshold, for the
            comparisons and for the released counts.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014),
    Algorithm 3 (NumericSparse), with the scales of CheckDP's NumSVT (Wang, Ding, Kifer and
    Zhang, CCS 2020).
    """
    assert c >= 1
    threshold_noise = sample(Laplace(3 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(6 * c / eps))
        if f[i] + noise >= noisy_threshold:
            fresh = sample(Laplace(3 * c / eps))
            yield f[i] + fresh
            answered += 1
            if answered >= c:
                return
        else:
            yield None
