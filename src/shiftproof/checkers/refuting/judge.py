"""The exact likelihoods of one outcome under two inputs, and by how much they break a claim."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, cast

from flint import arb, fmpq

from ...dsl.errors import LimitReached, ShiftproofError
from ...dsl.language.syntax import Span
from ...dsl.privacy.inputs import of_users
from ...dsl.relations.pairs import Pairing, as_rule
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula
from ...dsl.terms.linear import Linear, Symbol, number, term
from ...dsl.terms.values import NumberKind
from ..exact.affine import Affine, Value
from ..exact.numbers import (
    ZERO,
    Base,
    Number,
    Unit,
    is_writable,
    is_zero,
    log,
    refined,
    working,
)
from ..exact.outcomes import Atom, Measure, Outcome
from ..exact.parameters import Parameters
from ..exact.paths import Explorer, Finished
from ..exact.ties import OnBoundary
from . import EFFORT
from .inputs import Inputs, Instance, run_inputs
from .relation import two_inputs

# Bounds of sorting: how many orders of draws there are.


class Sorted:
    """The paths of one input, those that release atoms only by what they release."""

    def __init__(self, paths: Sequence[Finished]) -> None:
        self._plain: dict[object, list[Finished]] = {}
        self._others: list[Finished] = []
        self._all = paths
        for path in paths:
            if any(isinstance(value, Affine) for value in path.releases):
                self._others.append(path)
            else:
                self._plain.setdefault(_exactly(path.ending, path.releases), []).append(path)

    def to(self, outcome: Outcome) -> Sequence[Finished]:
        """The paths that may come to an outcome, or next to one of its real numbers."""
        if not all(isinstance(slot, Atom) for slot in outcome.slots):
            return self._all
        here = self._plain.get(_exactly(outcome.ending, outcome.atoms), ())
        return [*here, *self._others]


def _exactly(ending: str, values: Iterable[object]) -> object:
    """A key that is the same for the same values of the same types."""
    return (ending, *((type(value), value) for value in values))


#: From which log ratio on, in units of the claimed ε, an ε is tried that makes it moderate.
LARGE = 16
#: The precision of the search in bits; what it finds is computed again.
SEARCHING = 96
#: Up to which length all paths of a run are listed; on longer inputs only those to an outcome.
LISTED = 4
#: How many draws the listed runs of a program have at most that has too many runs.
SHORT = 6


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """Probability (or density) of an outcome under D and D', and the budget between them."""

    left: Number
    right: Number
    budget: Number

    @property
    def infinite(self) -> bool:
        """Possible under D, impossible under D'."""
        return is_zero(self.right) and bool(self.left > 0)

    @property
    def loss(self) -> float:
        """The log ratio divided by the budget, roughly: above 1 the claim is broken."""
        if not self.left > 0:
            return -math.inf
        if is_zero(self.right):
            return math.inf
        if not self.right > 0:
            return -math.inf
        ratio = float((log(self.left) - log(self.right)).mid())
        budget = float(arb(self.budget).mid())
        if budget > 0:
            return ratio / budget
        return math.inf if ratio > 1e-9 else ratio

    @property
    def reportable(self) -> bool:
        """Whether both can be written out, or could be at a smaller ε, which a large loss shows."""
        return self.loss > LARGE or all(map(is_writable, (self.left, self.right)))

    @property
    def broken(self) -> bool:
        """Whether the ratio is above e^budget, for certain."""
        if self.infinite:
            return True
        if not (self.left > 0 and self.right > 0):
            return False
        if isinstance(self.budget, fmpq) and self.budget == 0:
            return bool(self.left > self.right)
        with working(SEARCHING):
            return bool(log(self.left) - log(self.right) > self.budget)


class Spent(ShiftproofError):
    """The search has used what it was given: no limit of one likelihood."""


