"""Events on which is bet: counted in fresh runs, and kept or dropped by what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .events import Event, View
from .evidence.fortunes import Fortune
from .evidence.pure import Array, Counts
from .samples import Sample
from .scoring.scores import Aim, Score


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring inputs, in the order of the claim.

    ``scores``: known ones, tried beside those that are learnt.  ``scale``: the ε that the pair
    owes, as a multiple of the claim.
    """

    name: str
    left: Any
    right: Any
    scores: tuple[Score, ...] = ()
    scale: float = 1.0


@dataclass(slots=True, eq=False)
class Bet:
    """An event of a pair, and what has become of the share of 1 that was bet on it.

    Attributes:
        example: runs on D, some of which are in the event.
        checked: how often it came in runs that chose it.
        seen: how often it came in runs on which was bet.
        share: of all that is bet.
        rungs: nested events of the same score, if it is a bet on all of them; from the smallest.
    """

    pair: Pair
    event: Event
    fortune: Fortune
    example: Sample
    text: str = ""
    checked: Counts = field(default_factory=Counts)
    seen: Counts = field(default_factory=Counts)
    share: float = 0.0
    rungs: tuple[Event, ...] = ()

    def strength(self, place: int | None, needed: float, grid: Array) -> tuple[float, float]:
        """What it has won: against the claim, and the bound that it gives alone."""
        logs = self.fortune.logs
        kept = np.flatnonzero(logs[: len(grid)] < needed)
        against = 0.0 if place is None else float(logs[place])
        return against, float(grid[kept[0]]) if len(kept) else math.inf


@dataclass(frozen=True, slots=True)
class Counting:
    """Counts events in a block of runs on D (``left``) or on D'; goes to workers."""

    events: tuple[Event, ...]
    left: bool

    def __call__(self, sample: Sample) -> tuple[int, ...]:
        """In how many of the runs each event came, on D at least and on D' at most."""
        views: dict[int, View] = {}
        found = []
        for event in self.events:
            key = id(event.vocabulary)
            if key not in views:
                views[key] = View(event.vocabulary.read(sample))
            found.append(int(np.count_nonzero(views[key].inside(event, self.left))))
        return tuple(found)


def best(bets: Iterable[Bet], aims: Sequence[Aim]) -> list[Bet]:
    """The bets, best first: by turns for each aim; one without hope has no say."""
    some = list(bets)
    rankings = []
    for aim in aims:
        worth: dict[int, float] = {}
        for scale in {bet.pair.scale for bet in some}:
            alike = [bet for bet in some if bet.pair.scale == scale]
            worths = aim.on(scale).worths([bet.fortune.known for bet in alike])
            worth |= {id(b): w * b.event.simplicity for b, w in zip(alike, worths, strict=True)}
        if aim.claim is None or max(worth.values(), default=0.0) > 1:
            rankings.append(sorted(some, key=lambda b, w=worth: -w[id(b)]))  # type: ignore[misc]
    found: dict[int, Bet] = {}
    for row in zip(*rankings, strict=True):
        found |= {id(bet): bet for bet in row if id(bet) not in found}
    return list(found.values())


def pairs_of(bets: Iterable[Bet]) -> list[Pair]:
    """The pairs of the bets, each once, in their order."""
    return list({id(bet.pair): bet.pair for bet in bets}.values())


def shared_out(bets: Sequence[Bet], capital: float) -> None:
    """Bet on the first ones more than on the others: two thirds of what is left, each time.

    Ideal events and those of the bits of floats get half of it each.
    """
    kinds = [[bet for bet in bets if bet.event.ideal == ideal] for ideal in (True, False)]
    kinds = [some for some in kinds if some]
    for some in kinds:
        left = capital / len(kinds)
        for k, bet in enumerate(some):
            bet.share = left * 2 / 3 if k + 1 < len(some) else left
            left -= bet.share
