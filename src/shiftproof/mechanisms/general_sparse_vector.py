"""The sparse vector technique in general form: many thresholds, a budget in three parts."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import DP, Counts, Epsilon, Laplace, Nat, Public, Queries, Vector, mechanism, sample

#: Answers that each move by at most 1.
Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP(), budget=lambda eps1, eps2, eps3: eps1 + eps2 + eps3)
def general_sparse_vector(
    f: Answers,
    T: Public[Vector],
    c: Public[Nat],
    eps1: Epsilon,
    eps2: Epsilon,
    eps3: Epsilon,
) -> Iterator[float | None]:
    """Release with fresh noise the answers that seem to reach their thresholds, else ``None``.

    Answers of another sensitivity Δ are divided by it, with their thresholds, before; what is
    released is multiplied by it afterwards.

    Args:
        f: answers over the records; replacing one moves each by at most 1, either way.
        T: one threshold for each answer.
        c: how many answers may be released.
        eps1: the privacy parameter of the threshold, in nats.
        eps2: the privacy parameter of all comparisons, in nats.
        eps3: the privacy parameter of all released answers, in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 7 with numeric answers.
    """
    assert c >= 1 and len(T) == len(f)
    threshold_noise = sample(Laplace(1 / eps1))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(2 * c / eps2))
        if f[i] + noise >= T[i] + threshold_noise:
            fresh = sample(Laplace(c / eps3))
            yield f[i] + fresh
            answered += 1
            if answered >= c:
                return
        else:
            yield None


@mechanism(DP("add-remove"), budget=lambda eps1, eps2, eps3: eps1 + eps2 + eps3)
def general_sparse_vector_monotone(
    f: Counts,
    T: Public[Vector],
    c: Public[Nat],
    eps1: Epsilon,
    eps2: Epsilon,
    eps3: Epsilon,
) -> Iterator[float | None]:
    """Release the same for counts that move the same way, with half the noise on each of them.

    Args:
        f: counts over the records; adding one raises each by at most 1 and lowers none.
        T: one threshold for each count.
        c: how many counts may be released.
        eps1: the privacy parameter of the threshold, in nats.
        eps2: the privacy parameter of all comparisons, in nats.
        eps3: the privacy parameter of all released counts, in nats.

    Source: Lyu, Su and Li, Understanding the Sparse Vector Technique for Differential
    Privacy (VLDB 2017), Algorithm 7 with its scale for monotonic queries and numeric answers.
    """
    assert c >= 1 and len(T) == len(f)
    threshold_noise = sample(Laplace(1 / eps1))
    answered = 0
    for i in range(len(f)):
        noise = sample(Laplace(c / eps2))
        if f[i] + noise >= T[i] + threshold_noise:
            fresh = sample(Laplace(c / eps3))
            yield f[i] + fresh
            answered += 1
            if answered >= c:
                return
        else:
            yield None
