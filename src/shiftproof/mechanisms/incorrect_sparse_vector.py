"""Sparse vector techniques of the literature that do not have the privacy they claim."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, mechanism, sample


@mechanism(DP(), expect="refuted")
def sparse_vector_half_noise(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """The sparse vector technique for monotone counts, used under replacement.

    Wrong: replacing a record can lower some counts and raise others, so a True costs twice
    what is paid for it.  At c = 1, for many counts that rise from 0 to 1 before one that
    falls from 1 to 0, the ratio tends to e^(1.5 eps) (4.4817 at eps = 1 from 100 counts on).

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many answers may be True.
        eps: the privacy parameter in nats.

    Source: Asymmetric Differential Privacy, Section 2.2.1, under its Definition 1; right
    only for monotonic queries in Lyu, Su and Li, Understanding the Sparse Vector Technique
    for Differential Privacy (VLDB 2017), Algorithm 7.
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


@mechanism(DP(), expect="refuted")
def sparse_vector_no_query_noise(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Noise on the threshold alone, and no limit on the answers (iSVT1, BadSVT1).

    Wrong: the order of the counts shows.  At T = 0, from the counts (0, 1) to (1, 0), the
    output (False, True) has a positive probability and then none: the ratio is infinite.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        eps: the privacy parameter in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 5.
    """
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    for i in range(len(f)):
        if f[i] >= noisy_threshold:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def sparse_vector_noise_without_limit(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Noise on the counts that does not grow with c (iSVT3, BadSVT3).

    Wrong: each of c answers costs what is paid for one.  It is private for
    (1 + 6 c) eps / 4 only, which is 1.75 eps at c = 1.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many answers may be True.
        eps: the privacy parameter in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 4.
    """
    assert c >= 1
    threshold_noise = sample(Laplace(4 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 / (3 * eps)))
        if f[i] + noise >= noisy_threshold:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def sparse_vector_prints_value(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """The noisy count that was compared is released itself (iSVT4).

    Wrong: a released value bounds the noisy threshold from above, so refusals are not free.
    At c = 1, for t refusals and then a very low value, the ratio tends to
    e^((t + 1) eps / 2): no finite eps holds for all sizes.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        c: how many counts may be released.
        eps: the privacy parameter in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 3.
    """
    assert c >= 1
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps))
        if f[i] + noise >= noisy_threshold:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(DP(), expect="refuted")
def sparse_vector_without_limit(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Noise on the threshold and on the counts, and no limit on the answers (iSVT2, BadSVT2).

    Wrong: each True costs eps, and there can be any number of them.  For k counts that fall
    from 1 to 0 and k that rise from 0 to 1, the ratio of k True and then k False grows with
    k without end.

    Args:
        f: counts over the records; replacing one moves each by at most 1, either way.
        T: the threshold.
        eps: the privacy parameter in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 6.
    """
    threshold_noise = sample(Laplace(2 / eps))
    noisy_threshold = T + threshold_noise
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        if f[i] + noise >= noisy_threshold:
            yield True
        else:
            yield False
