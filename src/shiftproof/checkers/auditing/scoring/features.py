"""What an event may be about: numbers of an output, their intervals, its discrete part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..samples import ABSENT, FLOAT, INT, Sample
from .cells import SHARE, TIMES, Cells, cells_of

# Numbers derived from an output, of which tails and intervals may be events.

Array = NDArray[np.float64]

#: How many places have features of their own.
SINGLE = 512


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of each run; NaN where a run has none.

    ``kind``: ``value`` or ``rise`` (from the number before) at a ``place``, or one of the
    numbers over all places in :data:`OVERALL`.
    """

    kind: str
    place: int = 0

    def of(self, reading: Reading) -> Array:
        """Shape (n,)."""
        return reading.feature(self)

    def found(self, reading: Reading) -> Array:
        """The same, worked out anew."""
        if self.kind == "value":
            return reading.numbers(self.place)
        if self.kind == "rise":
            return np.asarray(reading.numbers(self.place) - reading.numbers(self.place - 1))
        return OVERALL[self.kind](reading.values)

    def __str__(self) -> str:
        if self.kind == "value":
            return f"number {self.place + 1}"
        if self.kind == "rise":
            return f"number {self.place + 1} - number {self.place}"
        return f"the {self.kind} of the numbers"


def _sum(values: Array) -> Array:
    return np.asarray(np.where(np.isnan(values).all(axis=1), np.nan, np.nansum(values, axis=1)))


def _range(values: Array) -> Array:
    return np.asarray(np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1))


def _peak(values: Array) -> Array:
    """By how much the largest number is above the next one."""
    if values.shape[1] < 2:
        return np.full(len(values), np.nan)
    two = np.partition(np.where(np.isnan(values), -np.inf, values), -2, axis=1)[:, -2:]
    with np.errstate(invalid="ignore"):
        gap = two[:, 1] - two[:, 0]
    return np.asarray(np.where(np.isfinite(gap), gap, np.nan))


OVERALL: Mapping[str, Callable[[Array], Array]] = {
    "largest": lambda values: np.asarray(np.fmax.reduce(values, axis=1)),
    "smallest": lambda values: np.asarray(np.fmin.reduce(values, axis=1)),
    "sum": _sum,
    "range": _range,
    "peak": _peak,
}


def features_of(reading: Reading) -> tuple[list[Feature], list[Feature], list[Feature]]:
    """What is worth looking at: single numbers, rises, and numbers over all places."""
    values = reading.values
    there = [k for k in range(min(values.shape[1], SINGLE)) if not np.isnan(values[:, k]).all()]
    single = [Feature("value", k) for k in there]
    rises = [
        Feature("rise", k)
        for k in there
        if k and not np.isnan(values[:, k] - values[:, k - 1]).all()
    ]
    overall = [Feature(kind) for kind in OVERALL] if len(there) > 1 else []
    return single, rises, overall


# The discrete part of outputs: which tokens come often, and one label for each run.

#: Up to how many different integers at one place all of them are tokens.
INTEGERS = 64
#: Of so many numbers of a run it is tried what else they may stand for.
UNSURE = 3

