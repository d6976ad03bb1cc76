"""Decisions with one-sided error under a policy that points the other way."""

from shiftproof import (
    ADP,
    Count,
    Epsilon,
    Exponential,
    OneSidedGeometric,
    Policy,
    Public,
    mechanism,
    sample,
)

#: A zero (not having visited) is sensitive, a one is not.
absent = Policy(sensitive={0})


@mechanism(ADP(absent), expect="refuted")
def threshold_decision_wrong_direction(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Say whether fewer than T records have the value that is not sensitive.

    Wrong: neighbours can only raise this count, and the noise cannot make up for it.  At
    T = 1, from the count 0 to 1, "safe" has probability 1 - e^(-eps) and then none: the
    ratio is infinite.

    Args:
        f: how many records have the value that is not sensitive; it rises by at most 1.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Section 5.1.1, with the roles of the two values
    of Example 1 exchanged.
    """
    noise = sample(Exponential(1 / eps))
    if f + noise < T:
        return "safe"
    return "alarm"


@mechanism(ADP(absent), expect="refuted")
def goal_decision_upwards(f: Count, T: Public[float], eps: Epsilon) -> str:
    """Say whether at least T records have the value that is not sensitive, with noise that adds.

    Wrong: neighbours can only raise this count, and the noise with it.  At T = 1, from the
    count 0 to 1, "open" has probability 1 - e^(-eps) and then none: the ratio is infinite.

    Args:
        f: how many records have the value that is not sensitive; it rises by at most 1.
        T: the goal; from here on it is reached.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Asymmetric Differential Privacy, Section 5.1.1 for an increasing count, with the
    noise of a decreasing one.
    """
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise >= T:
        return "reached"
    return "open"
