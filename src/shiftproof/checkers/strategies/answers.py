"""Pairs of private inputs of every kind, under every relation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.definitions.base import Function
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    Queries,
    WindowCounts,
    of_users,
)
from ...dsl.reading.rules import rule_of
from ...dsl.relations.neighbours import TwoInputs
from .chains import chained
from .checking import checked_kind
from .data_sets import neighbouring_data_sets
from .numbers import bound_of, declared, moved, resolved
from .ruled import Present, Ruled, Sides, counts, layout_of, related, window_counts
from .users import Users

# The pairs of inputs that tools for testing privacy begin with, where a relation allows them.

Levels: TypeAlias = tuple[int, ...]


class CornerPattern(NamedTuple):
    """A pair of neighbouring answers: a tuple of numbers each, or a number for one answer.

    ``name``: as in the literature; with ", swapped" where D and D' change places.
    """

    name: str
    left: Any
    right: Any


#: What answers are on the two sides, in units of the sensitivity.
SHAPES: Mapping[str, Callable[[int], tuple[Levels, Levels]]] = {
    "one above": lambda n: ((1,) * n, (2, *(1,) * (n - 1))),
    "one below": lambda n: ((1,) * n, (0, *(1,) * (n - 1))),
    "one above, rest below": lambda n: ((1,) * n, (2, *(0,) * (n - 1))),
    "one below, rest above": lambda n: ((1,) * n, (0, *(2,) * (n - 1))),
    "half half": lambda n: ((1,) * n, ((2,) * (n // 2) + (0,) * (n - n // 2))),
    "all above": lambda n: ((1,) * n, (2,) * n),
    "all below": lambda n: ((1,) * n, (0,) * n),
    "x shape": lambda n: (
        (1,) * (n // 2) + (0,) * (n - n // 2),
        (0,) * (n // 2) + (1,) * (n - n // 2),
    ),
}


def corner_patterns(
    kind: InputKind | object,
    privacy: Privacy,
    length: int = 5,
    *,
    public: Mapping[str, Any] | None = None,
) -> tuple[CornerPattern, ...]:
    """The corner patterns of the literature that are neighbours, in the order D, D'.

    One above, one below, one above and the rest below, one below and the rest above, half
    half, all above, all below (against five ones), and the X shape; each in both directions,
    as far as the relation allows: under ``ADP(Policy({1}))`` no count is larger on D'.  Equal
    pairs are given once.  None for data sets and users' own values, which have no answers.

    Args:
        kind: what the answers are, as in an annotation: ``Counts``, ``Queries(sensitivity=2)``.
        privacy: the relation.
        length: how many answers; one for kinds of a single number.
        public: the public inputs that the kind names (a sensitivity, locations).

    Raises:
        BadInput: the kind has no neighbours under this relation.

    Source: StatDP (CCS 2018), of which answers move by the sensitivity; DP-Sniper (S&P 2021).
    """
    name, found = checked_kind(kind, privacy, length, public)
    patterns = shaped({name: found}, privacy, {name: length}, public or {})
    return tuple(CornerPattern(p.name, p.left[name], p.right[name]) for p in patterns)


def shaped(
    kinds: Mapping[str, InputKind],
    privacy: Privacy,
    lengths: Mapping[str, int],
    public: Mapping[str, Any],
) -> list[CornerPattern]:
    """The patterns of several inputs that differ together, by name: each has the same shape."""
    kinds = {n: resolved(kind, public) for n, kind in kinds.items()}
    seen: dict[str, CornerPattern] = {}
    for name, left, right in _sides(kinds, lengths):
        scaled = _scaled(kinds, left, right, public)
        if scaled[0] != scaled[1] and _allowed(kinds, privacy, *scaled, public):
            seen.setdefault(repr(scaled), CornerPattern(name, *scaled))
    return list(seen.values())


def _sides(
    kinds: Mapping[str, InputKind], lengths: Mapping[str, int]
) -> Iterator[tuple[str, dict[str, Levels], dict[str, Levels]]]:
    for name, shape in SHAPES.items():
        pairs = {n: shape(lengths[n] if k.array else 1) for n, k in kinds.items()}
        if not all(lengths[n] or not k.array for n, k in kinds.items()):
            return
        one, two = ({n: p[side] for n, p in pairs.items()} for side in (0, 1))
        yield name, one, two
        yield f"{name}, swapped", two, one


def _scaled(
    kinds: Mapping[str, InputKind],
    left: Mapping[str, Levels],
    right: Mapping[str, Levels],
    public: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Levels as answers: whole numbers, or multiples of the sensitivity."""
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for n, kind in kinds.items():
        one: tuple[Any, ...] = left[n]
        two: tuple[Any, ...] = right[n]
        if not kind.whole or isinstance(kind, Queries):
            unit = bound_of(kind, public) if isinstance(kind, Queries) else Fraction(1)
            unit = Fraction(int(unit)) if kind.whole else unit
            starts = tuple((int if kind.whole else float)(level * unit) for level in one)
            falls = [(a - b) * unit for a, b in zip(one, two, strict=True)]
            one, two = starts, tuple(map(moved, starts, falls))
        for side, answers in zip(sides, (one, two), strict=True):
            side[n] = answers if kind.array else answers[0]
    return sides


