"""The nodes of a flow as operations on groups of runs: compiled once, done for every block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import BadInput
from ..flow import (
    AssignNode,
    EndNode,
    EnsureNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ..noise import Distribution
from .expressions import Meaning, meaning
from .group import RELEASED, Group
from .lists import list_operation
from .log import Log
from .outcomes import Ending
from .values import Array, Rows, RowsFailed, Scalar, Value, bounded, shared, spread


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
