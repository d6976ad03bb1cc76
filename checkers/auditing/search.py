"""The course of an audit: look at all pairs, learn events from the best, bet on fresh runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .boxes import Key
from .events import Candidate, Event, described, learnt
from .evidence import Account, Counts, Fortune
from .sample import Sample
from .sampling import Sampler, Wanted
from .scores import Score
from .thresholds import Aim

#: Of the runs, the shares that look at all pairs, that teach, and that choose; and how many runs
#: of an input look and teach at most.
LOOKING, LEARNING, CHECKING = 0.1, 0.1, 0.05
LOOKED, LEARNT = 20_000, 200_000
#: Of how many events those are chosen on which is bet.
CHECKED = 24
#: From how many pairs events are learnt in earnest, and on how many events is bet.
BEST, BETS = 3, 4
#: The first bets are on this share of the runs that are left; each time on twice as many.
FIRST_BETS = 1 / 128
#: How long all pairs are kept on which is bet: after that only the best one.
TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring inputs, in the order of the claim.

    ``scores``: known ones, tried beside those that are learnt.
    """

    name: str
    left: Any
    right: Any
    scores: tuple[Score, ...] = ()


@dataclass(slots=True)
class Bet:
    """An event of a pair, and what has become of what was bet on it."""

    pair: Pair
    event: Event
    fortune: Fortune
    example: Sample
    text: str = ""
    seen: Counts = field(default_factory=Counts)


@dataclass(frozen=True, slots=True)
class _Count:
    """Counts events in a block; goes to workers."""

    events: tuple[Event, ...]

    def __call__(self, sample: Sample) -> tuple[int, ...]:
        readings = {id(e.vocabulary): e.vocabulary.read(sample) for e in self.events}
        return tuple(e.count(readings[id(e.vocabulary)]) for e in self.events)


def _whole(sample: Sample) -> Sample:
    return sample


