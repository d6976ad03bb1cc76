"""Scores of several numbers and labels together: a tree of boxes, each with a ratio of its own."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .features import Array, Reading
from .intervals import FILLED, OUTSTANDING, OfFeature, largest_sums, standing_out
from .scores import SMOOTHING, Labels, LabelScores, OfLabels, places_in

Codes = NDArray[np.int64]

#: How many boxes there are at most, those that are cut among them; how often one may be cut.
BOXES, DEPTH = 96, 8
#: By how much the part that is cut out is to differ from the rest, where parts are looked for.
FACTORS = (1.05, 1.3, 2.0, 8.0)
#: What marks a box that is not cut.
WHOLE = -1


@dataclass(frozen=True, eq=False)
class Column:
    """One thing that is known of each run, as a small whole number: near ones are alike.

    Of a number it is the interval, of a label or a token its place by how it speaks for D.
    """

    of: OfFeature | OfLabels | Labels
    ranks: Codes = field(default_factory=lambda: np.zeros(0, np.int64))

    @staticmethod
    def of_table(of: OfLabels | Labels, table: LabelScores) -> Column:
        """A label or a token, by the ratios of a table."""
        ranks = np.empty(len(table.labels) + 1, np.int64)
        ranks[np.append(np.argsort(table.ratios, kind="stable"), -1)] = np.arange(len(ranks))
        return Column(of, ranks)

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.of.intervals) if isinstance(self.of, OfFeature) else len(self.ranks)

    def codes(self, reading: Reading) -> Codes:
        """Shape (n,)."""
        if isinstance(self.of, OfFeature):
            return self.of.intervals.cells(self.of.feature.of(reading))
        if isinstance(self.of, OfLabels):
            return self.ranks[places_in(self.of.table.labels, self.of.of(reading))]
        return self.ranks[places_in(self.of, reading.labels)]


@dataclass(frozen=True, eq=False)
class Tree:
    """The ratio of the box in which a run lies.

    A box that is not cut is ``WHOLE`` in ``cut``; from another one the runs whose code of the
    column ``cut`` is from ``low`` up to ``high``, excluded, go to the box ``inner``, the others
    to the one after it.
    """

    columns: Sequence[Column]
    cut: Codes
    low: Codes
    high: Codes
    inner: Codes
    ratios: Array

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        n = len(reading.sample)
        codes = _codes(self.columns, reading)
        at, rows = np.zeros(n, np.int64), np.arange(n)
        for _ in range(DEPTH):
            cut = self.cut[at]
            code = codes[rows, np.maximum(cut, 0)]
            inside = (self.low[at] <= code) & (code < self.high[at])
            at = np.where(cut == WHOLE, at, self.inner[at] + ~inside)
        return np.asarray(self.ratios[at])


@dataclass(frozen=True, slots=True)
class _Cut:
    """A part to cut out of a box, and by how many nats it stands out there."""

    gain: float = 0.0
    column: int = WHOLE
    low: int = 0
    high: int = 0


@dataclass(slots=True, eq=False)
class _Box:
    """The rows of D and of D' that are in a box; where its parts are, if it is cut."""

    rows: tuple[Codes, Codes]
    depth: int = 0
    cut: _Cut = _Cut()
    inner: int = 0

    def part(self, cut: _Cut, sides: tuple[Codes, Codes], inside: bool) -> _Box:
        """What a cut takes out, or leaves."""
        found = []
        for side, rows in zip(sides, self.rows, strict=True):
            codes = side[rows, cut.column]
            found.append(rows[((cut.low <= codes) & (codes < cut.high)) == inside])
        return _Box((found[0], found[1]), self.depth + 1)


def tree_of(columns: Sequence[Column], left: Reading, right: Reading) -> Tree | None:
    """Cut what stands out most, again and again; ``None`` if nothing does."""
    if not columns:
        return None
    sides = _codes(columns, left), _codes(columns, right)
    sizes = np.array([column.size for column in columns])
    boxes = [_Box((np.arange(len(sides[0])), np.arange(len(sides[1]))))]
    waiting: list[tuple[float, int, _Cut]] = []
    new = 0
    while True:
        for k in range(new, len(boxes)):
            rows, cut = boxes[k].rows, None
            if boxes[k].depth < DEPTH:
                cut = _best_cut(sides[0][rows[0]], sides[1][rows[1]], sizes)
            if cut is not None:
                heapq.heappush(waiting, (-cut.gain, k, cut))
        new = len(boxes)
        if not waiting or new >= BOXES:
            break
        _, k, cut = heapq.heappop(waiting)
        boxes[k].cut, boxes[k].inner = cut, new
        boxes += [boxes[k].part(cut, sides, True), boxes[k].part(cut, sides, False)]
    if len(boxes) == 1:
        return None
    a, b = (np.array([len(box.rows[side]) for box in boxes], float) for side in (0, 1))
    ratios = np.log((a + SMOOTHING) / (b * len(sides[0]) / len(sides[1]) + SMOOTHING))
    column, low, high, inner = np.array(
        [(box.cut.column, box.cut.low, box.cut.high, box.inner) for box in boxes]
    ).T
    return Tree(columns, column, low, high, inner, ratios)


def _codes(columns: Sequence[Column], reading: Reading) -> Codes:
    """Shape (n, columns)."""
    return np.stack([column.codes(reading) for column in columns], axis=1)


def _best_cut(left: Codes, right: Codes, sizes: Codes) -> _Cut | None:
    """The codes of one column whose share in D and in D' differs most, by likelihood."""
    if len(left) + len(right) < 2 * FILLED:
        return None
    wide = int(sizes.max())
    first = wide * np.arange(len(sizes))
    a, b = (
        np.bincount((side + first).ravel(), minlength=wide * len(sizes))
        .reshape(-1, wide)
        .astype(float)
        for side in (left, right)
    )
    ratio = (len(left) + 1) / (len(right) + 1)
    best: _Cut | None = None
    for factor in FACTORS:
        for weights in (a - factor * ratio * b, ratio * b - factor * a):
            low, high = largest_sums(weights)
            in_a, in_b = (_between(side, low, high) for side in (a, b))
            gains = standing_out(in_a, in_b, len(left), len(right))
            gains[in_a + in_b < FILLED] = 0
            k = int(np.argmax(gains))
            if gains[k] >= OUTSTANDING and (best is None or gains[k] > best.gain):
                best = _Cut(float(gains[k]), k, int(low[k]), int(high[k]))
    return best


def _between(counts: Array, low: Codes, high: Codes) -> Array:
    """Of each row the sum from one place up to another."""
    sums = np.concatenate([np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)], axis=1)
    rows = np.arange(len(counts))
    return np.asarray(sums[rows, high] - sums[rows, low])
