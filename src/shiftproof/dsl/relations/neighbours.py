"""Which two concrete inputs are neighbours: decided from the definitions alone, input by input.

What is searched, drawn or shown as a pair of neighbours is asked here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..privacy.definitions import Privacy
from ..privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    LocationCounts,
    Queries,
    Secret,
    Value,
    WindowCounts,
    of_users,
)
from ..privacy.policies import Policy
from ..terms.values import exact
from .pairs import Rule, as_rule, number_kinds
from .witnesses import Arrivals, People, arrivals, people, row

_Side = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Who makes two inputs neighbours, where the relation is about people."""

    people: People | None = None
    arrivals: Mapping[str, Arrivals] | None = None


@dataclass(frozen=True, slots=True)
class TwoInputs:
    """Two inputs with the same public parts, under a privacy definition that was read.

    Values are ints and fractions; those of ``left`` and ``right`` are of all private inputs.
    """

    privacy: Privacy
    inputs: Mapping[str, InputKind]
    public: Mapping[str, Any]
    left: Mapping[str, Any]
    right: Mapping[str, Any]

    def witnesses(self) -> Witnesses | None:
        """Who makes the inputs neighbours; ``None`` if they are not."""
        private = self._private
        if any(
            len(a) != len(b)
            for a, b in (self._rows(n) for n, k in private.items() if not isinstance(k, DataSet))
        ):
            return None
        if self.privacy.group_size > 1:
            near = replace(self, privacy=self.privacy.one_step).witnesses()
            inside = all(self._inside(n, k) for n, k in private.items())
            return near or (Witnesses() if inside and self._chained() else None)
        if self.privacy.input_rule is not None:
            return Witnesses() if self._ruled(as_rule(self.privacy.input_rule)) else None
        if self.privacy.adding and not self._one_way():
            return None
        change = self.privacy.record_change
        counting = any(isinstance(k, CountingQueries | WindowCounts) for k in private.values())
        if counting and change is None:
            return None
        found: People | None = None
        counted = {n: k for n, k in private.items() if isinstance(k, CountingQueries)}
        if counted:
            found = people(self.privacy, counted, self.left, self.right, self.public)
            if found is None and any(self.left[n] != self.right[n] for n in counted):
                return None
        came: dict[str, Arrivals] = {}
        for name, kind in private.items():
            one, two = self.left[name], self.right[name]
            if isinstance(kind, WindowCounts):
                seen = arrivals(self.privacy, kind, kind.steps(self.public), one, two)
                if seen is None:
                    return None
                came[name] = seen
            elif isinstance(kind, Queries):
                steps = declared_steps(kind, self._rows(name), self.public)
                if sum(steps) > 1 or (steps[1] and not self.privacy.both_ways):
                    return None
            elif isinstance(kind, DataSet):
                same = one == two and not self.privacy.adding
                if change is None or not (same or change.relates(one, two)):
                    return None
            elif not (isinstance(kind, CountingQueries) or of_users(kind)):
                return None
        return Witnesses(found, came or None) if self._near_users() else None

    @property
    def _private(self) -> dict[str, InputKind]:
        return {n: k for n, k in self.inputs.items() if not k.public}

    def _rows(self, name: str) -> tuple[Any, Any]:
        kind = self.inputs[name]
        return row(kind, self.left[name]), row(kind, self.right[name])

    def _one_way(self) -> bool:
        """Whether nothing moves as if a record came where something else says that one goes."""
        ways = set[bool]()
        for name, kind in self._private.items():
            if isinstance(kind, DataSet):
                ways |= {len(self.left[name]) > len(self.right[name])}
            elif isinstance(kind, CountingQueries | WindowCounts):
                ways |= {a > b for a, b in zip(*self._rows(name), strict=True) if a != b}
            elif isinstance(kind, Queries) and kind.direction != "both":
                steps = declared_steps(kind, self._rows(name), self.public)
                ways |= {forth for forth, n in zip((True, False), steps, strict=True) if n}
        return len(ways) <= 1

    def _ruled(self, rule: Rule) -> bool:
        """Whether the user's rule holds at every index."""
        arrays = {n for n in rule.parameters if self.inputs[n].array}
        lengths = {len(self.left[n]) for n in arrays}
        kinds = number_kinds(self.inputs, rule.parameters)

        def at(i: int, side: Mapping[str, Any]) -> dict[str, Any]:
            both = {**self.public, **side}
            return {n: both[n][i] if n in arrays else both[n] for n in rule.parameters}

        return len(lengths) <= 1 and all(
            rule.holds(at(i, self.left), at(i, self.right), kinds)
            for i in range(max(lengths, default=1))
        )

    # Users' values: that of one user differs.

    def _near_users(self) -> bool:
        """Whether users' values are neighbours, as far as the input is users' values."""
        if not any(map(of_users, self._private.values())):
            return True
        sides = self.one_user()
        if sides is None:
            return False
        left, right = sides
        if not left:
            return True  # no user at all
        kinds = {n: self.inputs[n] for n in left}
        near = all(_near(self.privacy, k, left[n], right[n]) for n, k in kinds.items())
        policy = self.privacy.policy_of_values
        if self.privacy.whole and policy:
            near = near and _replaced(policy, kinds, left, right)
        if not near or not all(self._inside(n, k) for n, k in kinds.items()):
            return False
        if self.privacy.edge_rule is None or left == right:
            return True
        rule = as_rule(self.privacy.edge_rule)
        return rule.holds(left, right, number_kinds(kinds, kinds), either_way=True)

    def one_user(self) -> tuple[_Side, _Side] | None:
        """The values of the user who differs (or of the first one), if there is one such user.

        With several sequences it is the same user in all of them; where they are empty, single
        values are all that users have.
        """
        one, two = self.left, self.right
        names = [n for n, k in self._private.items() if of_users(k)]
        arrays = [n for n in names if self.inputs[n].array]
        single = [n for n in names if not self.inputs[n].array]
        if arrays and single:
            moved = [any(one[n] != two[n] for n in group) for group in (arrays, single)]
            if all(moved) or self.privacy.speaks:
                return None  # whether these belong together is not said
        places = {
            i for n in arrays for i, (a, b) in enumerate(zip(one[n], two[n], strict=True)) if a != b
        }
        if len(places) > 1:
            return None
        at = min(places, default=0)
        if any(len(one[n]) <= at for n in arrays):
            if any(len(one[n]) for n in arrays):
                return None
            names = single
        left, right = (
            {n: side[n][at] if self.inputs[n].array else side[n] for n in names}
            for side in (one, two)
        )
        return left, right

    def _inside(self, name: str, kind: InputKind) -> bool:
        """Whether all users' values lie in their range, on both sides."""
        if not isinstance(kind, Value):
            return True
        low, high = bounds(kind, self.public)
        return all(low <= v <= high for side in self._rows(name) for v in side)

    # Groups: how many records come, go or are replaced.

    def _chained(self) -> bool:
        """Whether D′ is at the end of a chain from D, of as many steps as a group has at most.

        Source: docs/theory.md, "Groups".  Of counts at locations and in windows no chain is looked
        for.
        """
        adding, size = self.privacy.adding, self.privacy.group_size
        gone: float = 0  # records that only D has
        came: float = 0  # those that only D′ has
        beside: float = 0  # steps of declared answers
        users = 0  # whose values differ
        of_data: set[tuple[float, float]] = set()
        rows: list[tuple[Sequence[Any], Sequence[Any]]] = []
        for name, kind in self._private.items():
            one, two = self.left[name], self.right[name]
            found: tuple[float, float] = (0, 0)
            if isinstance(kind, DataSet):
                found = _records(one, two, adding)
                of_data.add(found)
            elif isinstance(kind, WindowCounts | LocationCounts):
                if one != two:
                    return False
            elif isinstance(kind, CountingQueries):
                found = _counted(kind, *self._rows(name))
            elif isinstance(kind, Queries):
                steps = declared_steps(kind, self._rows(name), self.public)
                beside = max(beside, sum(steps))
                found = steps if adding and kind.direction != "both" else found
            elif not isinstance(kind, Value):
                return False
            elif kind.array:
                rows.append((one, two))
            else:
                users |= one != two
            gone, came = max(gone, found[0]), max(came, found[1])
        if len({len(r[0]) for r in rows}) > 1 or (adding and of_data - {(gone, came)}):
            return False
        pairs = zip(*(zip(*r, strict=True) for r in rows), strict=True)
        users += sum(any(a != b for a, b in user) for user in pairs)
        records = gone + came if adding else max(gone, came)
        if adding and of_data and (size - records) % 2:
            size -= 1  # each step changes the data set, and it comes back after two
        return max(records, beside, users) <= size


