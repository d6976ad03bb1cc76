"""Checked arguments of the minimum estimators."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput

#: Whatever numpy makes a generator of: a seed, a generator, or ``None`` for an unknown seed.
Seed = int | np.random.Generator | None


def positive(name: str, value: Any) -> float:
    """A finite number above 0."""
    number = _finite(value)
    if number is None or number <= 0:
        raise BadInput(f"{name}: got {value!r}; a finite number above 0 is needed")
    return number


def _finite(value: Any) -> float | None:
    """A finite number as a float; ``None`` of anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def epsilon(name: str, value: Any) -> float:
    """A privacy parameter in nats: above 0, and such that flips have a probability above 0."""
    number = positive(name, value)
    if not 1e-100 <= number <= 700:
        raise BadInput(f"{name}: got {value!r}; a number from 1e-100 to 700 is needed")
    return number


def whole(name: str, value: Any, least: int = 1) -> int:
    """An int of at least ``least``."""
    if not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least:
        return int(value)
    raise BadInput(f"{name}: got {value!r}; an int of at least {least} is needed")


def checked_range(low: Any, high: Any) -> tuple[float, float]:
    """Two finite numbers, the first below the second."""
    ends = []
    for name, value in (("low", low), ("high", high)):
        number = _finite(value)
        if number is None:
            raise BadInput(f"{name}: got {value!r}; a finite number is needed")
        ends.append(number)
    first, last = ends
    if not (first < last and math.isfinite(last - first)):
        raise BadInput(f"low, high: got {low!r} and {high!r}; low must be below high")
    return first, last


def checked_values(values: Any, low: float, high: float) -> NDArray[np.float64]:
    """One number for each user, all of them in [low, high]."""
    wanted = "values: want a sequence of numbers, one for each user"
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "iufO" or found.ndim != 1:
            raise BadInput(f"{wanted}; got {_shape(found)}")
        numbers = np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"{wanted}; {problem}") from None
    if not numbers.size:
        raise BadInput("values: got none; at least one user is needed")
    # Written so that nan, which is neither below nor above anything, is refused.
    if not (numbers.min() >= low and numbers.max() <= high):
        at = int(np.argmin((numbers >= low) & (numbers <= high)))
        raise BadInput(
            f"values: number {at} is {float(numbers[at])!r}, outside of [{low:g}, {high:g}]; "
            "give the range by low= and high=, and clip what may lie outside"
        )
    return numbers


def _shape(found: NDArray[Any]) -> str:
    if found.ndim != 1:
        return f"{found.ndim} dimensions"
    return f"an array of {found.dtype}"


def generator(seed: Any) -> np.random.Generator:
    """The generator of a seed; a generator is taken as it is."""
    if isinstance(seed, np.random.Generator):
        return seed
    if seed is None:
        return np.random.default_rng()
    if not isinstance(seed, bool) and isinstance(seed, Integral) and int(seed) >= 0:
        return np.random.default_rng(int(seed))
    raise BadInput(f"seed: got {seed!r}; an int that is not negative, or a generator, is needed")
