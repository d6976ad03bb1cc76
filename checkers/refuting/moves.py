"""Pairs next to a pair: one answer more or less, one number changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from ...dsl.inputs import DataSet, EpsilonInput
from ...dsl.program import Program
from ..exact.outcomes import Atom, Outcome, Real, Slot
from .inputs import Input, Instance

#: How far single numbers are moved.
STEPS = (1, -1, 5, -5)
#: The longest sequences that are tried.
LONGEST = 12


@dataclass(frozen=True, slots=True)
class Moved:
    """Another pair, and how its outcomes follow from those of the first.

    ``grown``: the place at which all sequences got an element more.
    """

    instance: Instance
    grown: int | None = None


def moves(program: Program, instance: Instance, *, fixed: frozenset[str]) -> Iterator[Moved]:
    """Pairs next to this one; whether they are neighbours is not asked here.

    Args:
        program: what the inputs are for.
        instance: the pair.
        fixed: public inputs that stay as they are.
    """
    yield from _longer(program, instance, fixed)
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
        yield from (value + s for s in steps)
        return
    for i, v in enumerate(cast(Any, value)):
        for s in steps:
            yield (*value[:i], v + s, *value[i + 1 :])


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


def lengths(program: Program, instance: Instance) -> int | None:
    """How long all sequences are, if they are equally long and there are some."""
    both = {**instance.public, **instance.left}
    found = {len(cast(Any, both[n])) for n, k in program.inputs.items() if k.array}
    return found.pop() if len(found) == 1 else None


def resized(program: Program, instance: Instance, i: int, copies: int) -> Instance:
    """All sequences with their i-th element so many times."""

    def changed(name: str, value: Any) -> Any:
        if not program.inputs[name].array:
            return value
        return (*value[:i], *((value[i],) * copies), *value[i + 1 :])

    return Instance(
        instance.base,
        *(
            {n: changed(n, v) for n, v in side.items()}
            for side in (instance.public, instance.left, instance.right)
        ),
    )


def _longer(program: Program, instance: Instance, fixed: frozenset[str]) -> Iterator[Moved]:
    """One element more: at either end, like one that is there, or like one with its sides alike."""
    n = lengths(program, instance)
    if n is None or n >= LONGEST or any(program.inputs[name].array for name in fixed):
        return
    seen = set()
    columns = set()
    for i in range(n):
        column = str(_column(program, instance, i))
        if column in columns:
            continue
        columns.add(column)
        for copy in (resized(program, instance, i, 2), *_altered(program, instance, i)):
            for place in (0, i, n):
                moved = _moved_to(program, copy, i, place)
                if (key := str(moved)) not in seen:
                    seen.add(key)
                    yield Moved(moved, grown=place)


def _column(program: Program, instance: Instance, i: int) -> list[Any]:
    """The i-th elements of all sequences, on both sides."""
    sides = (instance.public, instance.left, instance.right)
    return [v[i] for side in sides for n, v in side.items() if program.inputs[n].array]  # type: ignore[index]


def _altered(program: Program, instance: Instance, i: int) -> Iterator[Instance]:
    """The i-th element twice, the second time with its sides swapped, or both the same."""
    longer = resized(program, instance, i, 2)
    for choose in ((1, 0), (0, 0), (1, 1)):
        sides = []
        for side in choose:
            source = (instance.left, instance.right)[side]
            sides.append({n: v[i] for n, v in source.items() if program.inputs[n].array})  # type: ignore[index]
        yield longer.with_sides(_put(longer.left, i, sides[0]), _put(longer.right, i, sides[1]))


def _put(inputs: Any, i: int, values: Any) -> Any:
    return {n: (*v[:i], values[n], *v[i + 1 :]) if n in values else v for n, v in inputs.items()}


def _moved_to(program: Program, instance: Instance, i: int, place: int) -> Instance:
    """All sequences with their i-th element somewhere else."""
    if i == place:
        return instance

    def changed(name: str, value: Any) -> Any:
        if not program.inputs[name].array:
            return value
        rest = (*value[:i], *value[i + 1 :])
        return (*rest[:place], value[i], *rest[place:])

    return Instance(
        instance.base,
        *(
            {n: changed(n, v) for n, v in side.items()}
            for side in (instance.public, instance.left, instance.right)
        ),
    )


def grown_outcomes(outcome: Outcome, place: int, alphabet: Collection[Slot]) -> Iterator[Outcome]:
    """The outcome with one release more: at the place of the new element, or anywhere."""
    slots = outcome.slots
    known = dict.fromkeys((*slots, *alphabet))
    places = [place] if place <= len(slots) else range(len(slots) + 1)
    for k in places:
        for slot in known:
            yield Outcome((*slots[:k], slot, *slots[k:]), outcome.ending)
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
