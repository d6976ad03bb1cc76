"""The adaptive sparse vector technique: what is far above the threshold is paid for less."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP())
def adaptive_sparse_vector(
    f: Counts, T: Public[float], N: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Release noisy gaps to a noisy threshold, large ones at half the price, else ``None``.

    The charge is counted in units of eps / (4 N), the price of a large gap; the threshold
    alone costs 2 N of them.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        N: how many gaps there can be if all are small; 2 N - 1 if all are large.
        eps: the privacy parameter in nats; half is for the threshold, half for the gaps.

    Source: AdaptiveSVT of CheckDP (Wang, Ding, Kifer and Zhang, CCS 2020), after Ding, Wang,
    Zhang and Kifer, Free Gap Information from the Differentially Private Sparse Vector and
    Noisy Max Mechanisms (VLDB 2019).
    """
    assert N >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    charge = 2 * N
    for i in range(len(f)):
        rough = sample(Laplace(8 * N / eps))
        large_gap = f[i] + rough - noisy_threshold
        if large_gap >= 16:
            yield large_gap
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


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def adaptive_sparse_vector_free_gap(
    f: Counts, T: Public[float], c: Public[Nat], margin: Public[float], eps1: Epsilon, eps2: Epsilon
) -> Iterator[float | str | None]:
    """Release noisy gaps to a noisy threshold, each with the test that it passed.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many gaps there can be if all are small; 2 c - 1 if all are large.
        margin: from which gap on the rough test is passed, at half the price.
        eps1: the privacy parameter of the threshold, in nats.
        eps2: the privacy parameter of all gaps, in nats.

    Source: Ding, Wang, Zhang and Kifer, Free Gap Information from the Differentially Private
    Sparse Vector and Noisy Max Mechanisms (VLDB 2019), Adaptive Sparse Vector with Gap.
    """
    assert c >= 1
    threshold_noise = sample(Laplace(1 / eps1))
    noisy_threshold = T + threshold_noise
    charge = 0
    for i in range(len(f)):
        rough = sample(Laplace(4 * c / eps2))
        large_gap = f[i] + rough - noisy_threshold
        if large_gap >= margin:
            yield "large"
            yield large_gap
            charge += 1
        else:
            fine = sample(Laplace(2 * c / eps2))
            gap = f[i] + fine - noisy_threshold
            if gap >= 0:
                yield "small"
                yield gap
                charge += 2
            else:
                yield None
        if charge > 2 * c - 2:
            return
