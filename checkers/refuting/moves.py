"""Pairs next to a pair: one answer more or less, one number changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from ...dsl.inputs import DataSet, EpsilonInput
from ...dsl.program import Program
from ..exact.outcomes import Atom, Outcome, Real, Slot
from .columns import longer
from .inputs import Input, Instance

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
    """The outcome with more releases: at the place of the new elements, or anywhere."""
    slots = outcome.slots
    known = dict.fromkeys((*slots, *alphabet))
    places = [moved.place] if moved.place <= len(slots) else range(len(slots) + 1)
    for k in places:
        for slot in known:
            yield Outcome((*slots[:k], *(slot,) * moved.grown, *slots[k:]), outcome.ending)
    yield outcome


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
