"""The sparse vector technique that also tells by how much the threshold was exceeded."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP())
def gap_sparse_vector(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Release the noisy gap to the noisy threshold where it is not negative, else ``None``.

    The gap costs nothing beyond the Boolean answer: the alignment of the sparse vector
    technique may keep both noisy values at the same distance.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many gaps may be released.
        eps: the privacy parameter in nats; half is for the threshold, half for the answers.

    Source: Wang, Ding, Wang, Kifer and Zhang, Proving Differential Privacy with Shadow
    Execution (PLDI 2019), gap version of the sparse vector technique; GapSVT of CheckDP
    (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        gap = f[i] + noise - noisy_threshold
        if gap >= 0:
            yield gap
            answered += 1
            if answered >= c:
                return
        else:
            yield None
