"""The factor of the scale is bound again below the mechanism."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample

WIDTH = 1


# truth: WIDTH is 1/4 when it is called: exactly 4 eps
@mechanism(DP())
def single_later_global(q: Annotated[float, Query(sensitivity=1)], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(WIDTH / eps))
    yield q + noise


WIDTH = 0.25
