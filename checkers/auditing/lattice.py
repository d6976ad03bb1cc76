"""Scores of how numbers are written in floating point, where implementations give inputs away.

The noise of an ideal mechanism can be any number; a float is one of a lattice whose width
depends on how it was computed, so that some floats come on one input only.

Source: Mironov, "On significance of the least significant bits for differential privacy"
(CCS 2012).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .features import Array
from .sample import FLOAT, Sample
from .scores import Labels, Table
from .vocabulary import Reading

#: At how many places floats are looked at.
FLOATS = 4
#: Only if at most this share of the floats differ, repeats are looked for.
DIFFERENT = 0.7
#: Log ratios count this many standard errors less.
CAUTION = 1.0

_MANTISSA = (1 << 52) - 1


def _fine(bits: NDArray[np.int64]) -> Labels:
    """Of which power of two the number is an odd multiple."""
    mantissa = (bits & _MANTISSA) | (1 << 52)
    lowest = np.frexp((mantissa & -mantissa).astype(np.float64))[1]
    return (((bits >> 52) & 0x7FF) + lowest).astype(np.uint64)


def _fine_by_size(bits: NDArray[np.int64]) -> Labels:
    """The same, and between which powers of two it lies."""
    return np.asarray(_fine(bits) * np.uint64(4096) + ((bits >> 52) & 0x7FF).astype(np.uint64))


def _itself(bits: NDArray[np.int64]) -> Labels:
    return bits.view(np.uint64)


READINGS: dict[str, Callable[[NDArray[np.int64]], Labels]] = {
    "lattice": _fine,
    "lattice and size": _fine_by_size,
    "exact value": _itself,
}


@dataclass(frozen=True, eq=False)
class OfBits:
    """How the float at one place is written."""

    place: int
    how: str
    table: Table

    def __call__(self, reading: Reading) -> Array:
        """The log ratio of its way; -∞ for other than floats."""
        sample = reading.sample
        if self.place >= sample.places:
            return np.full(len(sample), -np.inf)
        bits = np.ascontiguousarray(sample.bits[:, self.place])
        found = self.table.look_up(READINGS[self.how](bits))
        return np.where(sample.kinds[:, self.place] == FLOAT, found, -np.inf)


def bit_scores(left: Sample, right: Sample) -> Iterator[OfBits]:
    """What tells samples apart by how their floats are written."""
    for place in range(min(left.places, right.places, FLOATS)):
        sides = []
        for sample in (left, right):
            bits = sample.bits[:, place][sample.kinds[:, place] == FLOAT]
            sides.append(np.ascontiguousarray(bits))
        if min(map(len, sides)) <= len(left) // 10:
            continue
        for how, read in READINGS.items():
            labels = [read(bits) for bits in sides]
            if how == "exact value":
                pooled = np.concatenate(labels)
                if len(np.unique(pooled)) > DIFFERENT * len(pooled):
                    continue
            yield OfBits(place, how, Table.of(labels[0], labels[1], caution=CAUTION))
