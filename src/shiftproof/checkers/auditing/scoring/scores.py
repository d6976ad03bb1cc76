"""Scores: how much more likely an output looks on D than on D'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ....dsl.simulation.outcomes import Ending
from ...exact.outcomes import Atom, Outcome, Real
from ..evidence.notions import PURE, Notion
from ..evidence.pure import Counts
from ..samples import FALSE, FLOAT, INT, NONE, TEXT, TRUE, text_hash
from .features import Array, Feature, Reading

Labels = NDArray[np.uint64]

#: What is added to counts, so that what came once is not taken for proof.
SMOOTHING = 2.0


class Score(Protocol):
    """Gives each run a number: the higher, the more it speaks for D."""

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class LabelScores:
    """Log ratios of single labels; 0 for those that were not seen.

    ``gain``: by how many standard errors the two sides differ more than by chance.
    """

    labels: Labels
    ratios: Array
    gain: float = 0.0

    @staticmethod
    def of(left: Labels, right: Labels, caution: float = 0.0) -> LabelScores:
        """From the labels of the runs on D and D'.

        ``caution``: by how many standard errors ratios are brought towards -∞.
        """
        labels = np.unique(np.concatenate([left, right]))
        a, b = (_counts(labels, side) for side in (left, right))
        ratios = np.log((a + SMOOTHING) / (b + SMOOTHING))
        if caution:
            ratios = np.log((a + 0.5) / (b + 0.5))
            ratios -= caution * np.sqrt(1 / (a + 0.5) + 1 / (b + 0.5))
        return LabelScores(labels, ratios + np.log(len(right) / len(left)), gain_of(a, b))

    def of_some(self, labels: Labels) -> LabelScores:
        """The same table, of these labels only."""
        return LabelScores(labels, self.look_up(labels), self.gain)

    def look_up(self, labels: Labels) -> Array:
        """The ratio of each."""
        return np.append(self.ratios, 0.0)[places_in(self.labels, labels)]


def places_in(known: Labels, labels: Labels) -> NDArray[np.int64]:
    """Where each stands among the known ones, which are sorted; -1 for those that do not."""
    if not len(known):
        return np.full(len(labels), -1)
    at = np.minimum(np.searchsorted(known, labels), len(known) - 1)
    return np.where(known[at] == labels, at, -1)


def gain_of(left: Array, right: Array) -> float:
    """By how many standard errors two rows of counts differ more than by chance (χ²)."""
    seen = left + right > 0
    a, b = left[seen].astype(np.float64), right[seen].astype(np.float64)
    mean = (a + b) / (a.sum() + b.sum())
    total = sum(float(((x - x.sum() * mean) ** 2 / (x.sum() * mean)).sum()) for x in (a, b))
    freedom = max(len(a) - 1, 1)
    return float((total - freedom) / np.sqrt(2 * freedom))


def _counts(labels: Labels, side: Labels) -> Array:
    return np.bincount(np.searchsorted(labels, side), minlength=len(labels)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class OfLabels:
    """The label alone, which of small discrete outputs is all; or what stands at one ``place``."""

    table: LabelScores
    place: int | None = None

    def __call__(self, reading: Reading) -> Array:
        """The log ratio of the run's label, or of the token there."""
        return self.table.look_up(self.of(reading))

    def of(self, reading: Reading) -> Labels:
        """The label of each run, or the token there."""
        return reading.labels if self.place is None else reading.tokens(self.place)


@dataclass(frozen=True, eq=False)
class Tail:
    """A number itself, or its opposite: the events are its tails."""

    feature: Feature
    sign: int

    def __call__(self, reading: Reading) -> Array:
        """The number; -∞ where there is none."""
        values = self.sign * self.feature.of(reading)
        return np.where(np.isnan(values), -np.inf, values)


@dataclass(frozen=True, eq=False)
class Weighted:
    """A sum of scores, each with the weight that it deserves."""

    parts: Sequence[Score]
    weights: Array

    @staticmethod
    def fitted(parts: Sequence[Score], left: Reading, right: Reading) -> Weighted:
        """Weights by logistic regression, on runs from which the parts did not learn."""
        rows = np.vstack([np.column_stack([p(side) for p in parts]) for side in (left, right)])
        sides = np.repeat([1.0, 0.0], [len(left.sample), len(right.sample)])
        weights = logistic(np.column_stack([rows, np.ones(len(rows))]), sides)[:-1]
        kept = np.flatnonzero(np.abs(weights) > 0.02).tolist()
        return Weighted([parts[k] for k in kept], weights[kept])

    def __call__(self, reading: Reading) -> Array:
        """The sum."""
        total = np.zeros(len(reading.sample))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * part(reading)
        return total


