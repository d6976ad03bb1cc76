"""Pairs of private inputs of every kind, under every relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from ...dsl.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    Queries,
    Value,
    WindowCounts,
)
from ...dsl.privacy import ADP, DP, Privacy, Related
from .checking import checked_kind
from .counts import Present, Sides, counts, layout_of, window_counts
from .data_sets import neighbouring_data_sets
from .numbers import between, bound_of, declared
from .patterns import shaped
from .ruled import Ruled, related

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
    declared sensitivity move by at most that; a user's value becomes another one; values under
    ``Related(rule)`` move as the rule says.  Neighbours may have the same answers, where the
    record that differs counts nowhere.  Pairs shrink towards small numbers and towards a
    difference in one place.

    Args:
        kind: what the input is, as in an annotation: ``Counts``, ``Histogram``,
            ``Queries(sensitivity=2, direction="decreasing")``, ``WindowCounts(3)``, …
        privacy: the relation.
        length: how many answers; at most how many records, of a ``DataSet``.  Nothing for
            kinds of a single number.
        public: the public inputs that the kind names (a sensitivity, locations).
        largest: how far from 0 numbers are about; of counts, those of all other records.
        corners: whether :func:`corner_patterns` come as well, often.

    Raises:
        BadInput: the kind has no neighbours under this relation.

    Source: "Asymmetric Differential Privacy", Definitions 8, 9, 11 and 12.
    """
    name, found = checked_kind(kind, privacy, length, public)
    inputs = PrivateInputs(privacy, {name: found}, {name: length}, public or {}, largest, corners)
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

    def pairs(self) -> st.SearchStrategy[Sides]:
        """Neighbours: one input or several differ, those that count records together."""
        if isinstance(self.privacy, Related):
            return self._ruled()
        if self.privacy == DP("add-remove"):
            # What one record moves, it moves in one direction.
            return st.one_of(self._sided("left"), self._sided("right"))
        return self._sided("both")

    def _ruled(self) -> st.SearchStrategy[Sides]:
        assert isinstance(self.privacy, Related)
        length = max((n for n, k in self._each() if k.array), default=0)
        found = related(Ruled.of(self.privacy, self.kinds), length, self.largest)
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
            found = counts(self.privacy, counted, layouts, present, self.largest)
            groups.append(self._with_corners(counted, present, found))
            fixed.append(False)
        for name, kind in self.kinds.items():
            if name not in counted:
                both = self._one(name, kind, present).map(_named(name))
                groups.append(self._with_corners({name: kind}, present, both))
                fixed.append(isinstance(kind, DataSet) and present != "both")
        return _together(groups, fixed)

    def _each(self) -> list[tuple[int, InputKind]]:
        return [(self.lengths.get(n, 0), k) for n, k in self.kinds.items()]

    def _one(self, name: str, kind: InputKind, present: Present) -> st.SearchStrategy[Any]:
        """Pairs of one input that stands for itself."""
        length = self.lengths[name]
        match kind:
            case WindowCounts():
                return window_counts(self.privacy, kind, length, present)
            case Queries():
                most = bound_of(kind, self.public)
                found = declared(kind, most, length if kind.array else 1, self.largest)
                return found if kind.array else found.map(lambda p: (p[0][0], p[1][0]))
            case Value():
                return self._values(kind)
            case DataSet():
                return self._data_sets(kind, max(length, 1), present)
        raise AssertionError(kind)

    def _values(self, kind: Value) -> st.SearchStrategy[Any]:
        if isinstance(self.privacy, ADP):
            inside = [v for v in self.privacy.policy.universe if kind.low <= v <= kind.high]
            starts = [v for v in inside if v in self.privacy.policy.sensitive]
            return st.sampled_from(starts).flatmap(
                lambda v: st.tuples(
                    st.just(v), st.sampled_from([w for w in inside if w != v] or [v])
                )
            )
        each = between(kind.low, kind.high, kind.whole)
        return st.tuples(each, each)

    def _data_sets(self, kind: DataSet, size: int, present: Present) -> st.SearchStrategy[Any]:
        if isinstance(self.privacy, ADP):
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
    """Whether D has the record more, by its counts."""
    counted = [(left[n], right[n]) for n, k in kinds.items() if not isinstance(k, Queries)]
    return any(one > two for one, two in counted)


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
