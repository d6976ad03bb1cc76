"""The search: small pairs from a grid first, then climbing on the exact log ratio.

The scale of all comparisons is the *loss*: the log ratio of an outcome's likelihoods divided
by the claimed ε.  Above 1 the claim is broken; the search also serves to see how close to 1
a correct mechanism comes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ...dsl.errors import LimitReached
from ...dsl.program import Program
from ...dsl.syntax import Span
from ..exact.affine import Mixed, NotAffine
from ..exact.numbers import BASES, Base
from ..exact.outcomes import Atom, Outcome, Slot
from .guesses import Shape, shapes
from .inputs import Inputs, Instance
from .judge import EFFORT, Judge, Likelihoods, Spent
from .moves import Moved, changed_numbers, grown_outcomes, lengths, moves
from .relation import Relation
from .seeds import epsilons, pairs, publics

#: Waves of the grid: lengths, how many settings of the public inputs, how many pairs for each.
WAVES = ((2, 3, 8), (3, 6, 16), (4, 12, 40), (4, 24, 200))
#: Up to which length all outcomes are listed; longer ones grow from shorter ones.
LISTED = 4
#: From how many pairs of a wave the search climbs, how many steps, with what share of effort.
CLIMBED, CLIMB_STEPS, CLIMB_SHARE = 6, 12, 0.1
#: The loss from which on climbing is worth a try.
LEAST = 0.05
#: How many atoms are tried as a further release.
ALPHABET = 6
#: How many places of one outcome are tried by changing single numbers.
FIRST_REFINEMENTS, REFINEMENTS = 12, 40


Goal = Callable[[Likelihoods], bool]


def broken(likelihoods: Likelihoods) -> bool:
    """The goal of a refutation."""
    return likelihoods.broken


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair and an outcome, with what they come to."""

    instance: Instance
    outcome: Outcome
    likelihoods: Likelihoods

    @property
    def loss(self) -> float:
        """The log ratio over the budget."""
        return self.likelihoods.loss


