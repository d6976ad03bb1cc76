"""A generator that returns a value as well."""

from collections.abc import Generator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample


# truth: whoever drives the generator gets q raw as its return value
@mechanism(DP())
def single_returns_in_a_generator(
    q: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> Generator[float, None, float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise
    return q
