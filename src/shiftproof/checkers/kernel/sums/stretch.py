"""Which steps are summed together: a stretch of computing and of draws that are not shifted.

Loops may be part of it, such as "draw until it fits": a ``while`` of such steps alone, of which a
round begins as any other one, since nothing that is assigned in it is read before it is assigned
again.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..arithmetic import Wrong
from ..language.steps import (
    Assign,
    Branch,
    Draw,
    Head,
    Mechanism,
    Node,
    Pick,
    Store,
    assigned,
    evaluated,
    following,
    live,
)
from ..language.syntax import is_call


class Block(NamedTuple):
    """Steps that are summed together, what they assign, and what is left of that.

    ``rounds`` are the loops in it: by the head, the steps of a round, with the head.
    """

    inside: frozenset[int]
    assigned: frozenset[str]
    left: tuple[str, ...]
    rounds: dict[int, frozenset[int]]


class Blocks:
    """The blocks of a mechanism under an alignment."""

    def __init__(self, mechanism: Mechanism, shifts: list[ast.expr]) -> None:
        self._nodes, self._shifts = mechanism.nodes, shifts
        self._live: list[set[str]] = []

    def at(self, start: int) -> Block | None:
        """The block that begins with a step; ``None`` if nothing is drawn there that is summed.

        Raises:
            Wrong: what is to be left is not assigned in it.
        """
        rounds: dict[int, frozenset[int]] = {}
        inside, waiting = set[int](), [start]
        while waiting:
            k = waiting.pop()
            if k in inside:
                continue
            if isinstance(self._nodes[k], Head):
                steps = self._round(k)
                if not steps:
                    continue
                rounds[k] = steps
            elif not self._is_summed(k):
                continue
            inside.add(k)
            waiting += following(self._nodes[k])
        draws = [n for k in sorted(inside) if isinstance(n := self._nodes[k], Draw)]
        if not draws:
            return None
        left = dict.fromkeys(
            ast.unparse(name)
            for draw in draws
            if isinstance(shift := self._shifts[draw.site], ast.Call)
            for name in shift.args
        )
        bound = set[str]().union(*(assigned(self._nodes[k]) for k in inside))
        if unknown := left.keys() - bound:
            line = self._nodes[start].line
            raise Wrong(f"line {line}: {min(unknown)!r} is assigned in no sum")
        return Block(frozenset(inside), frozenset(bound), tuple(left), rounds)

    def _is_summed(self, k: int) -> bool:
        node = self._nodes[k]
        if isinstance(node, Draw):
            match self._shifts[node.site]:
                case ast.Call(func=ast.Name(id="summed"), keywords=[]):
                    return True
            return False
        return isinstance(node, Assign | Branch)

    def _round(self, head: int) -> frozenset[int]:
        """The steps of a round of a loop that may be summed; none if it may not."""
        node = self._nodes[head]
        assert isinstance(node, Head)
        reached, waiting = {head}, [node.body]
        while waiting:
            k = waiting.pop()
            if k not in reached:
                reached.add(k)
                waiting += following(self._nodes[k])
        steps, grown = {head}, True
        while grown:  # those that lead back
            more = {k for k in reached - steps if steps.intersection(following(self._nodes[k]))}
            grown, steps = bool(more), steps | more
        inner = steps - {head}
        needed = self._needed_at(node.body)
        alike = all(needed.isdisjoint(assigned(self._nodes[k])) for k in inner)
        drawn = any(isinstance(self._nodes[k], Draw) for k in inner)
        summed = not node.counted and drawn and alike and all(map(self._is_summed, inner))
        return frozenset(steps) if summed else frozenset()

    def _needed_at(self, k: int) -> set[str]:
        """The names that may be read from a step on before they are assigned."""
        if not self._live:
            self._live = live(self._nodes, list(map(self._read_by, self._nodes)))
        return self._live[k]

    def _read_by(self, node: Node) -> set[str]:
        read = list(evaluated(node))
        if isinstance(node, Draw) and not is_call(self._shifts[node.site], "summed"):
            read.append(self._shifts[node.site])
        names = {n.id for e in read for n in ast.walk(e) if isinstance(n, ast.Name)}
        return names | ({node.array} if isinstance(node, Store | Pick) else set())
