"""Smaller counterexamples: fewer steps first, then an ε with round numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

from flint import fmpq

from ...dsl.errors import LimitReached
from ...dsl.privacy.inputs import DataSet, EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.linear import shortest
from ..exact.affine import NotAffine
from ..exact.outcomes import Atom, Outcome, Real
from ..exact.powers import Mixed
from .columns import columns, lengths, with_columns
from .divergences.choosing import judge_of
from .inputs import Inputs, Instance
from .judge import LISTED, Judge, Likelihoods, Spent
from .moves import shapes
from .relation import Relation

# A pair and an outcome with what they come to, and what a search is after.

#: Whether a search may end with these likelihoods.
Goal: TypeAlias = Callable[[Likelihoods], bool]


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

    def better(self, other: Candidate | None) -> bool:
        """Whether it is the better one; of two infinite losses the more likely one is."""
        if other is None:
            return True
        if math.isinf(self.loss) and math.isinf(other.loss):
            return bool(self.likelihoods.left > other.likelihoods.left)
        return self.loss > other.loss


# Smaller counterexamples: fewer steps first, then an ε with rational results, rounder numbers.

#: How many integrals shrinking may take.
EFFORT = 1_500
#: ε from the roundest on, in units of ln 2 or of 1.
ROUND = tuple(
    Fraction(*v) for v in ((1, 1), (2, 1), (1, 2), (4, 1), (3, 1), (1, 4), (6, 1), (8, 1))
)


@dataclass(slots=True)
class Shrinker:
    """Makes a candidate smaller while it still meets the goal."""

    program: Program
    given: Inputs
    goal: Goal
    _judge: Judge
    _relation: Relation

    def shrunk(self, candidate: Candidate) -> Candidate:
        """The smallest candidate that greedy steps lead to."""
        try:
            improved = True
            while improved:
                improved = False
                for instance, outcomes in self._smaller(candidate):
                    found = self._found(instance, outcomes, candidate)
                    if found is not None:
                        candidate, improved = found, True
                        break
        except Spent:
            pass
        return candidate

    def _found(
        self, instance: Instance, outcomes: list[Outcome] | None, than: Candidate
    ) -> Candidate | None:
        """A smaller candidate for a pair that meets the goal, if there is one."""
        if instance != than.instance and not self._relation.admits(instance):
            return None
        try:
            if outcomes is None:
                outcomes = self._listed(instance)
            for outcome in outcomes:
                likelihoods = self._judge.judged(instance, outcome)
                if likelihoods is not None and self.goal(likelihoods):
                    found = Candidate(instance, outcome, likelihoods)
                    if self._weight(found) < self._weight(than):
                        return found
        except (LimitReached, Mixed, NotAffine):
            pass  # what cannot be computed in this base is not taken
        return None

    def _listed(self, instance: Instance) -> list[Outcome]:
        if (lengths(self.program, instance) or 0) > LISTED:
            return []
        given = self._judge.outcomes(instance)
        if given is not None:
            return [*given]
        here = self._judge.paths(instance.base, instance.public, instance.left)
        there = self._judge.paths(instance.base, instance.public, instance.right)
        return [s.outcome(numbers) for s in shapes(here, there) for numbers in s.first()]

    def _smaller(self, candidate: Candidate) -> Iterator[tuple[Instance, list[Outcome] | None]]:
        instance, outcome = candidate.instance, candidate.outcome
        n = lengths(self.program, instance)
        if n is not None and not any(self.program.inputs[name].array for name in self.given):
            for i in range(n):
                there = columns(self.program, instance)
                shorter = with_columns(self.program, instance, [*there[:i], *there[i + 1 :]])
                less = [
                    Outcome((*outcome.slots[:k], *outcome.slots[k + 1 :]), outcome.ending)
                    for k in range(len(outcome.slots))
                ]
                yield shorter, less
                yield shorter, None
        for changed in self._simpler(instance):
            yield changed, [outcome]
        for other in self._rounder(instance, outcome):
            yield instance, [other]
        for changed in self._simpler(instance):
            if (n or 0) <= LISTED:
                yield changed, None

    def _simpler(self, instance: Instance) -> Iterator[Instance]:
        for name, kind in self.program.inputs.items():
            if name in self.given:
                continue
            if isinstance(kind, EpsilonInput):
                for e in ROUND:
                    yield replace(instance, public={**instance.public, name: e})
            elif kind.public:
                for value in _simpler_numbers(instance.public[name]):
                    yield replace(instance, public={**instance.public, name: value})
            elif isinstance(kind, DataSet):
                yield from _fewer_records(instance, name)
            else:
                for left, right in _simpler_pairs(instance.left[name], instance.right[name]):
                    yield instance.with_sides(
                        {**instance.left, name: left}, {**instance.right, name: right}
                    )
        yield from _all_lower(self.program, instance, self.given)

    def _rounder(self, instance: Instance, outcome: Outcome) -> Iterator[Outcome]:
        for k, slot in enumerate(outcome.slots):
            if isinstance(slot, Real):
                for value in _rounder_numbers(slot.value):
                    yield _with(outcome, k, Real(value))
            elif isinstance(slot, Atom) and type(slot.value) in (int, Fraction):
                number = cast(Any, slot.value)
                for value in _rounder_numbers(number):
                    yield _with(outcome, k, Atom(type(number)(value)))

    def _weight(self, candidate: Candidate) -> tuple[Any, ...]:
        """What is to be small: steps, irrational results, ε's roundness, then all numbers."""
        instance, outcome = candidate.instance, candidate.outcome
        public = {n: v for n, v in instance.public.items() if n not in self.program.epsilons()}
        numbers = [x for side in (instance.left, instance.right, public) for x in _flat(side)]
        released = [
            cast(Any, s.value)
            for s in outcome.slots
            if isinstance(s, Real) or (isinstance(s, Atom) and type(s.value) in (int, Fraction))
        ]
        differing = sum(
            a != b
            for name in instance.left
            for a, b in zip(
                _flat({"": instance.left[name]}), _flat({"": instance.right[name]}), strict=False
            )
        )
        exact = all(
            isinstance(p, fmpq) for p in (candidate.likelihoods.left, candidate.likelihoods.right)
        )
        rough = [
            ROUND.index(e) if e in ROUND else 99
            for n in self.program.epsilons()
            if (e := Fraction(cast(Any, instance.public[n])))
        ]
        return (
            len(numbers),
            len(outcome.slots),
            not exact,
            sum(rough),
            differing,
            sum(map(_cost, (*numbers, *released))),
        )