@dataclass(slots=True)
class Hunt:
    """One search for one program.

    ``given``: public inputs that are fixed, ε in units of the base.  ``goal``: at what it
    stops; a broken claim, unless something else is wanted.
    """

    program: Program
    base: Base = "2"
    given: Inputs = field(default_factory=dict)
    effort: int = EFFORT
    goal: Goal = broken
    best: Candidate | None = None
    limits: list[str] = field(default_factory=list)
    #: A pair on whose D a run raises an exception with positive probability, and where.
    raises: tuple[Instance, Span] | None = None
    _judge: Judge = field(init=False)
    _relation: Relation = field(init=False)
    _seen: dict[str, Candidate | None] = field(default_factory=dict)
    #: The settings from which the search has climbed.
    _climbed: set[tuple[str, str]] = field(default_factory=set)
    #: The atoms that were seen to be released.
    _alphabet: dict[Slot, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._judge = Judge(self.program, self.effort)
        self._relation = Relation(self.program)

    @property
    def spent(self) -> int:
        """How many integrals were computed."""
        return self._judge.spent

    def run(self, starts: Iterable[Instance] = ()) -> Candidate | None:
        """The best candidate; a broken claim ends the search at once, if that is wanted.

        Raises:
            Mixed: ε must be rational for this program.
        """
        try:
            for start in starts:
                short = (lengths(self.program, start) or 0) <= LISTED
                if short and self._relation.admits(start) and self._done(self.look(start)):
                    return self.best
            for wave in WAVES:
                found = self._wave(*wave)
                if self._finished():
                    return self.best
                for candidate in self._most_promising(found):
                    self._climb(candidate)
                    if self._finished():
                        return self.best
        except Spent as limit:
            self.limits.append(str(limit))
        if self.raises is None:
            self._look_for_exceptions()
        return self.best

    def _look_for_exceptions(self) -> None:
        """See whether some small input makes the mechanism raise."""
        arrays = any(kind.array for kind in self.program.inputs.values())
        amounts = {n: self.given.get(n, e) for n, e in epsilons(self.program)[0].items()}
        for n in (0, 1, 2) if arrays else (1,):
            for public in itertools.islice(publics(self.program, n, self.given), 12):
                both = pairs(self.program, self._relation, self.base, public | amounts, n)
                for instance in itertools.islice(both, 2):
                    try:
                        place = self._judge.raises(instance)
                        if place is not None:
                            self.raises = instance, place
                            return
                    except (LimitReached, NotAffine):
                        continue

    def _finished(self) -> bool:
        return self.best is not None and self.goal(self.best.likelihoods)

    def _done(self, candidate: Candidate | None) -> bool:
        if candidate is None:
            return False
        if self.best is None or _better(candidate, self.best):
            self.best = candidate
        return self._finished()

    def _wave(self, longest: int, settings: int, some: int) -> list[Candidate]:
        found = []
        for instance in self._grid(longest, settings, some):
            candidate = self.look(instance)
            if candidate is not None:
                found.append(candidate)
                if self._done(candidate):
                    break
        return found

    def _grid(self, longest: int, settings: int, some: int) -> Iterator[Instance]:
        arrays = [n for n, k in self.program.inputs.items() if k.array]
        sizes: Iterable[int] = range(1, longest + 1) if arrays else (1,)
        fixed = {len(v) for v in self.given.values() if isinstance(v, tuple)}
        sizes = fixed or sizes
        for amounts in epsilons(self.program):
            amounts = {n: self.given.get(n, e) for n, e in amounts.items()}  # type: ignore[misc]
            for n in sizes:
                count = 0
                for public in publics(self.program, n, self.given):
                    if count == settings:
                        break
                    fresh = pairs(self.program, self._relation, self.base, public | amounts, n)
                    any_pair = False
                    for k, instance in enumerate(fresh):
                        if k == some:
                            break
                        any_pair = True
                        if _key(instance) not in self._seen:
                            yield instance
                    count += any_pair

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

    def look(self, instance: Instance) -> Candidate | None:
        """The best outcome for a pair of neighbours."""
        key = _key(instance)
        if key in self._seen:
            return self._seen[key]
        try:
            found = self._look(instance)
        except Spent:
            raise
        except (LimitReached, NotAffine) as limit:
            self.limits.append(str(limit))
            found = None
        self._seen[key] = found
        return found

    def _look(self, instance: Instance) -> Candidate | None:
        judge, base, public = self._judge, instance.base, instance.public
        here = judge.paths(base, public, instance.left)
        there = judge.paths(base, public, instance.right)
        best: Candidate | None = None
        ranked: list[tuple[Candidate, Shape]] = []
        for shape in shapes(here, there):
            if len(self._alphabet) < ALPHABET:
                self._alphabet |= dict.fromkeys(s for s in shape.slots if isinstance(s, Atom))
            top = self._best(instance, map(shape.outcome, shape.first()))
            if top is None:
                continue
            if self.goal(top.likelihoods):
                return top
            ranked.append((top, shape))
            if best is None or _better(top, best):
                best = top
        if ranked:
            top, shape = max(ranked, key=lambda pair: pair[0].loss)
            if shape.points:
                refined = self._refined(top, FIRST_REFINEMENTS, shape)
                best = refined if best is None or _better(refined, best) else best
        return best

    def _best(self, instance: Instance, outcomes: Iterable[Outcome]) -> Candidate | None:
        best: Candidate | None = None
        for outcome in outcomes:
            likelihoods = self._judge.judged(instance, outcome)
            if likelihoods is None:
                continue
            candidate = Candidate(instance, outcome, likelihoods)
            if best is None or _better(candidate, best):
                best = candidate
                if self.goal(likelihoods):
                    break
        return best

    def _refined(
        self, start: Candidate, left: int = REFINEMENTS, shape: Shape | None = None
    ) -> Candidate:
        """Climb by changing single numbers of the outcome: by steps, or to a shape's points."""
        best = start
        improved = True
        while improved and left > 0:
            improved = False
            others = changed_numbers(best.outcome) if shape is None else shape.changed(best.outcome)
            for outcome in itertools.islice(others, left):
                left -= 1
                found = self._best(best.instance, [outcome])
                if found is not None and found.loss > best.loss + 1e-9:
                    best, improved = found, True
                    break
        return best

    def _climb(self, start: Candidate) -> None:
        current, limit = start, self.spent + self.effort * CLIMB_SHARE
        for _ in range(CLIMB_STEPS):
            if self.spent > limit:
                return
            following = self._step(current)
            if following is None:
                return
            current = following
            if self._done(current):
                return

    def _step(self, current: Candidate) -> Candidate | None:
        """A better pair next to one.

        One step more is looked at first, then other numbers, each with the outcomes that
        follow from the present one; all outcomes are listed only where that does not help.
        """
        around = [
            moved
            for moved in moves(self.program, current.instance, fixed=frozenset(self.given))
            if self._relation.admits(moved.instance)
        ]
        longer = [moved for moved in around if moved.grown is not None]
        others = [moved for moved in around if moved.grown is None]
        for some, listed in ((longer, False), (others, False), (longer, True), (others, True)):
            best = self._best_of(current, some, listed)
            if best is not None:
                refined = self._refined(best)
                return refined if _better(refined, best) else best
        return None

    def _best_of(
        self, current: Candidate, around: Iterable[Moved], listed: bool
    ) -> Candidate | None:
        """The best of some pairs, if it is better than the present one."""
        best: Candidate | None = None
        for moved in around:
            found = self._listed(moved) if listed else self._followed(current, moved)
            if found is None:
                continue
            if self.goal(found.likelihoods):
                return found
            if found.loss > (current.loss if best is None else best.loss) + 1e-6:
                best = found
        return best

    def _listed(self, moved: Moved) -> Candidate | None:
        size = lengths(self.program, moved.instance) or 1
        return self.look(moved.instance) if size <= LISTED else None

    def _followed(self, current: Candidate, moved: Moved) -> Candidate | None:
        outcomes = [current.outcome]
        if moved.grown is not None:
            outcomes = list(grown_outcomes(current.outcome, moved.grown, self._alphabet))
        try:
            return self._best(moved.instance, outcomes)
        except Spent:
            raise
        except (LimitReached, NotAffine) as limit:
            self.limits.append(str(limit))
            return None


def _better(one: Candidate, two: Candidate) -> bool:
    if math.isinf(one.loss) and math.isinf(two.loss):
        return bool(one.likelihoods.left > two.likelihoods.left)
    return one.loss > two.loss


def _key(instance: Instance) -> str:
    return f"{instance.base}{instance.public}{instance.left}{instance.right}"


def hunt(
    program: Program,
    given: Inputs | None = None,
    base: Base | None = None,
    effort: int = EFFORT,
    *,
    goal: Goal = broken,
    starts: Iterable[Instance] = (),
) -> Hunt:
    """Search with ε in multiples of ln 2, and where that does not do, with rational ones."""
    for unit in BASES if base is None else (base,):
        search = Hunt(program, unit, given or {}, effort, goal)
        try:
            search.run(s for s in starts if s.base == unit)
        except Mixed as error:
            search.limits.append(str(error))
            continue
        return search
    return search
