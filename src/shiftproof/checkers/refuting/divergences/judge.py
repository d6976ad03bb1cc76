"""By how much two neighbours break a claim of ρ: Rényi divergences in the place of likelihoods."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import cast

from flint import arb, fmpq

from ....dsl.errors import LimitReached
from ....dsl.relations.program import Program
from ...exact.affine import NotAffine, Value
from ...exact.numbers import ONE, ZERO, Number, rational, refined, working
from ...exact.outcomes import Measure, Outcome
from ...exact.paths import Explorer, Finished
from ..inputs import Inputs, Instance, run_inputs
from ..judge import SEARCHING, Judge, Likelihoods, budget_of
from .normals import chance
from .outputs import Cuts, Outputs
from .pieces import Chance, divergence
from .shifts import Unknown

#: The orders that are tried; of those that show as much, the first one.  At 1, the limit, the
#: divergence is at most ρ, too.
ORDERS = tuple(Fraction(*v) for v in ((2, 1), (3, 2), (4, 1), (1, 1), (5, 4), (16, 1), (64, 1)))
#: By how much more a later order must show.
MORE = 1e-9
#: All outputs together: what is looked at, in the place of one outcome.
ALL = Outcome(())


@dataclass(frozen=True, slots=True)
class Divergence(Likelihoods):
    """A divergence of an order (1 beside 0 stands for an infinite one), and α ρ for a budget.

    ``cuts``: between which cells noisy numbers are told apart; ``whole``: they need not be.
    """

    order: Fraction
    cuts: Cuts
    whole: bool

    @property
    def loss(self) -> float:
        """The divergence over α ρ, roughly: above 1 the claim is broken."""
        if self.infinite:
            return math.inf
        value, budget = float(arb(self.left).mid()), float(arb(self.budget).mid())
        if budget > 0:
            return value / budget
        return math.inf if value > MORE else value

    @property
    def reportable(self) -> bool:
        """It is not written out as a power."""
        return True

    @property
    def broken(self) -> bool:
        """Whether the divergence is above α ρ, for certain."""
        return self.infinite or bool(self.left > self.budget)


@dataclass(slots=True)
class RhoJudge(Judge):
    """Computes divergences for one program; the outcome of a pair is all of its outputs."""

    def outcomes(self, instance: Instance) -> Sequence[Outcome]:
        """What is looked at of a pair."""
        return (ALL,)

    def _some_paths(self, inputs: Mapping[str, Value]) -> list[Finished]:
        """All paths: of some, no divergence would follow."""
        before = self._explorer.work
        try:
            return self._explorer.finished(inputs)
        finally:
            self._spend(1 + (self._explorer.work - before) // 40)

    def judged(self, instance: Instance, outcome: Outcome) -> Likelihoods | None:
        """The divergence at the order and for the cells at which it shows best.

        Raises:
            Spent: the effort is used up.
            LimitReached, NotAffine: it is not computed.
        """
        base, public = instance.base, instance.public
        sides = (self.paths(base, public, side) for side in (instance.left, instance.right))
        outputs = Outputs.of(*sides)
        measure = self.measure(base)
        before = measure.work
        measure.limit(before + 12 * (self.effort - self.spent + 1))
        try:
            with working(SEARCHING):
                return best(outputs, partial(chance, measure), self._budget(instance))
        finally:
            self._spend(1 + (measure.work - before) // 12)


def best(outputs: Outputs, chances: Chance, rho: Number) -> Divergence:
    """What shows the most of a pair.

    Raises:
        LimitReached, NotAffine: nothing can be computed.
    """
    top: Divergence | None = None
    limit: LimitReached | NotAffine | None = None
    for cuts in outputs.cuts():
        try:
            pieces = outputs.pieces(chances, cuts)
        except (LimitReached, NotAffine) as reason:
            limit = reason
            continue
        for order in ORDERS:
            try:
                value = divergence(pieces, order)
            except Unknown:
                continue
            sides = (ONE, ZERO) if value is None else (value, ONE)
            budget = rho * rational(order)
            found = Divergence(*sides, budget, order, cuts, not outputs.rough)
            if top is None or found.loss > top.loss * (1 + MORE):
                top = found
            if found.infinite:
                return found
    if top is None:
        raise limit or LimitReached("ORDERS", "no Rényi divergence of an order that is tried")
    return top


def certain(program: Program, instance: Instance) -> Divergence:
    """The divergence as exactly as it is reported.

    Raises:
        LimitReached: it cannot be computed.
    """
    explorer = Explorer(program.inlined.flow)

    def on(side: Inputs) -> list[Finished]:
        return explorer.finished(run_inputs(program, instance.base, instance.public, side))

    rho = refined(partial(budget_of, program, instance))
    try:
        outputs = Outputs.of(on(instance.left), on(instance.right))
        with working(SEARCHING):
            found = best(outputs, partial(chance, Measure(instance.unit)), rho)
    except NotAffine as limit:
        raise LimitReached("DIVERGENCE", str(limit)) from None
    if found.infinite or isinstance(found.left, fmpq):
        return found

    def again() -> Number:
        pieces = outputs.pieces(partial(chance, Measure(instance.unit)), found.cuts)
        return cast(Number, divergence(pieces, found.order))

    return Divergence(refined(again), ONE, found.budget, found.order, found.cuts, found.whole)
