"""Scores of numbers by the interval in which they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .features import Array, Feature, Reading
from .scores import SMOOTHING, Labels, gain_of, places_in

#: Intervals for each feature at most, and how many runs there are in each at least.
BINS, FILLED = 64, 40
#: By how much narrow intervals must differ: so many times as likely on D; how many are looked for
#: with each factor, and by how many nats of likelihood they must stand out among all intervals.
FACTORS, WINDOWS, OUTSTANDING = (1.5, 8.0), 3, 16.0
#: Labels with intervals of their own: those that come in this share of the runs, and how many.
CLASS_SHARE, CLASSES = 0.02, 32
#: Of how many cells of equal width intervals are made where that does: it is much faster.
CELLS = 4096
#: The part of the intervals that must be left.
LEFT = 0.8


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of numbers, from 1 on; 0 is no number.

    Attributes:
        edges: where one interval ends and the next one begins, roughly.
        table: of each of many cells of equal width, its interval; empty if these are too wide.
    """

    edges: Array
    table: NDArray[np.int64]

    @staticmethod
    def of(edges: Array, exact: bool = False) -> Intervals:
        """The intervals between these edges; if they need not be exact, roughly and faster."""
        nothing = np.zeros(0, np.int64)
        with np.errstate(over="ignore", divide="ignore"):
            scale = CELLS / (edges[-1] - edges[0]) if len(edges) > 1 else 0.0
        # Between the smallest numbers, or the largest, there are no cells of equal width.
        if exact or not 0 < scale < np.inf:
            return Intervals(edges, nothing)
        middles = np.linspace(edges[0], edges[-1], 2 * CELLS + 1)[1::2]
        inside = np.searchsorted(edges, middles, side="right") + 1
        table = np.concatenate([[1], inside, [len(edges) + 1]])
        fine = len(np.unique(table)) >= LEFT * (len(edges) + 1)
        return Intervals(edges, table if fine else nothing)

    def __len__(self) -> int:
        return len(self.edges) + 2

    def cells(self, values: Array) -> NDArray[np.int64]:
        """The interval of each number."""
        missing = np.isnan(values)
        if len(self.table):
            low, high = self.edges[0], self.edges[-1]
            with np.errstate(over="ignore"):  # what is far away is clipped
                places = (values - low) * (CELLS / (high - low)) + 1
            np.clip(places, 0, CELLS + 1, out=places)
            if missing.any():
                places[missing] = 0
            found = self.table.take(places.astype(np.int32))
        else:
            found = np.searchsorted(self.edges, values, side="right") + 1
        if missing.any():
            found[missing] = 0
        return np.asarray(found, np.int64)


@dataclass(frozen=True, eq=False)
class OfFeature:
    """In which interval a number lies, among runs of the same label; ``gain`` as of a table."""

    feature: Feature
    classes: Labels
    intervals: Intervals
    ratios: Array
    gain: float = 0.0

    @staticmethod
    def of(
        feature: Feature, left: Reading, right: Reading, classes: Labels, *, windows: bool = False
    ) -> OfFeature:
        """Intervals with about as many runs of the two sides in each, finer at the ends.

        With ``windows`` those besides that stand out, however narrow they are.
        """
        both = [feature.of(side) for side in (left, right)]
        pooled = np.concatenate(both)
        pooled = np.sort(pooled[~np.isnan(pooled)])
        edges = pooled[np.unique(_cuts(len(pooled)))] if len(pooled) else np.zeros(0)
        found = windows_of(*both) if windows else np.zeros(0)
        intervals = Intervals.of(np.unique(np.concatenate([edges, found])), len(found) > 0)
        wide, high = len(intervals), len(classes) + 1
        a, b = (
            np.bincount(
                intervals.cells(values) + wide * class_of(side, classes), minlength=wide * high
            ).reshape(high, wide)
            for values, side in zip(both, (left, right), strict=True)
        )
        gain = gain_of(a.astype(np.float64), b.astype(np.float64))
        given = np.log((b.sum(1) + SMOOTHING) / (a.sum(1) + SMOOTHING))
        ratios = np.log((a + SMOOTHING) / (b + SMOOTHING)) + given[:, None]
        return OfFeature(feature, classes, intervals, ratios, gain)

    def __call__(self, reading: Reading) -> Array:
        """The log ratio of the interval, given the label."""
        cells = self.intervals.cells(self.feature.of(reading))
        if len(self.classes):
            cells += self.ratios.shape[1] * class_of(reading, self.classes)
        return np.asarray(self.ratios.ravel()[cells])


