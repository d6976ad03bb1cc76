"""d-privacy, and other definitions in which the budget or the neighbours depend on the pair."""

from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    Blowfish,
    ContextAwareLDP,
    DPrivacy,
    Epsilon,
    InputDiscriminativeLDP,
    IntegerValue,
    Laplace,
    Nat,
    Private,
    Public,
    TwoSidedGeometric,
    mechanism,
    other,
    sample,
)


def distance(x: int) -> int:
    """How far two values are apart."""
    return abs(x - other(x))


def distance_in_the_plane(x: float, y: float) -> float:
    """How far two places are apart for who walks along streets."""
    return abs(x - other(x)) + abs(y - other(y))


def close(x: int) -> bool:
    """Values that are at most five apart."""
    return abs(x - other(x)) <= 5


def budget_of_pair(x: int, eps_fine: float, eps: float) -> float:
    """Nobody minds being told from a zero as much as others do."""
    if x == other(x):
        return 0
    return eps if x == 0 or other(x) == 0 else eps_fine


def budget_of_value(x: int, eps_fine: float, eps: float) -> float:
    """A one minds more than a zero."""
    return eps_fine if x == 1 else eps


@mechanism(DPrivacy(distance))
def geometric_response(x: Private[int], eps: Epsilon) -> int:
    """Release a user's own number with two-sided noise on the integers.

    Args:
        x: the number of one user.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: the geometric-noise paper, equation (4) as repaired.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    return x + noise


@mechanism(DPrivacy(distance))
def truncated_geometric_response(
    x: Annotated[int, IntegerValue(0, "n")], n: Public[Nat], eps: Epsilon
) -> int:
    """The same, moved to the nearest number that it could be.

    Args:
        x: the number of one user, from 0 to n.
        n: the largest number that there is.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: the geometric-noise paper, equation (5) and Proposition 3.1, both ends included.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    return max(0, min(n, x + noise))


@mechanism(DPrivacy(distance_in_the_plane))
def blurred_place(x: Private[float], y: Private[float], eps: Epsilon) -> tuple[float, float]:
    """Release a place on a map of straight streets, each coordinate with noise of its own.

    Args:
        x: where one user is, from west to east.
        y: where the user is, from south to north.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: Chatzikokolakis et al., Broadening the Scope of Differential Privacy Using Metrics
    (PETS 2013), for the Manhattan metric.
    """
    east = sample(Laplace(1 / eps))
    north = sample(Laplace(1 / eps))
    return x + east, y + north


@mechanism(Blowfish(close))
def blowfish_geometric(x: Private[int], eps: Epsilon) -> int:
    """Release a user's own number; only numbers at most five apart hide each other.

    Args:
        x: the number of one user.
        eps: the privacy parameter in nats.

    Source: He, Machanavajjhala and Ding, Blowfish Privacy (SIGMOD 2014), the graph of a
    distance threshold.
    """
    noise = sample(TwoSidedGeometric(5 / eps))
    return x + noise


@mechanism(ContextAwareLDP(budget_of_pair))
def context_aware_response(
    x: Annotated[int, IntegerValue(0, 1)], eps_fine: Epsilon, eps: Epsilon
) -> int:
    """Warner's response, with the budget of the pairs that there are.

    Args:
        x: the bit of one user.
        eps_fine: the budget of two values of which none is zero.
        eps: the budget of zero and another value, in nats like the other one.

    Source: Acharya et al., Context-Aware Local Differential Privacy (ICML 2020).
    """
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(InputDiscriminativeLDP(budget_of_value))
def input_discriminative_response(
    x: Annotated[int, IntegerValue(0, 1)], eps_fine: Epsilon, eps: Epsilon
) -> int:
    """Warner's response, with the smaller one of the budgets of its two values.

    Args:
        x: the bit of one user.
        eps_fine: the budget of a one.
        eps: the budget of a zero, in nats like the other one.

    Source: Gu et al., Providing Input-Discriminative Protection for Local Differential Privacy
    (ICDE 2020), MinID-LDP.
    """
    assert eps_fine <= eps
    honest = sample(Bernoulli(exp(eps_fine) / (1 + exp(eps_fine))))
    return x if honest else 1 - x
