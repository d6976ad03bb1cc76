"""A default of the budget's own, not of the mechanism's."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Nat, Public, Query, mechanism, sample


# truth: costs k eps; called with k = 3, against 1 eps if k is the 1 of the lambda's default
@mechanism(DP(), budget=lambda eps, times=1: times * eps)
def single_budget_default(
    q: Annotated[float, Query(sensitivity=1)], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    for i in range(k):
        noise = sample(Laplace(1 / eps))
        yield q + noise
