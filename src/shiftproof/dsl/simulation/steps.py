"""The nodes of a flow as operations on groups of runs, lists among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..errors import BadInput
from ..language.flow import (
    AssignNode,
    EndNode,
    EnsureNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ..language.runtime import argmax, top_k
from ..language.statements import ListStep, MakeList, Pick, Store
from ..noise import Distribution
from .expressions import Meaning, checked_index, elements, meaning
from .group import RELEASED, Group
from .log import Log
from .outcomes import Ending
from .values import Array, Rows, RowsFailed, Scalar, Value, bounded, chosen, shared, spread, stacked


class Noise(Protocol):
    """Where the draws of a block come from."""

    def draw(self, distribution: Distribution, rows: Rows) -> Array:
        """One draw for each of these runs."""
        ...


@dataclass(slots=True)
class BlockState:
    """What the runs of a block have in common: their noise, and what they write into.

    ``cells`` is the most elements that the lists of a run had.
    """

    noise: Noise
    log: Log
    cells: int = 0


#: Takes a group past a node; gives the groups that go on.
Step = Callable[[Group, BlockState], Sequence[Group]]


def meanings_of(node: Node) -> tuple[Meaning, ...]:
    """What a node evaluates, compiled; the shift that an alignment states is no part of a run."""
    used = node.step.arguments if isinstance(node, SampleNode) else expressions_of(node)
    return tuple(map(meaning, used))


def step_of(node: Node) -> Step:
    """A node without a test as an operation.

    Raises (when it is called, before anything is changed):
        RowsFailed: some runs raise here.
        Split: the runs must pass the node apart.
    """
    parts = meanings_of(node)
    match node:
        case AssignNode(step=assign, after=after):
            return _assign(assign.targets, parts, after)
        case SampleNode():
            return _sample(node, parts)
        case ListNode():
            return _list(node, parts)
        case ReleaseNode(after=after):
            return _release(parts, after)
        case EnsureNode(after=after):
            return _ensure(parts[0], after)
        case EndNode():
            return _end
    raise AssertionError(node)


def _assign(targets: Sequence[str], parts: Sequence[Meaning], after: int) -> Step:
    def assign(group: Group, block: BlockState) -> Sequence[Group]:
        values = [part(group) for part in parts]
        for name, value in zip(targets, values, strict=True):
            group.names[name] = value
        group.node = after
        return (group,)

    return assign


def _sample(node: SampleNode, parts: Sequence[Meaning]) -> Step:
    family, target, after = node.step.distribution, node.step.target, node.after
    laws: dict[tuple[Any, ...], Distribution] = {}

    def sample(group: Group, block: BlockState) -> Sequence[Group]:
        arguments = tuple(_shared([part(group) for part in parts]))
        key = (*arguments, *map(type, arguments))  # 1 and 1.0 are the same key by themselves
        law = laws.get(key)
        if law is None:
            law = laws[key] = _law(family, arguments)
        drawn = block.noise.draw(law, group.rows)
        group.names[target] = bounded(drawn) if drawn.dtype.kind == "i" else drawn
        group.heads.clear()
        group.node = after
        return (group,)

    return sample


def _shared(parameters: Sequence[Value]) -> Iterator[Scalar]:
    """The parameters of a draw as all runs share them; of a list, its elements.

    Raises:
        Split: they have different ones.
    """
    for value in parameters:
        if isinstance(value, list):
            yield from map(shared, value)
        else:
            yield shared(value)


def _law(family: type[Distribution], arguments: Sequence[Any]) -> Distribution:
    try:
        return family.of(*arguments)
    except BadInput:
        raise RowsFailed from None


def _list(node: ListNode, parts: Sequence[Meaning]) -> Step:
    operation = list_operation(node.step)

    def change(group: Group, block: BlockState) -> Sequence[Group]:
        operation(group, [part(group) for part in parts])
        held = sum(len(v) for v in group.names.values() if isinstance(v, list))
        block.cells = max(block.cells, held)
        group.node = node.after
        return (group,)

    return change


def _release(parts: Sequence[Meaning], after: int) -> Step:
    def release(group: Group, block: BlockState) -> Sequence[Group]:
        log = block.log
        for found in [log.coded(part(group)) for part in parts]:
            log.release(group.rows, group.released, found)
            group.names[RELEASED] = group.released + 1
        group.heads.clear()
        group.node = after
        return (group,)

    return release


def _ensure(claim: Meaning, after: int) -> Step:
    def ensure(group: Group, block: BlockState) -> Sequence[Group]:
        block.log.claim(group.rows, spread(claim(group), group.size))
        group.node = after
        return (group,)

    return ensure


def _end(group: Group, block: BlockState) -> Sequence[Group]:
    block.log.close(group.rows, group.released, Ending.END)
    return ()


# Lists of a mechanism, in a group of runs: a list has one value for each of its elements.

#: Makes or changes a list of a group, or picks by one; gets the values that the step evaluates.
ListOperation = Callable[[Group, Sequence[Value]], None]


def list_operation(step: ListStep) -> ListOperation:
    """What a step with a list does.

    Raises (when it is called):
        RowsFailed: an index is out of range, or there are too few elements to pick from.
        Split: the runs make lists of different lengths, or pick or store differently.
    """
    match step:
        case MakeList(target=target):
            return lambda group, values: _make(group, target, values)
        case Store(array=array, index=None):
            return lambda group, values: elements(group, array).append(values[0])
        case Store(array=array):
            return lambda group, values: _store(elements(group, array), values[1], values[0])
        case Pick(target=target, array=array):
            return lambda group, values: _pick(group, target, array, values)


def _make(group: Group, target: str, values: Sequence[Value]) -> None:
    length = shared(values[-1])
    if not isinstance(length, int):
        raise RowsFailed
    group.names[target] = [] if len(values) == 1 else [values[0]] * length


def _store(cells: list[Value], index: Value, value: Value) -> None:
    i = checked_index(index, len(cells))
    if not isinstance(i, np.ndarray):
        cells[i] = value
        return
    places = np.where(i < 0, i + len(cells), i)
    new = [chosen(places == k, value, cell) for k, cell in enumerate(cells)]
    cells[:] = new


def _pick(group: Group, target: str, array: str, values: Sequence[Value]) -> None:
    k = shared(values[0]) if values else None
    cells = elements(group, array)
    if not (cells if k is None else isinstance(k, int) and 0 <= k <= len(cells)):
        raise RowsFailed
    if not any(isinstance(cell, np.ndarray) for cell in cells):
        group.names[target] = _picked(cells, k)
        return
    table = stacked(cells, group.size)
    if table.dtype.kind == "b":
        table = table.astype(np.int64)
    if k is None:
        group.names[target] = np.argmax(table, axis=0)  # the first of the largest, as in Python
    else:
        group.names[target] = list(np.argsort(-table, axis=0, kind="stable")[:k])


def _picked(cells: list[Any], k: Any) -> Value:
    try:
        return argmax(cells) if k is None else list(top_k(cells, k))
    except TypeError:
        raise RowsFailed from None