def _allowed(
    kinds: Mapping[str, InputKind],
    privacy: Privacy,
    left: dict[str, Any],
    right: dict[str, Any],
    public: Mapping[str, Any],
) -> bool:
    """Whether they are neighbours; of users' values and data sets that is not told."""
    if privacy.input_rule is not None:
        ruled = Ruled(rule_of(privacy.input_rule), kinds, public)
        length = max((len(left[n]) for n, k in kinds.items() if k.array), default=1)
        rows = [
            {
                n: (left[n][i], right[n][i]) if k.array else (left[n], right[n])
                for n, k in kinds.items()
            }
            for i in range(length)
        ]
        return all(map(ruled.holds, rows))
    if not all(isinstance(k, CountingQueries | WindowCounts | Queries) for k in kinds.values()):
        return False
    return TwoInputs(privacy.one_step, kinds, public, left, right).witnesses() is not None


#: Records of a data set are tuples of any integers where there is no policy; small ones mostly.
ANY_ATTRIBUTE = st.integers(0, 3) | st.integers(-20, 20)


def query_answers(
    kind: InputKind | object,
    privacy: Privacy,
    length: int = 5,
    *,
    public: Mapping[str, Any] | None = None,
    largest: int = 20,
    corners: bool = True,
) -> st.SearchStrategy[tuple[Any, Any]]:
    """Pairs of one private input on neighbouring data sets, D first.

    Counts are counts of records: all but one are the same, and this one changes, appears or
    disappears as the relation says (in a window of time, at one location, …).  Answers with a
    declared sensitivity move by at most that; a user's value, or that of one of many users,
    becomes another one that the definition lets it hide among; values under ``Related(rule)``
    move as the rule says.  Neighbours may have the same answers, where the record that differs
    counts nowhere; values of users differ.  Pairs shrink towards small numbers and towards a
    difference in one place.

    Args:
        kind: what the input is, as in an annotation: ``Counts``, ``Histogram``,
            ``Queries(sensitivity=2, direction="decreasing")``, ``IntegerValues(0, 3)``, …
        privacy: the relation.
        length: how many answers or users; at most how many records, of a ``DataSet``.  Nothing
            for kinds of a single number.
        public: the public inputs that the kind names (a sensitivity, locations, the bounds of
            a value), or the definition.
        largest: how far from 0 numbers are about; of counts, those of all other records.
        corners: whether :func:`corner_patterns` come as well, often.

    Raises:
        BadInput: the kind has no neighbours under this relation.

    Source: "Asymmetric Differential Privacy", Definitions 8, 9, 11 and 12.
    """
    name, found = checked_kind(kind, privacy, length, public)
    inputs = PrivateInputs(privacy, {name: found}, {name: length}, public or {}, largest, corners)
    inputs.check()
    return inputs.pairs().map(lambda sides: (sides[0][name], sides[1][name]))


