"""The search: small pairs from a grid first, then climbing on the best ones.

The scale of all comparisons is the *loss*: the log ratio of an outcome's likelihoods divided
by the claimed ε.  Above 1 the claim is broken; the search also serves to see how close to 1
a correct mechanism comes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...dsl.errors import LimitReached
from ...dsl.language.syntax import Span
from ...dsl.relations.program import Program
from ..exact.affine import NotAffine
from ..exact.numbers import BASES, Base
from ..exact.outcomes import Outcome
from ..exact.powers import Mixed
from . import EFFORT
from .columns import lengths, repeated
from .divergences.choosing import judge_of
from .inputs import Input, Inputs, Instance
from .judge import LISTED, Judge, Spent
from .looks import Looks
from .moves import (
    Moved,
    grown_outcomes,
    moves,
    repeated_slots,
)
from .shrink import Candidate, Goal, broken
from .starting.seeds import EPSILONS, EXTREME, RHOS, Seeds, amounts_for, edges, epsilons

#: How many pairs there are of each length that numbers in the program suggest, and their share of
#: the effort: a wave of its own, after the first one.
FAR, FAR_SHARE = 16, 0.2
#: Waves of the grid: lengths, how many settings of the public inputs, how many pairs for each.
WAVES = ((2, 3, 8), (3, 6, 16), (4, 12, 40), (4, 24, 200))
#: Up to which length sequences are tried of which the program speaks.
FARTHEST = 64
#: From how many pairs of a wave the search climbs, how many steps, with what share of effort.
CLIMBED, CLIMB_STEPS, CLIMB_SHARE = 6, 12, 0.1
#: The loss from which on climbing is worth a try, and by how much a step must raise it.
LEAST, RISE = 0.05, 1e-6
#: Up to which length what gains is repeated.
PUMPED = 16
#: How near to a whole number of repetitions one more of them is made.
NEARLY = 0.01
#: How many settings and pairs of each length are asked whether they raise an exception, and
#: with what share of the effort, besides what the search has used.
RAISING = (12, 2)
RAISING_SHARE = 0.2
#: What share of the effort a further search has at least, with other ε.
AGAIN_SHARE = 0.25


@dataclass(slots=True)
class Hunt:
    """One search for one program.

    ``given``: public inputs that are fixed, ε in units of the base.  ``goal``: at what it
    stops; a broken claim, unless something else is wanted.  ``amounts``: the ε of its rounds.
    """

    program: Program
    base: Base = "2"
    given: Inputs = field(default_factory=dict)
    effort: int = EFFORT
    goal: Goal = broken
    amounts: Sequence[Fraction] = EPSILONS
    best: Candidate | None = None
    #: A pair on whose D a run raises an exception with positive probability, and where.
    raises: tuple[Instance, Span] | None = None
    _judge: Judge = field(init=False)
    _looks: Looks = field(init=False)
    _seeds: Seeds = field(init=False)
    #: The settings from which the search has climbed.
    _climbed: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._judge = judge_of(self.program, self.effort)
        self._looks = Looks(self._judge, self.goal)
        self._seeds = Seeds(self.program)

    @property
    def spent(self) -> int:
        """How many integrals were computed."""
        return self._judge.spent

    @property
    def limits(self) -> list[str]:
        """What could not be computed, and that the effort was used up, in words."""
        return self._looks.limits

    @property
    def looked_at(self) -> int:
        """Of how many pairs all outcomes were looked at."""
        return len(self._looks)

    @property
    def looked(self) -> str:
        """At how many pairs it has looked, and how long their sequences are, in words."""
        count, longest = self.looked_at, self._looks.longest
        many = f"{count:,} pair{'s' * (count != 1)} of inputs"
        return f"{many} of length {longest} at most" if longest else many

    def run(self, starts: Iterable[Instance] = ()) -> Candidate | None:
        """The best candidate; one that meets the goal ends the search at once.

        Raises:
            Mixed: ε must be rational for this program.
        """
        try:
            self._run(starts)
        except Spent as limit:
            self.limits.append(str(limit))
        if not self.met:
            self._look_for_exceptions()
        return self.best

    def _run(self, starts: Iterable[Instance]) -> None:
        for start in starts:
            short = (lengths(self.program, start) or 0) <= LISTED
            if short and self._seeds.relation.admits(start) and self._take(self._looks.at(start)):
                return
        waves = [self._grid(*wave) for wave in WAVES]
        for wave in (waves[0], self._far(), *waves[1:]):
            found = []
            for instance in wave:
                candidate = self._looks.at(instance)
                if self._take(candidate):
                    return
                found += [candidate] if candidate is not None else []
            for candidate in self._most_promising(found):
                self._climb(candidate, self.effort * CLIMB_SHARE)
                if self.met:
                    return
        before = None
        while self.best is not None and self.best is not before and not self.met:
            before = self.best  # what effort is left goes into the best one
            self._climb(before, self.effort)

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.best is not None and self.goal(self.best.likelihoods)

    def _take(self, candidate: Candidate | None) -> bool:
        """Keep a candidate if it is the best one; whether the goal is met."""
        if candidate is not None and candidate.better(self.best):
            self.best = candidate
        return self.met

    def _grid(self, longest: int, settings: int, some: int) -> Iterator[Instance]:
        """Pairs that were not looked at, simplest first: for each ε, length and setting some."""
        arrays = any(kind.array for kind in self.program.inputs.values())
        fixed = {len(v) for v in self.given.values() if isinstance(v, tuple)}
        spoken = (k for k in self._seeds.named.lengths if k <= FARTHEST)
        some_sizes = dict.fromkeys((*range(1, longest + 1), *spoken))
        sizes = fixed or (some_sizes if arrays else (1,))
        for amounts, n in itertools.product(self._amounts(), sizes):
            used = 0
            for public in self._seeds.publics(n, self.given):
                if used == settings:
                    break
                fresh = self._seeds.pairs(self.base, public | amounts, n)
                chosen = list(itertools.islice(fresh, some))
                used += bool(chosen)
                yield from (pair for pair in chosen if not self._looks.seen(pair))

    def _far(self) -> Iterator[Instance]:
        """A few pairs of sequences as long as rounds may be counted, which take long."""
        if not any(kind.array for kind in self.program.inputs.values()) or self.given:
            return
        limit = self.spent + self.effort * FAR_SHARE
        amounts = self._amounts()[0]
        of_each_length = [
            itertools.islice(self._seeds.pairs(self.base, public | amounts, n), FAR)
            for n in self._seeds.named.rounds
            for public in itertools.islice(self._seeds.publics(n, self.given), 1)
        ]
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(*of_each_length))
        for pair in in_turn:
            if self.spent > limit:
                return
            if pair is not None:
                yield pair

    def _amounts(self) -> list[dict[str, Input]]:
        """The ε of each round."""
        rounds = epsilons(self.program, self.amounts)
        return [{n: self.given.get(n, e) for n, e in amounts.items()} for amounts in rounds]

    def _look_for_exceptions(self) -> None:
        """See whether some small input makes the mechanism raise."""
        arrays = any(kind.array for kind in self.program.inputs.values())
        amounts = self._amounts()[0]
        settings, some = RAISING
        self._judge.effort = self._judge.spent + int(self.effort * RAISING_SHARE)
        for n in (0, 1, 2) if arrays else (1,):
            for public in itertools.islice(self._seeds.publics(n, self.given), settings):
                both = self._seeds.pairs(self.base, public | amounts, n)
                chosen = [*itertools.islice(both, some), *(self._empty(public | amounts, n))]
                for instance in chosen:
                    try:
                        place = self._judge.raises(instance)
                    except Spent:
                        return
                    except (LimitReached, NotAffine):
                        continue
                    if place is not None:
                        self.raises = instance, place
                        return

    def _empty(self, public: Inputs, n: int) -> list[Instance]:
        """Empty inputs, which have no neighbours that differ."""
        kinds = self._seeds.relation.private
        if n or not all(kind.array for kind in kinds.values()):
            return []
        nothing: Inputs = dict.fromkeys(kinds, ())
        instance = Instance(self.base, public, nothing, nothing)
        return [instance] if self._seeds.relation.accepts(instance) else []

    def _most_promising(self, found: list[Candidate]) -> list[Candidate]:
        """The best pair of each setting of ε and the integers, as long as it is a new one.

        At one setting a loss may come as close to 1 as one likes and never be above.
        """
        best: dict[tuple[str, str], Candidate] = {}
        for candidate in sorted(found, key=lambda c: -c.loss):
            setting = self._setting(candidate.instance)
            if setting not in self._climbed and candidate.loss > LEAST:
                best.setdefault(setting, candidate)
        # Each choice of the integers once, at the ε where it looks best, and then the others.
        first = [*{whole: (whole, e) for whole, e in reversed(best)}.values()]
        chosen = list(dict.fromkeys([*reversed(first), *best]))[:CLIMBED]
        self._climbed.update(chosen)
        return [best[setting] for setting in chosen]

    def _setting(self, instance: Instance) -> tuple[str, str]:
        kinds, amounts = self.program.inputs, self.program.epsilons()
        whole = {n: v for n, v in instance.public.items() if kinds[n].whole and not kinds[n].array}
        return str(whole), str([instance.public[n] for n in amounts])

    def _climb(self, start: Candidate, share: float) -> None:
        """Go from pair to better pair, as long as its share of the effort lasts."""
        current: Candidate | None = start
        limit = self.spent + share
        for _ in range(CLIMB_STEPS):
            if current is None or self._take(current) or self.spent > limit:
                return
            current = self._step(current)
        self._take(current)

    def _step(self, current: Candidate) -> Candidate | None:
        """A better pair next to one.

        Longer sequences are looked at first, then other numbers, each with the outcomes that
        follow from the present one; all outcomes are listed only where that does not help.
        """
        around = [
            moved
            for moved in moves(self.program, current.instance, fixed=frozenset(self.given))
            if self._seeds.relation.admits(moved.instance)
        ]
        longer = [moved for moved in around if moved.grown]
        others = [moved for moved in around if not moved.grown]
        for some, listed in ((longer, False), (others, False), (longer, True), (others, True)):
            best, by = self._best_of(current, some, listed)
            if best is not None and by is not None:
                refined = self._looks.refined(best)
                return self._pumped(refined, by, refined.loss - current.loss) or refined
        return None

    def _best_of(
        self, current: Candidate, around: Iterable[Moved], listed: bool
    ) -> tuple[Candidate | None, Moved | None]:
        """The best of some pairs, if it is better than the present one, and how it came about."""
        best: tuple[Candidate | None, Moved | None] = (None, None)
        least = current.loss + RISE
        for moved in around:
            found = self._listed(moved) if listed else self._followed(current, moved)
            if found is None:
                continue
            if self.goal(found.likelihoods):
                return found, moved
            if found.loss > least:
                best, least = (found, moved), found.loss + RISE
        return best

    def _pumped(self, candidate: Candidate, by: Moved, gain: float) -> Candidate | None:
        """What made a pair longer and better, repeated until the claim should be broken."""
        short = 1 - candidate.loss
        n = lengths(self.program, candidate.instance)
        if not (by.grown and n and 0 < short < math.inf and gain > RISE):
            return None
        most = int(short / gain + NEARLY) + 1
        if n + most * by.grown > PUMPED:
            return None
        for times in (most, most - 1, most // 2):  # the program may allow fewer
            found = self._repeated(candidate, by, times) if times > 0 else None
            if found is not None and found.better(candidate):
                return found
        return None

    def _repeated(self, candidate: Candidate, by: Moved, times: int) -> Candidate | None:
        longer = repeated(self.program, candidate.instance, by.place, by.grown, times)
        if not self._seeds.relation.admits(longer):
            return None
        outcomes = [repeated_slots(candidate.outcome, by, times)]
        if by.grown == 1:
            alike = Moved(longer, times, by.place)
            outcomes += grown_outcomes(candidate.outcome, alike, self._looks.alphabet)
        return self._looks.among(longer, outcomes)

    def _listed(self, moved: Moved) -> Candidate | None:
        """The best of all outcomes of a short pair."""
        short = (lengths(self.program, moved.instance) or 1) <= LISTED
        return self._looks.at(moved.instance) if short else None

    def _followed(self, current: Candidate, moved: Moved) -> Candidate | None:
        """The best outcome that follows from the present one."""
        outcomes: Iterable[Outcome] = [current.outcome]
        if moved.grown:
            outcomes = grown_outcomes(current.outcome, moved, self._looks.alphabet)
        return self._looks.among(moved.instance, outcomes)


def hunt(
    program: Program,
    given: Inputs | None = None,
    base: Base | None = None,
    effort: int = EFFORT,
    *,
    goal: Goal = broken,
    starts: Iterable[Instance] = (),
) -> Hunt:
    """Search with ε in multiples of ln 2, and where that does not do, with rational ones.

    It does not do where ε enters otherwise than as the inverse of a scale, and where no
    multiple of ln 2 that is tried meets the preconditions.  A ρ is always rational.
    """
    if program.privacy.is_relaxed:
        search = Hunt(program, "e", given or {}, effort, goal, RHOS)
        search.run(replace(s, base="e") for s in starts)
        return search
    first = base or BASES[0]
    amounts = amounts_for(program) if first == "2" else EPSILONS
    search = Hunt(program, first, given or {}, effort, goal, amounts)
    try:
        search.run(s for s in starts if s.base == search.base)
    except Mixed as error:
        search.limits.append(str(error))
    at_edges = [] if base is not None or search.met else edges(program)
    if at_edges:
        rest = int(effort * AGAIN_SHARE)
        there = Hunt(program, BASES[1], given or {}, rest, goal, at_edges)
        there.run()
        if there.best is not None and there.best.better(search.best):
            return there
    for amounts in (EPSILONS, EXTREME):
        if search.best is None and base is None:
            rest = max(effort - search.spent, int(effort * AGAIN_SHARE))
            search = Hunt(program, BASES[1], given or {}, rest, goal, amounts)
            search.run()
    return search
