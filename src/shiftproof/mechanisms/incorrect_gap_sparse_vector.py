"""Gap versions of the sparse vector technique that release the wrong noisy value."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP(), expect="refuted")
def gap_sparse_vector_prints_value(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """The noisy count is released, not its gap to the noisy threshold (BadGapSVT).

    Wrong: a released value bounds the noisy threshold from above, so refusals are not free.
    At c = 1, for t refusals of counts that rise by 1 and then a very low value, the ratio
    tends to e^((t + 1) eps / 4): no finite eps holds for all sizes.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many counts may be released.
        eps: the privacy parameter in nats.

    Source: BadGapSVT of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * c / eps))
        if f[i] + noise >= noisy_threshold:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(DP(), expect="refuted")
def adaptive_sparse_vector_prints_value(
    f: Counts, T: Public[float], N: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """The rough noisy count is released, not its gap to the noisy threshold (BadAdaptiveSVT).

    Wrong: as in the sparse vector technique that prints values.  At N = 1, for t refusals of
    counts that rise by 1 and then a very low value from the rough test, the ratio tends to
    e^((3 t + 1) eps / 8): no finite eps holds for all sizes.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        N: how many answers there can be if all are small; 2 N - 1 if all are large.
        eps: the privacy parameter in nats.

    Source: BadAdaptiveSVT of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020).
    """
    assert N >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    charge = 2 * N
    for i in range(len(f)):
        rough = sample(Laplace(8 * N / eps))
        if f[i] + rough - noisy_threshold >= 16:
            yield f[i] + rough
            charge += 1
        else:
            fine = sample(Laplace(4 * N / eps))
            gap = f[i] + fine - noisy_threshold
            if gap >= 0:
                yield gap
                charge += 2
            else:
                yield None
        if charge > 4 * N - 2:
            return
