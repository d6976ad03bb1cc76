"""Sequences of equal length as columns: the i-th elements of all of them, on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, cast

from ...dsl.relations.program import Program
from .inputs import Input, Inputs, Instance

#: Longer sequences grow by one, or by a third.
MANY = 5
#: How long the pieces are that are repeated.
PIECES = (2, 3)


@dataclass(frozen=True, slots=True)
class Column:
    """One element of every sequence: of the public ones, and of the private ones in D and D'."""

    public: tuple[Any, ...]
    left: tuple[Any, ...]
    right: tuple[Any, ...]

    def variants(self) -> Iterator[Column]:
        """The column, the one of the opposite move, and those that do not move."""
        yield self
        if self.left != self.right:
            yield Column(self.public, self.right, self.left)
            yield Column(self.public, self.left, self.left)
            yield Column(self.public, self.right, self.right)


def lengths(program: Program, instance: Instance) -> int | None:
    """How long all sequences are, if they are equally long and there are some."""
    both = {**instance.public, **instance.left}
    found = {len(cast(Any, both[n])) for n, k in program.inputs.items() if k.array}
    return found.pop() if len(found) == 1 else None


def columns(program: Program, instance: Instance) -> list[Column]:
    """The columns of all sequences, which are equally long."""
    public, private = _names(program)
    rows = [
        zip(*(cast(Any, side[name]) for name in names), strict=True)
        for side, names in (
            (instance.public, public),
            (instance.left, private),
            (instance.right, private),
        )
        if names
    ]
    sides = [list(row) for row in rows]
    n = len(sides[0])
    blank: list[tuple[Any, ...]] = [()] * n
    public_side = sides.pop(0) if public else blank
    left, right = sides if private else (blank, blank)
    return [Column(*column) for column in zip(public_side, left, right, strict=True)]


def with_columns(program: Program, instance: Instance, found: Sequence[Column]) -> Instance:
    """The instance with other columns in its sequences."""
    public, private = _names(program)

    def put(
        side: Inputs, names: Sequence[str], rows: Sequence[tuple[Any, ...]]
    ) -> dict[str, Input]:
        return {**side, **{name: tuple(row[k] for row in rows) for k, name in enumerate(names)}}

    return Instance(
        instance.base,
        put(instance.public, public, [c.public for c in found]),
        put(instance.left, private, [c.left for c in found]),
        put(instance.right, private, [c.right for c in found]),
    )


def longer(program: Program, instance: Instance, most: int) -> Iterator[tuple[Instance, int, int]]:
    """Some columns more: which, where they are put, and how many.

    A column that is there, or a variant of one, is put at either end or beside its like; long
    sequences grow by several at once.  Last, pieces of a few columns are repeated.
    """
    n = lengths(program, instance)
    if n is None or n >= most:
        return
    there = columns(program, instance)
    seen = set()
    for times in (1, n // 3) if n > MANY else (1,):
        for i, column in enumerate(there):
            for variant in column.variants():
                for place in (0, i, n):
                    grown = (*there[:place], *(variant,) * times, *there[place:])
                    if grown not in seen:
                        seen.add(grown)
                        yield with_columns(program, instance, grown), place, times
    for width, i in product(PIECES, range(n)):
        if i + width <= n and width + n <= most:
            yield repeated(program, instance, i, width, 1), i, width


def repeated(program: Program, instance: Instance, at: int, width: int, times: int) -> Instance:
    """The instance with a piece of its sequences so many times more."""
    there = columns(program, instance)
    piece = there[at : at + width]
    return with_columns(program, instance, [*there[:at], *piece * times, *there[at:]])


def _names(program: Program) -> tuple[list[str], list[str]]:
    arrays = [(n, k.public) for n, k in program.inputs.items() if k.array]
    return [n for n, public in arrays if public], [n for n, public in arrays if not public]
