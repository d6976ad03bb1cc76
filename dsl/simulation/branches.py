"""Branches and loop heads as operations on groups of runs: each run goes its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import LimitReached
from ..flow import BranchNode, HeadNode, Node
from .arms import arms_of
from .both import through_both
from .group import Group
from .outcomes import Ending
from .steps import Block, Step, meanings_of
from .values import RowsFailed, Split, Value

#: How often a run may come to heads of loops that need not end.
ROUNDS = 100_000

#: The variables that are needed at each node.
Live = Sequence[Sequence[str]]


def branch_of(nodes: Sequence[Node], k: int, order: Mapping[int, int], live: Live) -> Step:
    """The branch or loop head ``k`` as an operation."""
    node = nodes[k]
    assert isinstance(node, BranchNode | HeadNode)
    yes, no = (node.yes, node.no) if isinstance(node, BranchNode) else (node.body, node.exit)
    (test,) = meanings_of(node)
    together = None
    if isinstance(node, BranchNode) and (arms := arms_of(nodes, order, k)):
        together = through_both(nodes, node, arms, live)

    counted = isinstance(node, BranchNode) or node.counted

    def go(group: Group, block: Block) -> Sequence[Group]:
        if not counted and (group.rounds == ROUNDS or _circles(group, live[k])):
            block.log.close(group.rows, group.released, Ending.UNFINISHED)
            return ()
        decided = test(group)
        if not isinstance(decided, np.ndarray):
            group.node = yes if decided else no
            return (group,)
        if together is not None:
            try:
                return together(group, decided, block)
            except (RowsFailed, Split, LimitReached):
                pass  # perhaps only in runs that take the other arm
        up = np.flatnonzero(decided)
        if len(up) in (0, group.size):
            group.node = yes if len(up) else no
            return (group,)
        down = np.flatnonzero(np.logical_not(decided))
        return (group.some(up, yes, live[yes]), group.some(down, no, live[no]))

    return go


def _circles(group: Group, live: Sequence[str]) -> bool:
    """Whether the runs are at a loop head as they were before, with no noise in between.

    They are compared with how they were at the last visit whose number is a power of two
    (Brent's way to find a circle of any length).
    """
    now = {name: group.names[name] for name in live if name in group.names}
    group.rounds += 1
    visits, before = group.heads.get(group.node, (0, None))
    if before is not None and all(_same(before[name], value) for name, value in now.items()):
        return True
    visits += 1
    keep = before is None or visits & (visits - 1) == 0
    group.heads[group.node] = (visits, _kept(now) if keep else before)  # type: ignore[assignment]
    return False


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is other or np.array_equal(one, other)  # type: ignore[arg-type]
    return one == other and type(one) is type(other)


def _kept(names: dict[str, Value]) -> dict[str, Value]:
    """The variables as they are now: lists change later."""
    return {n: list(v) if isinstance(v, list) else v for n, v in names.items()}
