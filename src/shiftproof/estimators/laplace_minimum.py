"""The obvious way to a private minimum, and why not to take it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .minimum_inputs import Seed, checked_range, checked_values, epsilon, generator

#: So many users are drawn at a time, to need little memory.
_AT_A_TIME = 1 << 20


def laplace_minimum(
    values: Any, eps: float, *, low: float = -1.0, high: float = 1.0, seed: Seed = None
) -> float:
    """The least of the values, each with Laplace noise of scale (high - low)/ε.  A baseline.

    It is ε-LDP and no estimate: the least of N noises is about -(high - low)/ε ln(N/2), so the
    error grows with N.  Clipped to the range, the result is ``low`` whatever the values are.

    Args:
        values: one number for each user, shape (N,), in [low, high].
        eps: ε in nats, above 0.
        low: no value is below, by what is known without looking.
        high: no value is above.
        seed: an int for reproducible runs, or a generator of NumPy.

    Raises:
        BadInput: there are no values, one is not in [low, high], or an argument is out of its
            range.

    The noise is idealised: of real reports the low bits of the floats would betray the values.

    Source: LDP minimum finding, Section 6.1.
    """
    first, last = checked_range(low, high)
    numbers, rng = checked_values(values, first, last), generator(seed)
    scale, least = (last - first) / epsilon("eps", eps), np.inf
    for begin in range(0, numbers.size, _AT_A_TIME):
        part = numbers[begin : begin + _AT_A_TIME]
        least = min(least, float((part + rng.laplace(scale=scale, size=part.size)).min()))
    return least
