"""By how much two neighbours break a claim with a δ: more of an event than e^ε and δ allow.

The event is made of what can be seen of outputs, noisy numbers by the cells in which they lie:
those parts of which P[M(D)] is more than e^ε P[M(D')].  Of all events made of these parts it is
the one that needs the largest δ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import cast

from flint import arb

from ....dsl.errors import LimitReached
from ....dsl.relations.program import Program
from ...exact.affine import NotAffine, Value
from ...exact.numbers import ZERO, Number, working
from ...exact.outcomes import Measure, Outcome
from ...exact.parameters import Parameters
from ...exact.paths import Explorer, Finished
from ..inputs import Inputs, Instance, run_inputs
from ..judge import SEARCHING, Judge, Likelihoods, budget_of
from .judge import ALL
from .normals import chance
from .outputs import Cuts, Outputs, Seen
from .pieces import Chance
from .shifts import Unknown
from .sticks import Side, is_whole, side_of

#: The most bits that a δ is looked at with, in multiples of what the search works with.
MOST = 20
#: By how much more another event must need.
MORE = 1e-9


@dataclass(frozen=True, slots=True)
class Excess(Likelihoods):
    """The probabilities of an event on D and on D', and what is claimed.

    ``needed``: the δ that the event needs; ``cuts``: between which cells noisy numbers are told
    apart; ``event``: the parts of it.
    """

    delta: Number
    needed: arb
    cuts: Cuts
    event: tuple[Side | Seen, ...]

    @property
    def infinite(self) -> bool:
        """No budget is too small for an event that δ alone might allow."""
        return False

    @property
    def loss(self) -> float:
        """The δ that is surely needed over the claimed one, roughly."""
        needed = self.needed.lower()
        if self.delta > 0:
            return float((needed / self.delta).mid())
        return math.inf if needed > MORE else float(needed)

    @property
    def reportable(self) -> bool:
        """It is not written out as a power."""
        return True

    @property
    def broken(self) -> bool:
        """Whether δ is too small, for certain."""
        return bool(self.needed > self.delta)


@dataclass(slots=True)
class DeltaJudge(Judge):
    """Looks for the event that needs the largest δ; the outcome of a pair is all of its outputs."""

    def outcomes(self, instance: Instance) -> Sequence[Outcome]:
        """What is looked at of a pair."""
        return (ALL,)

    def _some_paths(self, inputs: Mapping[str, Value]) -> list[Finished]:
        """All paths: of what is left out, nothing is known."""
        before = self._explorer.work
        try:
            return self._explorer.finished(inputs)
        finally:
            self._spend(1 + (self._explorer.work - before) // 40)

    def judged(self, instance: Instance, outcome: Outcome) -> Likelihoods | None:
        """The event that shows the most.

        Raises:
            Spent: the effort is used up.
            LimitReached, NotAffine: it is not computed.
        """
        base, public = instance.base, instance.public
        left, right = (self.paths(base, public, s) for s in (instance.left, instance.right))
        bits = _bits(self.program, instance)
        measure = self.measure(base, bits)
        before = measure.work
        measure.limit(before + 12 * (self.effort - self.spent + 1))
        try:
            with working(bits):
                claimed = budget_of(self.program, instance), delta_of(self.program, instance)
                return largest(left, right, measure, *claimed)
        finally:
            self._spend(1 + (measure.work - before) // 12)


def largest(
    left: Sequence[Finished],
    right: Sequence[Finished],
    measure: Measure,
    epsilon: Number,
    delta: Number,
) -> Excess:
    """The event that shows the most of a pair.

    Raises:
        LimitReached, NotAffine: nothing can be computed.
    """
    chances, outputs = partial(chance, measure), Outputs.of(left, right)
    top: Excess | None = None
    try:
        free = outputs.free(chances)
        sides = [side_of(piece, epsilon, measure.charge) for piece in free]
        top = _in_cells(outputs, chances, epsilon, delta, sides)
        if top.broken or all(map(is_whole, free)):
            return top
    except (Unknown, LimitReached, NotAffine):
        pass
    try:
        cells = _in_cells(Outputs.in_cells(left, right), chances, epsilon, delta)
    except (LimitReached, NotAffine):
        if top is None:
            raise
        return top
    return cells if top is None or cells.loss > top.loss else top


def _in_cells(
    outputs: Outputs,
    chances: Chance,
    epsilon: Number,
    delta: Number,
    sides: Sequence[Side | None] = (),
) -> Excess:
    """The event of parts of the outputs by the cells that show the most, beside some events."""
    top: Excess | None = None
    limit: LimitReached | NotAffine | None = None
    for cuts in outputs.cuts(float(arb(epsilon).mid())):
        try:
            found = _of_cells(outputs.masses(chances, cuts), epsilon, delta, cuts, sides)
        except (LimitReached, NotAffine) as reason:
            limit = reason
            continue
        if top is None or found.loss > top.loss * (1 + MORE):
            top = found
        if len(cuts) > 1:
            break  # there are the cells of all places: larger ones show no more
    if top is None:
        raise limit or LimitReached("CELLS", "no event can be looked at")
    return top


def _of_cells(
    masses: Mapping[Seen, tuple[Number, Number]],
    epsilon: Number,
    delta: Number,
    cuts: Cuts,
    sides: Sequence[Side | None],
) -> Excess:
    factor = arb(epsilon).exp()
    told = tuple(side for side in sides if side is not None)
    event = tuple(seen for seen, (p, q) in masses.items() if arb(p) > factor * arb(q))
    both = [*((side.left, side.right) for side in told), *(masses[seen] for seen in event)]
    left = sum((p for p, _ in both), start=ZERO)
    right = sum((q for _, q in both), start=ZERO)
    needed = arb(left - factor * right)
    return Excess(left, right, epsilon, delta, needed, cuts, (*told, *event))


def delta_of(program: Program, instance: Instance) -> Number:
    """The claimed δ."""
    given = {**instance.left, **instance.public}  # the lengths are public
    return Parameters(program, instance.base, given).value(program.delta)


def _bits(program: Program, instance: Instance) -> int:
    """The precision at which a probability can be told from one that is larger by δ."""
    with working(SEARCHING):
        delta = arb(delta_of(program, instance)).lower()
        small = -int(float(delta.log().mid())) if delta > 0 else 0
    return SEARCHING * min(1 + 2 * max(small, 0) // SEARCHING, MOST)


def certain(program: Program, instance: Instance) -> Excess:
    """The event with its probabilities as exactly as they are reported.

    Raises:
        LimitReached: they cannot be computed.
    """
    explorer = Explorer(program.inlined.flow)

    def on(side: Inputs) -> list[Finished]:
        return explorer.finished(run_inputs(program, instance.base, instance.public, side))

    try:
        left, right = on(instance.left), on(instance.right)
        with working(2 * _bits(program, instance)):
            claimed = budget_of(program, instance), delta_of(program, instance)
            return largest(left, right, Measure(instance.unit), *claimed)
    except NotAffine as limit:
        raise LimitReached("EXCESS", str(limit)) from None


def event_in_words(found: Excess) -> tuple[str, ...]:
    """The parts of the event, as an output would show them."""
    return tuple(
        part.words if isinstance(part, Side) else _seen_in_words(part, found.cuts)
        for part in found.event
    )


def _seen_in_words(seen: Seen, cuts: Cuts) -> str:
    key, cells = seen
    forms = cells[1:] if cells else key[1:]
    shown = [_one(form, cuts, bool(cells)) for form in forms]
    then = ", then an exception" if (cells or key)[0] == "error" else ""
    return (f"({', '.join(shown)}{',' if len(shown) == 1 else ''})" if shown else "nothing") + then


def _one(form: object, cuts: Cuts, cell: bool) -> str:
    kind, value = cast(tuple[object, object], form)
    if not (cell and isinstance(kind, bool)):
        return repr(value) if not isinstance(value, Fraction) else str(value)
    place = cast(int, value)
    low, high = (cuts[place - 1] if place else None), cuts[place] if place < len(cuts) else None
    if low is None and high is None:
        return "a number"
    if low is None:
        return f"below {high}"
    return f"at least {low}" if high is None else f"in [{low}, {high})"
