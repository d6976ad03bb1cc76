"""The course of an audit: learn events from the best pairs, try them, bet on fresh runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np

from .betting import Bet, Pair, best, pairs_of, shared_out
from .boxes.sampling import Sampler
from .boxes.spaces import Space
from .course import Course
from .events import Candidate, described, nearby
from .evidence.fortunes import Account
from .learning import Learning

#: Up to which part of the runs each stage goes, and how much of 1 is bet in it: a blatant
#: violation needs few runs.  A stage has so many runs for each pair, at least.
STAGES = ((0.05, 0.125), (0.25, 0.125), (1.0, 0.75))
ENOUGH = 4_000
#: Which share of the runs of a stage chooses events, and how often at most, until one seems to be
#: enough.
CHECKING, CHECKS = 0.08, 2
#: How many scores are tried on fresh runs, and on how many events is bet.
CHECKED, BETS = 12, 4
#: How many standard errors of luck are assumed where few events are chosen by fresh runs.
AGAIN = 1.5
#: The first bets are on this share of the runs that are left; then each time on more.
FIRST_BETS, GROWTH = 1 / 128, 1.5
#: After how many times only the best pair is left.
TOGETHER = 6


@dataclass(slots=True)
class Search:
    """An audit of some pairs.

    Attributes:
        course: what is asked of it, and its runs.
        pairs: the ordered pairs that owe the claim; at least one.
        stop: whether it ends as soon as the claim is refused.
        space: where other pairs are looked for; ``None`` for nowhere.
        seed: of what is chosen there.
        bets: all that was bet on.
        ideal, shipped: the evidence of ideal events, and of all events.
    """

    course: Course
    pairs: Sequence[Pair]
    stop: bool
    space: Space | None
    seed: int
    bets: list[Bet] = field(default_factory=list)
    ideal: Account = field(init=False)
    shipped: Account = field(init=False)
    learning: Learning = field(init=False)
    _saved: float = 1.0

    def __post_init__(self) -> None:
        self.ideal, self.shipped = (Account(self.course.grid, 1) for _ in range(2))
        self.learning = Learning(self.course, self.space, np.random.default_rng(self.seed))

    @property
    def refused(self) -> bool:
        """Whether the claim is refused."""
        claim, needed = self.course.claim, self.course.needed
        if claim is None:
            return False
        if self.course.code:
            return self.shipped.log_evidence(claim) >= needed
        return self.ideal.log_evidence_of_more >= needed

    @property
    def looked(self) -> int:
        """How many pairs were looked at."""
        return self.learning.looked or len(self.pairs)

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
        course = self.course
        course.begin(sampler, show, breakable, self.pairs[0])
        stages = STAGES if course.claim is not None and self.stop else STAGES[-1:]
        for part, capital in stages:
            course.end = int(part * course.budget)
            if part < 1 and course.end - course.done < ENOUGH * len(self.pairs):
                continue
            self._bet(self._chosen(capital if part < 1 else self._saved))
            if self.stop and self.refused:
                return

    def _chosen(self, capital: float) -> list[Bet]:
        """Learn, and choose on which events how much of the capital is bet."""
        if self.space is not None:
            self.pairs = self.learning.climb(self.space, self.pairs)
        bets = self._checked(self._both(self.learning.events(self.pairs), CHECKED))
        firsts = {bet.event.ideal: bet for bet in reversed(bets)}.values()
        bets = [*(one for one in map(self.course.ladder, firsts) if one is not None), *bets]
        shared_out(bets, capital)
        self._saved -= capital
        for bet in bets:
            bet.text = described(bet.event, bet.example)
            if bet.rungs:
                bet.text += f"; with {len(bet.rungs)} thresholds of the same score"
        self.bets += bets
        return bets

    def _checked(self, promising: Sequence[Bet]) -> list[Bet]:
        """Of the events that are or are close to promising ones, those that do best again."""
        bets = [
            self.learning.new(bet.pair, Candidate(event, bet.fortune.known), bet.example)
            for bet in promising
            for event in nearby(bet.event, bet.example)
        ]
        ranked: list[Bet] = []
        for _ in range(1 if self.course.claim is None else CHECKS):
            pairs = pairs_of(bets)
            runs = self.course.part(CHECKING, 2 * max(len(pairs), 1))
            for pair in pairs:
                some = [bet for bet in bets if bet.pair is pair]
                for bet, (seen,) in zip(some, self.course.count(some, runs), strict=True):
                    bet.checked += seen
            for bet in bets:
                bet.fortune = self.course.fortune(bet.pair, bet.checked)
            alike = {(id(b.pair), b.fortune.known, b.event.ideal): b for b in reversed(bets)}
            ranked = best(reversed(alike.values()), self.course.aims(AGAIN))
            if not ranked or self.course.resolved(ranked[0], AGAIN):
                break
            bets = self._both(ranked, max(len(ranked) // 2, BETS))
        return self._both(ranked, BETS)

    def _both(self, bets: Sequence[Bet], most: int) -> list[Bet]:
        """The first ones; where the bits of floats count, as many of the ideal ones as of those."""
        if not self.course.code:
            return list(bets[:most])
        ideal = [bet for bet in bets if bet.event.ideal][: most // 2]
        shipped = [bet for bet in bets if not bet.event.ideal][: most - len(ideal)]
        return [bet for bet in bets if bet in ideal or bet in shipped]

    def _bet(self, bets: Sequence[Bet]) -> None:
        """Bet on more and more runs."""
        course = self.course
        pairs = pairs_of(bets)
        if not pairs:
            return
        size = max(int(FIRST_BETS * (course.end - course.done) / (2 * len(pairs))), 100)
        times = 0
        while (left := (course.end - course.done) // (2 * len(pairs))) > 0:
            size = left if left < 1.5 * size else size
            for pair in pairs:
                some = [bet for bet in bets if bet.pair is pair]
                for bet, (seen, *rungs) in zip(some, course.count(some, size), strict=True):
                    bet.fortune.bet(seen, *rungs)
                    bet.seen += seen
            self.note()
            times += 1
            if self.stop and self.refused:
                return
            if times == TOGETHER:
                ranked = self._both(best(bets, course.aims(AGAIN)), 2 if course.code else 1)
                pairs = pairs_of(ranked)
            size = int(GROWTH * size)

    def note(self) -> None:
        """Take into account what the bets have won so far.

        What ideal events win is won against the code as well, which never keeps what they refuse.
        """
        kept = 1 - sum(bet.share for bet in self.bets)
        self.shipped.note([(bet.share, bet.fortune) for bet in self.bets], kept)
        self.ideal.note([(bet.share, bet.fortune) for bet in self.bets if bet.event.ideal], kept)

    def strength(self, bet: Bet) -> tuple[float, float]:
        """What a bet has won: against the claim if it is refused, and the bound it gives alone."""
        place = None
        if self.course.claim is not None and self.refused:
            place = int(np.searchsorted(self.course.grid, self.course.claim))
        return bet.strength(place, self.course.needed, self.course.grid)
