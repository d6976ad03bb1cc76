"""From counts to people: data sets whose counts are the ones of a pair.

Whether two inputs are neighbours is decided here from the definitions alone, by writing down
the records of both: all but one are the same, and that one changes as the policy allows.
Nothing of what the proof derives about differences is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, cast

from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import CountingQueries, InputKind, LocationCounts, WindowCounts
from ...dsl.privacy.policies import Policy, is_record_neighbour
from ...dsl.relations.program import Program
from .inputs import Input, Inputs, Instance

Record = tuple[int, ...]
#: How many records a data set of a counterexample may have.
RECORDS = 2_000


@dataclass(frozen=True, slots=True)
class People:
    """Two neighbouring data sets: the records that both have, and the one that differs.

    ``before`` or ``after`` is ``None`` where a data set does not have that record.
    """

    others: tuple[Record, ...]
    before: Record | None
    after: Record | None


@dataclass(frozen=True, slots=True)
class AttributeValues:
    """The values of one attribute: counted, not counted, and how one may become another."""

    counted: tuple[int, ...]
    others: tuple[int, ...]
    policy: Policy | None

    @classmethod
    def of(cls, privacy: Privacy, kind: CountingQueries | WindowCounts) -> AttributeValues:
        """Those of a policy; without one, a value that is not counted is made up."""
        counted = kind.counted if isinstance(kind, CountingQueries) else frozenset({1})
        policy = privacy.policy_of_values
        made_up = next(v for v in range(len(counted) + 1) if v not in counted)
        universe = policy.universe if policy is not None else (*sorted(counted), made_up)
        return cls(
            tuple(v for v in universe if v in counted),
            tuple(v for v in universe if v not in counted),
            policy,
        )

    def change(self, move: int) -> tuple[int, int] | None:
        """A value before and after such that the count falls by ``move``."""
        if move == 0:
            rest = self.others or self.counted
            return (rest[0], rest[0])
        before, after = (self.counted, self.others) if move > 0 else (self.others, self.counted)
        for v in before:
            for w in after:
                if self.policy is None or is_record_neighbour((v,), (w,), self.policy):
                    return v, w
        return None


def people(
    privacy: Privacy, kinds: Mapping[str, InputKind], left: Inputs, right: Inputs, public: Inputs
) -> People | None:
    """Neighbouring data sets with these counts, or ``None`` if there are none.

    A record has one attribute for each count, in the order of the inputs.
    """
    counted = {n: k for n, k in kinds.items() if isinstance(k, CountingQueries)}
    sides = _Sides(left, right)
    if privacy.adding:
        moves = [a - b for n in counted for a, b in sides.pairs(n)]
        if moves and min(moves) < 0 < max(moves):
            return None
        gone = not moves or max(moves) > 0
        found = _changed(privacy, counted, sides, public)
        if found is None or not any(moves):
            return None
        return People(found.others, found.before if gone else None, None if gone else found.after)
    return _changed(privacy, counted, sides, public)


class _Sides:
    def __init__(self, left: Inputs, right: Inputs) -> None:
        self._left, self._right = left, right

    def pairs(self, name: str) -> list[tuple[int, int]]:
        one, two = self._left[name], self._right[name]
        if not isinstance(one, tuple) or not isinstance(two, tuple):
            return [(one, two)]  # type: ignore[list-item]
        return list(zip(one, two, strict=True))  # type: ignore[arg-type]


def _changed(
    privacy: Privacy, counted: Mapping[str, CountingQueries], sides: _Sides, public: Inputs
) -> People | None:
    before: list[int] = []
    after: list[int] = []
    columns: list[list[int]] = []
    fills: list[AttributeValues] = []
    for name, kind in counted.items():
        values = AttributeValues.of(privacy, kind)
        bases = []
        pairs = sides.pairs(name)
        for one, two in pairs:
            change = values.change(one - two) if abs(one - two) <= 1 else None
            if change is None:
                return None
            before.append(change[0])
            after.append(change[1])
            bases.append(one - (change[0] in kind.counted))
        if max(bases, default=0) > RECORDS:
            return None
        if min(bases, default=0) < 0 or not _one_hot(kind, before, after, len(pairs), public):
            return None
        columns += _spread(kind, bases)
        fills += [values] * len(pairs)
    others = _others(columns, fills)
    return None if others is None else People(others, tuple(before), tuple(after))


def _one_hot(
    kind: CountingQueries, before: Sequence[int], after: Sequence[int], width: int, public: Inputs
) -> bool:
    """Whether the differing record counts at most once on either side, where that is a rule."""
    if not kind.one_hot:
        return True
    places: Sequence[object] = range(width)
    if isinstance(kind, LocationCounts):
        places = public[kind.by]  # type: ignore[assignment]
        if len(places) != width:
            return False  # no inputs of the mechanism
    for record in (before, after):
        own = record[len(record) - width :]
        if len({p for p, v in zip(places, own, strict=True) if v in kind.counted}) > 1:
            return False
    return True


def _spread(kind: CountingQueries, bases: Sequence[int]) -> list[list[int]]:
    """For each attribute, which of the other records count there (as their numbers)."""
    if not kind.one_hot:
        return [list(range(base)) for base in bases]
    ends = list(accumulate(bases))
    return [list(range(end - base, end)) for base, end in zip(bases, ends, strict=True)]


def _others(
    columns: Sequence[Sequence[int]], fills: Sequence[AttributeValues]
) -> tuple[Record, ...] | None:
    number = max((column[-1] + 1 for column in columns if column), default=0)
    if number > RECORDS:
        return None
    rows = []
    for k in range(number):
        row = []
        for column, values in zip(columns, fills, strict=True):
            pool = values.counted if k in column else values.others
            if not pool:
                return None
            row.append(pool[0])
        rows.append(tuple(row))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Records that count for a while: the times of arrival of all others, and of the one."""

    others: tuple[int, ...]
    before: int | None
    after: int | None


