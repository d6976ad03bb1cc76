"""Runs that stand at the same node with variables of the same kinds, and go on together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .given import Given
from .values import Array, Rows, Value, merged, selected, signature

#: The variable that counts what a run has released, and the one that counts how often it came to
#: heads of loops that need not end.
RELEASED, ROUNDS = "@released", "@rounds"


@dataclass(slots=True, eq=False)
class Group:
    """Some runs of a block: ``rows`` are their numbers in it.

    ``names`` are their variables and the parameters that are no sequences; ``given`` are the
    sequences and data sets that all runs of the block were called with.  ``records`` holds the
    record that a condition on records is evaluated for.

    ``heads`` is what is known of the heads of loops that need not end, since the last draw or
    release: how often the runs came to each, and how they were there.
    """

    node: int
    rows: Rows
    names: dict[str, Value]
    given: Mapping[str, Given]
    records: dict[str, Sequence[int]] = field(default_factory=dict)
    heads: dict[int, tuple[int, dict[str, Value]]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many runs there are."""
        return len(self.rows)

    @property
    def released(self) -> int | Array:
        """How many values the runs have released."""
        return self.names[RELEASED]  # type: ignore[return-value]

    def some(self, which: Rows, node: int, live: Iterable[str]) -> Group:
        """Some of the runs, by their places in the group, at a node where ``live`` is needed."""
        names = {n: selected(self.names[n], which) for n in live if n in self.names}
        return Group(node, self.rows.take(which), names, self.given)

    def apart(self, by: Array, live: Iterable[str]) -> Iterator[Group]:
        """The runs by their different values, at the same node."""
        values, places = np.unique(by, return_inverse=True)
        order = np.argsort(places, kind="stable")
        ends = np.cumsum(np.bincount(places, minlength=len(values)))
        assert len(values) > 1, "the runs do the same"
        for which in np.split(order, ends[:-1]):
            yield self.some(which, self.node, live)


def together(groups: Sequence[Group], live: Sequence[str]) -> list[Group]:
    """Groups at one node, joined as far as the kinds of what they need there agree."""
    if len(groups) == 1:
        return list(groups)
    alike: dict[Any, list[Group]] = {}
    for group in groups:
        kinds = tuple(signature(group.names[n]) if n in group.names else "unset" for n in live)
        alike.setdefault(kinds, []).append(group)
    return [_joined(members, live) for members in alike.values()]


def _joined(groups: Sequence[Group], live: Iterable[str]) -> Group:
    first = groups[0]
    if len(groups) == 1:
        return first
    sizes = [group.size for group in groups]
    names = {n: merged([g.names[n] for g in groups], sizes) for n in live if n in first.names}
    rows = np.concatenate([group.rows for group in groups])
    return Group(first.node, rows, names, first.given)
