"""Pairs next to a pair, and which outcomes are worth a look."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, cast

from ...dsl.privacy.inputs import DataSet, EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.linear import Rational, shortest
from ..exact.affine import Affine
from ..exact.laws import COUNTING
from ..exact.outcomes import Atom, Outcome, Real, Slot, released_forms, tied
from ..exact.paths import Finished
from .columns import longer
from .inputs import Input, Instance

# Pairs next to a pair: one answer more or less, one number changed.

#: How far single numbers are moved.
STEPS = (1, -1, 5, -5)
#: The longest sequences that are tried.
LONGEST = 14


@dataclass(frozen=True, slots=True)
class Moved:
    """Another pair; ``grown`` is by how many elements all sequences are longer, at ``place``."""

    instance: Instance
    grown: int = 0
    place: int = 0


def moves(program: Program, instance: Instance, *, fixed: frozenset[str]) -> Iterator[Moved]:
    """Pairs next to this one; whether they are neighbours is not asked here.

    Args:
        program: what the inputs are for.
        instance: the pair.
        fixed: public inputs that stay as they are.
    """
    if not any(program.inputs[name].array for name in fixed):
        for other, place, times in longer(program, instance, LONGEST):
            yield Moved(other, times, place)
    for name, kind in program.inputs.items():
        if isinstance(kind, DataSet) or name in fixed:
            continue
        if isinstance(kind, EpsilonInput):
            e = cast(Fraction, instance.public[name])
            yield from (Moved(_public(instance, name, e * f)) for f in (2, Fraction(1, 2)))
        elif kind.public:
            for value in _changed(instance.public[name], kind.whole):
                yield Moved(_public(instance, name, value))
        else:
            for left, right in _both(instance.left[name], instance.right[name], kind.whole):
                one = {**instance.left, name: left}
                two = {**instance.right, name: right}
                yield Moved(instance.with_sides(one, two))
    for step in STEPS:
        yield Moved(_shifted(program, instance, step))


def _public(instance: Instance, name: str, value: Input) -> Instance:
    return replace(instance, public={**instance.public, name: value})


def _changed(value: Input, whole: bool) -> Iterator[Input]:
    steps: tuple[Any, ...] = STEPS if whole else (*STEPS, Fraction(1, 2), 20, -20)
    if not isinstance(value, tuple):
        yield from (cast(Any, value) + s for s in steps)
        return
    for i, v in enumerate(cast(Any, value)):
        for s in steps:
            yield cast(Input, (*value[:i], v + s, *value[i + 1 :]))


def _both(left: Any, right: Any, whole: bool) -> Iterator[tuple[Any, Any]]:
    if not isinstance(left, tuple):
        yield from _pair(left, right, whole)
        return
    for i, (a, b) in enumerate(zip(left, right, strict=True)):
        for c, d in _pair(a, b, whole):
            yield (*left[:i], c, *left[i + 1 :]), (*right[:i], d, *right[i + 1 :])


def _pair(a: Any, b: Any, whole: bool) -> Iterator[tuple[Any, Any]]:
    yield b, a
    yield from ((a, a), (b, b)) if a != b else ((a + 1, a), (a, a + 1))
    yield from ((a + s, b + s) for s in STEPS)


def _shifted(program: Program, instance: Instance, step: int) -> Instance:
    """All private answers moved by the same amount."""

    def moved(name: str, value: Any) -> Any:
        if isinstance(program.inputs[name], DataSet):
            return value
        return tuple(v + step for v in value) if isinstance(value, tuple) else value + step

    return instance.with_sides(
        {n: moved(n, v) for n, v in instance.left.items()},
        {n: moved(n, v) for n, v in instance.right.items()},
    )


def grown_outcomes(outcome: Outcome, moved: Moved, alphabet: Collection[Slot]) -> Iterator[Outcome]:
    """The outcome with more releases: at the place of the new elements, or anywhere.

    First those of a piece that is repeated.
    """
    slots = outcome.slots
    piece = slots[moved.place : moved.place + moved.grown]
    if moved.grown > 1 and len(piece) == moved.grown:
        yield repeated_slots(outcome, moved, 1)
    known = dict.fromkeys((*slots, *alphabet))
    places = [moved.place] if moved.place <= len(slots) else range(len(slots) + 1)
    counts = dict.fromkeys((moved.grown, 1))  # some new elements may release nothing
    for times, k, slot in itertools.product(counts, places, known):
        yield Outcome((*slots[:k], *(slot,) * times, *slots[k:]), outcome.ending)
    yield outcome


def repeated_slots(outcome: Outcome, moved: Moved, times: int) -> Outcome:
    """The outcome with what the new elements release so many times more."""
    slots, k = outcome.slots, moved.place
    piece = slots[k : k + moved.grown]
    return Outcome((*slots[:k], *piece * times, *slots[k:]), outcome.ending)


def changed_numbers(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with one of its numbers changed."""
    for k, slot in enumerate(outcome.slots):
        steps: tuple[Any, ...]
        if isinstance(slot, Real):
            steps = (1, -1, 8, -8, Fraction(1, 2), Fraction(-1, 2))
            others: list[Atom | Real] = [Real(slot.value + s) for s in steps]
        elif isinstance(slot, Atom) and type(slot.value) in (int, Fraction):
            others = [Atom(slot.value + s) for s in (1, -1, 8, -8)]  # type: ignore[operator]
        else:
            continue
        for other in others:
            yield Outcome((*outcome.slots[:k], other, *outcome.slots[k + 1 :]), outcome.ending)


