"""No noise is enough for answers that move without bound."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample


# truth: q may move by any d, which costs d eps: no bound
@mechanism(DP())
def single_sensitivity_infinite(
    q: Annotated[float, Query(sensitivity=float("inf"))], eps: Epsilon
) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield q + noise