def _replaced(policy: Policy, kinds: Mapping[str, InputKind], left: _Side, right: _Side) -> bool:
    """Whether values that change are of a record of which one is sensitive.

    Single values are of one record, those of a user in sequences of another one.
    """
    records = [[n for n, k in kinds.items() if k.array is array] for array in (False, True)]
    return all(
        all(left[n] == right[n] for n in names) or any(left[n] in policy.sensitive for n in names)
        for names in records
    )


def _near(privacy: Privacy, kind: InputKind, one: Any, two: Any) -> bool:
    """Whether one value may become another one, whatever the functions of the definition say."""
    if isinstance(kind, Secret):
        return privacy.is_local and not kind.array
    assert isinstance(kind, Value)
    change, policy = privacy.record_change, privacy.policy_of_values
    if change is not None and policy is not None:
        known = {one, two} <= set(policy.universe)
        # If the record is replaced as a whole, it decides, not each of its values.
        return kind.whole and known and (change.whole or one == two or one in policy.sensitive)
    return privacy.is_local or change is not None


def bounds(kind: Value, public: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """The range of a value; a bound with a name is a public parameter."""
    low, high = (
        Fraction(public[b]) if isinstance(b, str) else exact(b) for b in (kind.low, kind.high)
    )
    return low, high


def sensitivity(kind: Queries, public: Mapping[str, Any]) -> Fraction:
    """By how much an answer moves at most; a sensitivity with a name is a public parameter."""
    given = kind.sensitivity
    return Fraction(public[given]) if isinstance(given, str) else exact(given)


def declared_steps(
    kind: Queries, answers: tuple[Any, Any], public: Mapping[str, Any]
) -> tuple[float, float]:
    """In how many steps answers move so far as declared, and in how many in the reverse direction.

    Where none is declared, one step moves answers either way.
    """
    most = sensitivity(kind, public)
    moves = [Fraction(a) - Fraction(b) for a, b in zip(*answers, strict=True)]
    ways = {
        "both": (list(map(abs, moves)), []),
        "decreasing": (moves, [-m for m in moves]),
        "increasing": ([-m for m in moves], moves),
    }[kind.direction]
    forth, back = (_steps([m for m in way if m > 0], most, kind) for way in ways)
    return forth, back


def _steps(moves: Sequence[Fraction], most: Fraction, kind: Queries) -> float:
    """In how many steps answers that move do so; no fewer than there are, where that is open.

    Integers move by integers.
    """
    if not moves:
        return 0
    if kind.norm == 2 and kind.whole:
        return _whole_steps(moves, most)
    if kind.norm == 2:
        return _root(sum((m * m for m in moves), Fraction(0)), most)
    most = Fraction(math.floor(most)) if kind.whole else most
    if most <= 0:
        return math.inf
    if kind.norm == 1:
        return math.ceil(sum(moves) / most)
    return (sum if kind.differing == "one" else max)(math.ceil(m / most) for m in moves)


def _root(square: Fraction, most: Fraction) -> float:
    """The least whole number of which the multiple of a length is at least a root."""
    if most <= 0:
        return math.inf
    return math.isqrt(math.ceil(square / most**2) - 1) + 1


def _whole_steps(moves: Sequence[Fraction], most: Fraction) -> float:
    """The same of integers in the ℓ2 norm: all in equal parts, or else one after the other."""
    if most < 1:
        return math.inf
    alone = sum(math.ceil(m / math.floor(most)) for m in moves)
    for steps in range(1, alone):
        if sum(math.ceil(m / steps) ** 2 for m in moves) <= most**2:
            return steps
    return alone


def _counted(kind: CountingQueries, one: Sequence[int], two: Sequence[int]) -> tuple[int, int]:
    """How many records answers count less on D′, and how many more, at least.

    A record of which more than one answer may count stands in all that fall, or rise.
    """
    moves = [a - b for a, b in zip(one, two, strict=True)]
    falls, rises = [max(m, 0) for m in moves], [max(-m, 0) for m in moves]
    if kind.one_hot:
        return sum(falls), sum(rises)
    return max(falls, default=0), max(rises, default=0)


def _records(one: Sequence[Any], two: Sequence[Any], adding: bool) -> tuple[float, float]:
    """How many records only D has, and only D′; of replaced ones there are as many of both."""
    if not adding:
        same = len(one) == len(two)
        changed = sum(r != s for r, s in zip(one, two, strict=True)) if same else math.inf
        return changed, changed
    # The longest sequence of records that both have in this order.
    common = [0] * (len(two) + 1)
    for record in one:
        before = common
        common = [0]
        for j, other in enumerate(two):
            alike = before[j] + 1 if record == other else 0
            common.append(max(alike, before[j + 1], common[j]))
    return len(one) - common[-1], len(two) - common[-1]
