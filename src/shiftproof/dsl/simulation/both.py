"""All runs of a group go through both arms of a branch, and each keeps its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..language.dataflow import successors
from ..language.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    HeadNode,
    Node,
    ReleaseNode,
)
from ..language.machine import Execution, step
from ..language.statements import Assign, Ensure, Release, Sample
from ..language.syntax import Arithmetic, Constant, Name
from .group import RELEASED, Group
from .log import Codes, Log
from .outcomes import Ending
from .steps import Live, Meanings
from .values import Array, Value, apply, chosen, kind_of, spread

Mask = NDArray[np.bool_]


class BothArms(Execution[Mask, Value]):
    """A group on its way through the arms of a branch; its states are masks of its runs.

    Nothing is written down before the group is through.
    """

    def __init__(
        self, nodes: Sequence[Node], arms: Arms, meanings: Meanings, group: Group, log: Log
    ) -> None:
        self._nodes = nodes
        self._arms = arms
        self._meanings = meanings
        self._group = group
        self._log = log
        self._trial = Group(group.node, group.rows, dict(group.names), group.given)
        self._masks: dict[int, Mask] = {}
        self._releases: dict[int, Codes] = {}
        self._claims: list[Array] = []

    def walk(self, branch: BranchNode, test: Array, live: Live) -> Sequence[Group]:
        """Who comes to the join.

        Raises (before anything is changed):
            RowsFailed, Split, LimitReached: the runs must go through the arms apart.
        """
        self._come(branch.yes, test)
        self._come(branch.no, np.logical_not(test))
        ended: Mask | None = None
        for k in self._arms.nodes:
            self._trial.node, node, mask = k, self._nodes[k], self._masks[k]
            if isinstance(node, EndNode):
                ended = mask if ended is None else np.logical_or(ended, mask)
            elif isinstance(node, AssignNode) and self._counts(mask, node.step):
                self._come(node.after, mask)
            else:
                for way, after in step(self, mask, node):
                    self._come(after, way)
        self._write()
        return self._through(ended, live)

    def _through(self, ended: Mask | None, live: Live) -> Sequence[Group]:
        group, join = self._group, self._arms.join
        group.names = self._trial.names
        group.names[RELEASED] = group.released + self._arms.total
        if self._arms.total:
            group.heads.clear()
        if ended is not None and ended.any():
            over = group.some(np.flatnonzero(ended), group.node, (RELEASED,))
            self._log.close(over.rows, over.released, Ending.END)
            if over.size == group.size:
                return ()
            assert join is not None
            return (group.some(np.flatnonzero(np.logical_not(ended)), join, live[join]),)
        assert join is not None
        group.node = join
        return (group,)

    def _come(self, k: int, mask: Mask) -> None:
        """The runs of a mask come to a node."""
        known = self._masks.get(k)
        self._masks[k] = mask if known is None else np.logical_or(known, mask)

    def _counts(self, mask: Mask, assign: Assign) -> bool:
        """``x = x + 1``, which adds the mask and so is much faster than a choice by it."""
        match assign.values:
            case (
                Arithmetic(
                    operator="+", left=Name(name=name), right=Constant(value=by, kind="int")
                ),
            ):
                old = self._trial.names.get(name)
            case _:
                return False
        if assign.targets != (name,) or by != 1 or old is None or kind_of(old) != "int":
            return False
        self._trial.names[name] = apply("+", old, mask)
        return True

    def _write(self) -> None:
        """Write down what was released."""
        rows, released = self._group.rows, self._group.released
        for place, release in self._releases.items():
            self._log.release(rows, released + place, release)
        for claim in self._claims:
            self._log.claim(rows, claim)

    # What a step is for the runs of a mask: the others keep what they have.

    def evaluated(self, state: Mask, node: Node) -> list[tuple[Mask, list[Value]]]:
        """In all runs of the group."""
        return [(state, [part(self._trial) for part in self._meanings[self._trial.node]])]

    def names(self, state: Mask) -> dict[str, Value]:
        """Those of all runs."""
        return self._trial.names

    def put(self, state: Mask, targets: Sequence[str], values: Sequence[Value]) -> Mask:
        """A name without a value so far is read by no run that goes another way."""
        names = self._trial.names
        for name, value in zip(targets, values, strict=True):
            names[name] = chosen(state, value, names[name]) if name in names else value
        return state

    def ways(
        self, state: Mask, node: BranchNode | HeadNode, test: Value
    ) -> list[tuple[Mask, bool]]:
        """Both."""
        yes = spread(test, len(state))
        return [
            (np.logical_and(state, yes), True),
            (np.logical_and(state, np.logical_not(yes)), False),
        ]

    def draw(
        self, state: Mask, sample: Sample, arguments: Sequence[Value]
    ) -> list[tuple[Mask, Value]]:
        """Arms with noise in them are not simple."""
        raise AssertionError(sample)

    def release(self, state: Mask, step: Release, values: Sequence[Value]) -> list[Mask]:
        """By place, so that all runs release together."""
        for place, value in enumerate(values, self._arms.released[self._trial.node]):
            new, known = self._log.coded(value), self._releases.get(place)
            self._releases[place] = new if known is None else new.where(state, known)
        return [state]

    def claimed(self, state: Mask, step: Ensure, claim: Value) -> Mask:
        """The others claim nothing."""
        holds = spread(claim, len(state))
        self._claims.append(np.logical_or(holds, np.logical_not(state)))
        return state


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
