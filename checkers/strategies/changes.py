"""The one record that differs: an attribute at a time, from what its policy allows."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.policies import Policy, Record
from .numbers import STYLES

Change: TypeAlias = tuple[int, int]
#: How many changes of what is marked are listed for one attribute.
CROSSINGS = 100


@dataclass(frozen=True)
class Column:
    """How one attribute may change: values that stay (always some), and changes.

    ``movers`` become any other of the ``ends``; ``crossings`` are the changes after which the
    attribute is marked and was not, or the reverse.  Simple values come first, as examples
    shrink towards what comes first.
    """

    stays: tuple[int, ...]
    movers: tuple[int, ...]
    ends: tuple[int, ...]
    crossings: tuple[Change, ...]


@lru_cache(1024)
def _stay(column: Column) -> st.SearchStrategy[int]:
    return st.sampled_from(column.stays)


@lru_cache(1024)
def _move(column: Column) -> st.SearchStrategy[Change]:
    moves = st.sampled_from(column.movers).flatmap(
        lambda v: st.sampled_from([w for w in column.ends if w != v]).map(lambda w: (v, w))
    )
    return st.sampled_from(column.crossings) | moves if column.crossings else moves


@dataclass(frozen=True)
class Layout:
    """What the attributes of a record mark: ``groups[i]`` is the place that attribute i belongs to.

    A record has values in ``marked`` at one place only, there in any number of attributes.
    """

    marked: frozenset[int]
    groups: tuple[Hashable, ...]

    @classmethod
    def of(cls, attributes: int, one_hot: bool, marked: Collection[int]) -> Layout:
        """One-hot records, or any: these have all attributes at the same place."""
        if type(attributes) is not int or attributes < 1:
            raise BadInput(f"got {attributes!r} attributes; at least 1 is needed")
        return cls(frozenset(marked), tuple(range(attributes)) if one_hot else (0,) * attributes)

    @property
    def places(self) -> list[Hashable]:
        """The places, in the order of the attributes."""
        return list(dict.fromkeys(self.groups))

    def check(self, policy: Policy) -> None:
        """Make sure that there are such records.

        Raises:
            BadInput: every value is marked, but only one attribute may be.
        """
        if len(self.places) > 1 and not set(policy.universe) - self.marked:
            raise BadInput(
                f"one-hot records need a value besides {sorted(self.marked)} in the universe "
                f"{policy.universe}"
            )


def one_record(policy: Policy, layout: Layout) -> st.SearchStrategy[Record]:
    """A record with values of the universe."""
    layout.check(policy)
    anything = st.sampled_from(_simple(policy.universe, layout.marked))
    if len(layout.places) < 2:
        return st.tuples(*[anything] * len(layout.groups))
    plain = st.sampled_from(_simple(set(policy.universe) - layout.marked, layout.marked))
    return st.sampled_from(layout.places).flatmap(
        lambda place: st.tuples(*(anything if g == place else plain for g in layout.groups))
    )


def marked_record(policy: Policy, layout: Layout) -> st.SearchStrategy[Record]:
    """A record with a marked value for certain."""
    marked = st.sampled_from(_simple(layout.marked & set(policy.universe), ()))
    plain = _simple(set(policy.universe) - layout.marked, ())

    def at(sure: int) -> st.SearchStrategy[Record]:
        here = layout.groups[sure]
        anything = st.sampled_from([*plain, *_simple(layout.marked, ())])
        rest = (anything if g == here else st.sampled_from(plain) for g in layout.groups)
        return st.tuples(*(marked if i == sure else each for i, each in enumerate(rest)))

    layout.check(policy)
    return st.sampled_from(range(len(layout.groups))).flatmap(at)


def changed_record(policy: Policy, layout: Layout) -> st.SearchStrategy[tuple[Record, Record]]:
    """A record r and another one r' with r → r'; both lie within the layout.

    Raises:
        BadInput: there are no two such records.
    """
    layout.check(policy)
    if not policy.sensitive or len(policy.universe) < 2:
        raise BadInput(f"no record has another one to hide among under {policy}")
    return _changed_record(policy, layout)


@st.composite
def _changed_record(draw: st.DrawFn, policy: Policy, layout: Layout) -> tuple[Record, Record]:
    places = st.sampled_from(layout.places)
    before = after = draw(places)
    if len(layout.places) > 1 and draw(st.booleans()):
        after = draw(places)
    columns = _columns(policy, layout, before, after)
    if not any(c.movers for c in columns):
        # What may not leave its place (it is not sensitive) cannot come to another one either.
        columns, after = _columns(policy, layout, before, before), before
    # All draws are made in every style, or the shortest would be taken for the simplest.
    found = [(v, v) for v in (draw(_stay(c)) for c in columns)]
    sure = draw(st.sampled_from(_first_crossing(columns)))
    change = draw(_move(columns[sure]))
    style = draw(st.sampled_from(STYLES))
    leaves = layout.groups[sure] == before != after
    for i, column in enumerate(columns):
        if i == sure or (style == "alike" and column == columns[sure]):
            found[i] = change
        elif leaves and column.crossings and layout.groups[i] == after:
            found[i] = draw(_move(column))  # as in a histogram: from one place to another
            leaves = False
        elif style == "any" and column.movers and draw(st.booleans()):
            found[i] = draw(_move(column))
    return tuple(v for v, _ in found), tuple(w for _, w in found)


def _first_crossing(columns: Sequence[Column]) -> list[int]:
    """Where something moves, three times if that changes what is marked."""
    crossing = [i for i, c in enumerate(columns) if c.crossings]
    return [*crossing, *crossing, *(i for i, c in enumerate(columns) if c.movers)]


def _columns(policy: Policy, layout: Layout, before: Hashable, after: Hashable) -> list[Column]:
    return [_column(policy, layout.marked, g == before, g == after) for g in layout.groups]


@lru_cache(1024)
def _column(policy: Policy, marked: frozenset[int], before: bool, after: bool) -> Column:
    """An attribute that may be marked before, after, both, or neither."""
    values = _simple(policy.universe, marked)
    starts = [v for v in values if before or v not in marked]
    ends = [v for v in values if after or v not in marked]
    movers = [v for v in starts if v in policy.sensitive and set(ends) - {v}]
    return Column(
        tuple(v for v in starts if v in ends),
        tuple(movers),
        tuple(ends),
        tuple(_crossings(movers, ends, marked)),
    )


def _crossings(
    movers: Sequence[int], ends: Sequence[int], marked: frozenset[int]
) -> Iterator[Change]:
    """Changes that mark an attribute or no longer do; the simplest few where there are many."""
    found = ((v, w) for v in movers for w in ends if (v in marked) != (w in marked))
    return islice(found, CROSSINGS)


def _simple(values: Collection[int], marked: Collection[int]) -> Sequence[int]:
    """The values, the simplest first: not marked, near zero, not negative."""
    return sorted(values, key=lambda v: (v in marked, abs(v), v < 0))
