"""The probability, or the density, of an outcome on concrete inputs.

An outcome is everything that one run releases, value by value.  What is released is an atom (a
truth value, ``None``, a string, an integer, or a real number without fresh noise), or a real
number with fresh noise in it.  Real numbers have a density; an atom has a mass; one dominating
measure serves both inputs, so that mass is compared with mass only:

* :class:`Atom`: this very value.
* :class:`Real`: a real number at this point; the measure is length.
* :class:`Tied`: a real number that is a combination of earlier ones; the measure sits on it.

Densities are asked for where they are continuous in every released real number, so that a ratio
of densities is a ratio of probabilities for all small enough boxes around the point; where one
may jump, :class:`OnBoundary` is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import flint

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest
from .affine import Affine, Value
from .integrals import Integrator
from .laws import COUNTING, Law
from .numbers import ZERO, Number, Unit, common_grain, exactly, grain_of, rational
from .paths import Ending, Finished
from .pieces import Calculus, Piecewise
from .powers import Mixed, Power
from .repeats import Segment
from .rounded import fixed, without_floor
from .state import Condition, enclosed
from .ties import OnBoundary, Problem, Tie, with_law


@dataclass(frozen=True, slots=True)
class Atom:
    """A released value of positive probability; ints and floats are told apart by type."""

    value: bool | str | int | Fraction | None


@dataclass(frozen=True, slots=True)
class Real:
    """A released real number with fresh noise in it."""

    value: Rational


@dataclass(frozen=True, slots=True)
class Tied:
    """A released real number that is ``constant + Σ factor · (j-th release)``."""

    parts: tuple[tuple[int, Rational], ...]
    constant: Rational


Slot: TypeAlias = Atom | Real | Tied


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run releases, and whether it ends as it should or with an exception."""

    slots: tuple[Slot, ...]
    ending: Ending = "end"

    @property
    def atoms(self) -> tuple[object, ...]:
        """The atoms, with ``...`` for the slots that are none, as an explorer takes them."""
        return tuple(slot.value if isinstance(slot, Atom) else ... for slot in self.slots)

    @property
    def reals(self) -> int:
        """How many real numbers have a density."""
        return sum(isinstance(slot, Real) for slot in self.slots)


#: Up to how many draws and conditions on them an integral counts as one.
FEW = 8


@dataclass(slots=True)
class Measure:
    """Integrates paths in one unit; keeps the functions that it has made."""

    unit: Unit
    _laws: dict[tuple[Law, Rational], Piecewise] = field(default_factory=dict)
    _calculi: dict[tuple[Rational, bool], Calculus] = field(default_factory=dict)
    _powers: dict[tuple[Power, int], Number] = field(default_factory=dict)
    _integrator: Integrator = field(default_factory=Integrator)

    @property
    def work(self) -> int:
        """How many integrals were computed."""
        return self._integrator.work

    def charge(self, work: int) -> None:
        """Count work that was done elsewhere as so many integrals."""
        self._integrator.work += work

    def limit(self, work: int) -> None:
        """Let the next probabilities end with an error once so many integrals were computed."""
        self._integrator.most = work

    def of(self, paths: Iterable[Finished], outcome: Outcome) -> Number:
        """Probability or density of an outcome, over all paths of one input.

        The density is with respect to real numbers in multiples of 1 / unit: that is the same
        for both inputs of a pair.

        Raises:
            LimitReached: the integral is too large.
            OnBoundary: the density may jump here.
            Mixed: in this unit a law is no exponential family.
        """
        return sum((self._path(path, outcome) for path in paths), start=ZERO)

    def probability(self, path: Segment) -> Number:
        """The probability of a path, whatever it releases."""
        return self._integral(path, _Match())

    def _path(self, path: Finished, outcome: Outcome) -> Number:
        match = matched(path, outcome)
        return ZERO if match is None else self._integral(path, match)

    def _integral(self, path: Segment, match: _Match) -> Number:
        conditions = (*path.conditions, *match.equal)
        if match.solved and not all(c.subject.is_rational for c in conditions):
            raise LimitReached("POWERS", "noise that is released is beside what is irrational")
        return enclosed(conditions, partial(self._meeting, path, match))

    def _meeting(self, path: Segment, match: _Match, conditions: Sequence[Condition]) -> Number:
        grain = grain_of(rate for law in path.laws if (rate := law.rate) is not None)
        functions = {
            draw: self._function(law, grain)
            for draw, law in enumerate(path.laws)
            if draw not in match.solved
        }
        ties = [match.tie(*condition) for condition in conditions]
        for draw in [d for d in functions if path.laws[d] == COUNTING]:
            if not fixed(ties, draw):
                ties = without_floor(ties, draw, match.solved.values())
                del functions[draw]
        self._integrator.work += max(len(functions) + len(ties) - FEW, 0)
        # The functions are densities by position in grains, what is asked for is by unit.
        chance: Number = rational(path.weight * match.factor)
        if match.solved:
            chance = chance * exactly(grain) ** len(match.solved)
        for factor in path.factors:
            chance = chance * self._ball(factor)
        for rounds in path.repeats:
            again = sum(map(self.probability, rounds), start=ZERO)
            if not again < 1:
                raise LimitReached("REPEATS", "a loop surely goes on, or nearly so")
            chance = chance / (rational(Fraction(1)) - again)
        problems = [Problem(chance, functions, tuple(ties))]
        for draw, value in match.solved.items():
            law, tie = self._function(path.laws[draw], grain), match.tie(value, False)
            problems = [p for one in problems for p in with_law(one, law, tie)]
        return sum(map(self._integrator.solve, problems), start=ZERO)

    def _ball(self, factor: Power) -> Number:
        key = (factor, flint.ctx.prec)
        if key not in self._powers:
            self._powers[key] = factor.ball()
        return self._powers[key]

    def _function(self, law: Law, grain: Rational) -> Piecewise:
        if law.rate is not None and law.power != (self.unit.base == "2"):
            raise Mixed("a scale is no multiple of 1 / ε")
        key = (law, grain)
        if key not in self._laws:
            which = (grain, law.lattice)
            if which not in self._calculi:
                unit = self.unit.grained(self.unit.grain * grain)
                self._calculi[which] = Calculus(unit, law.lattice)
            self._laws[key] = law.function(self._calculi[which], grain)
        return self._laws[key]


