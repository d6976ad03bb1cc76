"""Two budgets, and none is chosen."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample


# truth: costs first + second, more than either one
@mechanism(DP())
def single_two_epsilons(
    q: Annotated[float, Query(sensitivity=1)], first: Epsilon, second: Epsilon
) -> Iterator[float]:
    noise = sample(Laplace(1 / first))
    yield q + noise
    noise = sample(Laplace(1 / second))
    yield q + noise
