"""The course of an audit: look at all pairs, learn events from the best, bet on fresh runs."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...dsl.simulation.spreading import in_order
from .betting import Bet, Counting, Pair, best, shared_out
from .boxes.boxes import Key
from .boxes.sampling import Sampler, Wanted
from .events import Candidate, Lesson, described, nearby
from .evidence import GRID, Account, Array, Counts, Fortune
from .result import Protected
from .samples import Sample
from .scores import CAUTION, Aim

#: Up to which part of the runs each stage goes, and how much of 1 is bet in it: a blatant
#: violation needs few runs.  A stage has so many runs for each pair, at least.
STAGES = ((0.05, 0.125), (0.25, 0.125), (1.0, 0.75))
ENOUGH = 4_000
#: Shares of the runs of a stage that look at all pairs, that teach, and that choose events; and
#: the larger shares where else an input has fewer than so many runs.
LOOKING, LEARNING, CHECKING = 0.05, 0.08, 0.08
MORE, FEW = 2.5, 10_000
#: On how many runs of an input is looked at most, and from how many events are learnt; and how
#: many tokens of outputs are in memory at once: some 10 bytes each.
LOOKED, LEARNT, TOKENS = 100_000, 200_000, 2**24
#: How many runs tell how long outputs are.
FIRST = 16
#: From how many pairs events are learnt in earnest, how many scores are tried on fresh runs,
#: and on how many events is bet.
BEST, CHECKED, BETS = 3, 12, 4
#: How many standard errors of luck are assumed where few events are chosen by fresh runs; and of
#: bad luck where hopes are chosen.
AGAIN, BOLD = 1.5, -1.0
#: What bets lose on the way, about: the log of a fortune that is shared and learns as it goes.
COST = 2.5
#: The first bets are on this share of the runs that are left; then each time on more.
FIRST_BETS, GROWTH = 1 / 128, 1.5
#: How often an event must come in the last quarter of what teaches, to be chosen.
SEEN = 5
#: Above this, in nats, what a pair owes is all one: nothing that is sampled could break it.
HIGHEST = 600.0
#: After how many times only the best pair is left.
TOGETHER = 6


def _told_apart(data: Any) -> bytes:
    """The same for equal inputs; numpy shortens the repr of long arrays."""
    try:
        return pickle.dumps(data)
    except Exception:
        return str(id(data)).encode()


def _whole(sample: Sample) -> Sample:
    return sample


@dataclass(slots=True)
class Search:
    """An audit of some pairs.

    Attributes:
        pairs: the ordered pairs that owe the claim; at least one.
        claim: the ε in nats; ``None`` if a bound is all that is wanted.
        tolerance: what the ideal mechanism may be above the claim, on each pair.
        confidence: of what is said in the end.
        budget: how many runs may be made.
        code: whether events of the floating-point numbers count.
        stop: whether it ends as soon as the claim is refused.
        owed: the outputs of which something is owed; ``None`` for all.
        bets: all that was bet on.
        ideal, shipped: the evidence of ideal events, and of all events.
        longest: how many places the longest of some outputs has.
        rarest: how likely an event is on D at least that is chosen, about.
    """

    pairs: Sequence[Pair]
    claim: float | None
    tolerance: float
    confidence: float
    budget: int
    code: bool
    stop: bool
    owed: Protected | None
    done: int = 0
    longest: int = 0
    rarest: float = 1.0
    bets: list[Bet] = field(default_factory=list)
    ideal: Account = field(init=False)
    shipped: Account = field(init=False)
    grid: Array = field(init=False)
    _sampler: Sampler = field(init=False)
    _show: Callable[[int], None] = field(init=False)
    _breakable: Callable[[], AbstractContextManager[None]] = field(init=False)
    _samplings: int = 0
    _places: int = 1
    _stage: int = 0
    _end: int = 0
    _saved: float = 1.0

    def __post_init__(self) -> None:
        claims = [] if self.claim is None else [self.claim, self.claim + self.tolerance]
        self.grid = np.unique(np.concatenate([GRID, claims]))
        self.ideal, self.shipped = Account(self.grid, 1), Account(self.grid, 1)

    @property
    def needed(self) -> float:
        """The log of the fortune that refuses an ε."""
        return -math.log1p(-self.confidence)

    @property
    def refused(self) -> bool:
        """Whether the claim is refused."""
        if self.claim is None:
            return False
        if self.code:
            return self.shipped.log_evidence(self.claim) >= self.needed
        return self.ideal.log_evidence_of_more >= self.needed

    def run(
        self,
        sampler: Sampler,
        show: Callable[[int], None],
        breakable: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """Look, learn, and bet until the runs are used up, or the claim is refused.

        Args:
            sampler: makes the runs.
            show: is told how many runs are done.
            breakable: entered where an interrupt does no harm.
        """
        self._sampler, self._show, self._breakable = sampler, show, breakable
        first = self._samples(self.pairs[:1], FIRST)
        self._places = max(sample.places for sample in first.values()) or 1
        self.longest = max(int(sample.lengths.max()) for sample in first.values())
        stages = STAGES if self.claim is not None and self.stop else STAGES[-1:]
        for part, capital in stages:
            self._end = int(part * self.budget)
            if part < 1 and self._end - self.done < ENOUGH * len(self.pairs):
                continue
            self._stage += 1
            self._bet(self._chosen(capital if part < 1 else self._saved))
            if self.stop and self.refused:
                return

    def _chosen(self, capital: float) -> list[Bet]:
        """Learn, and choose on which events how much of the capital is bet."""
        pairs = list(self.pairs)
        if len(pairs) > 1:
            ranked = self._learn(pairs, self._in_memory(LOOKING, pairs, LOOKED), quick=True)
            pairs = list({id(bet.pair): bet.pair for bet in ranked}.values())[:BEST] or pairs[:1]
        runs = self._in_memory(LEARNING, pairs, LEARNT)
        found = self._learn(pairs, runs)
        self.rarest = min(self.rarest, SEEN / (runs / 4))
        bets = self._checked(self._both(found, CHECKED))
        shared_out(bets, capital)
        self._saved -= capital
        for bet in bets:
            bet.text = described(bet.event, bet.example)
        self.bets += bets
        return bets

    def _in_memory(self, share: float, pairs: Sequence[Pair], most: int) -> int:
        """How many runs on each input are a share of all, if they are kept in memory."""
        inputs = len({_told_apart(side) for pair in pairs for side in (pair.left, pair.right)})
        return max(min(self._part(share, inputs), most, TOKENS // (inputs * self._places)), 8)

    def _part(self, share: float, inputs: int) -> int:
        """How many runs on each input are a share of all, or a larger one if all are few."""
        part = share * (self._end - self.done) / inputs
        return max(int(max(part, min(MORE * part, FEW))), 8)

    def _aims(self, caution: float = CAUTION, pairs: int = 1) -> list[Aim]:
        """To refuse the claim, and to bring the bound up."""
        left = max((self._end - self.done) // (2 * pairs), 1)
        claims = [None] if self.claim is None else [self.claim, None]
        return [Aim(claim, left, self.needed + COST, caution) for claim in claims]

    def _learn(self, pairs: Sequence[Pair], runs: int, *, quick: bool = False) -> list[Bet]:
        """Events of each pair, the best first."""
        samples = self._samples(pairs, runs)
        aims = self._aims(pairs=1 if len(pairs) == 1 else 2)
        # What comes rarely looks like luck at first: some hopes are tried on fresh runs.
        aims += [replace(aim, caution=BOLD) for aim in aims if aim.claim is not None or not quick]
        found: dict[tuple[int, Counts], Bet] = {}
        tasks = [
            Lesson(
                samples[_told_apart(p.left)], samples[_told_apart(p.right)],
                [aim.on(p.scale) for aim in aims], p.scores, self.code, quick, self.owed,
            )
            for p in pairs
        ]  # fmt: skip
        lessons = in_order(self._sampler.executor, Lesson.learnt, tasks)
        for pair, lesson in zip(pairs, tasks, strict=True):
            with self._breakable():
                some = next(lessons)
            for candidate in some:
                key = (id(pair), candidate.counts)
                found.setdefault(key, self._new(pair, candidate, lesson.left))
        return best(found.values(), aims)

    def _new(self, pair: Pair, candidate: Candidate, example: Sample) -> Bet:
        fortune = Fortune(candidate.counts, self._owed(pair))
        return Bet(pair, candidate.event, fortune, example, self._stage)

    def _owed(self, pair: Pair) -> Array:
        """What the pair owes for each ε of the grid, and what is tolerated of it."""
        claim = 0.0 if self.claim is None else self.claim
        owed = np.append(self.grid * pair.scale, claim * pair.scale + self.tolerance)
        return np.asarray(np.minimum(owed, HIGHEST))

    def _samples(self, pairs: Sequence[Pair], runs: int) -> dict[bytes, Sample]:
        """Runs on all inputs of some pairs; pairs may share an input, and then its runs."""
        inputs = {_told_apart(side): side for pair in pairs for side in (pair.left, pair.right)}
        wanted = [
            Wanted(data, runs, (0, self._samplings, k), _whole)
            for k, data in enumerate(inputs.values())
        ]
        self._samplings += 1
        found = {}
        drawn = self._sampler.each(wanted)
        for name in inputs:
            with self._breakable():
                found[name] = Sample.joined(next(drawn))
            self._add(runs)
        return found

    def _add(self, runs: int) -> None:
        self.done += runs
        self._show(self.done)

    def _checked(self, promising: Sequence[Bet]) -> list[Bet]:
        """Of the events that are or are close to promising ones, those that do best again."""
        bets = [
            self._new(bet.pair, Candidate(event, bet.fortune.known), bet.example)
            for bet in promising
            for event in nearby(bet.event, bet.example)
        ]
        pairs = list({id(bet.pair): bet.pair for bet in bets}.values())
        runs = self._part(CHECKING, 2 * max(len(pairs), 1))
        for pair in pairs:
            some = [bet for bet in bets if bet.pair is pair]
            for bet, seen in zip(some, self._count(some, runs), strict=True):
                bet.fortune = Fortune(seen, self._owed(pair))
        alike = {(id(bet.pair), bet.fortune.known, bet.event.ideal): bet for bet in reversed(bets)}
        aims = self._aims(AGAIN)
        return self._both(best(reversed(alike.values()), aims), BETS)

    def _both(self, bets: Sequence[Bet], most: int) -> list[Bet]:
        """The first ones; where the bits of floats count, as many of the ideal ones as of those."""
        if not self.code:
            return list(bets[:most])
        ideal = [bet for bet in bets if bet.event.ideal][: most // 2]
        shipped = [bet for bet in bets if not bet.event.ideal][: most - len(ideal)]
        return [bet for bet in bets if bet in ideal or bet in shipped]

    def _bet(self, bets: Sequence[Bet]) -> None:
        """Bet on more and more runs."""
        pairs = list({id(bet.pair): bet.pair for bet in bets}.values())
        if not pairs:
            return
        size = max(int(FIRST_BETS * (self._end - self.done) / (2 * len(pairs))), 100)
        times = 0
        while (left := (self._end - self.done) // (2 * len(pairs))) > 0:
            size = left if left < 1.5 * size else size
            for pair in pairs:
                some = [bet for bet in bets if bet.pair is pair]
                for bet, seen in zip(some, self._count(some, size), strict=True):
                    bet.fortune.bet(seen)
                    bet.seen += seen
            self.note()
            times += 1
            if self.stop and self.refused:
                return
            if times == TOGETHER:
                aims = self._aims(AGAIN)
                ranked = self._both(best(bets, aims), 2 if self.code else 1)
                pairs = list({id(bet.pair): bet.pair for bet in ranked}.values())
            size = int(GROWTH * size)

    def _count(self, bets: Sequence[Bet], runs: int) -> list[Counts]:
        """How often the events of a pair come in fresh runs."""
        pair = bets[0].pair
        count = Counting(tuple(bet.event for bet in bets))
        key: Key = (1, self._samplings)
        self._samplings += 1
        wanted = [
            Wanted(data, runs, (*key, side), count)
            for side, data in enumerate((pair.left, pair.right))
        ]
        with self._breakable():
            left, right = (
                [sum(column) for column in zip(*parts, strict=True)]
                for parts in self._sampler.each(wanted)
            )
        self._add(2 * runs)
        return [Counts(runs, a, b) for a, b in zip(left, right, strict=True)]

    def note(self) -> None:
        """Take into account what the bets have won so far."""
        self.shipped.note([(bet.share, bet.fortune) for bet in self.bets])
        self.ideal.note([(bet.share_of_ideal, bet.fortune) for bet in self.bets])

    def strength(self, bet: Bet) -> tuple[float, float]:
        """What a bet has won: against the claim if it is refused, and the bound it gives alone."""
        place = None
        if self.claim is not None and self.refused:
            place = int(np.searchsorted(self.grid, self.claim))
        return bet.strength(place, self.needed, self.grid)
