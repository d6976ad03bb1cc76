"""All runs of a group go through both arms of a branch, and each keeps what its own arm says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..flow import AssignNode, BranchNode, EndNode, EnsureNode, Node, ReleaseNode
from ..syntax import Arithmetic, Assign, Constant, Name
from .arms import Arms
from .expressions import Meaning
from .group import RELEASED, Group
from .log import Log, Release
from .operations import apply
from .outcomes import Ending
from .steps import BlockState, meanings_of
from .values import Array, Value, chosen, kind_of, spread

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
