"""A sensitivity below 0 leaves no neighbours."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Query, mechanism


# truth: releases q raw: 1 against 0 for any two answers (|q - q'| <= -1 is contradictory)
@mechanism(DP())
def single_negative_sensitivity(
    q: Annotated[float, Query(sensitivity=-1)], eps: Epsilon
) -> Iterator[float]:
    yield q
