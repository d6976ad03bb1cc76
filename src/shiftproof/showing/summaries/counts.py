"""How often each outcome came, how large numbers are, and where the bars of a histogram stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...dsl.simulation.group import Labels
from ...dsl.simulation.log import Column
from ...dsl.simulation.outcomes import FIRST_ATOM, FLOAT, INT, TRUE, Ending, Outcomes, Released

# How often each outcome came, for as many different ones as memory is given to.
#
# All floats count as the same one here. Long outcomes count by their first values and their
# length.

#: How many different outcomes are kept, and how many bytes those of one block may take.
KEPT, BLOCK_BYTES = 10_000, 2**17

#: By how many of its values an outcome is known, and how many are shown.
VALUES, SHOWN = 16, 6


class AnyFloat:
    """What stands for a float in an outcome."""

    def __repr__(self) -> str:
        return "<float>"


ANY_FLOAT = AnyFloat()


@dataclass(frozen=True, slots=True)
class CountedOutcome:
    """The first values of a run, how many it released in all, and how it ended."""

    values: tuple[Released | AnyFloat, ...]
    length: int
    ending: Ending

    def __str__(self) -> str:
        values: list[str] = []
        shown = 0
        for text, same in groupby(map(repr, self.values)):
            if len(values) == SHOWN:
                break
            times = len(list(same))
            values.append(f"{times} × {text}" if times > 3 else ", ".join([text] * times))
            shown += times
        if self.length > shown:
            values.append(f"… {self.length - shown:,} more")
        text = ", ".join(values) or "(nothing)"
        how = {Ending.RAISED: ", then an exception", Ending.UNFINISHED: ", then no end"}
        return text + how.get(self.ending, "")


@dataclass(slots=True)
class OutcomeCounts:
    """How often each outcome came.

    A key is the ending, the length in 8 bytes, and 9 bytes for each value: its code, and the
    value if it is an int.

    Attributes:
        counts: by key, without its zeros at the end; of a block the most frequent ones first.
        others: how many runs are not in ``counts``.  If there are any, counts are lower bounds.
        atoms: ``None`` and the strings that are released.
    """

    counts: dict[bytes, int] = field(default_factory=dict)
    others: int = 0
    atoms: tuple[str | None, ...] = ()

    def add(self, block: OutcomeCounts) -> None:
        """Count the outcomes of the next block."""
        self.others += block.others
        self.atoms = block.atoms
        for key, count in block.counts.items():
            known = self.counts.get(key)
            if known is None and len(self.counts) == KEPT:
                self.others += count
            else:
                self.counts[key] = (known or 0) + count

    def most_frequent(self, most: int) -> list[tuple[CountedOutcome, int]]:
        """The outcomes with their counts, at most so many; of equal ones the first that came."""
        ordered = sorted(self.counts.items(), key=lambda item: -item[1])
        return [(self._outcome(key), count) for key, count in ordered[:most]]

    def _outcome(self, key: bytes) -> CountedOutcome:
        key = key.ljust(9 + 9 * VALUES, b"\0")
        length = int.from_bytes(key[1:9], "little")
        places = range(9, 9 + 9 * min(length, VALUES), 9)
        values = (self._value(key[k], key[k + 1 : k + 9]) for k in places)
        return CountedOutcome(tuple(values), length, Ending(key[0]))

    def _value(self, code: int, payload: bytes) -> Released | AnyFloat:
        if code == FLOAT:
            return ANY_FLOAT
        if code == INT:
            return int.from_bytes(payload, "little", signed=True)
        return self.atoms[code - FIRST_ATOM] if code >= FIRST_ATOM else code == TRUE


def table_of(outcomes: Outcomes, columns: Sequence[Column]) -> OutcomeCounts:
    """The outcomes of a block; ``columns`` are its first positions."""
    labels = Labels(len(outcomes))
    labels.tell_apart(outcomes.endings)
    labels.tell_apart(outcomes.lengths)
    columns = columns[:VALUES]
    for column in columns:
        labels.tell_apart(column.codes)
        if column.payload is not None and column.code in (None, INT):
            whole = column.payload if column.code == INT else _ints(column.codes, column.payload)
            labels.tell_apart(whole)
    first, counts = labels.groups()
    order = np.argsort(-counts, kind="stable")
    width = 9 + 9 * len(columns)
    order = order[: min(KEPT, BLOCK_BYTES // (width + 8))]
    first, counts, everything = first[order], counts[order], int(counts.sum())
    keys = np.zeros((len(first), width), np.uint8)
    keys[:, 0] = outcomes.endings.take(first)
    keys[:, 1:9] = _bytes(outcomes.lengths.take(first))
    for k, column in enumerate(columns):
        codes = column.codes.take(first)
        keys[:, 9 + 9 * k] = codes
        if column.payload is not None:
            keys[:, 10 + 9 * k : 18 + 9 * k] = _bytes(_ints(codes, column.payload.take(first)))
    text = keys.tobytes()
    by_key = {
        text[k * width : (k + 1) * width].rstrip(b"\0"): count
        for k, count in enumerate(counts.tolist())
    }
    return OutcomeCounts(by_key, everything - int(counts.sum()), outcomes.atoms)


def _ints(codes: NDArray[np.uint8], payload: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ints, and 0 where something else was released."""
    return np.where(codes == INT, payload, 0)


def _bytes(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(numbers, "<i8").view(np.uint8).reshape(len(numbers), 8)


# The numbers that are released at one position: how many, how large, how they are spread.


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


# Where the bars of a histogram stand: round limits, some twenty bars, each of finer bins.

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