def logistic(rows: Array, sides: Array, goal: float = 1.0, ridge: float = 2.0) -> Array:
    """Weights of a logistic regression by Newton's method, drawn to a goal; the last one to 0."""
    goals = np.append(np.full(rows.shape[1] - 1, goal), 0.0)
    weights = goals.copy()
    for _ in range(12):
        probability = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (sides - probability) - ridge * (weights - goals)
        curve = (rows * (probability * (1 - probability))[:, None]).T @ rows + ridge * np.eye(
            len(goals)
        )
        step = np.linalg.solve(curve, slope)
        weights = weights + np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-3:
            break
    return np.asarray(weights)


# Scores from exact likelihoods: how near an output is to the one that a search has found.


@dataclass(frozen=True, slots=True)
class Near:
    """How near the released real numbers are to those of an outcome; -∞ where the rest differs.

    ``side``: 0 for minus the largest distance; 1 or -1 if numbers above, or below, are as good
    however far they are.  Numbers that depend on others are let be.
    """

    outcome: Outcome
    side: int = 0

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        sample, slots = reading.sample, self.outcome.slots
        ending = Ending.END if self.outcome.ending == "end" else Ending.RAISED
        alike = (sample.lengths == len(slots)) & (sample.endings == ending)
        if len(slots) > sample.places:
            return np.full(len(sample), -np.inf)
        score = np.full(len(sample), np.inf if self.side and self.outcome.reals else 0.0)
        for k, slot in enumerate(slots):
            kinds, bits = sample.kinds[:, k], np.ascontiguousarray(sample.bits[:, k])
            if isinstance(slot, Atom):
                kind, wanted = _token(slot.value)
                alike &= (kinds == kind) & (bits == wanted)
            else:
                alike &= kinds == FLOAT
                if isinstance(slot, Real):
                    off = bits.view(np.float64) - float(slot.value)
                    alike &= np.isfinite(off)
                    score = np.minimum(score, self.side * off if self.side else -np.abs(off))
        return np.where(alike, score, -np.inf)

    def within(self, threshold: float) -> str:
        """The event, in words."""
        if not self.outcome.reals:
            return f"the output is {self._shown(lambda value: f'{value:.6g}')}"
        if not self.side:
            shown = self._shown(lambda value: f"about {value:.6g}")
            return f"the output is {shown}, within {-threshold:.6g}"
        relation = ">=" if self.side > 0 else "<="
        return (
            "the output is like "
            f"{self._shown(lambda value: f'{relation} {value + self.side * threshold:.6g}')}"
        )

    def _shown(self, real: Callable[[float], str]) -> str:
        shown = [
            real(float(s.value)) if isinstance(s, Real) else str(s.value) if isinstance(s, Atom)
            else "…" for s in self.outcome.slots
        ]  # fmt: skip
        return f"({', '.join(shown)})" if len(shown) != 1 else shown[0]


def scores_of(outcome: Outcome) -> tuple[Near, ...]:
    """The scores that an outcome suggests."""
    return tuple(Near(outcome, side) for side in ((0, 1, -1) if outcome.reals else (0,)))


def _token(value: Any) -> tuple[int, int]:
    if value is None:
        return NONE, 0
    if isinstance(value, bool):
        return (TRUE if value else FALSE), 0
    if isinstance(value, str):
        return TEXT, text_hash(value)
    if isinstance(value, Fraction):
        return FLOAT, int(np.array([float(value)]).view(np.int64)[0])
    return INT, int(value)


# From a score to an event: above which threshold a run counts.

#: How many thresholds are tried.
TRIED = 120
#: What a standard error of difference counts, beside all that is worth something.
HOPE = 1e-6
#: How many standard errors what was seen may be luck: it is the best of many that were tried.
CAUTION = 2.5
#: The least multiple of the claim by which bounds on ε are told from bounds on a pair's own.
SMALLEST = 1e-6
#: How often an event comes on D' at least, where good luck is assumed.
LEAST = 0.1


