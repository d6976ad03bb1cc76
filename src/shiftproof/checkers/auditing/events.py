"""Events: sets of outputs that come more often on D than is allowed, as it looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .evidence.pure import Counts
from .result import Protected
from .samples import FLOAT, Sample
from .scoring.features import Array, Feature, Reading, Vocabulary, features_of
from .scoring.intervals import OfFeature, classes_of
from .scoring.scores import (
    Aim,
    Labels,
    LabelScores,
    Near,
    OfLabels,
    Score,
    Tail,
    Tails,
    Weighted,
    best_thresholds,
)
from .scoring.sums import steps_of
from .scoring.trees import Column, tree_of

#: By which factors the probability of an event on D is changed to find one that is better.
FACTORS = (0.35, 0.5, 0.7, 0.85, 1.2, 1.4, 2.0, 2.8)
#: How likely nested events are on D, about, that are bet on together.
RUNGS = (0.003, 0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.93, 0.98)
#: How much less events are worth for each part of their score.
LESS = 0.003
#: How many outputs of an event are shown.
SHOWN = 3
#: By how many standard errors a part of a score must tell D from D' more than by chance.
TELLING = 3.0
#: Of how many single numbers the tails are looked at.
TAILS = 10
#: Of how many single numbers narrow windows are looked for where much is looked at quickly.
FIRST = 3
#: So many of the first numbers are looked at together, and of those that tell most.
FEW, TOGETHER = 8, 16
#: Labels are a part of other scores if the runs are this many times as many.
REPEATED = 4


@dataclass(frozen=True, eq=False)
class Event:
    """The outputs whose score is at least a threshold.

    Attributes:
        text: what it is, for people.
        ideal: whether it is an event of the mechanism itself; otherwise of how its numbers are
            computed.
        owed: the outputs of which something is owed; ``None`` for all.
    """

    vocabulary: Vocabulary
    score: Score
    threshold: float
    text: str = ""
    ideal: bool = True
    owed: Protected | None = None

    def scores(self, reading: Reading) -> Array:
        """The score of each run; -∞ where nothing is owed."""
        return _scores_owed(self.score, self.owed, reading)

    @property
    def simplicity(self) -> float:
        """A little below 1 for scores of many parts: of events as good, the simplest is best."""
        return 1 - LESS * len(getattr(self.score, "parts", ()))


@dataclass(eq=False)
class View:
    """Some runs as events see them, also as if their numbers were what they may stand for."""

    reading: Reading
    _scores: dict[int, list[Array]] = field(default_factory=dict)

    @cached_property
    def _otherwise(self) -> tuple[list[tuple[NDArray[np.intp], Reading]], NDArray[np.intp]]:
        return self.reading.otherwise()

    def inside(self, event: Event, left: bool) -> NDArray[np.bool_]:
        """Which runs are in an event: of an ideal one on D surely, on D' possibly."""
        known = self._scores.get(id(event.score))
        if known is None:
            readings = [reading for _, reading in self._otherwise[0]] if event.ideal else []
            known = [event.scores(reading) for reading in (self.reading, *readings)]
            self._scores[id(event.score)] = known
        inside, *others = (scores >= event.threshold for scores in known)
        if event.ideal:
            ways, lost = self._otherwise
            for (rows, _), also in zip(ways, others, strict=True):
                inside[rows] = (inside[rows] & also) if left else (inside[rows] | also)
            inside[lost] = not left
        return inside


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event, and how often it came in samples from which it was not learnt."""

    event: Event
    counts: Counts


def _scores_owed(score: Score, owed: Protected | None, reading: Reading) -> Array:
    found = score(reading)
    return found if owed is None else np.where(owed.of(reading.sample), found, -np.inf)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What teaches events of one pair; goes to workers.

    Attributes:
        teaching, weighing, choosing: samples of D and of D' that teach the scores, their weights,
            and what is best.
        aims: what for.
        known: scores that need no learning.
        bits: whether the bits of floats count.
        quick: leave out what takes long.
        owed: the outputs of which something is owed; ``None`` for all.
    """

    teaching: tuple[Sample, Sample]
    weighing: tuple[Sample, Sample]
    choosing: tuple[Sample, Sample]
    aims: Sequence[Aim]
    known: Sequence[Score]
    bits: bool
    quick: bool
    owed: Protected | None

    def learnt(self) -> list[Candidate]:
        """Events that tell samples of D from those of D'."""
        vocabulary = Vocabulary.of(Sample.joined(self.teaching))
        a, b, c = (
            (vocabulary.read(left), vocabulary.read(right))
            for left, right in (self.teaching, self.weighing, self.choosing)
        )
        more = bit_scores(*self.teaching) if self.bits else ()
        scores = [*self.known, *(_quick_scores(a) if self.quick else _scores(a, b)), *more]
        tails = [
            Tails.of(*(_scores_owed(score, self.owed, side) for side in c)) for score in scores
        ]
        found: list[Candidate] = []
        runs = len(self.choosing[0])
        for score, best in zip(scores, best_thresholds(tails, runs, self.aims), strict=True):
            for threshold, counts in best:
                if counts.left > counts.right:
                    ideal = not isinstance(score, OfBits)
                    event = Event(vocabulary, score, threshold, ideal=ideal, owed=self.owed)
                    found.append(Candidate(event, counts))
        return found