@dataclass(slots=True)
class Judge:
    """Computes likelihoods for one program, and remembers them."""

    program: Program
    effort: int = EFFORT
    spent: int = 0
    _explorer: Explorer = field(init=False)
    _measures: dict[tuple[Base, int], Measure] = field(default_factory=dict)
    _paths: dict[str, list[Finished]] = field(default_factory=dict)
    _sorted: dict[str, Sorted] = field(default_factory=dict)
    _numbers: dict[tuple[str, Outcome], Number] = field(default_factory=dict)
    _budgets: dict[str, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._explorer = Explorer(self.program.inlined.flow)

    def paths(self, base: Base, public: Inputs, private: Inputs) -> list[Finished]:
        """All paths on one input.

        Raises:
            LimitReached, Mixed, NotAffine: as the explorer does.
        """
        key = f"{base}{public}{private}"
        if key not in self._paths:
            inputs = run_inputs(self.program, base, public, private)
            self._paths[key] = self._some_paths(inputs)
        return self._paths[key]

    def _some_paths(self, inputs: Mapping[str, Value]) -> list[Finished]:
        """All paths; of a program that has too many, those of few draws."""
        explorer = self._explorer
        before = explorer.work
        try:
            try:
                return explorer.finished(inputs)
            except LimitReached:
                if explorer.draws is not None:
                    raise
                # From here on only short runs are listed, and likelihoods follow one outcome.
                explorer.draws = SHORT
                return explorer.finished(inputs)
        finally:
            self._spend(1 + (explorer.work - before) // 40)

    def _paths_to(
        self, base: Base, public: Inputs, private: Inputs, outcome: Outcome
    ) -> Sequence[Finished]:
        """The paths that can come to an outcome; on long inputs no others are followed."""
        key = f"{base}{public}{private}"
        longest = max((len(v) for v in private.values() if isinstance(v, tuple)), default=0)
        if longest <= LISTED and self._explorer.draws is None:
            if key not in self._sorted:
                self._sorted[key] = Sorted(self.paths(base, public, private))
            if self._explorer.draws is None:  # else only short runs may just have been listed
                return self._sorted[key].to(outcome)
        explorer = Explorer(self.program.inlined.flow)
        try:
            return explorer.finished(run_inputs(self.program, base, public, private), outcome.atoms)
        finally:
            self._spend(1 + explorer.work // 40)

    def likelihood(self, base: Base, public: Inputs, private: Inputs, outcome: Outcome) -> Number:
        """Probability or density of an outcome on one input, in the precision of the search."""
        key = (f"{base}{public}{private}", outcome)
        if key not in self._numbers:
            paths = self._paths_to(base, public, private, outcome)
            measure = self.measure(base)
            before = measure.work
            measure.limit(before + 12 * (self.effort - self.spent + 1))
            try:
                with working(SEARCHING):
                    self._numbers[key] = measure.of(paths, outcome)
            finally:
                self._spend(1 + (measure.work - before) // 12)
        return self._numbers[key]

    def outcomes(self, instance: Instance) -> Sequence[Outcome] | None:
        """All that is looked at of a pair, where that is not what its paths suggest."""
        return None

    def raises(self, instance: Instance) -> Span | None:
        """Where a run on D raises an exception with positive probability, if one does.

        Raises:
            Spent: the effort is used up.
            LimitReached, NotAffine: it cannot be told.
        """
        inputs = run_inputs(self.program, instance.base, instance.public, instance.left)
        before = self._explorer.work
        try:
            failing = [p for p in self._explorer.finished(inputs) if p.ending == "error"]
        finally:
            self._spend(1 + (self._explorer.work - before) // 40)
        with working(SEARCHING):
            for path in failing:
                if self.measure(instance.base).probability(path) > 0:
                    return path.place
        return None

    def measure(self, base: Base, precision: int = SEARCHING) -> Measure:
        """What integrates in a unit, with this precision."""
        return self._measures.setdefault((base, precision), Measure(Unit(base)))

    def _spend(self, amount: int) -> None:
        self.spent += amount
        if self.spent > self.effort:
            raise Spent(f"effort: the search ended after {self.effort:,} units of work")

    def judged(self, instance: Instance, outcome: Outcome) -> Likelihoods | None:
        """Both likelihoods; ``None`` at a jump, or where they are not computed.

        Raises:
            Spent: the effort is used up.
        """
        base, public = instance.base, instance.public
        if not counts(self.program, instance, outcome):
            return None
        try:
            left = self.likelihood(base, public, instance.left, outcome)
            if is_zero(left):
                return None
            right = self.likelihood(base, public, instance.right, outcome)
        except OnBoundary:
            return None
        with working(SEARCHING):
            return Likelihoods(left, right, self._budget(instance))

    def _budget(self, instance: Instance) -> Number:
        if instance.key not in self._budgets:
            self._budgets[instance.key] = budget_of(self.program, instance)
        return self._budgets[instance.key]


def certain(program: Program, instance: Instance, outcome: Outcome) -> Likelihoods:
    """Both likelihoods as exactly as they are reported.

    Raises:
        LimitReached: an integral is too large.
        OnBoundary: the density may jump at the outcome.
    """
    explorer = Explorer(program.inlined.flow)

    def on(side: Inputs) -> Number:
        inputs = run_inputs(program, instance.base, instance.public, side)
        paths = explorer.finished(inputs, outcome.atoms)
        return refined(lambda: Measure(instance.unit).of(paths, outcome))

    limit = partial(budget_of, program, instance)
    return Likelihoods(on(instance.left), on(instance.right), refined(limit))


def probability_of_wrong(program: Program, instance: Instance, wrong: Span) -> Number:
    """How likely a one-sided claim, by its place, is wrong on D.

    Raises:
        LimitReached, Mixed, NotAffine: it cannot be computed, or not in this base.
    """
    explorer = Explorer(program.inlined.flow, claims=True)
    inputs = run_inputs(program, instance.base, instance.public, instance.left)
    paths = [p for p in explorer.finished(inputs) if p.ending == "wrong" and p.place == wrong]
    measure = Measure(instance.unit)
    return refined(lambda: sum(map(measure.probability, paths), start=ZERO))


def budget(program: Program, base: Base, public: Inputs) -> Number:
    """The claimed ε in nats, where it is the same for all pairs."""
    return Parameters(program, base, public).value(program.budget)


def budget_of(program: Program, instance: Instance) -> Number:
    """The claimed ε of a pair of neighbours in nats.

    Raises:
        LimitReached: it is not defined for this pair.
    """
    amount = allowance(program, instance)
    if amount is None:
        raise LimitReached("BUDGET", "the claimed ε is not defined for some pairs")
    given = {**instance.left, **instance.public}  # the lengths are public
    return Parameters(program, instance.base, given).value(amount)


def allowance(program: Program, instance: Instance) -> Linear | None:
    """The budget of a pair over public parameters; ``None`` where it is not defined."""
    if not program.privacy.speaks:
        return program.budget
    private = (k for k in program.inputs.values() if not k.public)
    sides = two_inputs(program, instance).one_user() if all(map(of_users, private)) else None
    if sides is None or not sides[0]:
        return None
    left, right = ({n: number(Fraction(v)) for n, v in side.items()} for side in sides)
    parameters = Parameters(program, instance.base, instance.public)
    for piece in Pairing(program.privacy, program.inputs).allowances(left, right):
        if all(parameters.holds(fact) for fact in piece.when):
            return piece.of(program.budget)
    return None


def counts(program: Program, instance: Instance, outcome: Outcome) -> bool:
    """Whether the inequality is owed for this outcome: under some definitions not for all."""
    claim = program.privacy.output_claim
    if claim is None:
        return True
    if len(outcome.slots) != 1 or outcome.ending != "end":
        return False
    (slot,) = outcome.slots
    if not isinstance(slot, Atom) or type(slot.value) not in (int, Fraction):
        return False
    rule = as_rule(claim.protected)
    name, *others = rule.parameters
    values = {name: number(Fraction(cast(Any, slot.value)))}
    types: dict[str, NumberKind] = {name: "int" if type(slot.value) is int else "float"}
    for other in others:
        kind = program.inputs.get(other)
        if kind is None or not kind.public or kind.array:
            return False
        values[other] = term(Symbol(other, kind.whole, fixed=True))
        types[other] = "int" if kind.whole else "float"
    facts: tuple[Formula, ...] = rule.facts(values, values, types)
    parameters = Parameters(program, instance.base, instance.public)
    return all(parameters.holds(fact) for fact in facts)
