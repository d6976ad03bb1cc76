"""No budget at all."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Laplace, Query, mechanism, sample


# truth: costs 1; nothing is claimed, so nothing is proved
@mechanism(DP())
def single_no_epsilon(q: Annotated[float, Query(sensitivity=1)]) -> Iterator[float]:
    noise = sample(Laplace(1))
    yield q + noise
