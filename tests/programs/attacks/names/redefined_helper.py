"""The helper that is called is defined below the mechanism."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample


def weighted(x):
    """The answer itself."""
    return x


# truth: the weight of the second definition holds when it is called: exactly 3 eps
@mechanism(DP())
def single_redefined_helper(
    q: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield weighted(q) + noise


def weighted(x):  # noqa: F811
    """Three times the answer."""
    return 3 * x