def _quick_scores(a: tuple[Reading, Reading]) -> Iterator[Score]:
    """A few that learn at once: labels, tails, and all intervals together."""
    left, right = a
    labels = OfLabels(LabelScores.of(left.labels, right.labels, caution=1.0))
    if len(labels.table.labels) > 1:
        yield labels
    parts: list[Score] = [*_places(left, right)]
    single, rises, overall = features_of(left)
    classes = classes_of(left, right)
    for some in (single, rises):
        cut = (OfFeature.of(f, left, right, classes, windows=f in single[:FIRST]) for f in some)
        parts_of = [*parts, *(score for score in cut if score.gain > TELLING)]
        yield Weighted(parts_of, np.ones(len(parts_of)))
    for feature in (*single[:TAILS], *overall):
        yield Tail(feature, 1)
        yield Tail(feature, -1)


def _places(left: Reading, right: Reading) -> Iterator[OfLabels]:
    """What stands at single places, where that differs."""
    for k in range(len(left.vocabulary.atoms)):
        table = LabelScores.of(left.tokens(k), right.tokens(k))
        if 1 < len(table.labels) < len(left.sample) // REPEATED and table.gain > TELLING:
            yield OfLabels(table, k)


def _scores(a: tuple[Reading, Reading], b: tuple[Reading, Reading]) -> Iterator[Score]:
    left, right = a
    labels = OfLabels(LabelScores.of(left.labels, right.labels))
    several = len(labels.table.labels) > 1
    if several:
        yield OfLabels(LabelScores.of(left.labels, right.labels, caution=1.0))
    places = [*_places(left, right)] if several else []
    known = len(labels.table.labels) * REPEATED < len(left.sample)
    whole: list[Score] = [labels] if several and known else []
    single, rises, overall = features_of(left)
    classes = classes_of(left, right)
    every = {
        f: OfFeature.of(f, left, right, classes, windows=f in single[:TAILS])
        for f in (*single, *rises, *overall)
    }
    cut = {f: score for f, score in every.items() if score.gain > TELLING}
    ways: list[list[Score]] = [
        [*(whole or places), *(cut[f] for f in single if f in cut)],
        [*(whole or places), *(cut[f] for f in (*single[:1], *rises) if f in cut)],
        [*places, *whole, *cut.values()],
    ]
    tree = tree_of(_columns(classes, labels, places, single, every), left, right)
    if tree is not None:
        yield tree
        ways[2].append(tree)
    seen: set[tuple[int, ...]] = set()
    for parts in ways:
        if len(parts) > 1 and (key := tuple(map(id, parts))) not in seen:
            seen.add(key)
            yield Weighted.fitted(parts, *b)
    if sum(f not in cut for f in single) > 1:
        yield from steps_of(left, right)
    yield from sorted(places, key=lambda part: -part.table.gain)[:TAILS]
    derived = [f for f in (*rises[:TAILS], *overall) if f in cut]
    for feature in (*single[:TAILS], *derived):
        yield every[feature]
        yield Tail(feature, 1)
        yield Tail(feature, -1)


