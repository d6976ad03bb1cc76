"""A function of a claim speaks of ``other(…)`` of a name that it assigned: whose value is that?"""

from shiftproof import (
    Blowfish,
    ContextAwareLDP,
    DPrivacy,
    Epsilon,
    Laplace,
    Private,
    Related,
    mechanism,
    other,
    sample,
)


def of_a_variable(x):
    d = x
    return abs(x - other(d)) <= 1


def of_an_assigned_parameter(x):
    x = 2 * x
    return abs(x - 2 * other(x)) <= 1


def in_a_branch(x):
    d = 0
    if x > 0:
        d = x
    return abs(x - other(x - d)) <= 1


def distance(x):
    y = x
    return abs(other(y) - x)


def budget(x: float, eps: float) -> float:
    e = eps
    return other(e) if x > 0 else eps


# truth: none is said, as the claims mean nothing
@mechanism(Related(of_a_variable))
def by_a_variable(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(Related(of_an_assigned_parameter))
def by_an_assigned_parameter(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(Related(in_a_branch))
def by_a_branch(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(DPrivacy(distance))
def by_a_distance(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(Blowfish(of_a_variable))
def by_secrets(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise


@mechanism(ContextAwareLDP(budget))
def by_a_budget(x: Private[float], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
