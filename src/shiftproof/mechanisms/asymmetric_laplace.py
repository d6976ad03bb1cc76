"""The asymmetric Laplace mechanism: the noise points the way in which neighbours cannot go."""

from typing import Annotated

from shiftproof import (
    ADP,
    Count,
    CountingQuery,
    Epsilon,
    Exponential,
    Laplace,
    NegativeExponential,
    Policy,
    Query,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited))
def asymmetric_laplace_decreasing(f: Count, eps: Epsilon) -> float:
    """Release a count that neighbours can only lower, with noise that only adds.

    Args:
        f: how many records have the sensitive value; it falls by at most 1.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 (decreasing) and Theorem 10.
    """
    noise = sample(Exponential(1 / eps))
    return f + noise


@mechanism(ADP(visited))
def asymmetric_laplace_increasing(f: Annotated[int, CountingQuery({0})], eps: Epsilon) -> float:
    """Release a count that neighbours can only raise, with noise that only subtracts.

    Args:
        f: how many records have the value that is not sensitive; it rises by at most 1.
        eps: the privacy parameter in nats; the noise has mean -1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 (increasing) and Theorem 10.
    """
    noise = sample(NegativeExponential(1 / eps))
    return f + noise


@mechanism(ADP(visited))
def asymmetric_laplace(f: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> float:
    """Release an answer that neighbours can move either way: two-sided noise is needed.

    The printed density lacks the minus sign in this case and cannot be normalised; the
    Laplace distribution is what the text below it says.

    Args:
        f: an answer of P-sensitivity 1, not monotone.
        eps: the privacy parameter in nats; the noise has scale 1 / eps.

    Source: Asymmetric Differential Privacy, Definition 15 (last case, repaired) and Theorem 10.
    """
    noise = sample(Laplace(1 / eps))
    return f + noise