@dataclass(slots=True)
class _Match:
    """How a path comes to an outcome.

    ``solved``: real draws as combinations of released values and of the other draws;
    ``equal``: what integer draws must meet.
    """

    solved: dict[int, Affine] = field(default_factory=dict)
    equal: list[Condition] = field(default_factory=list)
    values: dict[int, Rational] = field(default_factory=dict)
    factor: Fraction = Fraction(1)

    def without(self, value: Affine) -> Affine:
        """A combination of draws with the solved ones put in."""
        for draw in [d for d in value.draws if d in self.solved]:
            value = value.with_draw(draw, self.solved[draw])
        return value

    def left_of(self, released: Value) -> Value:
        """A released value as far as the earlier releases do not tell it; plain if they do."""
        if not isinstance(released, Affine):
            return released
        return self.without(released).settled

    def tie(self, value: Affine, strict: bool) -> Tie:
        """A condition on a combination of draws as one on the draws that are left."""
        return Tie.of(self.without(value), strict, self.values)

    def release(self, j: int, left: Affine, draw: int, point: Rational) -> None:
        """The j-th release, a combination with a real draw in it, is at a point."""
        factor = Fraction(left.parts[draw])
        parts = {d: shortest(-f / factor) for d, f in left.parts.items() if d != draw}
        parts[-1 - j] = shortest(1 / factor)
        value = Affine(parts, shortest(-left.constant / factor), False)
        for other, known in self.solved.items():
            self.solved[other] = known.with_draw(draw, value)
        self.solved[draw] = value
        self.values[-1 - j] = point
        self.factor /= abs(factor)

    def equate(self, left: Affine, value: Rational) -> None:
        """A combination of integer draws has a value."""
        gap = Affine(left.parts, shortest(left.constant - value), False)
        self.equal += [Condition(gap, False), Condition(-gap, False)]


def matched(path: Finished, outcome: Outcome) -> _Match | None:
    """How a path comes to an outcome; ``None`` if it does so with probability zero."""
    if path.ending != outcome.ending or len(path.releases) != len(outcome.slots):
        return None
    match = _Match()
    for j, (released, slot) in enumerate(zip(path.releases, outcome.slots, strict=True)):
        left = match.left_of(released)
        if isinstance(left, Affine) and not left.is_rational:
            raise LimitReached("POWERS", "noise and a number that is not rational are released")
        if isinstance(slot, Real) and _sits_on(left, slot.value, match, path):
            # However small a box around the point is, it holds this mass.
            raise OnBoundary
        if not isinstance(left, Affine):
            if not isinstance(slot, Atom) or not same_atom(left, slot.value):
                return None
        elif real := [d for d in left.draws if not path.laws[d].lattice]:
            if not isinstance(slot, Real):
                return None
            match.release(j, left, max(real), slot.value)
        elif not left.draws:
            if slot != tied(left):
                return None
        else:
            if len(left.draws) < len(left.parts):
                raise LimitReached("MIXED", "integer noise is released on top of a real release")
            if not isinstance(slot, Atom) or type(slot.value) is not (
                int if left.whole else Fraction
            ):
                return None
            match.equate(left, slot.value)
    return match


def _sits_on(left: object, point: Rational, match: _Match, path: Finished) -> bool:
    """Whether a path may release a real number exactly with positive probability."""
    if isinstance(left, Fraction):
        return left == point
    if (
        not isinstance(left, Affine)
        or left.whole
        or any(not path.laws[d].lattice for d in left.draws)
    ):
        return False
    gap = Fraction(point) - left.constant
    for d, f in left.parts.items():
        if d < 0:
            gap -= Fraction(f) * match.values[d]
    step = common_grain(left.parts[d] for d in left.draws)
    return (gap / step).denominator == 1 if left.draws else gap == 0


def tied(value: Affine) -> Tied:
    """A combination of earlier releases as a slot."""
    return Tied(tuple(sorted((-1 - d, f) for d, f in value.parts.items())), value.constant)


def same_atom(left: object, right: object) -> bool:
    """Whether two released values without noise are the same, type included."""
    return type(left) is type(right) and left == right


def released_forms(path: Finished) -> list[object]:
    """What a path releases, each value as far as the earlier ones do not tell it.

    Real draws that an earlier release gives away are put in; :class:`Affine` forms are left
    where noise is left, or where a value is a combination of earlier ones.
    """
    match, found = _Match(), list[object]()
    for j, released in enumerate(path.releases):
        left = match.left_of(released)
        found.append(left)
        if isinstance(left, Affine):
            real = [d for d in left.draws if not path.laws[d].lattice]
            if real and left.is_rational:
                match.release(j, left, max(real), 0)
    return found
