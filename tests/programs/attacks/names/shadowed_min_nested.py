"""A nested helper shadows `min`."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample

Wide = Annotated[float, Query(sensitivity=5)]


# truth: q is not clamped to [0, 1] from above and moves by 5: exactly 5 eps
@mechanism(DP())
def row16_shadowed_min_nested(q: Wide, eps: Epsilon) -> Iterator[float]:
    def min(a: float, b: float) -> float:
        return a

    noise = sample(Laplace(1 / eps))
    yield max(0, min(q, 1)) + noise
