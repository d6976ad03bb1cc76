"""Where the bars of a histogram stand: round limits, some twenty bars, each of finer bins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Bars of a histogram, at most about this many; and bins in each, for the quantiles.
BARS, FINE = 20, 32

#: With fewer whole numbers than this, each has a bar of its own.
SINGLE = 30

#: How many of a thousand of the first numbers may be outside, on either side.
OUTSIDE = 2


@dataclass(frozen=True, slots=True)
class Bins:
    """``bars`` bars from ``first · width`` on, each ``width`` wide and made of ``fine`` bins.

    ``digits`` is how many decimals the limits of the bars have; negative for round tens.
    ``whole``: the first runs released whole numbers only.
    """

    first: int
    width: float
    digits: int
    bars: int
    fine: int
    whole: bool

    @property
    def low(self) -> float:
        """Where the first bar begins."""
        return self.limit(0)

    @property
    def step(self) -> float:
        """How wide a bin is."""
        return self.width / self.fine

    @property
    def count(self) -> int:
        """How many bins there are."""
        return self.bars * self.fine

    def limit(self, bar: int) -> float:
        """Where a bar begins, as the double next to the decimal."""
        return float(round((self.first + bar) * self.width, self.digits))

    def counted(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """How many values are below all bins, in each of them, and above all; values are finite."""
        with np.errstate(over="ignore"):
            places = values - self.low
            places *= 1 / self.step
        places += 1
        np.clip(places, 0, self.count + 1, out=places)
        return np.bincount(places.astype(np.int32), minlength=self.count + 2).astype(np.int64)


def bins_for(values: NDArray[np.float64], whole: bool) -> Bins | None:
    """Bars that hold almost all values; ``None`` if there are no values, or no bars fit them."""
    values = np.sort(values[np.isfinite(values)])
    if not len(values):
        return None
    outside = len(values) * OUTSIDE // 1000
    low, high = float(values[outside]), float(values[-1 - outside])
    # Bars are no narrower than what doubles of this size can tell apart.
    least = 2.0**-40 * max(abs(low), abs(high))
    wanted = max((high - low) / BARS, least) or 0.05
    if whole and (wanted < 1 or high - low < SINGLE):
        wanted = 1.0
    if not 1e-300 < wanted < 1e300:
        return None
    width, digits = _round(wanted)
    first = math.floor(low / width)
    bars = math.floor(high / width) - first + 1
    fine = FINE
    if whole:  # bins that begin at whole numbers
        fine = next((n for n in range(FINE, 1, -1) if width % n == 0), 1)
    return Bins(first, width, digits, bars, fine, whole)


def _round(wanted: float) -> tuple[float, int]:
    """1, 2 or 5 times a power of ten that is not below what is wanted; and its decimals."""
    power = math.floor(math.log10(wanted))
    for exponent in (power, power + 1):
        for digit in (1, 2, 5):
            width = float(f"{digit}e{exponent}")
            if width >= wanted:
                return width, -exponent
    raise AssertionError(wanted)
