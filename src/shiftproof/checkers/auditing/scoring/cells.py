"""Cells of numbers: what an event of the ideal mechanism may be about, and what rounding may not.

A float stands for any number within a tolerance of it: a few units in the last place of its type
and size.  Events of the ideal mechanism are made of cells that are wider than that.  Where the
number that is meant may be in another cell, a run on D counts only if it is in the event with
either, and a run on D' as soon as it is with one.  So if what is put out is within the tolerance
of an ideal mechanism that keeps ε, then
P(counted on D) <= P(ideal on D in the event) <= e^ε P(ideal on D' in it) <= e^ε P(counted on D'),
whatever was rounded on the way: no event can be refused because of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..samples import DOUBLE, FLOAT, HALF, SINGLE, Sample

Bits = NDArray[np.int64]

#: How many units in the last place a number may be off: of its own size in its type, by the digits
#: of that; and of the size of the largest number of an output.
OWN, OF_LARGEST = {DOUBLE: 256, SINGLE: 16, HALF: 4}, 8
#: The power of two of the smallest number of a type.
_SMALLEST = {DOUBLE: -1074, SINGLE: -149, HALF: -24}
#: A cell is this part of the spread of the numbers, or so many tolerances for each number of an
#: output if these are more: then few runs are near to the end of a cell.
FINE, WIDTH = 2.0**-30, 16
#: Which part of the numbers is taken for the size of them all; some may stand for something else.
MOST = 0.95
#: By which parts of a cell its ends may be moved, so that those that are twice as wide begin far
#: enough from an end; and how many numbers tell which is best.
SHIFTS, TELLING = (0, *(sign * n / 16 for n in range(1, 5) for sign in (1, -1))), 1024
#: Doubles were singles if all have their digits, and this part of so many all of these.
FULL, ENOUGH = 1 / 8, 32
#: A number comes often if it is in this share of the runs, and so many times.
SHARE, TIMES = 1 / 500, 8


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of the floats at one place.

    Attributes:
        step: how wide they are, a power of two; twice as wide from 2**top on, and so on.
        reach: the tolerance, as a part of that.
        top: up to which power of two.
        shift: their middles are multiples of their width, but for this part of it.
    """

    step: float
    reach: float
    top: int
    shift: float = 0.0

    def rounded(self, bits: Bits) -> Bits:
        """Floats, by their bits, as the middles of their cells."""
        values, widths = bits.view(np.float64), self._widths(bits)
        with np.errstate(over="ignore", invalid="ignore"):
            # The two zeros are one number.
            found = np.rint(values / widths - self.shift) * widths + 0.0
        return np.asarray(found, np.float64).view(np.int64)

    def unsure(self, bits: Bits) -> NDArray[np.bool_]:
        """Which floats may stand for a number of the next cell."""
        with np.errstate(invalid="ignore"):
            places = bits.view(np.float64) / self._widths(bits) - self.shift
            return np.asarray(np.abs(places - np.floor(places) - 0.5) <= self.reach)

    def moved(self, bits: Bits, signs: Any) -> Bits:
        """Floats that are a tolerance smaller or larger."""
        with np.errstate(over="ignore"):
            found = bits.view(np.float64) + signs * self.reach * self._widths(bits)
        return np.asarray(found, np.float64).view(np.int64)

    def _widths(self, bits: Bits) -> Any:
        if np.abs(bits.view(np.float64)).max(initial=0) < 2.0 ** min(self.top, 1023):
            return self.step
        over = np.maximum(((bits >> 52) & 0x7FF) - 1022 - self.top, 0)
        return np.ldexp(self.step, np.arange(int(over.max()) + 1))[over]


def cells_of(sample: Sample) -> tuple[Cells, ...]:
    """Cells for each place of the outputs of some runs."""
    columns = [_telling(sample, k) for k in range(sample.places)]
    sizes = [float(np.quantile(np.abs(c), MOST)) if len(c) else 0.0 for c in columns]
    digits = [min(SINGLE if _were_singles(c) else DOUBLE, sample.digits) for c in columns]
    wide = WIDTH * 2 ** int(np.ceil(np.log2(max(sum(len(c) > 0 for c in columns), 1))))
    largest = max(sizes, default=0.0)
    found = []
    for column, size, own in zip(columns, sizes, digits, strict=True):
        units = OWN[own] * _unit(size, own), min(OWN[own], OF_LARGEST) * _unit(largest, own)
        tolerance = max(units)
        low, high = np.quantile(column, (0.25, 0.75)) if len(column) else (0.0, 0.0)
        fine = (high / 2 - low / 2) * (2 * FINE)
        step = max(wide * tolerance, 2.0 ** np.floor(np.log2(fine)) if fine else 0.0)
        top = int(np.log2(tolerance / OWN[own])) + own
        cells = Cells(float(step), float(tolerance / step), top)
        found.append(_with_best_ends(cells, column))
    return tuple(found)


def _telling(sample: Sample, place: int) -> NDArray[np.float64]:
    """The floats of a place that tell their size; what comes often may stand for something else."""
    bits = sample.bits[:, place][sample.kinds[:, place] == FLOAT]
    _, at, counts = np.unique(bits, return_inverse=True, return_counts=True)
    rare = bits[counts[at] < max(SHARE * len(sample), TIMES)]
    values = (rare if len(rare) > len(bits) // 100 else bits).view(np.float64)
    return np.asarray(values[np.isfinite(values)], np.float64)


def _were_singles(values: NDArray[np.float64]) -> bool:
    """Whether doubles are made of numbers of type float32, by their digits."""
    bits, beyond = values.view(np.int64), DOUBLE - SINGLE
    if len(bits) < ENOUGH or (bits & ((1 << beyond) - 1)).any():
        return False
    return bool(np.mean((bits >> beyond) & 1) >= FULL)


def _unit(size: float, digits: int) -> float:
    """The unit in the last place of a number of this size."""
    return float(2.0 ** max(int(np.frexp(size)[1]) - digits, _SMALLEST[digits]))


def _with_best_ends(cells: Cells, values: NDArray[np.float64]) -> Cells:
    """Cells at whose ends there are the fewest of these numbers."""
    some = np.ascontiguousarray(values[:: len(values) // TELLING + 1]).view(np.int64)
    candidates: Iterable[Cells] = (replace(cells, shift=shift) for shift in SHIFTS)
    best, fewest = cells, len(some) + 1
    for candidate in candidates:
        near = int(candidate.unsure(some).sum())
        if near < fewest:
            best, fewest = candidate, near
        if not near:
            break
    return best
