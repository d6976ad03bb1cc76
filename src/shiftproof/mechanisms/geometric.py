"""Geometric noise: a noisy count that is still a whole number."""

from shiftproof import (
    ADP,
    DP,
    Count,
    Epsilon,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    TwoSidedGeometric,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP())
def geometric(f: Count, eps: Epsilon) -> int:
    """Release a count with two-sided noise on the integers.

    Args:
        f: a count over the records; replacing one moves it by at most 1.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy
    Mechanisms (STOC 2009), Definition 2.1; equation (4), repaired, of the geometric-noise
    paper.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP())
def truncated_geometric(f: Count, n: Public[Nat], eps: Epsilon) -> int:
    """Release a count with two-sided noise, moved to the nearest number that it could be.

    Args:
        f: a count over the records; replacing one moves it by at most 1.
        n: how many records there are, which is public.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Ghosh, Roughgarden and Sundararajan, Universally Utility-Maximizing Privacy
    Mechanisms (STOC 2009), Definition 2.2; equation (5) and Proposition 3.1 of the
    geometric-noise paper.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    return max(0, min(n, f + noise))


@mechanism(ADP(visited))
def one_sided_geometric(f: Count, eps: Epsilon) -> int:
    """Release a count that neighbours can only lower, with noise that only adds.

    Args:
        f: how many records have the sensitive value; it falls by at most 1.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as
            likely.

    Source: Asymmetric Differential Privacy, Definition 15 (decreasing) and Theorem 10, with
    its noise on the integers.
    """
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise
