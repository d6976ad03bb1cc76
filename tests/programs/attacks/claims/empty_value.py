"""The interval of values is empty, so that nothing differs."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import LDP, Epsilon, Value, mechanism


# truth: no value is in [1, 0]; called with any, it is released raw (the claim is about nothing)
@mechanism(LDP())
def single_empty_value(x: Annotated[float, Value(1, 0)], eps: Epsilon) -> Iterator[float]:
    yield x
