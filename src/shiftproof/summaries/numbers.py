"""The numbers that are released at one position: how many, how large, how they are spread."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bins import Bins


@dataclass(slots=True)
class Numbers:
    """What is known of some numbers.

    Attributes:
        count: how many of them are finite; all else but ``special`` is about these.
        special: how many are infinite or no number.
        mean: their mean.
        squares: the sum of the squared distances from the mean.
        least, most: the smallest and the largest.
        whole: whether all were released as ints.
        places: how many are below all bins, in each, and above all; ``None`` without bins.
    """

    count: int = 0
    special: int = 0
    mean: float = 0.0
    squares: float = 0.0
    least: float = math.inf
    most: float = -math.inf
    whole: bool = True
    places: NDArray[np.int64] | None = None

    @property
    def deviation(self) -> float:
        """The standard deviation of the numbers as a sample; 0 of a single one."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0

    def add(self, other: Numbers) -> None:
        """Put the numbers of the next block to these (Chan, Golub and LeVeque)."""
        self.special += other.special
        self.whole = self.whole and other.whole
        if not other.count:
            return
        total = self.count + other.count
        apart = other.mean - self.mean
        self.mean += apart * (other.count / total)
        self.squares += other.squares + apart * apart * (self.count * (other.count / total))
        self.count = total
        self.least = min(self.least, other.least)
        self.most = max(self.most, other.most)
        if other.places is not None:
            self.places = other.places + (0 if self.places is None else self.places)


def numbers_of(values: NDArray[np.float64], whole: bool, bins: Bins | None) -> Numbers:
    """The numbers of one block."""
    special = 0
    with np.errstate(all="ignore"):
        mean = float(values.mean()) if len(values) else 0.0
        if not math.isfinite(mean):
            finite = np.isfinite(values)
            special = len(values) - int(finite.sum())
            values = values[finite]
            mean = float(values.mean()) if len(values) else 0.0
        if not len(values):
            return Numbers(special=special, whole=whole)
        apart = values - mean
        apart *= apart
        squares = float(apart.sum())  # not np.dot: its order depends on how many cores there are
    places = None if bins is None else bins.counted(values)
    return Numbers(
        len(values), special, mean, squares,
        float(values.min()), float(values.max()), whole, places,
    )  # fmt: skip


def quantile(numbers: Numbers, bins: Bins | None, share: float) -> float | None:
    """The number below which a share of them lies.

    Returns:
        One of the numbers, if bins hold one whole number each; else it is within a bin of the
        true one.  ``None`` if it is outside of all bins, or there are none.
    """
    if bins is None or numbers.places is None or not numbers.count:
        return None
    sums = np.cumsum(numbers.places)
    wanted = share * numbers.count
    place = int(np.searchsorted(sums, wanted))
    if not 0 < place <= bins.count:
        return None
    low = bins.low + (place - 1) * bins.step
    if numbers.whole and bins.step == 1:
        return low
    inside = (wanted - float(sums[place - 1])) / float(numbers.places[place])
    return min(max(low + inside * bins.step, numbers.least), numbers.most)
