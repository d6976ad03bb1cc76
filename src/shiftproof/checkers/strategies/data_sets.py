"""Records and data sets under a policy, and neighbours among them: the record that differs."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.definitions.base import RecordChange
from ...dsl.privacy.policies import DataSet, Policy, Record, is_record_neighbour
from .numbers import STYLES

DataSets: TypeAlias = tuple[tuple[Any, ...], tuple[Any, ...]]


def records(
    policy: Policy, attributes: int = 1, *, one_hot: bool = False, marked: int = 1
) -> st.SearchStrategy[Record]:
    """Records: tuples of ``attributes`` values of the policy's universe.

    Args:
        policy: only its universe matters here.
        attributes: how many values a record has; at least 1.
        one_hot: whether at most one attribute of a record has the value ``marked``.
        marked: that value.

    Raises:
        BadInput: there are no such records.
    """
    layout = Layout.of(attributes, one_hot, {marked} if one_hot else ())
    return one_record(policy, layout)


def data_sets(
    policy: Policy,
    attributes: int = 1,
    *,
    min_size: int = 0,
    max_size: int = 5,
    one_hot: bool = False,
    marked: int = 1,
) -> st.SearchStrategy[DataSet]:
    """Data sets: tuples of ``min_size`` to ``max_size`` :func:`records`, equal ones allowed.

    Raises:
        BadInput: there are no such records, or the sizes are in the wrong order.
    """
    check_sizes(min_size, max_size)
    each = records(policy, attributes, one_hot=one_hot, marked=marked)
    return st.lists(each, min_size=min_size, max_size=max_size).map(tuple)


def neighbouring_records(
    policy: Policy, attributes: int = 1, *, one_hot: bool = False, marked: int = 1
) -> st.SearchStrategy[tuple[Record, Record]]:
    """Ordered pairs (r, r') with r → r' and r ≠ r': only sensitive values of r change.

    Both are ``one_hot`` if asked for.  They shrink towards a change of one attribute.

    Raises:
        BadInput: no record has another one to hide among.

    Source: "Asymmetric Differential Privacy", Definition 8, without its equal pairs.
    """
    return changed_record(policy, Layout.of(attributes, one_hot, {marked} if one_hot else ()))


def neighbouring_data_sets(
    relation: Policy | Privacy,
    attributes: int = 1,
    *,
    min_size: int = 0,
    max_size: int = 5,
    universe: Iterable[int] = (0, 1),
    one_hot: bool = False,
    marked: int = 1,
    records: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[DataSets]:
    """Ordered pairs (D, D') of neighbours: what holds of m(D) is owed against m(D').

    Under a policy (or ``ADP(policy)``) D' is in N_P(D): one record r of D becomes an r' with
    r → r', and the others stay in their places.  Under ``OneSidedDP(policy)`` one record with a
    sensitive value becomes any other one; under ``DP()`` one record does, whatever it is; under
    ``DP("add-remove")`` one record appears or disappears, anywhere; under ``LDP()`` a data set
    is the record of one user, and becomes any other one; under ``Group(definition, k)`` there are
    at most k such steps.  The data sets shrink
    towards the one record that differs, and that towards one attribute that does.

    Args:
        relation: the policy, or the privacy definition.
        attributes: how many values a record has; at least 1.
        min_size: how many records the smaller data set has at least.
        max_size: how many records the larger data set has at most.
        universe: the values that an attribute can have where there is no policy.
        one_hot: whether at most one attribute of a record has the value ``marked``.
        marked: that value.
        records: a strategy for the records, of any type, in place of those described so far.
            Under a policy they are tuples of values of its universe, and r' is one that the
            strategy draws too: it should draw neighbours often.

    Raises:
        BadInput: no data set has a neighbour, or the relation is not one of data sets.

    Source: "Asymmetric Differential Privacy", Definition 9.
    """
    check_sizes(min_size, max_size)
    if isinstance(relation, Privacy) and relation.group_size > 1:
        steps = max(min(relation.group_size, max_size // max(min_size, 1)), 1)
        found = neighbouring_data_sets(
            relation.one_step, attributes, min_size=min_size, max_size=max_size // steps,
            universe=universe, one_hot=one_hot, marked=marked, records=records,
        )  # fmt: skip
        # Steps in which other people differ make a chain of the data of all of them.
        return st.lists(found, min_size=1, max_size=steps).map(
            lambda pairs: (sum((d for d, _ in pairs), ()), sum((e for _, e in pairs), ()))
        )
    change = change_of(relation)
    user = isinstance(relation, Privacy) and relation.is_local and not relation.functions
    if change is None and not user:
        raise BadInput(
            f"got {relation!r}; a policy, ADP(policy), OneSidedDP(policy), DP() or LDP() is needed"
        )
    change = change or RecordChange()
    policy = change.policy or Policy.everything(universe)
    layout = Layout.of(attributes, one_hot, {marked} if one_hot else ())
    each = one_record(policy, layout) if records is None else records
    if change.adding:
        if min_size == max_size:
            raise BadInput(f"one data set is larger by 1, and both have {max_size} records")
        return _with_and_without(each, min_size, max_size)
    if change.whole:
        differing = _replaced(policy, layout, records)
    elif records is None:
        differing = changed_record(policy, layout)
    else:
        differing = each.flatmap(
            lambda r: st.tuples(st.just(r), each.filter(_follows(r, change.policy)))
        )
    smallest, largest = (1, 1) if user else (max(min_size, 1), max_size)
    if not smallest <= largest:
        raise BadInput(f"neighbours have a record, and max_size is {max_size}")
    return _with_change(each, differing, smallest, largest)


def change_of(relation: object) -> RecordChange | None:
    """How data sets differ under a policy or a privacy definition; ``None`` if they do not."""
    if isinstance(relation, Policy):
        return RecordChange(relation)
    return relation.record_change if isinstance(relation, Privacy) else None


def check_sizes(min_size: int, max_size: int) -> None:
    """Make sure that there are numbers between the two.

    Raises:
        BadInput: they are negative or in the wrong order.
    """
    if not 0 <= min_size <= max_size:
        raise BadInput(f"sizes from {min_size} to {max_size}: wanted 0 <= min_size <= max_size")


def _replaced(
    policy: Policy, layout: Layout, records: st.SearchStrategy[Any] | None
) -> st.SearchStrategy[tuple[Any, Any]]:
    """A record with a sensitive value, and any other one."""
    if records is not None:
        starts = records.filter(lambda r: any(policy.is_sensitive(v) for v in r))
        return starts.flatmap(lambda r: st.tuples(st.just(r), records.filter(_follows(r, None))))
    anything = one_record(policy, layout)
    found = st.tuples(changed_record(policy, layout), st.none() | anything | anything)
    return found.map(lambda p: p[0] if p[1] in (None, p[0][0]) else (p[0][0], p[1]))


def _follows(record: Any, policy: Policy | None) -> Any:
    if policy is None:
        return lambda other: other != record
    return lambda other: other != record and is_record_neighbour(record, other, policy)


@st.composite
def _with_change(
    draw: st.DrawFn,
    each: st.SearchStrategy[Any],
    change: st.SearchStrategy[tuple[Any, Any]],
    min_size: int,
    max_size: int,
) -> DataSets:
    """The same records but for one, which stands at the same place in both."""
    one, two = draw(change)
    others = draw(st.lists(each, min_size=min_size - 1, max_size=max_size - 1))
    at = draw(st.integers(0, len(others)))
    return (*others[:at], one, *others[at:]), (*others[:at], two, *others[at:])


@st.composite
def _with_and_without(
    draw: st.DrawFn, each: st.SearchStrategy[Any], min_size: int, max_size: int
) -> DataSets:
    """The same records but for one, which only one of the two has."""
    one = draw(each)
    others = draw(st.lists(each, min_size=min_size, max_size=max_size - 1))
    at = draw(st.integers(0, len(others)))
    larger, smaller = (*others[:at], one, *others[at:]), tuple(others)
    return (smaller, larger) if draw(st.booleans()) else (larger, smaller)


# The one record that differs: an attribute at a time, from what its policy allows.

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