def _cost(value: Any) -> Fraction:
    """Small whole numbers are round, negative ones a little less."""
    v = Fraction(value)
    return abs(v) + (10 + v.denominator if v.denominator > 1 else 0) + (3 if v < 0 else 0)


def _flat(side: Inputs) -> list[Any]:
    found: list[Any] = []
    for value in side.values():
        row = value if isinstance(value, tuple) else (value,)
        found += [x for item in row for x in (item if isinstance(item, tuple) else (item,))]
    return found


def _with(outcome: Outcome, k: int, slot: Any) -> Outcome:
    return Outcome((*outcome.slots[:k], slot, *outcome.slots[k + 1 :]), outcome.ending)


def _rounder_numbers(value: Any) -> list[Any]:
    v = Fraction(value)
    near = {Fraction(round(v)), Fraction(int(v)), Fraction(int(v) + (1 if v > 0 else -1))}
    found = {Fraction(0), Fraction(1), Fraction(2), Fraction(-1), v / 2, *near}
    found |= {v - 1, v + 1}
    return [shortest(w) for w in sorted(found, key=_cost) if _cost(w) < _cost(v)]


def _simpler_numbers(value: Any) -> Iterator[Any]:
    if not isinstance(value, tuple):
        kind = type(value)
        yield from (kind(v) for v in _rounder_numbers(value) if kind is Fraction or v == int(v))
        return
    if len(set(value)) > 1:
        for v in dict.fromkeys(value):
            yield (v,) * len(value)
    for i, v in enumerate(value):
        for w in _simpler_numbers(v):
            yield (*value[:i], w, *value[i + 1 :])


def _simpler_pairs(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(left, tuple):
        for i, (a, b) in enumerate(zip(left, right, strict=True)):
            for c, d in _simpler_pairs(a, b):
                yield (*left[:i], c, *left[i + 1 :]), (*right[:i], d, *right[i + 1 :])
        return
    if left != right:
        yield from ((left, left), (right, right))
    kind = type(left)
    if kind is Fraction:
        below, above = ([Fraction(math.floor(v)), Fraction(math.ceil(v))] for v in (left, right))
        yield from (pair for pair in itertools.product(below, above) if pair != (left, right))
    for step in (min(left, right), 5, 1, Fraction(1, 2)):
        if step and (kind is Fraction or step == int(step)):
            yield kind(left - step), kind(right - step)
            yield kind(left + step), kind(right + step)


def _all_lower(program: Program, instance: Instance, given: Inputs) -> Iterator[Instance]:
    """All answers and thresholds moved together towards zero."""
    thresholds = [
        n for n, k in program.inputs.items()
        if k.public and not k.whole and not isinstance(k, EpsilonInput) and n not in given
    ]  # fmt: skip
    if not thresholds:
        return

    def moved(value: Any, step: int) -> Any:
        return tuple(v + step for v in value) if isinstance(value, tuple) else value + step

    private = [n for n in instance.left if not isinstance(program.inputs[n], DataSet)]
    for step in (-1, 1):
        yield Instance(
            instance.base,
            {**instance.public, **{n: moved(instance.public[n], step) for n in thresholds}},
            {**instance.left, **{n: moved(instance.left[n], step) for n in private}},
            {**instance.right, **{n: moved(instance.right[n], step) for n in private}},
        )


def _fewer_records(instance: Instance, name: str) -> Iterator[Instance]:
    left, right = cast(Any, instance.left[name]), cast(Any, instance.right[name])
    for record in dict.fromkeys(left):
        if record in right:
            one, two = list(left), list(right)
            one.remove(record)
            two.remove(record)
            yield instance.with_sides(
                {**instance.left, name: tuple(one)}, {**instance.right, name: tuple(two)}
            )


def shrunk(program: Program, candidate: Candidate, given: Inputs, goal: Goal = broken) -> Candidate:
    """A smaller candidate that meets the goal too."""
    judge = judge_of(program, EFFORT)
    return Shrinker(program, given, goal, judge, Relation(program)).shrunk(candidate)
