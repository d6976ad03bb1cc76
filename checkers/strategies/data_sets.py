"""Records and data sets under a policy, and neighbours among them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.policies import DataSet, Policy, Record, is_record_neighbour
from ...dsl.privacy import ADP, DP, LDP, OneSidedDP, Privacy
from .changes import Layout, changed_record, one_record

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
    is the record of one user, and becomes any other one.  The data sets shrink
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
    if isinstance(relation, ADP):
        relation = relation.policy
    known = isinstance(relation, Policy | DP | OneSidedDP) or type(relation) is LDP
    if not known:
        raise BadInput(
            f"got {relation!r}; a policy, ADP(policy), OneSidedDP(policy), DP() or LDP() is needed"
        )
    policy = relation.policy if isinstance(relation, OneSidedDP) else relation
    if not isinstance(policy, Policy):
        policy = Policy.everything(universe)
    layout = Layout.of(attributes, one_hot, {marked} if one_hot else ())
    each = one_record(policy, layout) if records is None else records
    if relation == DP("add-remove"):
        if min_size == max_size:
            raise BadInput(f"one data set is larger by 1, and both have {max_size} records")
        return _with_and_without(each, min_size, max_size)
    if isinstance(relation, OneSidedDP):
        change = _replaced(policy, layout, records)
    elif records is None:
        change = changed_record(policy, layout)
    else:
        limits = policy if isinstance(relation, Policy) else None
        change = each.flatmap(lambda r: st.tuples(st.just(r), each.filter(_follows(r, limits))))
    smallest, largest = (1, 1) if isinstance(relation, LDP) else (max(min_size, 1), max_size)
    if not smallest <= largest:
        raise BadInput(f"neighbours have a record, and max_size is {max_size}")
    return _with_change(each, change, smallest, largest)


def check_sizes(min_size: int, max_size: int) -> None:
    """Make sure that there are numbers between the two.

    Raises:
        BadInput: they are negative or in the wrong order.
    """
    if not 0 <= min_size <= max_size:
        raise BadInput(f"sizes from {min_size} to {max_size}: wanted 0 <= min_size <= max_size")


def is_one_sided_neighbour(data: DataSet, other: DataSet, policy: Policy) -> bool:
    """Whether one record of D with a sensitive value is another record in D'.

    Raises:
        BadInput: a differing record has a value outside the universe.

    Source: Kotsogiannis et al., "One-sided differential privacy" (ICDE 2020).
    """
    if len(data) != len(other):
        return False
    changed = [(r, s) for r, s in zip(data, other, strict=True) if r != s]
    if len(changed) != 1:
        return False
    ((before, after),) = changed
    sensitive = [policy.is_sensitive(v) for v in (*before, *after)]
    return len(before) == len(after) and any(sensitive[: len(before)])


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
