"""Mechanisms with one-sided noise that do not have the privacy they claim."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Nat,
    Policy,
    Public,
    Vector,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited), expect="refuted")
def asymmetric_sparse_vector_typeset(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """The asymmetric sparse vector technique with the test for its end as printed.

    Wrong: it stops when the number of answers exceeds c, so c + 1 answers go out and each
    costs eps / c.  The largest ratio is exactly e^(eps (c + 1) / c): for eps = ln 2 it is
    4 where 2 is allowed at c = 1, and e^(1.5 eps) at c = 2.

    Args:
        f: counts of the sensitive value over the records; each falls by at most 1.
        T: one threshold for each count.
        c: how many counts were meant to be released.
        eps: the privacy parameter in nats; the noise has mean c / eps.

    Source: Asymmetric Differential Privacy, Algorithm 2 (as typeset; what is below is
    ``None`` here, not 0) and Theorem 13.
    """
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered > c:
                return
        else:
            yield None


@mechanism(ADP(visited), expect="refuted")
def asymmetric_sparse_vector_two_looks(
    f: Counts, T: Public[Vector], margin: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    """What the public code of the paper's experiments runs: a first look at half the price.

    Wrong: what is above the threshold by less than the margin is looked at again at the full
    price, and the first look, without which there is no second, is never paid for.  Where both
    have to come out right the ratio is e^(1.5 eps): 8 where 4 is allowed, for eps = 2 ln 2.

    Args:
        f: counts of the sensitive value over the records; each falls by at most 1.
        T: one threshold for each count.
        margin: how far above the threshold the first look is believed.
        c: how many counts are released at the full price, or twice as many at half of it.
        eps: the privacy parameter in nats; the noise has mean 2 c / eps and c / eps.

    Source: tkgsn/adp-algorithms, the code of the experiments of Asymmetric Differential Privacy,
    Section 6.2.2.  Its newest version adds k/ε to thresholds, which are public.
    """
    assert c >= 1 and len(T) == len(f) and margin >= 0
    spent = 0
    for i in range(len(f)):
        first = sample(Exponential(2 * c / eps))
        second = sample(Exponential(c / eps))
        if f[i] + first >= T[i] + margin:
            yield f[i] + first
            spent += 1
        elif f[i] + first >= T[i] and f[i] + second >= T[i]:
            yield f[i] + second
            spent += 2
        else:
            yield None
        if spent > 2 * c - 2:
            return


@mechanism(ADP(Policy.everything()), expect="refuted")
def asymmetric_laplace_everything(f: Count, eps: Epsilon) -> float:
    """One-sided noise on a count where every value is sensitive.

    Wrong: the count is not monotone now.  From 0 to 1 the released values in [0, 1), of
    probability 1 - e^(-eps), become impossible: the ratio is infinite.

    Args:
        f: how many records have the value 1; it moves by at most 1, either way.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15, under the policy of Example 2
    (that of DP), where Theorem 4 says that such a count is not monotone.
    """
    noise = sample(Exponential(1 / eps))
    return f + noise
