"""Branches and loop heads as operations on groups of runs: each run goes its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import LimitReached
from ..flow import BranchNode, HeadNode, Node
from .arms import arms_of
from .both import through_both
from .endless import without_endless
from .group import Group
from .steps import BlockState, Step, meanings_of
from .values import RowsFailed, Split

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

    def go(group: Group, block: BlockState) -> Sequence[Group]:
        if not counted:
            left = without_endless(group, live[k], block.log)
            if left is None:
                return ()
            group = left
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