@dataclass(frozen=True)
class PrivateInputs:
    """The private inputs of one mechanism, with all that is public about them."""

    privacy: Privacy
    kinds: Mapping[str, InputKind]
    lengths: Mapping[str, int]
    public: Mapping[str, Any]
    largest: int
    corners: bool

    def __post_init__(self) -> None:
        kinds = {n: resolved(k, self.public) for n, k in self.kinds.items()}
        object.__setattr__(self, "kinds", kinds)

    def check(self) -> None:
        """Make sure that there are neighbours, where a graph of the user's own says which.

        Raises:
            BadInput: none were found.
        """
        self._users.check()

    @cached_property
    def _users(self) -> Users:
        own = {n: k for n, k in self.kinds.items() if of_users(k)}
        return Users(self.privacy, own, self.public, self.largest)

    def pairs(self) -> st.SearchStrategy[Sides]:
        """Neighbours: one input or several differ, those that count records together."""
        size = self.privacy.group_size
        if size > 1:
            parts = {n: max(self.lengths.get(n, 0) // size, 1) for n in self.kinds}
            lengths = {
                n: parts[n] if isinstance(k, DataSet) else self.lengths.get(n, 0)
                for n, k in self.kinds.items()
            }
            step = replace(self, privacy=self.privacy.one_step, lengths=lengths)
            return chained(step.pairs(), self.kinds, size)
        if self.privacy.input_rule is not None:
            return self._ruled(self.privacy.input_rule)
        if self.privacy.adding:
            # What one record moves, it moves in one direction.
            return st.one_of(self._sided("left"), self._sided("right"))
        return self._sided("both")

    def _ruled(self, rule: Function) -> st.SearchStrategy[Sides]:
        length = max((n for n, k in self._each() if k.array), default=0)
        ruled = Ruled(rule_of(rule), self.kinds, self.public)
        found = related(ruled, length, self.largest)
        return self._with_corners(self.kinds, "both", found)

    def _sided(self, present: Present) -> st.SearchStrategy[Sides]:
        counted = {n: k for n, k in self.kinds.items() if isinstance(k, CountingQueries)}
        groups: list[st.SearchStrategy[Sides]] = []
        fixed: list[bool] = []
        if counted:
            layouts = {
                n: layout_of(
                    k, self.lengths[n] if k.array else 1, self.public.get(getattr(k, "by", ""))
                )
                for n, k in counted.items()
            }
            found = self._within(
                counted, counts(self.privacy, counted, layouts, present, self.largest)
            )
            groups.append(self._with_corners(counted, present, found))
            fixed.append(False)
        users = self._users.kinds
        if users:
            length = max((self.lengths[n] for n, k in users.items() if k.array), default=0)
            groups.append(self._users.pairs(length))
            fixed.append(False)
        for name, kind in self.kinds.items():
            if name not in counted and name not in users:
                both = self._within({name: kind}, self._one(name, kind, present).map(_named(name)))
                groups.append(self._with_corners({name: kind}, present, both))
                fixed.append(isinstance(kind, DataSet) and present != "both")
        return _together(groups, fixed)

    def _within(
        self, kinds: Mapping[str, InputKind], found: st.SearchStrategy[Sides]
    ) -> st.SearchStrategy[Sides]:
        """Of records that are replaced as a whole, those with a sensitive value only."""
        policy = self.privacy.policy_of_values
        counting = all(isinstance(k, CountingQueries | WindowCounts) for k in kinds.values())
        if policy is None or not self.privacy.whole or not counting:
            return found
        if not policy.sensitive:
            raise BadInput(f"no record has another one to hide among under {policy}")
        return found.filter(
            lambda sides: _allowed(kinds, self.privacy, sides[0], sides[1], self.public)
        )

    def _each(self) -> list[tuple[int, InputKind]]:
        return [(self.lengths.get(n, 0), k) for n, k in self.kinds.items()]

    def _one(self, name: str, kind: InputKind, present: Present) -> st.SearchStrategy[Any]:
        """Pairs of one input that stands for itself."""
        length = self.lengths[name]
        match kind:
            case WindowCounts():
                return window_counts(self.privacy, kind.steps(self.public), length, present)
            case Queries():
                most = bound_of(kind, self.public)
                length = length if kind.array else 1
                ways = {"left": [False], "right": [True], "both": [False, True]}[present]
                if not self.privacy.both_ways:
                    ways = [False]
                found = st.one_of(
                    *(declared(kind, most, length, self.largest, back) for back in ways)
                )
                return found if kind.array else found.map(lambda p: (p[0][0], p[1][0]))
            case DataSet():
                return self._data_sets(kind, max(length, 1), present)
        raise AssertionError(kind)

    def _data_sets(self, kind: DataSet, size: int, present: Present) -> st.SearchStrategy[Any]:
        if self.privacy.policy_of_values is not None:
            return neighbouring_data_sets(self.privacy, kind.attributes, max_size=size)
        records = st.tuples(*[ANY_ATTRIBUTE] * kind.attributes)
        found = neighbouring_data_sets(self.privacy, max_size=size, records=records)
        if present == "both":
            return found
        return found.map(lambda p: tuple(sorted(p, key=len, reverse=present == "left")))

    def _with_corners(
        self, kinds: Mapping[str, InputKind], present: Present, found: st.SearchStrategy[Sides]
    ) -> st.SearchStrategy[Sides]:
        if not self.corners:
            return found
        patterns = [
            (p.left, p.right)
            for p in shaped(kinds, self.privacy, self.lengths, self.public)
            if present == "both" or _has_more(kinds, p.left, p.right) == (present == "left")
        ]
        if not patterns:
            return found
        # Both are drawn, or a pattern would be the simpler one, with fewer draws.
        chosen = st.none() | st.none() | st.sampled_from(patterns)
        return st.builds(lambda pair, pattern: pattern or pair, found, chosen)


def _has_more(
    kinds: Mapping[str, InputKind], left: Mapping[str, Any], right: Mapping[str, Any]
) -> bool:
    """Whether D has the record more, by its counts and by what is declared of its answers."""
    for n, kind in kinds.items():
        way = kind.direction if isinstance(kind, Queries) else "decreasing"
        one, two = (left[n], right[n]) if way == "decreasing" else (right[n], left[n])
        if way != "both" and one > two:
            return True
    return False


def _named(name: str) -> Any:
    return lambda both: ({name: both[0]}, {name: both[1]})


@st.composite
def _together(draw: st.DrawFn, groups: list[st.SearchStrategy[Sides]], fixed: list[bool]) -> Sides:
    """One group differs for certain, others may; where ``fixed``, they always do."""
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    sure = draw(st.integers(0, len(groups) - 1)) if groups else 0
    for k, group in enumerate(groups):
        one, two = draw(group)
        moves = k == sure or fixed[k] or draw(st.booleans())
        left |= one
        right |= two if moves else one
    return left, right
