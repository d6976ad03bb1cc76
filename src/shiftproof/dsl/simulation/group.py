"""Runs that stand at the same node with variables of the same kind, and what they release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .values import Array, Rows, Value, merged, plain, selected, signature

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


# Runs told apart by what they did, one property after another.

#: Labels below this are counted without sorting.
_DENSE = 2**18


class Labels:
    """Numbers for ``size`` runs, at least one: the same for those that nothing tells apart.

    They are ordered as the properties are, the first one first.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._labels: NDArray[np.int64] | None = None  # all runs are alike
        self._width = 1  # the labels are below this

    def tell_apart(self, values: NDArray[Any]) -> None:
        """Take a property into account; ``values`` are whole numbers, one for each run."""
        low, high = int(values.min()), int(values.max())
        if low == high:
            return
        span = high - low + 1
        if self._width * span < 2**62:
            found = values.astype(np.int64) - low
        else:
            span, found = _ranked(values)
            if self._labels is not None:
                self._width, self._labels = _ranked(self._labels)
        self._labels = found if self._labels is None else self._labels * span + found
        self._width *= span

    def each(self) -> NDArray[np.int64]:
        """The label of each run, shape (size,), from 0 on without gaps."""
        return np.zeros(self._size, np.int64) if self._labels is None else _ranked(self._labels)[1]

    def groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By label: one of its runs, and how many have it."""
        if self._labels is None:
            return np.zeros(1, np.int64), np.array([self._size], np.int64)
        if self._width > _DENSE:
            _, some, counts = np.unique(self._labels, return_index=True, return_counts=True)
            return some.astype(np.int64), counts.astype(np.int64)
        counts = np.bincount(self._labels, minlength=self._width)
        some = np.zeros(self._width, np.int64)
        some[self._labels] = np.arange(self._size)  # any will do: they are alike
        there = np.flatnonzero(counts)
        return some[there], counts[there].astype(np.int64)


def _ranked(values: NDArray[Any]) -> tuple[int, NDArray[np.int64]]:
    """How many different values there are, and each value's place among them."""
    kinds, places = np.unique(values, return_inverse=True)
    return len(kinds), places.astype(np.int64)


# A sequence or data set that all runs are called with.


class Given:
    """A sequence of numbers, or of records; whoever reads it takes what form is best."""

    def __init__(self, elements: Sequence[Any]) -> None:
        self.elements = tuple(elements)

    @cached_property
    def array(self) -> Array:
        """The numbers as an array, of ints if all are.

        Raises:
            LimitReached: a whole number is too large.
        """
        whole = all(isinstance(v, int) for v in self.elements)
        return np.array([plain(v) for v in self.elements], np.int64 if whole else np.float64)

    @cached_property
    def records(self) -> Counter[Sequence[int]]:
        """The records, each with how often it is there."""
        return Counter(self.elements)
