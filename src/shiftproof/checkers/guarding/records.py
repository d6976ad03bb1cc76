"""Small data sets, their neighbours by the definition alone, and what a mechanism sees of them.

Here nothing is derived.  A data set is a list of records; one record is replaced, changed along
the policy, or appears; and the answers of both data sets are counted.  What is read is the
declaration of the inputs, the claim, and the functions that the claim is made of.

A person has one record in all counts, windows and data sets, over attributes of its own in each;
a user has one value in each input of values.  The two are not known to be the same people, so
both may differ at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import TypeAlias, TypeVar

from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    LocationCounts,
    Queries,
    WindowCounts,
    of_users,
)
from ...dsl.privacy.policies import is_record_neighbour
from ...dsl.relations.program import Program
from ...dsl.terms.values import exact
from .allowances import budget_of_pair
from .users import Data, Plain, Sides, related, users

__all__ = ["Data", "Neighbours", "Plain", "budget_of", "neighbours"]

#: A record's attributes in one input; in a window the time of arrival, and whether it counts.
Part: TypeAlias = tuple[int, ...]
Person: TypeAlias = tuple[Part, ...]
Crowd: TypeAlias = tuple[Person, ...]
RecordKind: TypeAlias = CountingQueries | WindowCounts | DataSet

#: The values of an attribute of a data set where the definition names none.
ATTRIBUTES = (0, 1, 2)
#: What answers with a declared sensitivity are about.
ANSWERS = (Fraction(0), Fraction(1), Fraction(-1, 2))
#: The parts of the sensitivity by which they move.
SHARES = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 2))

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """An ordered pair of neighbours: the private inputs of D and of D', by parameter name.

    ``said``: D and D' as records, for a message.
    """

    left: Mapping[str, Data]
    right: Mapping[str, Data]
    said: str


def neighbours(
    program: Program, public: Mapping[str, Data], lengths: Mapping[str, int], records: int
) -> Iterator[Neighbours]:
    """All ordered pairs of neighbours of a size, lazily, small ones first, each once.

    Two inputs that are equal are left out.  Of data sets that differ in the order of their
    records there is one.  Values come from a grid: all integers of a small range, both ends and
    the middle of a real one; answers with a declared sensitivity, and the user's own relation,
    are on a grid as well.

    Args:
        program: what is claimed, of which inputs.
        public: all public inputs by name, ε among them.
        lengths: how long the private sequences are, by name (those of a ``DataSet`` follow from
            its records).
        records: how many records the larger data set has at most.

    Raises:
        BadInput: a function of the claim cannot be read.

    Source: "Asymmetric Differential Privacy", Definitions 8 and 9; docs/language.md.
    """
    private = {n: k for n, k in program.inputs.items() if not k.public}
    if program.privacy.input_rule is not None:
        groups = [related(program, public, lengths)]
    else:
        people = {
            n: k
            for n, k in private.items()
            if isinstance(k, CountingQueries | WindowCounts | DataSet)
        }
        world = _World(program.privacy, people, public, lengths, beside=len(private) > 1)
        groups = [world.pairs(records)] if people else []
        if any(map(of_users, private.values())):
            groups.append(users(program, public, lengths))
        groups += [
            _answers(program.privacy, n, k, public, lengths.get(n, 0))
            for n, k in private.items()
            if isinstance(k, Queries)
        ]
    for chosen in _diagonal(groups):
        if len({sides.gone for sides in chosen} - {None}) > 1:
            continue  # one record does not go and come
        left = {n: v for sides in chosen for n, v in sides.left.items()}
        right = {n: v for sides in chosen for n, v in sides.right.items()}
        if left != right:
            order = [n for n in private if n in left]
            yield Neighbours(
                {n: left[n] for n in order},
                {n: right[n] for n in order},
                "; ".join(sides.said for sides in chosen),
            )


def budget_of(program: Program, public: Mapping[str, Data], pair: Neighbours) -> Fraction | float:
    """β(D, D') in nats; a float where it has powers of e.

    Raises:
        BadInput: it is not defined for this pair.
    """
    return budget_of_pair(program, public, pair.left, pair.right)


@dataclass(frozen=True, slots=True)
class _World:
    """The inputs that people have records in."""

    privacy: Privacy
    kinds: Mapping[str, RecordKind]
    public: Mapping[str, Data]
    lengths: Mapping[str, int]
    beside: bool

    def pairs(self, records: int) -> Iterator[Sides]:
        """What is counted of neighbouring data sets, each pair of counts once."""
        seen: set[tuple[object, ...]] = set()
        for one, two in self._data_sets(records):
            left, right = self._seen(one), self._seen(two)
            gone = len(one) > len(two) if self.privacy.adding else None
            key = tuple(left.values()), tuple(right.values()), gone
            if key not in seen:
                seen.add(key)
                yield Sides(left, right, f"{self._said(one)} and {self._said(two)}", gone)

    def _data_sets(self, records: int) -> Iterator[tuple[Crowd, Crowd]]:
        """Neighbouring data sets; also those that are the same, where none need appear."""
        people = list(product(*(self._parts(n, k) for n, k in self.kinds.items())))
        adding = self.privacy.adding
        if not adding:
            yield (), ()
        for size in range(records):
            for others in combinations_with_replacement(people, size):
                for person in people:
                    if adding:
                        yield (*others, person), others
                        yield others, (*others, person)
                        continue
                    for new in people:
                        if person == new or self._may_become(person, new):
                            yield (*others, person), (*others, new)

    def _may_become(self, person: Person, new: Person) -> bool:
        """Whether a record may be replaced by another one."""
        change, policy = self.privacy.record_change, self.privacy.policy_of_values
        if change is None or policy is None:
            return change is not None
        if change.whole:
            parts = zip(self.kinds.values(), person, strict=True)
            # When somebody came is no attribute.
            seen = (part[1:] if isinstance(kind, WindowCounts) else part for kind, part in parts)
            return any(v in policy.sensitive for part in seen for v in part)
        return all(
            a[:1] == b[:1] and is_record_neighbour(a[1:], b[1:], policy)
            if isinstance(kind, WindowCounts)  # when somebody came is public
            else is_record_neighbour(a, b, policy)
            for kind, a, b in zip(self.kinds.values(), person, new, strict=True)
        )

    def _parts(self, name: str, kind: RecordKind) -> list[Part]:
        """All that a record may have in one input."""
        policy = self.privacy.policy_of_values
        if policy is not None:
            values: Sequence[int] = policy.universe
        elif isinstance(kind, DataSet):
            values = ATTRIBUTES
        else:
            values = _counted_or_not(kind)
        if isinstance(kind, DataSet):
            found = list(product(values, repeat=kind.attributes))
            # Who appears beside other data need not have a record here.
            return [*found, ()] if self.beside and self.privacy.adding else found
        size = self.lengths[name] if kind.array else 1
        if isinstance(kind, WindowCounts):
            return list(product(range(1 - kind.steps(self.public), size), values))
        places = self.public[kind.by] if isinstance(kind, LocationCounts) else range(size)
        assert isinstance(places, Sequence)
        if len(places) != size:
            return []
        return [
            part
            for part in product(values, repeat=size)
            if not kind.one_hot
            or len({p for p, v in zip(places, part, strict=True) if v in kind.counted}) <= 1
        ]

    def _seen(self, people: Crowd) -> dict[str, Data]:
        """What a mechanism sees of a data set."""
        return {
            name: self._input(name, kind, [person[k] for person in people])
            for k, (name, kind) in enumerate(self.kinds.items())
        }

    def _input(self, name: str, kind: RecordKind, parts: Sequence[Part]) -> Data:
        if isinstance(kind, DataSet):
            return tuple(filter(None, parts))
        if isinstance(kind, WindowCounts):
            width = kind.steps(self.public)
            return tuple(
                sum(v == 1 and came <= t < came + width for came, v in parts)
                for t in range(self.lengths[name])
            )
        size = self.lengths[name] if kind.array else 1
        counts = tuple(sum(part[i] in kind.counted for part in parts) for i in range(size))
        return counts if kind.array else counts[0]

    def _said(self, people: Crowd) -> str:
        """The records, with their attributes by input."""
        shown = (
            " ".join(f"{name}: {part}" for name, part in zip(self.kinds, person, strict=True))
            for person in people
        )
        return f"[{', '.join(shown)}]"


def _counted_or_not(kind: CountingQueries | WindowCounts) -> tuple[int, int]:
    """A value that is counted and one that is not: without a policy no more matters."""
    counted = kind.counted if isinstance(kind, CountingQueries) else {1}
    return next(v for v in range(len(counted) + 1) if v not in counted), min(counted)


def _answers(
    privacy: Privacy, name: str, kind: Queries, public: Mapping[str, Data], length: int
) -> Iterator[Sides]:
    """Answers of which only the declaration says how they move."""
    given = kind.sensitivity
    named = public[given] if isinstance(given, str) else exact(given)
    assert not isinstance(named, tuple)
    forth = {"decreasing": 1, "increasing": -1, "both": 0}[kind.direction]
    size = length if kind.array else 1
    far = [Fraction(named) * share for share in SHARES]
    ways = dict.fromkeys(Fraction(int(move)) if kind.whole else move for move in far)
    for moves in product(ways, repeat=size):
        signs = {1 if move > 0 else -1 for move in moves if move} if forth else set()
        if kind.differing == "one" and sum(move != 0 for move in moves) > 1:
            continue
        if kind.norm and sum(abs(m) ** kind.norm for m in moves) > Fraction(named) ** kind.norm:
            continue
        if len(signs) > 1 or not (privacy.both_ways or signs <= {forth}):
            continue
        gone = forth in signs if signs and privacy.adding else None
        starts = [a for a in ANSWERS if a.denominator == 1 or not kind.whole]
        for one in product(starts, repeat=size):
            two = tuple(a - move for a, move in zip(one, moves, strict=True))
            told: list[tuple[int | Fraction, ...]] = [one, two]
            if kind.whole:
                told = [tuple(map(int, side)) for side in (one, two)]
            left, right = (side if kind.array else side[0] for side in told)
            yield Sides({name: left}, {name: right}, f"{name}: {_row(one)} and {_row(two)}", gone)


def _row(values: Iterable[Fraction]) -> str:
    return f"({', '.join(map(str, values))})"


def _diagonal(groups: Sequence[Iterator[T]]) -> Iterator[tuple[T, ...]]:
    """All combinations of one member of each, the first ones first, lazily."""
    if not groups:
        return
    if len(groups) == 1:
        yield from ((member,) for member in groups[0])
        return
    *before, last = groups
    combined = _diagonal(before)
    rows: list[tuple[T, ...]] = []
    columns: list[T] = []
    more_rows = more_columns = True
    while more_rows or more_columns:
        if more_rows:
            row = next(combined, None)
            more_rows = row is not None
            if row is not None:
                rows.append(row)
                yield from ((*row, column) for column in columns)
        if more_columns:
            column = next(last, None)
            more_columns = column is not None
            if column is not None:
                columns.append(column)
                yield from ((*row, column) for row in rows)
        if (not more_rows and not rows) or (not more_columns and not columns):
            return