@dataclass(slots=True)
class Search:
    """An audit of some pairs.

    Attributes:
        sampler: makes the runs.
        pairs: the ordered pairs that owe the claim; at least one.
        claim: the ε in nats; ``None`` if a bound is all that is wanted.
        tolerance: what the ideal mechanism may be above the claim.
        confidence: of what is said in the end.
        budget: how many runs may be made.
        code: whether events of the floating-point numbers count.
        stop: whether it ends as soon as the claim is refused.
        show: is told how many runs are done.
        breakable: entered where an interrupt does no harm.
    """

    sampler: Sampler
    pairs: Sequence[Pair]
    claim: float | None
    tolerance: float
    confidence: float
    budget: int
    code: bool
    stop: bool
    show: Callable[[int], None]
    breakable: Callable[[], AbstractContextManager[None]] = nullcontext
    done: int = 0
    bets: list[Bet] = field(default_factory=list)
    ideal: Account = field(init=False)
    shipped: Account = field(init=False)
    _looked: int = 0

    def __post_init__(self) -> None:
        allowed = None if self.claim is None else self.claim + self.tolerance
        self.ideal, self.shipped = Account(allowed), Account(self.claim)

    @property
    def needed(self) -> float:
        """The log of the fortune that refuses an ε."""
        return -math.log1p(-self.confidence)

    def run(self) -> None:
        """Look, learn, and bet until the runs are used up, or the claim is refused."""
        pairs = list(self.pairs)
        if len(pairs) > 1:
            ranked = self._learn(pairs, self._share(LOOKING, pairs, LOOKED), quick=True)
            worth: dict[int, list[int]] = defaultdict(list)
            for place, (pair, _, _) in enumerate(ranked):
                worth[id(pair)].append(place)
            pairs = sorted((p for p in pairs if id(p) in worth), key=lambda p: min(worth[id(p)]))
            pairs = pairs[:BEST] or list(self.pairs[:1])
        found = self._learn(pairs, self._share(LEARNING, pairs, LEARNT))
        self._place(found)
        self._bet()

    def _share(self, share: float, pairs: Sequence[Pair], most: int) -> int:
        """How many runs on each input."""
        inputs = {repr(side) for pair in pairs for side in (pair.left, pair.right)}
        return max(min(int(share * self.budget / len(inputs)), most), 8)

    def _aims(self, pairs: int) -> list[Aim]:
        """To refuse the claim, and to bring the bound up."""
        left = max((self.budget - self.done) // (2 * pairs), 1)
        needed = self.needed + math.log(BETS) + 1
        claims = [None] if self.claim is None else [self.claim, None]
        return [Aim(claim, left, needed) for claim in claims]

    def _learn(
        self, pairs: Sequence[Pair], runs: int, *, quick: bool = False
    ) -> list[tuple[Pair, Candidate, Sample]]:
        """Events of each pair, best first: by turns for the claim and for the bound."""
        samples = self._samples(pairs, runs)
        aims = self._aims(1 if len(pairs) == 1 else 2)
        rankings: list[list[tuple[Pair, Candidate, Sample]]] = [[] for _ in aims]
        for pair in pairs:
            left, right = samples[repr(pair.left)], samples[repr(pair.right)]
            with self.breakable():
                found = learnt(left, right, aims, pair.scores, bits=self.code, quick=quick)
            for ranking, some in zip(rankings, found, strict=True):
                ranking += [(pair, candidate, left) for candidate in some]
        for ranking in rankings:
            ranking.sort(key=lambda entry: -entry[1].worth)
        if len(rankings) > 1 and not (rankings[0] and rankings[0][0][1].worth > 1):
            del rankings[0]  # there is no hope yet of refusing the claim
        most = max(map(len, rankings), default=0)
        return [ranking[k] for k in range(most) for ranking in rankings if k < len(ranking)]

    def _samples(self, pairs: Sequence[Pair], runs: int) -> dict[str, Sample]:
        """Runs on all inputs of some pairs; pairs may share an input, and then its runs."""
        inputs = {repr(side): side for pair in pairs for side in (pair.left, pair.right)}
        wanted = [
            Wanted(data, runs, (0, self._looked, k), _whole)
            for k, data in enumerate(inputs.values())
        ]
        self._looked += 1
        found = {}
        drawn = self.sampler.each(wanted)
        for name in inputs:
            with self.breakable():
                found[name] = Sample.joined(next(drawn))
            self._add(runs)
        return found

    def _add(self, runs: int) -> None:
        self.done += runs
        self.show(self.done)

    def _place(self, found: list[tuple[Pair, Candidate, Sample]]) -> None:
        """Choose on what is bet: of the most promising events those that do best again."""
        promising: dict[tuple[int, Counts], Bet] = {}
        for pair, candidate, left in found:
            if len(promising) == CHECKED:
                break
            key = (id(pair), candidate.counts)
            if key not in promising:
                fortune = Fortune(Counts(), self.shipped.grid)
                promising[key] = Bet(pair, candidate.event, fortune, left)
        bets = list(promising.values())
        pairs = list({id(bet.pair): bet.pair for bet in bets}.values())
        if not bets:
            return
        runs = max(int(CHECKING * self.budget / (2 * len(pairs))), 8)
        for pair in pairs:
            self._count(bets, pair, min(runs, LEARNT), (2,))
        for bet in bets:
            bet.fortune.known, bet.seen = bet.seen, Counts()
        aims = [replace(aim, caution=1.0) for aim in self._aims(1)]
        ranked: dict[int, Bet] = {}
        for place in range(len(bets)):
            for aim in aims:
                best = sorted(bets, key=lambda bet: -aim.worth_of(bet.fortune.known))
                if aim.claim is None or aim.worth_of(best[0].fortune.known) > 1:
                    ranked.setdefault(id(best[place]), best[place])
        self.bets = list(ranked.values())[:BETS]
        for bet in self.bets:
            bet.text = described(bet.event, bet.example)

    def _bet(self) -> None:
        """Bet on more and more runs."""
        if not self.bets:
            return
        pairs = list({id(bet.pair): bet.pair for bet in self.bets}.values())
        size = max(int(FIRST_BETS * (self.budget - self.done) / (2 * len(pairs))), 100)
        number = 0
        while (left := (self.budget - self.done) // (2 * len(pairs))) > 0:
            size = min(size, left)
            if left - size < size // 2:
                size = left
            for pair in pairs:
                self._settle(pair, size, number)
            self.note()
            number += 1
            if self.stop and self.refused:
                return
            if number == TOGETHER and len(pairs) > 1:
                pairs = [self._best().pair]
            size *= 2

    def _best(self) -> Bet:
        aims = self._aims(1)
        for aim in aims:
            worth = [aim.worth_of(bet.fortune.known) for bet in self.bets]
            if max(worth) > 1 or aim is aims[-1]:
                break
        return self.bets[int(np.argmax(worth))]

    def _settle(self, pair: Pair, runs: int, number: int) -> None:
        """Bet on runs on a pair."""
        bets = [bet for bet in self.bets if bet.pair is pair]
        for bet, seen in zip(bets, self._count(bets, pair, runs, (1, number)), strict=True):
            bet.fortune.bet(seen)

    def _count(self, bets: Sequence[Bet], pair: Pair, runs: int, key: Key) -> list[Counts]:
        """How often the events of a pair come in fresh runs."""
        some = [bet for bet in bets if bet.pair is pair]
        count = _Count(tuple(bet.event for bet in some))
        place = next(k for k, p in enumerate(self.pairs) if p is pair)
        wanted = [
            Wanted(data, runs, (*key, place, side), count)
            for side, data in enumerate((pair.left, pair.right))
        ]
        with self.breakable():
            left, right = (
                [sum(column) for column in zip(*parts, strict=True)]
                for parts in self.sampler.each(wanted)
            )
        found = [Counts(runs, a, b) for a, b in zip(left, right, strict=True)]
        for bet, seen in zip(some, found, strict=True):
            bet.seen += seen
        self._add(2 * runs)
        return found

    def strength(self, bet: Bet) -> tuple[float, float]:
        """What a bet has won: against the claim, and the bound that it gives alone."""
        logs, grid = bet.fortune.logs, self.shipped.grid
        against = 0.0 if self.claim is None else float(logs[np.searchsorted(grid, self.claim)])
        kept = np.flatnonzero(logs < self.needed)
        return against, float(grid[kept[0]]) if len(kept) else math.inf

    def note(self) -> None:
        """Take into account what the bets have won so far."""
        for account, bets in (
            (self.shipped, self.bets),
            (self.ideal, [bet for bet in self.bets if bet.event.ideal]),
        ):
            if bets:
                share = 1 / len(bets)
                account.note([(share, bet.fortune) for bet in bets])

    @property
    def refused(self) -> bool:
        """Whether the claim is refused."""
        account = self.shipped if self.code else self.ideal
        return account.claim is not None and account.log_evidence(account.claim) >= self.needed