def arrivals(
    privacy: Privacy, kind: WindowCounts, left: Sequence[int], right: Sequence[int]
) -> Arrivals | None:
    """Who came when, so that the counts of the last steps are these; ``None`` if impossible."""
    for one, two in _visits(privacy, kind, len(left)):
        base = [a - _inside(one, t, kind.width) for t, a in enumerate(left)]
        same = [b - _inside(two, t, kind.width) for t, b in enumerate(right)]
        if base == same and min(base, default=0) >= 0:
            others = _arrived(base, kind.width)
            if others is not None:
                return Arrivals(others, one, two)
    return None


def _inside(start: int | None, t: int, width: int) -> int:
    return int(start is not None and start <= t < start + width)


def _visits(
    privacy: Privacy, kind: WindowCounts, n: int
) -> Iterator[tuple[int | None, int | None]]:
    """When the differing record counts in D and in D' (``None``: never)."""
    values = AttributeValues.of(privacy, kind)
    times = range(1 - kind.width, n)
    if values.change(1) is not None:
        yield from ((t, None) for t in times)
    if values.change(-1) is not None:
        yield from ((None, t) for t in times)
    if not privacy.adding and privacy.policy_of_values is None:
        yield from ((t, s) for t in times for s in times if s != t)


def _arrived(base: Sequence[int], width: int) -> tuple[int, ...] | None:
    """Times of arrival with these counts, if there are any.

    Who came at t counts until the next ones of the same turn come, at t + width; so a count
    changes by the difference of the two, and the first arrivals of a turn must be as many as
    keep all later ones from being negative.
    """
    if not base:
        return ()
    turns: dict[int, list[int]] = {}
    for first in range(1 - width, 1):
        arrivals = [0]
        for t in range(first + width, len(base), width):
            arrivals.append(arrivals[-1] + base[t] - base[t - 1])
        turns[first] = [n - min(arrivals) for n in arrivals]
    spare = base[0] - sum(arrivals[0] for arrivals in turns.values())
    if spare < 0:
        return None
    turns[0] = [n + spare for n in turns[0]]
    return tuple(
        sorted(
            first + k * width
            for first, arrivals in turns.items()
            for k, times in enumerate(arrivals)
            for _ in range(times)
        )
    )


# Sequences of equal length as columns: the i-th elements of all of them, on both sides.

#: Longer sequences grow by one, or by a third.
MANY = 5


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
    sequences grow by several at once.
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


def _names(program: Program) -> tuple[list[str], list[str]]:
    arrays = [(n, k.public) for n, k in program.inputs.items() if k.array]
    return [n for n, public in arrays if public], [n for n, public in arrays if not public]
