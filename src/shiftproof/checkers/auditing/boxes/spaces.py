"""Where inputs are looked for: declared spaces of data, and neighbours in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from ....dsl.errors import BadInput
from .boxes import LARGEST, Relation, relation_of

Rng: TypeAlias = np.random.Generator
#: Ordered: D' is a neighbour of D, and the claim is owed in this direction.
Neighbours: TypeAlias = tuple[Any, Any]
Form: TypeAlias = Literal["dicts", "pandas", "polars"]
Change: TypeAlias = Literal["one more", "one less", "one more or less", "one changed"]

#: How often a number is one of few round ones, so that numbers meet.
ROUND = 0.5
#: How far away a number is that is near to another, as a part of the range.
NEARBY = 0.1


class Space(Protocol):
    """Data of which pairs of neighbours can be drawn, and pairs near to a pair."""

    def pair(self, rng: Rng) -> Neighbours:
        """Any pair."""
        ...

    def near(self, pair: Neighbours, rng: Rng) -> Neighbours:
        """One that differs from a pair in little."""
        ...


@dataclass(frozen=True)
class AnswerSpace:
    """Answers between two numbers, and neighbours of a relation between answers.

    Inputs are numbers, or tuples of as many numbers as the relation says: answers of queries,
    vectors, cells of a histogram.

    Args:
        relation: ``number``, ``all:N``, ``one:N``, with ``-falling`` or ``-rising``: see
            :func:`pairs_of_relation`.
        low, high: between which numbers answers are, on both sides; ``high - low`` is at least
            the sensitivity.
        sensitivity: by how much an answer moves at most.
        whole: whether answers are ints.

    Raises:
        BadInput: the relation is none, or the numbers are no such numbers.
    """

    relation: str
    low: float
    high: float
    sensitivity: float = 1.0
    whole: bool = False
    _known: Relation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in (("low", self.low), ("high", self.high)):
            if not _is_number(value) or abs(value) > LARGEST:
                raise BadInput(f"{name}: got {value!r}; a finite number is needed")
        object.__setattr__(self, "_known", relation_of(self.relation, self.sensitivity))
        if self.high - self.low < self.sensitivity:
            raise BadInput(
                f"high: got {self.high!r}; at least low + sensitivity is needed, "
                f"{self.low + self.sensitivity:g}"
            )
        if self.whole and any(v != int(v) for v in (self.low, self.high, self.sensitivity)):
            raise BadInput("whole: low, high and sensitivity must be whole numbers then")

    def pair(self, rng: Rng) -> Neighbours:
        """Answers that are even, round or anything, and corners of the relation."""
        known = self._known
        base = np.full(known.length, self._level(rng))
        for k in range(known.length):
            if rng.random() < ROUND:
                base[k] = self._level(rng)
        return self._neighbours(base, self._moves(rng))

    def near(self, pair: Neighbours, rng: Rng) -> Neighbours:
        """Another answer at one place, as elsewhere or anywhere; or another move there."""
        left, right = (np.atleast_1d(np.asarray(side, float)) for side in pair)
        moves, k = right - left, int(rng.integers(self._known.length))
        if rng.random() < ROUND:
            others = self._moves(rng)
            if self._known.one:
                moves = others
            else:
                moves[k] = others[k]
        else:
            beside = left[k] + rng.normal() * (self.high - self.low) * NEARBY
            step = left[k] + self.sensitivity * rng.choice([-1, 1])
            left[k] = rng.choice([rng.choice(left), step, beside, self._level(rng)])
        return self._neighbours(left, moves)

    def _level(self, rng: Rng) -> float:
        middle = (self.low + self.high) / 2
        few = [v for v in (0.0, self.sensitivity) if self.low <= v <= self.high]
        any_other = rng.uniform(self.low, self.high)
        return float(rng.choice([self.low, self.high, middle, *few, any_other, any_other]))

    def _moves(self, rng: Rng) -> Any:
        known = self._known
        signs = rng.choice(known.signs, size=known.length)
        kept = int(rng.integers(known.length))
        if known.one:
            signs = np.where(np.arange(known.length) == kept, signs, 0)
        if not signs.any():
            signs[kept] = rng.choice([sign for sign in known.signs if sign])
        return signs * self.sensitivity

    def _neighbours(self, left: Any, moves: Any) -> Neighbours:
        """Both sides, between the two numbers."""
        left = np.rint(left) if self.whole else left
        left = np.clip(left, self.low - np.minimum(moves, 0), self.high - np.maximum(moves, 0))
        return self._plain(left), self._plain(left + moves)

    def _plain(self, values: Any) -> Any:
        plain = [int(v) if self.whole else float(v) for v in values]
        return plain[0] if self._known.single else tuple(plain)


@dataclass(frozen=True)
class RecordSpace:
    """Data sets of records, and neighbours that differ in one of them.

    Args:
        columns: for each column its range: ``(low, high)`` of two ints for whole numbers, of a
            float for real ones; or a list of the values it may have.
        rows: the least and the largest number of records.
        change: what a neighbour D' of D has: ``one more or less`` record, in both directions by
            default, ``one more``, ``one less``, or ``one changed``.
        form: how the mechanism gets the data: ``dicts`` (a list of dicts), ``pandas`` or
            ``polars`` (a data frame).

    Raises:
        BadInput: a column, the rows, the change or the form is none.
    """

    columns: Mapping[str, tuple[float, float] | list[Any]]
    rows: tuple[int, int] = (0, 20)
    change: Change = "one more or less"
    form: Form = "dicts"

    def __post_init__(self) -> None:
        columns: Any = self.columns
        if not isinstance(columns, Mapping) or not columns:
            raise BadInput(f"columns: got {columns!r:.80}; a range for each name is needed")
        for name, column in columns.items():
            if not (_is_range(column) or (isinstance(column, list) and column)):
                raise BadInput(
                    f"columns: got {column!r:.80} for {name!r}; want (low, high), or a list of "
                    "values"
                )
        rows: Any = self.rows
        if not (_is_range(rows) and all(isinstance(v, int) and v >= 0 for v in rows) and rows[1]):
            raise BadInput(f"rows: got {rows!r}; want (least, largest), as in (0, 20)")
        few, many = rows
        if self.change not in ("one more", "one less", "one more or less", "one changed"):
            raise BadInput(
                f"change: got {self.change!r}; want 'one more', 'one less', 'one more or less' or "
                "'one changed'"
            )
        if self.change != "one changed" and few == many:
            raise BadInput(f"rows: got {self.rows!r}; a neighbour has another number of records")
        if self.form not in ("dicts", "pandas", "polars"):
            raise BadInput(f"form: got {self.form!r}; want 'dicts', 'pandas' or 'polars'")
        if self.form != "dicts":
            _frames(self.form)

    def pair(self, rng: Rng) -> Neighbours:
        """Records that are alike or not, and one that is in D or in D' alone."""
        few, many = self.rows
        changed = self.change == "one changed"
        count = int(rng.integers(max(few, 1) - 1 if changed else few, many))
        alike = self._record(rng)
        records = [alike if rng.random() < ROUND else self._record(rng) for _ in range(count)]
        return self._neighbours(records, self._record(rng), self._record(rng), rng.random() < 0.5)

    def near(self, pair: Neighbours, rng: Rng) -> Neighbours:
        """A record more or less on both sides, another value in one, or another difference."""
        left, right = (self._records(side) for side in pair)
        rising = len(right) > len(left)
        larger, smaller = (right, left) if rising else (left, right)
        *records, other = larger
        changed = smaller[-1] if self.change == "one changed" else other
        few, many = self.rows
        what = rng.integers(5)
        if what == 0 and len(larger) < many:
            records.append(self._record(rng) if rng.random() < ROUND else dict(other))
        elif what == 1 and records and len(smaller) > few:
            records.pop(int(rng.integers(len(records))))
        elif what == 2 and records:
            k = int(rng.integers(len(records)))
            records[k] = self._other_value(records[k], rng)
        elif what == 3:
            rising, other, changed = not rising, changed, other
        else:
            other, changed = self._other_value(other, rng), self._other_value(changed, rng)
        return self._neighbours(records, other, changed, rising)

    def _neighbours(
        self, records: list[dict[str, Any]], other: Any, changed: Any, rising: bool
    ) -> Neighbours:
        more = [*records, other]
        if self.change == "one changed":
            return self._formed(more), self._formed([*records, changed])
        rising = {"one more": True, "one less": False}.get(self.change, rising)
        sides = (records, more) if rising else (more, records)
        return self._formed(sides[0]), self._formed(sides[1])

    def _record(self, rng: Rng) -> dict[str, Any]:
        return {name: self._value(name, rng) for name in self.columns}

    def _other_value(self, record: Mapping[str, Any], rng: Rng) -> dict[str, Any]:
        name = str(rng.choice([*self.columns]))
        return {**record, name: self._value(name, rng)}

    def _value(self, name: str, rng: Rng) -> Any:
        column = self.columns[name]
        if not isinstance(column, tuple):
            return column[int(rng.integers(len(column)))]
        low, high = column
        if rng.random() < ROUND:
            return column[int(rng.integers(2))]
        if isinstance(low, int) and isinstance(high, int):
            return int(rng.integers(low, high, endpoint=True))
        return float(rng.uniform(low, high))

    def _formed(self, records: list[dict[str, Any]]) -> Any:
        if self.form == "dicts":
            return [dict(record) for record in records]
        table = {name: [record[name] for record in records] for name in self.columns}
        return _frames(self.form).DataFrame(table)

    def _records(self, data: Any) -> list[dict[str, Any]]:
        if self.form == "dicts":
            return list(data)
        found = data.to_dict("records") if self.form == "pandas" else data.to_dicts()
        return list(found)


def _frames(form: str) -> Any:
    try:
        return import_module(form)
    except ImportError:
        raise BadInput(f"form: {form} is not installed: pip install {form}") from None


def _is_range(value: Any) -> bool:
    pair = isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value))
    return pair and value[0] <= value[1]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < np.inf
