"""Steps of groups of runs, lists among them: where the runs of a group differ, the group parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..errors import BadInput
from ..language.dataflow import successors
from ..language.flow import BranchNode, HeadNode, Node
from ..language.machine import Execution
from ..language.runtime import argmax, top_k
from ..language.statements import Ensure, Release, Sample
from ..noise import Distribution
from .expressions import Meaning, checked_index
from .group import RELEASED, Group
from .log import Log
from .values import Array, Rows, RowsFailed, Scalar, Value, bounded, chosen, shared, spread, stacked


class Noise(Protocol):
    """Where the draws of a block come from."""

    def draw(self, distribution: Distribution, rows: Rows) -> Array:
        """One draw for each of these runs."""
        ...


#: What each node evaluates, and the variables that are needed there.
Meanings = Mapping[int, Sequence[Meaning]]
Live = Sequence[Sequence[str]]


class Block(Execution[Group, Value]):
    """The runs of a block: their noise, and what they write into.

    A step raises, before it changes anything,
        RowsFailed: some runs raise here.
        Split: the runs must pass the node apart.

    Attributes:
        held: the most elements that the lists of a run had.
    """

    def __init__(
        self, meanings: Meanings, live: Live, laws: dict[Any, Distribution], noise: Noise, log: Log
    ) -> None:
        self._meanings = meanings
        self._live = live
        self._laws = laws
        self._noise = noise
        self.log = log
        self.held = 0

    def evaluated(self, state: Group, node: Node) -> list[tuple[Group, list[Value]]]:
        """One after another, each in all the runs."""
        return [(state, [part(state) for part in self._meanings[state.node]])]

    def names(self, state: Group) -> dict[str, Value]:
        """They are changed."""
        return state.names

    def put(self, state: Group, targets: Sequence[str], values: Sequence[Value]) -> Group:
        """The same group."""
        names = state.names
        for name, value in zip(targets, values, strict=True):
            names[name] = value
            if isinstance(value, tuple):
                self.held = max(self.held, _elements(names.values()))
        return state

    def ways(
        self, state: Group, node: BranchNode | HeadNode, test: Value
    ) -> Iterator[tuple[Group, bool]]:
        """Each run goes its way."""
        if not isinstance(test, np.ndarray):
            yield state, bool(test)
            return
        up = np.flatnonzero(test)
        if len(up) in (0, state.size):
            yield state, len(up) > 0
            return
        rest = np.flatnonzero(np.logical_not(test))
        for which, k, holds in zip((up, rest), successors(node), (True, False), strict=True):
            yield state.some(which, k, self._live[k]), holds

    def draw(
        self, state: Group, sample: Sample, arguments: Sequence[Value]
    ) -> list[tuple[Group, Value]]:
        """An array, by parameters that all runs share."""
        parameters = tuple(_shared(arguments))
        key = (sample.distribution, *parameters, *map(type, parameters))  # 1 and 1.0 are equal
        law = self._laws.get(key)
        if law is None:
            law = self._laws[key] = _law(sample.distribution, parameters)
        drawn = self._noise.draw(law, state.rows)
        state.heads.clear()
        return [(state, bounded(drawn) if drawn.dtype.kind == "i" else drawn)]

    def release(self, state: Group, step: Release, values: Sequence[Value]) -> list[Group]:
        """Written down as codes."""
        for found in [self.log.coded(value) for value in values]:
            self.log.release(state.rows, state.released, found)
            state.names[RELEASED] = state.released + 1
        state.heads.clear()
        return [state]

    def claimed(self, state: Group, step: Ensure, claim: Value) -> Group:
        """Written down, too."""
        self.log.claim(state.rows, spread(claim, state.size))
        return state

    # Lists: one value for each element, and a length that the runs share.

    def size(self, count: Value) -> int:
        """The runs share it."""
        length = shared(count)
        if not isinstance(length, int):
            raise RowsFailed
        return length

    def stored(self, cells: tuple[Value, ...], index: Value, value: Value) -> tuple[Value, ...]:
        """In each run at its own index."""
        i = checked_index(index, len(cells))
        places = i if isinstance(i, int) else np.where(i < 0, i + len(cells), i)
        if isinstance(places, int):
            at = places % len(cells)
            return (*cells[:at], value, *cells[at + 1 :])
        return tuple(chosen(places == k, value, cell) for k, cell in enumerate(cells))

    def largest(self, state: Group, cells: Value, count: Sequence[Value]) -> tuple[Value, ...]:
        """In each run its own."""
        assert isinstance(cells, tuple)
        k = shared(count[0]) if count else None
        if not (cells if k is None else isinstance(k, int) and 0 <= k <= len(cells)):
            raise RowsFailed
        if not any(isinstance(cell, np.ndarray) for cell in cells):
            return _picked(cells, k)
        table = stacked(cells, state.size)
        if table.dtype.kind == "b":
            table = table.astype(np.int64)
        if k is None:
            return (np.argmax(table, axis=0),)  # the first of the largest, as in Python
        return tuple(np.argsort(-table, axis=0, kind="stable")[:k])


def _elements(values: Iterable[Value]) -> int:
    """How many elements the lists among some values have together."""
    return sum(len(value) for value in values if isinstance(value, tuple))


def _shared(parameters: Sequence[Value]) -> Iterator[Scalar]:
    """The parameters of a draw as all runs share them; of a list, its elements.

    Raises:
        Split: they have different ones.
    """
    for value in parameters:
        if isinstance(value, tuple):
            yield from map(shared, value)
        else:
            yield shared(value)


def _law(family: type[Distribution], arguments: Sequence[Any]) -> Distribution:
    try:
        return family.of(*arguments)
    except BadInput:
        raise RowsFailed from None


def _picked(cells: tuple[Any, ...], k: Any) -> tuple[int, ...]:
    try:
        return (argmax(cells),) if k is None else top_k(cells, k)
    except TypeError:
        raise RowsFailed from None
