"""All runs of a group go through both arms of a branch, and each keeps its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..language.dataflow import successors
from ..language.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    Node,
    ReleaseNode,
)
from ..language.statements import Assign
from ..language.syntax import Arithmetic, Constant, Name
from .expressions import Meaning
from .group import RELEASED, Group
from .log import Log, Release
from .outcomes import Ending
from .steps import BlockState, meanings_of
from .values import Array, Value, apply, chosen, kind_of, spread

Mask = NDArray[np.bool_]


def through_both(
    nodes: Sequence[Node], branch: BranchNode, arms: Arms, live: Sequence[Sequence[str]]
) -> Callable[[Group, Array, BlockState], Sequence[Group]]:
    """The arms of a branch as one operation, on a group and the value of the test.

    Raises (when it is called, before anything is changed):
        RowsFailed, Split, LimitReached: the runs must go through the arms apart.
    """
    inside = [(k, nodes[k], meanings_of(nodes[k])) for k in arms.nodes]
    join = arms.join

    def walk(group: Group, test: Array, block: BlockState) -> Sequence[Group]:
        way = _Way(group, arms, block.log)
        way.come(branch.yes, test)
        way.come(branch.no, np.logical_not(test))
        for k, node, parts in inside:
            way.step(k, node, parts)
        way.write()
        group.names = way.trial.names
        group.names[RELEASED] = group.released + arms.total
        if arms.total:
            group.heads.clear()
        if way.ended is not None and way.ended.any():
            over = group.some(np.flatnonzero(way.ended), group.node, (RELEASED,))
            block.log.close(over.rows, over.released, Ending.END)
            if over.size == group.size:
                return ()
            assert join is not None
            left = np.flatnonzero(np.logical_not(way.ended))
            return (group.some(left, join, live[join]),)
        assert join is not None
        group.node = join
        return (group,)

    return walk


class _Way:
    """A group on its way through both arms; nothing is written down before it is through."""

    def __init__(self, group: Group, arms: Arms, log: Log) -> None:
        self.trial = Group(group.node, group.rows, dict(group.names), group.given)
        self.ended: Mask | None = None
        self._arms = arms
        self._log = log
        self._masks: dict[int, Mask] = {}
        self._releases: dict[int, Release] = {}
        self._claims: list[Array] = []

    def come(self, k: int, mask: Mask) -> None:
        """The runs of a mask come to a node."""
        known = self._masks.get(k)
        self._masks[k] = mask if known is None else np.logical_or(known, mask)

    def step(self, k: int, node: Node, parts: Sequence[Meaning]) -> None:
        """The runs that have come to a node pass it."""
        mask = self._masks[k]
        if isinstance(node, AssignNode) and self._count(mask, node.step):
            self.come(node.after, mask)
            return
        values = [part(self.trial) for part in parts]
        match node:
            case AssignNode(step=step):
                self._assign(mask, step.targets, values)
            case ReleaseNode():
                for place, value in enumerate(values, self._arms.released[k]):
                    new, known = self._log.coded(value), self._releases.get(place)
                    self._releases[place] = new if known is None else new.where(mask, known)
            case BranchNode(yes=yes, no=no):
                test = spread(values[0], self.trial.size)
                self.come(yes, np.logical_and(mask, test))
                self.come(no, np.logical_and(mask, np.logical_not(test)))
                return
            case EndNode():
                self.ended = mask if self.ended is None else np.logical_or(self.ended, mask)
                return
            case EnsureNode():
                holds = spread(values[0], self.trial.size)
                self._claims.append(np.logical_or(holds, np.logical_not(mask)))
            case _:
                raise AssertionError(node)
        self.come(node.after, mask)

    def _count(self, mask: Mask, step: Assign) -> bool:
        """``x = x + 1``, which adds the mask and so is much faster than a choice by it."""
        match step.values:
            case (
                Arithmetic(
                    operator="+", left=Name(name=name), right=Constant(value=by, kind="int")
                ),
            ):
                old = self.trial.names.get(name)
            case _:
                return False
        if step.targets != (name,) or by != 1 or old is None or kind_of(old) != "int":
            return False
        self.trial.names[name] = apply("+", old, mask)
        return True

    def _assign(self, mask: Mask, targets: Sequence[str], values: Sequence[Value]) -> None:
        names = self.trial.names
        for name, value in zip(targets, values, strict=True):
            # A name without a value so far is read by no run that goes another way.
            names[name] = chosen(mask, value, names[name]) if name in names else value

    def write(self) -> None:
        """Write down what was released."""
        rows, released = self.trial.rows, self.trial.released
        for place, release in self._releases.items():
            self._log.release(rows, released + place, release)
        for claim in self._claims:
            self._log.claim(rows, claim)


# Branches whose arms are so simple that all runs of a group can go through both of them.
#
# Each run keeps what its own arm says.  That is cheaper than parting the group and joining it
# again, as long as the arms only assign, release and end, and every way through them releases as
# many values.

#: How many nodes the arms of a branch may have: in long ones most runs would wait.
LONGEST = 12


@dataclass(frozen=True, slots=True)
class Arms:
    """What lies between a branch and ``join``, where its arms meet (``None``: every way ends).

    ``nodes`` come in an order in which runs can pass them.  ``released`` says how many values a
    run has released in the arms when it comes to a node, ``total`` how many in all.
    """

    nodes: tuple[int, ...]
    released: Mapping[int, int]
    total: int
    join: int | None


def arms_of(nodes: Sequence[Node], order: Mapping[int, int], branch: int) -> Arms | None:
    """The arms of a branch, if they are simple enough."""

    def sooner(k: int) -> tuple[bool, int]:
        return not isinstance(nodes[k], EndNode), order[k]

    found: list[int] = []
    waiting = set(successors(nodes[branch]))
    while waiting:
        k = min(waiting, key=sooner)
        node = nodes[k]
        if len(waiting) == 1 and not isinstance(node, EndNode):
            return _counted(nodes, branch, found, k)  # all ways that do not end come here
        simple = isinstance(node, AssignNode | ReleaseNode | EnsureNode | BranchNode | EndNode)
        if not simple or len(found) == LONGEST:
            return None
        found.append(k)
        waiting.remove(k)
        waiting.update(successors(node))
    return _counted(nodes, branch, found, None)


def _counted(
    nodes: Sequence[Node], branch: int, inside: Sequence[int], join: int | None
) -> Arms | None:
    """The arms, if every way through them releases as many values."""
    released: dict[int, int] = {}
    totals: set[int] = set()
    for k in (branch, *inside):
        node = nodes[k]
        here = released.get(k, 0) + (len(node.step.values) if isinstance(node, ReleaseNode) else 0)
        if isinstance(node, EndNode):
            totals.add(here)
        for s in successors(node):
            if s == join:
                totals.add(here)
            elif released.setdefault(s, here) != here:
                return None
    return Arms(tuple(inside), released, totals.pop(), join) if len(totals) == 1 else None
