"""Looking at one pair: the best outcome that can be found for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...dsl.errors import LimitReached
from ..exact.affine import NotAffine
from ..exact.outcomes import Atom, Outcome, Slot
from .candidate import Candidate, Goal
from .guesses import Shape, shapes
from .inputs import Instance
from .judge import Judge, Spent
from .moves import changed_numbers

#: How many atoms are remembered.
ALPHABET = 6
#: How many places of one outcome are tried by changing single numbers: at first, and in a climb.
FIRST_REFINEMENTS, REFINEMENTS = 12, 40
#: By how much a loss must be larger to be an improvement.
MORE = 1e-9


@dataclass(slots=True)
class Looks:
    """Looks at pairs, each once; ends early at an outcome that meets the goal.

    ``alphabet``: atoms that were seen to be released; ``limits``: what could not be computed.
    """

    judge: Judge
    goal: Goal
    alphabet: dict[Slot, None] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    _seen: dict[str, Candidate | None] = field(default_factory=dict)

    def seen(self, instance: Instance) -> bool:
        """Whether all outcomes of the pair were looked at."""
        return instance.key in self._seen

    def at(self, instance: Instance) -> Candidate | None:
        """The best of all outcomes for a pair of neighbours.

        Raises:
            Spent: the effort is used up.
        """
        if instance.key not in self._seen:
            found = None
            try:
                found = self._all(instance)
            except Spent:
                raise
            except (LimitReached, NotAffine) as limit:
                self.limits.append(str(limit))
            self._seen[instance.key] = found
        return self._seen[instance.key]

    def among(self, instance: Instance, outcomes: Iterable[Outcome]) -> Candidate | None:
        """The best of some outcomes; nothing where they cannot be computed."""
        try:
            return self._best(instance, outcomes)
        except Spent:
            raise
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
        here = self.judge.paths(instance.base, instance.public, instance.left)
        there = self.judge.paths(instance.base, instance.public, instance.right)
        ranked: list[tuple[Candidate, Shape]] = []
        for shape in shapes(here, there):
            if len(self.alphabet) < ALPHABET:
                self.alphabet |= dict.fromkeys(s for s in shape.slots if isinstance(s, Atom))
            top = self._best(instance, map(shape.outcome, shape.first()))
            if top is None and shape.points:
                top = self._best(instance, map(shape.outcome, shape.others()))
            if top is not None:
                if self.goal(top.likelihoods):
                    return top
                ranked.append((top, shape))
        if not ranked:
            return None
        best, shape = ranked[0]
        for top, other in ranked[1:]:
            if top.better(best):
                best, shape = top, other
        return self.refined(best, FIRST_REFINEMENTS, shape) if shape.points else best

    def _best(self, instance: Instance, outcomes: Iterable[Outcome]) -> Candidate | None:
        best: Candidate | None = None
        for outcome in outcomes:
            likelihoods = self.judge.judged(instance, outcome)
            if likelihoods is None:
                continue
            candidate = Candidate(instance, outcome, likelihoods)
            if candidate.better(best):
                best = candidate
                if self.goal(likelihoods):
                    break
        return best
