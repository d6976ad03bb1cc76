"""A program's flow, executed for all runs of a block at once.

Runs that stand at the same node go on as one group.  Runs that are over are in no group and
cost nothing: they draw no more noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import LimitReached
from ..flow import BranchNode, Flow, HeadNode, expressions_of, liveness
from ..syntax import Expression, Label, children
from .branches import branch_of
from .given import Given
from .group import RELEASED, ROUNDS, Group, together
from .log import Log
from .order import Waiting, order_of
from .outcomes import FIRST_ATOM, Ending, Outcomes
from .steps import BlockState, Noise, Step, step_of
from .values import RowsFailed, Split, Value


class Machine:
    """A flow without calls, compiled for one input.

    Attributes:
        cells: the most elements that the local lists of a run had so far.
    """

    def __init__(self, flow: Flow, inputs: Mapping[str, Any]) -> None:
        self._start = flow.start
        self._scalars = {n: v for n, v in inputs.items() if not isinstance(v, tuple)}
        self._given = {n: Given(v) for n, v in inputs.items() if isinstance(v, tuple)}
        self._order = order_of(flow)
        self._live = [(RELEASED, ROUNDS, *sorted(names)) for names in liveness(list(flow.nodes))]
        self._steps = {k: self._compiled(flow, k) for k in self._order}
        self._atoms = _atoms(flow)
        self.cells = 0
        _keep_memory()

    def _compiled(self, flow: Flow, k: int) -> Step:
        if isinstance(flow.nodes[k], BranchNode | HeadNode):
            return branch_of(flow.nodes, k, self._order, self._live)
        return step_of(flow.nodes[k])

    def run(self, size: int, noise: Noise) -> Outcomes:
        """The outcomes of ``size`` runs.

        Raises:
            LimitReached: a whole number grows too large.
        """
        block = BlockState(noise, Log(size, self._atoms))
        names: dict[str, Value] = {**self._scalars, RELEASED: 0, ROUNDS: 0}
        waiting = Waiting(self._order)
        ready: Sequence[Group] = [Group(self._start, block.log.all, names, self._given)]
        with np.errstate(all="ignore"):  # infinities and NaN are what Python's floats make too
            while ready:
                if len(ready) == 1 and not waiting.is_before(ready[0]):
                    ready = self._step(ready[0], block)
                else:
                    waiting.add(ready)
                    found = waiting.first()
                    groups = together(found, self._live[found[0].node])
                    ready = [after for group in groups for after in self._step(group, block)]
                ready = ready or waiting.first()
        self.cells = max(self.cells, block.cells)
        return block.log.packed()

    def _step(self, group: Group, block: BlockState) -> Sequence[Group]:
        """One node for a group, in parts if its runs cannot pass it together."""
        try:
            return self._steps[group.node](group, block)
        except Split as split:
            parts = group.apart(split.by, self._live[group.node])
            return [after for part in parts for after in self._step(part, block)]
        except RowsFailed as failure:
            return self._without(group, failure, block)

    def _without(self, group: Group, failure: RowsFailed, block: BlockState) -> Sequence[Group]:
        """The runs that raise are over; the others pass the node."""
        rows = np.ones(group.size, np.bool_) if failure.rows is None else failure.rows
        live = self._live[group.node]
        failed = group.some(np.flatnonzero(rows), group.node, live)
        block.log.close(failed.rows, failed.released, Ending.RAISED)
        if failed.size == group.size:
            return ()
        left = np.flatnonzero(np.logical_not(rows))
        return self._step(group.some(left, group.node, live), block)


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

    def collect(e: Expression) -> None:
        if isinstance(e, Label):
            found[e.value] = None
        for part in children(e):
            collect(part)

    for node in flow.nodes:
        for e in expressions_of(node):
            collect(e)
    if len(found) > 256 - FIRST_ATOM:
        raise LimitReached("ATOMS", f"{len(found)} different strings; {256 - FIRST_ATOM} are kept")
    return tuple(found)
