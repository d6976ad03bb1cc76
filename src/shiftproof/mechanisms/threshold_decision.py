"""Decisions with one-sided error: a "safe" is never wrong, an "alarm" may be."""

from shiftproof import (
    ADP,
    Count,
    Epsilon,
    Exponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Policy,
    Public,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})
#: A zero is sensitive, a one is not.
unvisited = Policy(sensitive={0})


@mechanism(ADP(visited))
def threshold_decision(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Say whether fewer than T records have the sensitive value.

    The noise only adds, so whatever is called safe is safe.

    Args:
        f: how many records have the sensitive value; it falls by at most 1.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Section 5.1.1; Theorem 11 says how often a safe
    place is called so, if T is an integer.
    """
    noise = sample(Exponential(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def threshold_decision_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Say the same with noise on the integers, which a count deserves.

    Where k records must change before it is not safe, "safe" has probability 1 - e^(-k eps),
    the largest that the privacy allows, whether or not T is an integer.

    Args:
        f: how many records have the sensitive value; it falls by at most 1.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Asymmetric Differential Privacy, Section 5.1.1, with the bound of Theorem 9 and
    the noise that attains it.
    """
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(unvisited))
def goal_decision_geometric(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Say whether at least T records have the value that is not sensitive.

    Neighbours can only raise such a count, and the noise only subtracts; so what is called
    reached is reached.  Where k records must change before it is, "reached" has probability
    1 - e^(-k eps), the largest that the privacy allows, whether or not T is an integer.

    Args:
        f: how many records have the value that is not sensitive; it rises by at most 1.
        T: the goal; from here on it is reached.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Asymmetric Differential Privacy, Section 5.1.1 for an increasing count, with the
    bound of Theorem 9 and the noise that attains it.
    """
    noise = sample(NegativeOneSidedGeometric(1 / eps))
    if f + noise >= T:
        ensure(f >= T)
        return "reached"
    return "open"
