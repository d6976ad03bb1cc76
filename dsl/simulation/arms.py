"""Branches whose arms are so simple that all runs of a group can go through both of them.

Each run keeps what its own arm says.  That is cheaper than parting the group and joining it
again, as long as the arms only assign, release and end, and every way through them releases as
many values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..flow import AssignNode, BranchNode, EndNode, EnsureNode, Node, ReleaseNode, successors

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
        here = released.get(k, 0) + (len(node.values) if isinstance(node, ReleaseNode) else 0)
        if isinstance(node, EndNode):
            totals.add(here)
        for s in successors(node):
            if s == join:
                totals.add(here)
            elif released.setdefault(s, here) != here:
                return None
    return Arms(tuple(inside), released, totals.pop(), join) if len(totals) == 1 else None
