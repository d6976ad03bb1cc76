"""Which group goes next: the one whose node comes first in the flow.

So runs that parted meet again as soon as they can: those that are through with a loop wait
behind it for those that are not.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

from ..flow import Flow, Node, successors
from .group import Group


class Waiting:
    """Groups that wait, by where their nodes stand in the flow."""

    def __init__(self, order: Mapping[int, int]) -> None:
        self._order = order
        self._at: dict[int, list[Group]] = {}
        self._places: list[int] = []

    def is_before(self, group: Group) -> bool:
        """Whether a group waits that goes before this one, or together with it."""
        return bool(self._places) and self._places[0] <= self._order[group.node]

    def add(self, groups: Sequence[Group]) -> None:
        """The groups wait, each at its node."""
        for group in groups:
            place = self._order[group.node]
            if place not in self._at:
                self._at[place] = []
                heapq.heappush(self._places, place)
            self._at[place].append(group)

    def first(self) -> list[Group]:
        """The groups at the first node where any waits, which wait no longer; none if none does."""
        return self._at.pop(heapq.heappop(self._places)) if self._places else []


def order_of(flow: Flow) -> dict[int, int]:
    """Where each node stands: bodies of loops after their heads, and before what follows them."""
    finished: list[int] = []
    seen = {flow.start}
    path = [(flow.start, iter(_last_first(flow.nodes[flow.start])))]
    while path:
        node, ways = path[-1]
        following = next((s for s in ways if s not in seen), None)
        if following is None:
            finished.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(_last_first(flow.nodes[following]))))
    return {node: place for place, node in enumerate(reversed(finished))}


def _last_first(node: Node) -> tuple[int, ...]:
    """Where a run may go; what is visited first comes last in the order."""
    return tuple(reversed(successors(node)))
