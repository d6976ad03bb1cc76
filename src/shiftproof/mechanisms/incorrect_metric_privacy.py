"""d-privacy and its relatives, with too little noise for some of the pairs."""

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


def distance_of_the_crow(x: float, y: float) -> float:
    """How far two places are apart along the longer one of two streets."""
    return max(abs(x - other(x)), abs(y - other(y)))


def close(x: int) -> bool:
    """Values that are at most five apart."""
    return abs(x - other(x)) <= 5


def budget_of_pair(x: int, eps_fine: float, eps: float) -> float:
    """Nobody minds being told from a zero as much as others do."""
    return eps if x == 0 or other(x) == 0 else eps_fine


def budget_of_value(x: int, eps_fine: float, eps: float) -> float:
    """A one minds more than a zero."""
    return eps_fine if x == 1 else eps


@mechanism(DPrivacy(distance), expect="refuted")
def truncated_geometric_response_half_noise(
    x: Annotated[int, IntegerValue(0, "n")], n: Public[Nat], eps: Epsilon
) -> int:
    """A user's own number with half the noise, moved to the nearest number that it could be.

    Wrong: for neighbouring numbers the ends are e^(2 eps) times as likely.

    Args:
        x: the number of one user, from 0 to n.
        n: the largest number that there is.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: the geometric-noise paper, equation (5), with half its scale.
    """
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return max(0, min(n, x + noise))


@mechanism(DPrivacy(distance), expect="refuted")
def geometric_response_with_zero_marked(x: Private[int], eps: Epsilon) -> int | None:
    """A user's own number with noise; a true zero is not answered.

    Wrong: silence has probability one at zero, and zero elsewhere.

    Args:
        x: the number of one user.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: the geometric-noise paper, equation (4) as repaired, with an exception.
    """
    noise = sample(TwoSidedGeometric(1 / eps))
    if x == 0:
        return None
    return x + noise


@mechanism(DPrivacy(distance_of_the_crow), expect="refuted")
def blurred_place_for_the_crow(
    x: Private[float], y: Private[float], eps: Epsilon
) -> tuple[float, float]:
    """Release a place with the noise that the Manhattan metric needs, for a shorter one.

    Wrong: a step in both directions is one unit here, and costs 2 eps.

    Args:
        x: where one user is, from west to east.
        y: where the user is, from south to north.
        eps: the privacy parameter in nats, for each unit of distance.

    Source: Chatzikokolakis et al., Broadening the Scope of Differential Privacy Using Metrics
    (PETS 2013), with the noise of another metric.
    """
    east = sample(Laplace(1 / eps))
    north = sample(Laplace(1 / eps))
    return x + east, y + north


@mechanism(Blowfish(close), expect="refuted")
def blowfish_geometric_too_close(x: Private[int], eps: Epsilon) -> int:
    """Release a user's own number with noise for numbers that are at most four apart.

    Wrong: numbers that are five apart hide each other as well.

    Args:
        x: the number of one user.
        eps: the privacy parameter in nats.

    Source: He, Machanavajjhala and Ding, Blowfish Privacy (SIGMOD 2014), the graph of a
    distance threshold, with a smaller one.
    """
    noise = sample(TwoSidedGeometric(4 / eps))
    return x + noise


@mechanism(ContextAwareLDP(budget_of_pair), expect="refuted")
def context_aware_response_for_zero(
    x: Annotated[int, IntegerValue(0, 2)], eps_fine: Epsilon, eps: Epsilon
) -> bool:
    """Say whether the own value is one, as if it were only to be told from zero.

    Wrong: one and two are told apart as well, and have a budget of their own.

    Args:
        x: the value of one user.
        eps_fine: the budget of two values of which none is zero.
        eps: the budget of zero and another value, in nats like the other one.

    Source: Acharya et al., Context-Aware Local Differential Privacy (ICML 2020).
    """
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return (x == 1) == honest


@mechanism(InputDiscriminativeLDP(budget_of_value), expect="refuted")
def input_discriminative_response_of_zero(
    x: Annotated[int, IntegerValue(0, 1)], eps_fine: Epsilon, eps: Epsilon
) -> int:
    """Warner's response, with the larger one of the budgets of its two values.

    Wrong: the smaller one is the budget of the pair.

    Args:
        x: the bit of one user.
        eps_fine: the budget of a one.
        eps: the budget of a zero, in nats like the other one.

    Source: Gu et al., Providing Input-Discriminative Protection for Local Differential Privacy
    (ICDE 2020), MinID-LDP.
    """
    assert eps_fine <= eps
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x
