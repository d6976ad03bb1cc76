"""Looking at one pair of inputs: the best outcome that can be found for it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...dsl.errors import LimitReached
from ..exact.affine import NotAffine
from ..exact.outcomes import Atom, Outcome, Slot
from .inputs import Instance
from .judge import Judge
from .moves import Shape, changed_numbers, shapes
from .shrink import Candidate, Goal

#: How many atoms are remembered.
ALPHABET = 6
#: How many places of one outcome are tried by changing single numbers: at first, and in a climb.
FIRST_REFINEMENTS, REFINEMENTS = 12, 40
#: By how much a loss must be larger to be an improvement.
MORE = 1e-9


@dataclass(slots=True)
class Looks:
    """Looks at pairs, each once; ends early at an outcome that meets the goal.

    ``alphabet``: atoms that were seen to be released; ``limits``: what could not be computed;
    ``longest``: how long the longest sequences were.
    """

    judge: Judge
    goal: Goal
    alphabet: dict[Slot, None] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    longest: int = 0
    _seen: dict[str, Candidate | None] = field(default_factory=dict)

    def __len__(self) -> int:
        """Of how many pairs all outcomes were looked at."""
        return len(self._seen)

    def seen(self, instance: Instance) -> bool:
        """Whether all outcomes of the pair were looked at."""
        return instance.key in self._seen

    def at(self, instance: Instance) -> Candidate | None:
        """The best of all outcomes for a pair of neighbours.

        Raises:
            Spent: the effort is used up.
        """
        if instance.key not in self._seen:
            sequences = (v for v in instance.left.values() if isinstance(v, tuple))
            self.longest = max(self.longest, *map(len, sequences), 0)
            self._seen[instance.key] = self._within_limits(lambda: self._all(instance))
        return self._seen[instance.key]

    def among(self, instance: Instance, outcomes: Iterable[Outcome]) -> Candidate | None:
        """The best of some outcomes; nothing where they cannot be computed."""
        return self._within_limits(lambda: self._best(instance, outcomes))

    def _within_limits(self, look: Callable[[], Candidate | None]) -> Candidate | None:
        try:
            return look()
        except (LimitReached, NotAffine) as limit:
            self.limits.append(str(limit))
            return None

    def refined(
        self, best: Candidate, left: int = REFINEMENTS, shape: Shape | None = None
    ) -> Candidate:
        """Climb by changing single numbers of the outcome: by steps, or to a shape's points."""
        improved = True
        while improved and left > 0:
            improved = False
            others = changed_numbers(best.outcome) if shape is None else shape.changed(best.outcome)
            for outcome in itertools.islice(others, left):
                left -= 1
                found = self.among(best.instance, [outcome])
                if found is not None and found.loss > best.loss + MORE:
                    best, improved = found, True
                    break
        return best

    def _all(self, instance: Instance) -> Candidate | None:
        given = self.judge.outcomes(instance)
        if given is not None:
            return self._best(instance, given)
        here = self.judge.paths(instance.base, instance.public, instance.left)
        there = self.judge.paths(instance.base, instance.public, instance.right)
        best: Candidate | None = None
        points: Shape | None = None
        for shape in shapes(here, there):
            if len(self.alphabet) < ALPHABET:
                self.alphabet |= dict.fromkeys(s for s in shape.slots if isinstance(s, Atom))
            top = self._best(instance, map(shape.outcome, shape.first()))
            if top is None and shape.points:
                top = self._best(instance, map(shape.outcome, shape.others()))
            if top is None:
                continue
            if self.goal(top.likelihoods):
                return top
            if top.better(best):
                best, points = top, shape if shape.points else None
        return best and self.refined(best, FIRST_REFINEMENTS, points) if points else best

    def _best(self, instance: Instance, outcomes: Iterable[Outcome]) -> Candidate | None:
        best: Candidate | None = None
        for outcome in outcomes:
            likelihoods = self.judge.judged(instance, outcome)
            if likelihoods is None:
                continue
            candidate = Candidate(instance, outcome, likelihoods)
            if candidate.better(best) and likelihoods.reportable:
                best = candidate
                if self.goal(likelihoods):
                    break
        return best