def _columns(
    classes: Labels,
    labels: OfLabels,
    places: Sequence[OfLabels],
    single: Sequence[Feature],
    every: Mapping[Feature, OfFeature],
) -> list[Column]:
    """What a tree is told: labels that come often, tokens, and numbers that tell most."""
    telling = sorted(every.values(), key=lambda score: -score.gain)[:TOGETHER]
    numbers = {score.feature: score for score in (*(every[f] for f in single[:FEW]), *telling)}
    tokens = sorted(places, key=lambda part: -part.table.gain)[:TOGETHER]
    found = [Column(score) for score in numbers.values()]
    found += [Column.of_table(part, part.table) for part in tokens]
    if len(classes):
        found.append(Column.of_table(classes, labels.table.of_some(classes)))
    return found


def nearby(event: Event, left: Sample) -> list[Event]:
    """The event, and others of its score that are more or less likely on D, by these runs."""
    scores = np.sort(event.scores(event.vocabulary.read(left)))
    inside = len(scores) - np.searchsorted(scores, event.threshold)
    places = [len(scores) - round(inside * factor) for factor in FACTORS]
    thresholds = {float(scores[k]) for k in places if 0 <= k < len(scores)}
    found = {event.threshold: event}
    for threshold in sorted(thresholds - {-np.inf}):
        found.setdefault(threshold, replace(event, threshold=threshold))
    return list(found.values())


def rungs_of(event: Event, left: Sample) -> tuple[Event, ...]:
    """Nested events of the score, from the smallest on: so likely, about, by these runs on D."""
    scores = np.sort(event.scores(event.vocabulary.read(left)))[::-1]
    places = (np.array(RUNGS) * len(scores)).astype(int)
    thresholds = {float(scores[k]) for k in places} - {-np.inf, float(scores[-1])}
    return tuple(replace(event, threshold=t) for t in sorted(thresholds, reverse=True))


def described(event: Event, left: Sample) -> str:
    """What an event is, in words, with some of its outputs among these runs on D."""
    reading = event.vocabulary.read(left)
    inside = np.flatnonzero(event.scores(reading) >= event.threshold)
    score = event.score
    if isinstance(score, Tail):
        relation = ">=" if score.sign > 0 else "<="
        return f"{score.feature} {relation} {score.sign * event.threshold:.6g}"
    if isinstance(score, OfLabels) and score.place is None:
        _, first = np.unique(reading.labels[inside], return_index=True)
        if not reading.vocabulary.numeric.any():
            return f"the output is {_some(left, inside[np.sort(first)])}"
        return f"the output is like {_some(left, inside[np.sort(first)])}"
    if isinstance(score, OfBits):
        return f"the {score.how} of number {score.place + 1} is as in {_some(left, inside)}"
    if isinstance(score, Near):
        return score.within(event.threshold)
    what = f"the interval of {score.feature}" if isinstance(score, OfFeature) else "the score"
    return f"{what} speaks for D, as in {_some(left, inside)}"


def _some(sample: Sample, runs: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.intp]]) -> str:
    shown = list(dict.fromkeys(sample.shown(int(k)) for k in runs[:100]))
    more = ", or others" if len(shown) > SHOWN else ""
    return " or ".join(shown[:SHOWN]) + more


# Scores of how numbers are written in floating point, where implementations give inputs away.
#
# The noise of an ideal mechanism can be any number; a float is one of a lattice whose width
# depends on how it was computed, so that some floats come on one input only.
#
# Source: Mironov, "On significance of the least significant bits for differential privacy"
# (CCS 2012).

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
    table: LabelScores

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
            yield OfBits(place, how, LabelScores.of(labels[0], labels[1], caution=CAUTION))
