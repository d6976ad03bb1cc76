"""The asymmetric sparse vector technique: no noise on the threshold, tested values released."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    Counts,
    Epsilon,
    Exponential,
    Nat,
    Policy,
    Public,
    Vector,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited))
def asymmetric_sparse_vector(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """Release the noisy counts that reach their thresholds, until c of them did.

    Repaired in two places: it stops after c answers, not c + 1 (the printed test is
    ``count > c``), and what is below is ``None``, which no noisy count can be.  Whoever is said
    to be below is: the noise only lifts.

    Args:
        f: counts of the sensitive value over the records; each falls by at most 1.
        T: one threshold for each count.
        c: how many counts may be released.
        eps: the privacy parameter in nats; the noise has mean c / eps.

    Source: Asymmetric Differential Privacy, Algorithm 2 (repaired) and Theorem 13.
    """
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            ensure(f[i] < T[i])
            yield None