def windows_of(left: Array, right: Array) -> Array:
    """The ends of intervals in which the numbers of D are many more than those of D'.

    With a weight of 1 for a number of D and of minus some factor for one of D', the interval of
    the largest sum is found in one pass, whatever its width; then those beside it.
    """
    a, b = (side[np.isfinite(side)] for side in (left, right))
    if not len(a) or not len(b):
        return np.zeros(0)
    values, where = np.unique(np.concatenate([a, b]), return_inverse=True)
    of_a = np.bincount(where[: len(a)], minlength=len(values)).astype(float)
    of_b = np.bincount(where[len(a) :], minlength=len(values)).astype(float)
    ends: list[float] = []
    for factor in FACTORS:
        weights = of_a - factor * (len(a) / len(b)) * of_b
        parts = [(0, len(values))]
        for _ in range(WINDOWS):
            found = [_best_of(weights[low:high]) for low, high in parts]
            best = max(range(len(parts)), key=lambda k: found[k][2])
            low, high = parts.pop(best)
            first, last, gain = low + found[best][0], low + found[best][1], found[best][2]
            if gain <= 0:
                break
            in_a, in_b = (side[first:last].sum(keepdims=True) for side in (of_a, of_b))
            if standing_out(in_a, in_b, len(a), len(b))[0] < OUTSTANDING or in_a + in_b < FILLED:
                break
            ends += [float(v) for v in (*values[first : first + 1], *values[last : last + 1])]
            parts += [(low, first), (last, high)]
            parts = [part for part in parts if part[0] < part[1]]
            if not parts:
                break
    return np.unique(ends)


def _best_of(weights: Array) -> tuple[int, int, float]:
    (low,), (high,) = largest_sums(weights[None])
    return int(low), int(high), float(weights[low:high].sum())


def largest_sums(weights: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the consecutive weights of the largest sum begin, of each row, and where they end."""
    sums = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
    highs = np.argmax(sums - np.minimum.accumulate(sums, axis=1), axis=1)
    before = np.arange(sums.shape[1]) <= highs[:, None]
    return np.argmin(np.where(before, sums, np.inf), axis=1), highs


def standing_out(left: Array, right: Array, of_left: float, of_right: float) -> Array:
    """By how many nats of likelihood the shares of so many of D and of D' differ."""
    both = np.array([of_left, of_right], float)
    inside = np.stack([left, right])
    total = np.zeros(len(left))
    for part in (inside, both[:, None] - inside):
        expected = part.sum(axis=0) * both[:, None] / both.sum()
        ratios = np.divide(part, expected, out=np.ones(part.shape), where=part > 0)
        total += (part * np.log(ratios)).sum(axis=0)
    return total


def _cuts(size: int) -> NDArray[np.int64]:
    """Which of the sorted numbers are edges."""
    bins = max(min(BINS, size // FILLED), 1)
    even = np.arange(1, bins) * size // bins
    tail = FILLED * 2 ** np.arange(12)
    tail = tail[tail * bins < size]
    return np.sort(np.concatenate([tail, even, size - 1 - tail])).astype(np.int64)


def class_of(reading: Reading, classes: Labels) -> NDArray[np.int64]:
    """Which of the classes each run has, from 1 on; 0 for none of them."""
    if not len(classes):  # labels take time
        return np.zeros(len(reading.sample), np.int64)
    return places_in(classes, reading.labels) + 1


def classes_of(left: Reading, right: Reading) -> Labels:
    """The labels that come often, if there are several."""
    labels, counts = np.unique(np.concatenate([left.labels, right.labels]), return_counts=True)
    if len(labels) == 1:
        return labels[:0]
    often = np.flatnonzero(counts >= CLASS_SHARE * counts.sum())
    chosen = often[np.argsort(-counts[often], kind="stable")[:CLASSES]]
    return np.sort(labels[chosen])
