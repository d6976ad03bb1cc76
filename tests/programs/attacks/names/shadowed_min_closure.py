"""An enclosing function shadows `min`."""

from collections.abc import Callable, Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Query, mechanism, sample

Wide = Annotated[float, Query(sensitivity=5)]


def first(a: float, b: float) -> float:
    """Not the smaller one."""
    return a


def make(min: Callable[[float, float], float]):
    """The mechanism with some `min`."""

    # truth: min gives its first argument, so q is not clamped and moves by 5: exactly 5 eps
    @mechanism(DP())
    def row16_shadowed_min_closure(q: Wide, eps: Epsilon) -> Iterator[float]:
        noise = sample(Laplace(1 / eps))
        yield max(0, min(q, 1)) + noise

    return row16_shadowed_min_closure


row16_shadowed_min_closure = make(first)
