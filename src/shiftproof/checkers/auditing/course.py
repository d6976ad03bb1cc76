"""The runs of an audit: what is asked of them, how many there are, and what is made of each."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from .betting import Bet, Counting, Pair
from .boxes.boxes import Key
from .boxes.sampling import Sampler, Wanted
from .events import rungs_of
from .evidence.fortunes import Fortune
from .evidence.ladders import Ladder
from .evidence.notions import Notion
from .evidence.pure import Array, Counts
from .result import Protected
from .samples import Sample
from .scoring.scores import CAUTION, Aim

#: Shares of runs are larger where else an input has fewer than so many.
MORE, FEW = 2.5, 10_000
#: How many tokens of outputs are in memory at once: some 10 bytes each.
TOKENS = 2**24
#: How many runs tell how long outputs are.
FIRST = 16
#: What bets lose on the way, about: the log of a fortune that is shared and learns as it goes.
COST = 2.5
#: An event is enough if it can be expected to give so many times the evidence that is needed.
PLENTY = 2.0
#: Above this, in nats, what a pair owes is all one: nothing that is sampled could break it.
HIGHEST = 600.0


def told_apart(data: Any) -> bytes:
    """The same for equal inputs; numpy shortens the repr of long arrays."""
    try:
        return pickle.dumps(data)
    except Exception:
        return str(id(data)).encode()


def _whole(sample: Sample) -> Sample:
    return sample


@dataclass(slots=True)
class Course:
    """What is asked of an audit, and the runs that it makes.

    Attributes:
        notion: of the claim.
        claim: the ε in nats, or the ρ; ``None`` if a bound is all that is wanted.
        tolerance: what the ideal mechanism may be above the claim, on each pair.
        confidence: of what is said in the end.
        budget: how many runs may be made.
        code: whether events of the floating-point numbers count.
        owed: the outputs of which something is owed; ``None`` for all.
        done: how many runs have been made.
        end: after how many the present stage ends.
        longest: how many places the longest of some outputs has.
        grid: the amounts for which there is evidence.
    """

    notion: Notion
    claim: float | None
    tolerance: float
    confidence: float
    budget: int
    code: bool
    owed: Protected | None
    done: int = 0
    end: int = 0
    longest: int = 0
    grid: Array = field(init=False)
    sampler: Sampler = field(init=False)
    breakable: Callable[[], AbstractContextManager[None]] = field(init=False)
    _show: Callable[[int], None] = field(init=False)
    _samplings: int = 0
    _places: int = 1

    def __post_init__(self) -> None:
        claims = [] if self.claim is None else [self.claim, self.claim + self.tolerance]
        self.grid = np.unique(np.concatenate([self.notion.grid, claims]))

    @property
    def needed(self) -> float:
        """The log of the fortune that refuses an amount."""
        return -math.log1p(-self.confidence)

    def begin(
        self,
        sampler: Sampler,
        show: Callable[[int], None],
        breakable: Callable[[], AbstractContextManager[None]],
        pair: Pair,
    ) -> None:
        """Take up the work; see how long the outputs are on a pair.

        Args:
            sampler: makes the runs.
            show: is told how many runs are done.
            breakable: entered where an interrupt does no harm.
            pair: any.
        """
        self.sampler, self._show, self.breakable = sampler, show, breakable
        first = [sample for sides in self.samples([pair], FIRST) for sample in sides]
        self._places = max(sample.places for sample in first) or 1
        self.longest = max(int(sample.lengths.max()) for sample in first)

    def part(self, share: float, inputs: int) -> int:
        """How many runs on each input are a share of all, or a larger one if all are few."""
        part = share * (self.end - self.done) / inputs
        return max(int(max(part, min(MORE * part, FEW))), 8)

    def in_memory(self, share: float, pairs: Sequence[Pair], most: int) -> int:
        """How many runs on each input are a share of all, if they are kept in memory."""
        inputs = len({told_apart(side) for pair in pairs for side in (pair.left, pair.right)})
        return max(min(self.part(share, inputs), most, TOKENS // (inputs * self._places)), 8)

    def aims(self, caution: float = CAUTION, pairs: int = 1) -> list[Aim]:
        """To refuse the claim, and to bring the bound up."""
        left = max((self.end - self.done) // (2 * pairs), 1)
        claims = [None] if self.claim is None else [self.claim, None]
        needed = self.needed + COST
        return [Aim(claim, left, needed, caution, notion=self.notion) for claim in claims]

    def resolved(self, bet: Bet, caution: float = CAUTION) -> bool:
        """Whether what is known of an event is more than enough to refuse the claim."""
        aim = self.aims(caution)[0]
        (worth,) = aim.on(bet.pair.scale).worths([bet.fortune.known])
        return aim.claim is not None and worth >= PLENTY * aim.needed

    def owed_by(self, pair: Pair) -> Array:
        """What the pair owes for each amount of the grid, and what is tolerated of it."""
        claim = 0.0 if self.claim is None else self.claim
        owed = np.append(self.grid * pair.scale, claim * pair.scale + self.tolerance)
        return np.asarray(np.minimum(owed, HIGHEST))

    def ladder(self, bet: Bet) -> Bet | None:
        """A bet on many thresholds of the score at once, where more than one event tells more."""
        rungs = rungs_of(bet.event, bet.example) if self.notion.ladders else ()
        if len(rungs) < 2:
            return None
        fortune = Ladder(bet.fortune.known, self.owed_by(bet.pair), self.notion)
        return replace(bet, fortune=fortune, rungs=rungs, seen=Counts())

    def fortune(self, pair: Pair, known: Counts) -> Fortune:
        """1 that is bet on an event of the pair that came so often."""
        return Fortune(known, self.owed_by(pair), self.notion)

    def samples(self, pairs: Sequence[Pair], runs: int) -> list[tuple[Sample, Sample]]:
        """Runs on both inputs of some pairs; pairs may share an input, and then its runs."""
        inputs = {told_apart(side): side for pair in pairs for side in (pair.left, pair.right)}
        key = self._new_key(0)
        wanted = [Wanted(data, runs, (*key, k), _whole) for k, data in enumerate(inputs.values())]
        found = {}
        drawn = self.sampler.each(wanted)
        for name in inputs:
            with self.breakable():
                found[name] = Sample.joined(next(drawn))
            self._add(runs)
        return [(found[told_apart(p.left)], found[told_apart(p.right)]) for p in pairs]

    def count(self, bets: Sequence[Bet], runs: int) -> list[list[Counts]]:
        """How often the event of each bet on a pair comes in fresh runs, and then its rungs."""
        pair = bets[0].pair
        events = tuple(event for bet in bets for event in (bet.event, *bet.rungs))
        key = self._new_key(1)
        wanted = [
            Wanted(data, runs, (*key, side), Counting(events, left=side == 0))
            for side, data in enumerate((pair.left, pair.right))
        ]
        with self.breakable():
            left, right = (
                [sum(column) for column in zip(*parts, strict=True)]
                for parts in self.sampler.each(wanted)
            )
        self._add(2 * runs)
        seen = iter([Counts(runs, a, b) for a, b in zip(left, right, strict=True)])
        return [list(islice(seen, 1 + len(bet.rungs))) for bet in bets]

    def _new_key(self, kind: int) -> Key:
        self._samplings += 1
        return kind, self._samplings

    def _add(self, runs: int) -> None:
        self.done += runs
        self._show(self.done)
