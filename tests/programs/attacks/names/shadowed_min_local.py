"""A local variable is called `min`."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample

Wide = Annotated[float, Query(sensitivity=5)]


# truth: min is max here, q is clamped to 1 from below only and moves by 5: exactly 5 eps
@mechanism(DP())
def row16_shadowed_min_local(q: Wide, eps: Epsilon) -> Iterator[float]:
    min = max
    noise = sample(Laplace(1 / eps))
    yield max(0, min(q, 1)) + noise