@dataclass(frozen=True, slots=True)
class Aim:
    """What an event is chosen for.

    Attributes:
        claim: the ε, or the ρ, that is to be refused; ``None`` if the bound is to be as high as
            possible.
        runs: how many runs on each side are left to make the point.
        needed: the log of the fortune that is needed.
        caution: how many standard errors what was seen may be luck; bad luck, if negative.
        scale: what the pair owes, as a multiple of ε.
        notion: of the claim.
    """

    claim: float | None
    runs: int
    needed: float
    caution: float = CAUTION
    scale: float = 1.0
    notion: Notion = PURE

    def on(self, scale: float) -> Aim:
        """The same for a pair that owes another multiple of ε."""
        return replace(self, scale=scale)

    def worth(self, runs: int | Array, left: Array, right: Array) -> Array:
        """What events are worth that came so often in ``runs`` runs on each side.

        The expected log fortune against the claim, or the bound that can be expected.
        """
        p = np.clip((left - self.caution * np.sqrt(left + 0.25)) / runs, 1e-12, 1 - 1e-12)
        least = np.maximum(right + 0.5 + self.caution * np.sqrt(right + 0.5), LEAST)
        q = np.minimum(least / runs, 1 - 1e-12)
        # Where nothing is sure yet, what looks most different goes first.
        hope = HOPE * (left - right) / np.sqrt(left + right + 1)
        if self.claim is not None:
            gain = self.notion.gain(p, q, self.claim * self.scale)
            return np.asarray(self.runs * gain + hope)
        reached = self.notion.reached(p, q, self.runs, self.needed)
        return np.asarray(reached / max(self.scale, SMALLEST) + hope)

    def worths(self, counts: Sequence[Counts]) -> Array:
        """What each event is worth."""
        rows = np.array([(c.runs, c.left, c.right) for c in counts], float).reshape(-1, 3)
        return self.worth(*rows.T)


@dataclass(frozen=True, eq=False)
class Tails:
    """How often scores are at least a threshold, of so many thresholds: each of shape (k,)."""

    thresholds: Array
    left: Array
    right: Array

    @staticmethod
    def of(left: Array, right: Array) -> Tails:
        """From the scores of runs on D and on D'; those that have none are -∞."""
        left, right = np.sort(left), np.sort(right)
        thresholds = np.unique(np.concatenate([_some(left), _some(right)]))
        a, b = (len(side) - np.searchsorted(side, thresholds) for side in (left, right))
        return Tails(thresholds, a.astype(np.float64), b.astype(np.float64))


def best_thresholds(
    several: Sequence[Tails], runs: int, aims: Sequence[Aim]
) -> list[list[tuple[float, Counts]]]:
    """For each score and each aim the threshold worth most, and how often its event came.

    Args:
        several: the tails of each score, in so many runs on D and on D'.
        runs: how many.
        aims: what for.
    """
    ends = np.cumsum([0, *(len(tails.thresholds) for tails in several)])
    left = np.concatenate([np.zeros(0), *(tails.left for tails in several)])
    right = np.concatenate([np.zeros(0), *(tails.right for tails in several)])
    found: list[list[tuple[float, Counts]]] = [[] for _ in several]
    for aim in aims:
        worth = aim.worth(runs, left, right)
        for tails, here, begin, end in zip(several, found, ends[:-1], ends[1:], strict=True):
            if begin < end:
                k = int(np.argmax(worth[begin:end]))
                counts = Counts(runs, int(tails.left[k]), int(tails.right[k]))
                here.append((float(tails.thresholds[k]), counts))
    return found


def _some(scores: Array) -> Array:
    """Some of the sorted scores: the highest one by one, the others at even distances."""
    scores = scores[np.searchsorted(scores, -np.inf, side="right") :]
    last = len(scores) - 1
    if last < 0:
        return scores
    at = np.geomspace(1, last + 1, TRIED // 2).astype(np.int64)
    return np.concatenate(
        [scores[last + 1 - at], scores[np.linspace(0, last, TRIED // 2).astype(int)]]
    )