# Which outcomes are worth a look: all shapes that a run on D can have, with telling numbers.

#: How far outside of all numbers that matter a released number is put.
FAR, NEAR = 8, 1
#: How many places of one shape are tried at first.
LEVELS = 4
#: How many more places are tried where these are impossible.
PLACES = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """What is common to outcomes that differ in numbers only; ``None`` stands for a number.

    ``points``: for each slot without a value, the numbers that are worth a try, in order;
    ``towards``: the one of them that lies furthest from D', seen from D.
    """

    slots: tuple[Slot | type[int] | type[Fraction] | type[Real], ...]
    ending: str
    points: tuple[tuple[Rational, ...], ...] = ()
    towards: tuple[Rational, ...] = ()

    def outcome(self, numbers: Sequence[Rational]) -> Outcome:
        """The outcome with these numbers."""
        left = iter(numbers)
        slots: list[Slot] = []
        for slot in self.slots:
            if slot is Real:
                slots.append(Real(shortest(next(left))))
            elif slot is int:
                slots.append(Atom(int(next(left))))
            elif slot is Fraction:
                slots.append(Atom(Fraction(next(left))))
            else:
                slots.append(slot)  # type: ignore[arg-type]
        return Outcome(tuple(slots), self.ending)  # type: ignore[arg-type]

    def others(self) -> Iterator[tuple[Rational, ...]]:
        """More places, where the first ones are all impossible: the numbers one by one."""
        return itertools.islice(itertools.product(*self.points), PLACES)

    def changed(self, outcome: Outcome) -> Iterator[Outcome]:
        """The outcome with one number put to each of its points."""
        free = (k for k, slot in enumerate(self.slots) if isinstance(slot, type))
        for k, points in zip(free, self.points, strict=True):
            kind = self.slots[k]
            for value in points:
                slot: Slot = Real(value) if kind is Real else Atom(cast(Any, kind)(value))
                yield Outcome((*outcome.slots[:k], slot, *outcome.slots[k + 1 :]), outcome.ending)

    def first(self) -> Iterator[tuple[Rational, ...]]:
        """A few places: all numbers low, all high, and in between."""
        if not self.points:
            yield ()
            return
        yield self.towards
        for level in range(LEVELS):
            yield tuple(p[level * (len(p) - 1) // (LEVELS - 1)] for p in self.points)


def shapes(here: Sequence[Finished], there: Sequence[Finished]) -> list[Shape]:
    """The shapes that runs on D have, with numbers that matter on D or on D'."""
    found: dict[tuple[object, ...], _Shape] = {}
    for side, paths in enumerate((here, there)):
        for path in paths:
            if path.ending == "forever":
                continue
            forms = released_forms(path)
            slots = tuple(map(_slot, forms, itertools.repeat(path)))
            key = (tuple(map(repr, slots)), path.ending)
            if key not in found:
                if side == 1:
                    continue  # impossible on D
                free = sum(isinstance(s, type) for s in slots)
                found[key] = _Shape(slots, path.ending, [_Places() for _ in range(free)])
            places = iter(found[key].places)
            for form, slot in zip(forms, slots, strict=True):
                if isinstance(slot, type):
                    assert isinstance(form, Affine)
                    place = next(places)
                    place.breaks |= _breaks(form, path)
                    place.centres[side].append(_centre(form, path))
    return [shape.closed() for shape in found.values()]


@dataclass(slots=True)
class _Places:
    """What is known of one number: where decisions on it lie, and where it is without noise."""

    breaks: set[Rational] = field(default_factory=set)
    centres: tuple[list[Rational], list[Rational]] = field(default_factory=lambda: ([], []))

    def rises(self) -> bool:
        """Whether it is larger on D than on D', on average."""
        here, there = (sum(c, start=Fraction(0)) / max(len(c), 1) for c in self.centres)
        return here > there


@dataclass(slots=True)
class _Shape:
    slots: tuple[Slot | type, ...]
    ending: str
    places: list[_Places]

    def closed(self) -> Shape:
        kinds = [slot for slot in self.slots if isinstance(slot, type)]
        points = tuple(_points(k, p.breaks) for k, p in zip(kinds, self.places, strict=True))
        towards = tuple(
            p[-2] if place.rises() else p[1] for p, place in zip(points, self.places, strict=True)
        )
        return Shape(self.slots, self.ending, points, towards)


def _slot(form: object, path: Finished) -> Slot | type:
    if not isinstance(form, Affine):
        return Atom(form)  # type: ignore[arg-type]
    if any(not path.laws[d].lattice for d in form.draws):
        return Real
    if form.draws:
        return int if form.whole else Fraction
    return tied(form)


def _centre(form: Affine, path: Finished) -> Rational:
    """Where a released number is without noise, which rounds down to the integers in it."""
    centre = Fraction(form.constant)
    for draw, factor in form.parts.items():
        if draw >= 0 and path.laws[draw] == COUNTING:
            tie = next(c.subject for c in path.conditions if draw in c.subject.parts)
            centre += factor * math.floor(-Fraction(tie.constant) / tie.parts[draw])
    return shortest(centre)


def _breaks(form: Affine, path: Finished) -> set[Rational]:
    """Where a released number is without noise, and where a decision on it lies."""
    found: set[Rational] = {_centre(form, path)}
    for law_draw in form.draws:
        law = path.laws[law_draw]
        found |= {
            shortest(form.constant + form.parts[law_draw] * end)
            for end in law.support
            if not isinstance(end, float)
        }
    own = {d: f for d, f in form.parts.items() if d >= 0}
    for subject, _ in path.conditions:
        if subject.parts.keys() == own.keys():
            ratios = {Fraction(own[d]) / subject.parts[d] for d in own}
            if len(ratios) == 1:
                found.add(shortest(form.constant - ratios.pop() * subject.constant))
    return found


def _points(kind: type, breaks: set[Rational]) -> tuple[Rational, ...]:
    ordered = sorted(breaks)
    low, high = ordered[0], ordered[-1]
    if kind is not Real:
        return (low - FAR, low - NEAR, *ordered, high + NEAR, high + FAR)
    between = [shortest(Fraction(a + b) / 2) for a, b in itertools.pairwise(ordered)]
    return (low - FAR, low - NEAR, *between, high + NEAR, high + FAR)
