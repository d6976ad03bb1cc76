"""The module has a `min` of its own."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample

Wide = Annotated[float, Query(sensitivity=5)]


def min(a: float, b: float) -> float:
    """Not the smaller one."""
    return a


# truth: q is not clamped to [0, 1] from above and moves by 5: exactly 5 eps
@mechanism(DP())
def row16_shadowed_min(q: Wide, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield max(0, min(q, 1)) + noise
