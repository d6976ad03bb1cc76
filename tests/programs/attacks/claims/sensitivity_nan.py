"""A sensitivity that compares with nothing."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import DP, Epsilon, Query, mechanism


# truth: releases q raw: 1 against 0; |q - q'| <= nan never holds
@mechanism(DP())
def single_sensitivity_nan(
    q: Annotated[float, Query(sensitivity=float("nan"))], eps: Epsilon
) -> Iterator[float]:
    yield q
