"""How an audit learns events: from all pairs quickly, from the best with care, and closer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...dsl.simulation.spreading import in_order
from .betting import Bet, Pair, best, pairs_of
from .boxes.spaces import Space
from .course import Course, told_apart
from .events import Candidate, Lesson
from .evidence.pure import Counts
from .samples import Sample
from .scoring.scores import Aim

#: Shares of the runs of a stage that look at all pairs, and that teach.
LOOKING, LEARNING = 0.05, 0.08
#: Where the best event does not seem to be enough, half of the pairs are looked at again, and then
#: the best pair teaches again, with these shares of the runs.
MORE, AGAIN = 0.12, 0.15
#: On how many runs of an input is looked at most, and from how many events are learnt.
LOOKED, LEARNT = 100_000, 400_000
#: From how many pairs events are learnt in earnest.
BEST = 3
#: How many standard errors of bad luck are assumed where hopes are chosen.
BOLD = -1.0
#: How often an event must come in the last quarter of what teaches, to be chosen.
SEEN = 5
#: In how many steps pairs are looked for in a space, in the first of which new ones are drawn; how
#: many are looked at in each, how many of them near to each good one, and with which share of runs.
STEPS, DRAWN, CLIMBING, NEAR, CLIMB = 6, 3, 8, 2, 0.15
#: Before, with this share of the runs, many pairs are looked at with so few runs each, and no more
#: pairs than that: what hardly any pair shows may be plain on those that do.  They are the first of
#: this many times as many that are drawn.
BROAD, BARELY, MANY, DRAWS = 0.04, 24, 256, 5


@dataclass(slots=True)
class Learning:
    """Learns events of pairs.

    Attributes:
        course: the audit for which.
        space: where pairs are looked for; ``None`` for nowhere.
        rng: chooses them.
        rarest: how likely an event is on D at least that is chosen, about.
        looked: how many pairs of the space were looked at.
        hope: the best event of the last lesson.
    """

    course: Course
    space: Space | None
    rng: np.random.Generator
    rarest: float = 1.0
    looked: int = 0
    hope: Bet | None = None

    def events(self, pairs: Sequence[Pair]) -> list[Bet]:
        """Events that tell D from D' on some of the pairs, the best first."""
        course = self.course
        share, again = LOOKING, len(pairs) > 1
        while again:
            ranked = self._learn(pairs, course.in_memory(share, pairs, LOOKED), quick=True)
            half = len(pairs) // 2
            again = half > BEST and not self._is_enough(ranked)
            pairs = pairs_of(ranked)[: half if again else BEST] or pairs[:1]
            share = MORE
        found = self._taught(pairs, LEARNING)
        if not self._is_enough(found):
            more = self._taught(pairs_of(found)[:1], AGAIN)
            found = best([*found, *more], self._aims(1))
        return found

    def _is_enough(self, found: Sequence[Bet]) -> bool:
        """Whether the best event refuses the claim, as it looks; or there is none."""
        return not found or self.course.claim is None or self.course.resolved(found[0])

    def _taught(self, pairs: Sequence[Pair], share: float) -> list[Bet]:
        """What a share of the runs teaches in earnest."""
        runs = self.course.in_memory(share, pairs, LEARNT)
        self.rarest = min(self.rarest, SEEN / (runs / 4))
        return self._learn(pairs, runs)

    def climb(self, space: Space, pairs: Sequence[Pair]) -> list[Pair]:
        """Better and better pairs: those near to the best so far are looked at next."""
        found: list[Bet] = []
        pairs = self._broad(space, pairs)
        for step in range(STEPS):
            near = [
                space.near((pair.left, pair.right), self.rng)
                for pair in pairs[:BEST]
                for _ in range(NEAR)
            ]
            fresh = CLIMBING - len(near) if step < DRAWN else 0
            near += [space.pair(self.rng) for _ in range(fresh)]
            here = [
                Pair(f"pair {self.looked + k}", left, right)
                for k, (left, right) in enumerate(near, 1)
            ]
            self.looked += len(here)
            here += pairs if not step else ()
            runs = self.course.in_memory(CLIMB / STEPS, here, LOOKED)
            found += self._learn(here, runs, quick=True)
            pairs = pairs_of(best(found, self.course.aims(pairs=2)))[:CLIMBING] or pairs
            found = [bet for bet in found if any(bet.pair is pair for pair in pairs)]
        return [*pairs]

    def _broad(self, space: Space, pairs: Sequence[Pair]) -> list[Pair]:
        """Of many pairs of which a few runs each are made those that look best, and these."""
        runs = int(BROAD * (self.course.end - self.course.done)) // 2
        many = min(runs // BARELY, MANY)
        if many <= CLIMBING:
            return [*pairs]
        drawn = (space.pair(self.rng) for _ in range(DRAWS * many))
        # Some are drawn again and again, and looked at enough as it is.
        distinct = [*{told_apart(sides): sides for sides in drawn}.values()][:many]
        here = [Pair(f"pair {self.looked + k}", *sides) for k, sides in enumerate(distinct, 1)]
        self.looked += len(here)
        found = self._learn(here, min(runs // len(here), LOOKED), quick=True)
        return [*pairs_of(best(found, self._aims(2, quick=True)))[:CLIMBING], *pairs]

    def new(self, pair: Pair, candidate: Candidate, example: Sample) -> Bet:
        """A bet on an event of which nothing is known yet but what it was chosen by."""
        fortune = self.course.fortune(pair, candidate.counts)
        return Bet(pair, candidate.event, fortune, example)

    def _learn(self, pairs: Sequence[Pair], runs: int, *, quick: bool = False) -> list[Bet]:
        """Events of each pair: half of the runs teach scores, a quarter weights; others choose.

        What is learnt quickly has no weights: half of the runs choose.
        """
        aims = self._aims(1 if len(pairs) == 1 else 2, quick)
        cuts = (0, runs // 2, runs // 2 if quick else 3 * runs // 4, runs)
        lessons = []
        for pair, (left, right) in zip(pairs, self.course.samples(pairs, runs), strict=True):
            teaching, weighing, choosing = (
                (left.part(*cut), right.part(*cut)) for cut in pairwise(cuts)
            )
            own = [aim.on(pair.scale) for aim in aims]
            lessons.append(
                Lesson(
                    teaching, weighing, choosing, own, pair.scores, self.course.code, quick,
                    self.course.owed,
                )
            )  # fmt: skip
        found = best(self._learnt(pairs, lessons), aims)
        self.hope = found[0] if found else None
        return found

    def _aims(self, pairs: int, quick: bool = False) -> list[Aim]:
        """What is aimed at on so many pairs, without hope and with it.

        What comes rarely looks like luck at first, and is not to lose its place to what is sure to
        be of no use: some hopes are tried on fresh runs.
        """
        aims = self.course.aims(pairs=pairs)
        bold = [aim for aim in aims if aim.claim is not None or not quick]
        return [*aims, *(replace(aim, caution=BOLD) for aim in bold)]

    def _learnt(self, pairs: Sequence[Pair], lessons: Sequence[Lesson]) -> list[Bet]:
        """What the lessons on these pairs teach."""
        found: dict[tuple[int, Counts], Bet] = {}
        learnt = in_order(self.course.sampler.executor, Lesson.learnt, lessons)
        for pair, lesson in zip(pairs, lessons, strict=True):
            with self.course.breakable():
                some = next(learnt)
            for candidate in some:
                key = (id(pair), candidate.counts)
                found.setdefault(key, self.new(pair, candidate, lesson.teaching[0]))
        return [*found.values()]