_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What is discrete at each place: everything but numbers, and numbers that come often.

    Attributes:
        numeric: shape (2, places); whether floats (row 0) and integers (row 1) at this place are
            numbers, unless they are among ``atoms``.
        atoms: for each place, sorted, the bits of the numbers that are tokens.
        cells: for each place, to what floats are rounded: finer than that is how they were
            computed, not what the mechanism is.
    """

    numeric: NDArray[np.bool_]
    atoms: tuple[NDArray[np.int64], ...]
    cells: tuple[Cells, ...]

    @staticmethod
    def of(sample: Sample) -> Vocabulary:
        """What comes often in a sample."""
        numeric = np.zeros((2, sample.places), np.bool_)
        atoms = []
        cells = cells_of(sample)
        for k in range(sample.places):
            here: list[NDArray[np.int64]] = []
            for row, kind in enumerate((FLOAT, INT)):
                bits = sample.bits[:, k][sample.kinds[:, k] == kind]
                if kind == FLOAT:
                    bits = cells[k].rounded(bits)
                values, counts = np.unique(bits, return_counts=True)
                often = counts >= max(SHARE * len(sample), TIMES)
                if kind == INT and len(values) <= INTEGERS:
                    often = np.ones(len(values), np.bool_)
                numeric[row, k] = not often.all()
                here.append(values[often])
            atoms.append(np.unique(np.concatenate(here)))
        return Vocabulary(numeric, tuple(atoms), cells)

    def read(self, sample: Sample) -> Reading:
        """A sample in these words."""
        return Reading(sample, self)


@dataclass(eq=False)
class Reading:
    """A sample in the words of a vocabulary."""

    sample: Sample
    vocabulary: Vocabulary
    _read: dict[int, tuple[NDArray[np.uint64], NDArray[np.float64]]] = field(default_factory=dict)
    _features: dict[Feature, Array] = field(default_factory=dict)

    @cached_property
    def labels(self) -> NDArray[np.uint64]:
        """Shape (n,); runs have one label if they are alike in all but numbers."""
        labels = self.sample.endings.astype(np.uint64) + _stirred(self.sample.lengths)
        for k in range(self.places):
            labels = (labels ^ self.tokens(k)) * _MIX
            labels ^= labels >> np.uint64(29)
        return labels

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Shape (n, places); the numbers, and NaN where there is none."""
        if not self.places:
            return np.zeros((len(self.sample), 0))
        return np.column_stack([self.numbers(k) for k in range(self.places)])

    @property
    def places(self) -> int:
        """How many places the vocabulary knows."""
        return len(self.vocabulary.atoms)

    def tokens(self, place: int) -> NDArray[np.uint64]:
        """Shape (n,); what stands at a place, where all numbers are alike."""
        return self._at(place)[0]

    def numbers(self, place: int) -> NDArray[np.float64]:
        """Shape (n,); the numbers at a place, and NaN where there is none."""
        return self._at(place)[1]

    def feature(self, feature: Feature) -> Array:
        """Shape (n,); scores ask for the same features again and again."""
        if feature not in self._features:
            self._features[feature] = feature.found(self)
        return self._features[feature]

    def otherwise(self) -> tuple[list[tuple[NDArray[np.intp], Reading]], NDArray[np.intp]]:
        """The runs whose numbers may stand for others, as if they did: in every way.

        Besides those of which too many numbers may.
        """
        unsure = self._unsure
        how_many = unsure.sum(axis=1)
        found = []
        for k in range(1, UNSURE + 1):
            rows = np.flatnonzero(how_many == k)
            if not len(rows):
                continue
            places = np.nonzero(unsure[rows])[1].reshape(-1, k)
            for signs in product((-1.0, 1.0), repeat=k):
                some = self.sample.of_runs(rows)
                bits = some.bits.copy(order="F")
                for of_rows, sign in zip(places.T, signs, strict=True):
                    for place in np.unique(of_rows):
                        here = np.flatnonzero(of_rows == place)
                        cells = self.vocabulary.cells[place]
                        bits[here, place] = cells.moved(bits[here, place], sign)
                found.append((rows, self.vocabulary.read(replace(some, bits=bits))))
        return found, np.flatnonzero(how_many > UNSURE)

    @property
    def _unsure(self) -> NDArray[np.bool_]:
        """Shape (n, places); which floats may stand for numbers of another cell."""
        found = np.zeros((len(self.sample), self.places), np.bool_, order="F")
        for k in range(min(self.places, self.sample.places)):
            kinds, bits = _place(self.sample, k)
            if (floats := kinds == FLOAT).any():
                found[:, k] = self.vocabulary.cells[k].unsure(bits) & floats
        return found

    def _at(self, place: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        if place not in self._read:
            self._read[place] = self._place(place)
        return self._read[place]

    def _place(self, k: int) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        kinds, bits = _place(self.sample, k)
        atoms, n = self.vocabulary.atoms[k], len(self.sample)
        floats = kinds == FLOAT
        only = bool(floats.all())
        if only or floats.any():
            rounded = self.vocabulary.cells[k].rounded(bits)
            bits = rounded if only else np.where(floats, rounded, bits)
        if n and only and self.vocabulary.numeric[0, k] and not len(atoms):
            return np.full(n, np.uint64(FLOAT)), _finite(bits.view(np.float64))
        number, values = np.zeros(n, np.bool_), np.full(n, np.nan)
        for row, kind in enumerate((FLOAT, INT)):
            if not self.vocabulary.numeric[row, k]:
                continue
            here = kinds == kind
            if len(atoms):
                at = np.minimum(np.searchsorted(atoms, bits), len(atoms) - 1)
                here &= atoms[at] != bits
            found = bits.view(np.float64) if kind == FLOAT else bits.astype(np.float64)
            values = found if here.all() else np.where(here, found, values)
            number |= here
        tokens = kinds.astype(np.uint64)
        if not number.all():
            tokens += np.where(number, np.uint64(0), _stirred(bits) | np.uint64(16))
        return tokens, _finite(values)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    finite = np.isfinite(values)
    return values if finite.all() else np.where(finite, values, np.nan)


def _place(sample: Sample, k: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    if k < sample.places:
        return np.ascontiguousarray(sample.kinds[:, k]), np.ascontiguousarray(sample.bits[:, k])
    return np.full(len(sample), ABSENT, np.uint8), np.zeros(len(sample), np.int64)


def _stirred(values: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Bits that differ everywhere where the values differ."""
    found = values.astype(np.int64).view(np.uint64) * _MIX
    return np.asarray(found ^ (found >> np.uint64(32)))
