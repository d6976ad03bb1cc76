"""From a score to an event: above which threshold a run counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .evidence import Counts, divergence
from .features import Array

#: How many thresholds are tried.
TRIED = 120
#: How closely a bound is estimated.
HALVINGS = 14
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
        claim: the ε that is to be refused; ``None`` if the bound is to be as high as possible.
        runs: how many runs on each side are left to make the point.
        needed: the log of the fortune that is needed.
        caution: how many standard errors what was seen may be luck; bad luck, if negative.
        scale: what the pair owes, as a multiple of ε.
    """

    claim: float | None
    runs: int
    needed: float
    caution: float = CAUTION
    scale: float = 1.0

    def on(self, scale: float) -> Aim:
        """The same for a pair that owes another multiple of ε."""
        return replace(self, scale=scale)

    def worth(self, runs: int, left: Array, right: Array) -> Array:
        """What events are worth that came so often in ``runs`` runs on each side.

        The expected log fortune against the claim, or the bound that can be expected.
        """
        p = np.clip((left - self.caution * np.sqrt(left + 0.25)) / runs, 1e-12, 1 - 1e-12)
        least = np.maximum(right + 0.5 + self.caution * np.sqrt(right + 0.5), LEAST)
        q = np.minimum(least / runs, 1 - 1e-12)
        # Where nothing is sure yet, what looks most different goes first.
        hope = HOPE * (left - right) / np.sqrt(left + right + 1)
        if self.claim is not None:
            return np.asarray(self.runs * divergence(p, q, self.claim * self.scale) + hope)
        low, high = np.zeros(len(p)), np.maximum(np.log(p / q), 0)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            enough = self.runs * divergence(p, q, middle) >= self.needed
            low, high = np.where(enough, middle, low), np.where(enough, high, middle)
        return np.asarray(low / max(self.scale, SMALLEST) + hope)

    def worth_of(self, counts: Counts) -> float:
        """What one event is worth."""
        left, right = (np.array([float(v)]) for v in (counts.left, counts.right))
        return float(self.worth(counts.runs, left, right)[0])


@dataclass(frozen=True, slots=True)
class Chosen:
    """A threshold, and how often its event came."""

    threshold: float
    counts: Counts


def best_thresholds(left: Array, right: Array, aims: Sequence[Aim]) -> list[Chosen]:
    """For each aim, the threshold for the scores of as many runs on D and on D' worth most."""
    n = len(left)
    left, right = np.sort(left), np.sort(right)
    thresholds = np.unique(np.concatenate([_some(left), _some(right)]))
    if not len(thresholds):
        return []
    a = (n - np.searchsorted(left, thresholds)).astype(np.float64)
    b = (n - np.searchsorted(right, thresholds)).astype(np.float64)
    found = []
    for aim in aims:
        k = int(np.argmax(aim.worth(n, a, b)))
        found.append(Chosen(float(thresholds[k]), Counts(n, int(a[k]), int(b[k]))))
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
