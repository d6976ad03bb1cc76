"""Counts of neighbouring data sets: those of all other records, and the one that differs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.inputs import CountingQueries, LocationCounts, WindowCounts
from ...dsl.policies import Policy, Record
from ...dsl.privacy import ADP, Privacy
from .changes import Layout, changed_record, marked_record, one_record
from .numbers import several

Sides: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
#: Where one data set has a record that the other has not: which one has it.
Present: TypeAlias = Literal["both", "left", "right"]
#: The record that differs, in D and in D'; ``None`` where it is not there.
Versions: TypeAlias = tuple[Record | None, Record | None]
#: How many others come and go in a stream.
ARRIVALS = 4


def policy_of(privacy: Privacy, counted: Sequence[int]) -> Policy:
    """The policy; without one all is protected, and there is a value that is not counted."""
    if isinstance(privacy, ADP):
        return privacy.policy
    other = next(v for v in range(len(counted) + 1) if v not in counted)
    return Policy.everything((*counted, other))


def layout_of(
    kind: CountingQueries, length: int, places: Sequence[Hashable] | None = None
) -> Layout:
    """One attribute for each answer; where counts are one-hot, each is a place of its own."""
    if isinstance(kind, LocationCounts):
        assert places is not None
        return Layout(frozenset(kind.counted), tuple(places))
    groups = range(length) if kind.one_hot else (0,) * length
    return Layout(frozenset(kind.counted), tuple(groups))


@st.composite
def counts(
    draw: st.DrawFn,
    privacy: Privacy,
    kinds: Mapping[str, CountingQueries],
    layouts: Mapping[str, Layout],
    present: Present,
    largest: int,
) -> Sides:
    """Counts over one data set: a record has attributes for all the inputs.

    It may change in the attributes of one input or of several.
    """
    filled = [n for n in kinds if layouts[n].groups]
    sure = draw(st.sampled_from(filled)) if filled else ""
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for name, kind in kinds.items():
        layout = layouts[name]
        policy = policy_of(privacy, sorted(kind.counted))
        others = draw(_others(policy, layout, largest))
        versions: Versions = ((), ())
        if layout.groups:
            moves = name == sure or draw(st.booleans())
            versions = draw(_versions(policy, layout, present, moves))
        before, after = versions
        one = tuple(n + (v in layout.marked) for n, v in _zip(others, before))
        two = tuple(n + (v in layout.marked) for n, v in _zip(others, after))
        left[name], right[name] = (one, two) if kind.array else (one[0], two[0])
    return left, right


def _versions(
    policy: Policy, layout: Layout, present: Present, moves: bool
) -> st.SearchStrategy[Versions]:
    """The record that differs; where the input does not move, the same on both sides."""
    if present == "both" and moves:
        return changed_record(policy, layout)
    record = marked_record(policy, layout) if moves else one_record(policy, layout)
    versions = {"both": lambda r: (r, r), "left": lambda r: (r, None), "right": lambda r: (None, r)}
    return record.map(versions[present])


def _zip(others: Sequence[int], record: Record | None) -> list[tuple[int, int | None]]:
    """What all others count, beside the record's value (``None``: it has none)."""
    return list(zip(others, record or (None,) * len(others), strict=True))


def _others(policy: Policy, layout: Layout, largest: int) -> st.SearchStrategy[tuple[int, ...]]:
    """What all other records count: anything, as some count here and some there."""
    each = st.integers(0, largest)
    if set(policy.universe) <= layout.marked:
        return each.map(lambda n: (n,) * len(layout.groups))  # each of them counts everywhere
    return several(each, len(layout.groups))


@st.composite
def window_counts(
    draw: st.DrawFn,
    privacy: Privacy,
    kind: WindowCounts,
    length: int,
    present: Present,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts over time: who came at t counts from t to t + width − 1."""
    times = st.integers(1 - kind.width, max(length - 1, 1 - kind.width))
    came = draw(st.lists(times, max_size=ARRIVALS))
    visit = draw(_visits(privacy, times, present))
    sides = ([*came, t] if t is not None else came for t in visit)
    one, two = (
        tuple(sum(t <= step < t + kind.width for t in side) for step in range(length))
        for side in sides
    )
    return one, two


def _visits(
    privacy: Privacy, times: st.SearchStrategy[int], present: Present
) -> st.SearchStrategy[tuple[int | None, int | None]]:
    """When the record that differs counts, in D and in D'; ``None``: never."""
    leaves = times.map(lambda t: (t, None))
    comes = times.map(lambda t: (None, t))
    if present != "both":
        return leaves if present == "left" else comes
    if not isinstance(privacy, ADP):
        # Another record takes its place, and may have come at another time.
        return leaves | comes | st.tuples(times, times)
    policy = privacy.policy
    found: list[st.SearchStrategy[tuple[int | None, int | None]]] = []
    if 1 in policy.sensitive and set(policy.universe) - {1}:
        found.append(leaves)
    if policy.sensitive - {1}:
        found.append(comes)
    if not found:
        raise BadInput(f"no record has another one to hide among under {policy}")
    return st.one_of(found)
