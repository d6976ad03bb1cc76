"""A program's flow, executed for all runs of a block at once.

Runs that stand at the same node go on as one group.  Runs that are over are in no group and
cost nothing: they draw no more noise.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import LimitReached
from ..language.dataflow import successors
from ..language.flow import (
    BranchNode,
    EndNode,
    Flow,
    HeadNode,
    Node,
    expressions_of,
    liveness,
    operands,
)
from ..language.machine import step
from ..language.syntax import Label, parts_of
from ..noise import Distribution
from .both import BothArms, arms_of
from .expressions import meaning
from .group import RELEASED, ROUNDS, Given, Group, together
from .log import Log
from .outcomes import FIRST_ATOM, Ending, Outcomes
from .steps import Block, Noise
from .values import RowsFailed, Split, Value, apply, identical, spread


class Machine:
    """A flow without calls, compiled for one input.

    Attributes:
        cells: the most elements that the local lists of a run had so far.
    """

    def __init__(self, flow: Flow, inputs: Mapping[str, Any]) -> None:
        self._nodes = nodes = flow.nodes
        self._scalars = {n: v for n, v in inputs.items() if not isinstance(v, tuple)}
        self._given = {n: Given(v) for n, v in inputs.items() if isinstance(v, tuple)}
        self._start = flow.start
        self._order = order = order_of(flow)
        self._live = [(RELEASED, ROUNDS, *sorted(names)) for names in liveness(list(nodes))]
        self._meanings = {k: tuple(map(meaning, operands(nodes[k]))) for k in order}
        branches = ((k, n) for k in order if isinstance(n := nodes[k], BranchNode))
        found = ((k, node, arms_of(nodes, order, k)) for k, node in branches)
        self._simple = {k: (node, arms) for k, node, arms in found if arms}
        self._laws: dict[Any, Distribution] = {}
        self._atoms = _atoms(flow)
        self.cells = 0
        _keep_memory()

    def run(self, size: int, noise: Noise) -> Outcomes:
        """The outcomes of ``size`` runs.

        Raises:
            LimitReached: a whole number grows too large.
        """
        block = Block(self._meanings, self._live, self._laws, noise, Log(size, self._atoms))
        names: dict[str, Value] = {**self._scalars, RELEASED: 0, ROUNDS: 0}
        waiting = Waiting(self._order)
        ready: Sequence[Group] = [Group(self._start, block.log.all, names, self._given)]
        with np.errstate(all="ignore"):  # infinities and NaN are what Python's floats make too
            while ready:
                if len(ready) == 1 and not waiting.is_before(ready[0]):
                    ready = self._passed(ready[0], block)
                else:
                    waiting.add(ready)
                    found = waiting.first()
                    groups = together(found, self._live[found[0].node])
                    ready = [after for group in groups for after in self._passed(group, block)]
                ready = ready or waiting.first()
        self.cells = max(self.cells, block.held)
        return block.log.packed()

    def _passed(self, group: Group, block: Block) -> Sequence[Group]:
        """One node for a group, in parts if its runs cannot pass it together."""
        try:
            return self._step(group, block)
        except Split as split:
            parts = group.apart(split.by, self._live[group.node])
            return [after for part in parts for after in self._passed(part, block)]
        except RowsFailed as failure:
            return self._without(group, failure, block)

    def _step(self, group: Group, block: Block) -> Sequence[Group]:
        k = group.node
        node = self._nodes[k]
        if isinstance(node, EndNode):
            block.log.close(group.rows, group.released, Ending.END)
            return ()
        if isinstance(node, HeadNode) and not node.counted:
            left = without_endless(group, self._live[k], block.log)
            if left is None:
                return ()
            group = left
        if k in self._simple and (through := self._through_both(group, block)) is not None:
            return through
        found = []
        for after, place in step(block, group, node):
            after.node = place
            found.append(after)
        return found

    def _through_both(self, group: Group, block: Block) -> Sequence[Group] | None:
        """All runs through the simple arms of a branch, if they part there and can do that."""
        k = group.node
        test = self._meanings[k][0](group)
        if not isinstance(test, np.ndarray):
            return None
        branch, arms = self._simple[k]
        way = BothArms(self._nodes, arms, self._meanings, group, block.log)
        try:
            return way.walk(branch, test, self._live)
        except (RowsFailed, Split, LimitReached):
            return None  # perhaps only in runs that take the other arm

    def _without(self, group: Group, failure: RowsFailed, block: Block) -> Sequence[Group]:
        """The runs that raise are over; the others pass the node."""
        rows = np.ones(group.size, np.bool_) if failure.rows is None else failure.rows
        live = self._live[group.node]
        failed = group.some(np.flatnonzero(rows), group.node, live)
        block.log.close(failed.rows, failed.released, Ending.RAISED)
        if failed.size == group.size:
            return ()
        left = np.flatnonzero(np.logical_not(rows))
        return self._passed(group.some(left, group.node, live), block)


def _keep_memory() -> None:
    """Let freed memory stay with the process, for the next array.

    The C library of Linux returns a large block to the system when it is freed, and from then
    on keeps blocks up to that size; otherwise each array of a block of runs would be mapped
    page by page again, which takes a quarter of the time.  Elsewhere this does nothing.
    """
    np.empty(30 * 2**20, np.uint8)


def _atoms(flow: Flow) -> tuple[str | None, ...]:
    """``None`` and the strings of a program, in the order of its nodes."""
    found: dict[str | None, None] = {}

    for node in flow.nodes:
        for part in (part for e in expressions_of(node) for part in parts_of(e)):
            if isinstance(part, Label):
                found[part.value] = None
    if len(found) > 256 - FIRST_ATOM:
        raise LimitReached("ATOMS", f"{len(found)} different strings; {256 - FIRST_ATOM} are kept")
    return tuple(found)


# Runs that never end: noticed at the heads of loops that need not end.

#: How often a run may come to heads of loops that need not end.
MOST_ROUNDS = 100_000


def without_endless(group: Group, live: Sequence[str], log: Log) -> Group | None:
    """The runs that go on from a loop head, where ``live`` is needed; the others are over."""
    rounds = group.names[ROUNDS] = apply("+", group.names[ROUNDS], 1)
    if _circles(group, live):
        log.close(group.rows, group.released, Ending.UNFINISHED)
        return None
    over = spread(rounds, group.size) > MOST_ROUNDS
    if not over.any():
        return group
    ended = group.some(np.flatnonzero(over), group.node, live)
    log.close(ended.rows, ended.released, Ending.UNFINISHED)
    left = np.flatnonzero(np.logical_not(over))
    return group.some(left, group.node, live) if len(left) else None


def _circles(group: Group, live: Sequence[str]) -> bool:
    """Whether the runs are as they were here before, with no noise in between.

    They are compared with how they were at the last visit whose number is a power of two
    (Brent's way to find a circle of any length).
    """
    now = {n: group.names[n] for n in live if n in group.names and n != ROUNDS}
    visits, before = group.heads.get(group.node, (0, None))
    if before is not None and all(_same(before[name], value) for name, value in now.items()):
        return True
    visits += 1
    if before is None or visits & (visits - 1) == 0:
        before = now
    group.heads[group.node] = (visits, before)
    return False


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one is other or np.array_equal(one, other)
    return identical(one, other)


# Which group goes next: the one whose node comes first in the flow.
#
# So runs that parted meet again as soon as they can: those that are through with a loop wait
# behind it for those that are not.


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
