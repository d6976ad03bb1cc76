"""One analysis of a flow: what is known at each node, until nothing more becomes known.

An analysis states what it knows at the start, what a node does to that, and what is known where
two ways meet.  That has to grow only finitely often.  Kinds of variables (``annotations.py``),
what is exact (``dsl/idealised.py``), what is private or noisy (``alignments/taint.py``), which
nodes a run may come to, and which variables are needed are such analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeVar

from .syntax import held

Node = TypeVar("Node")
Fact = TypeVar("Fact")


def successors(node: object) -> tuple[int, ...]:
    """The nodes that can come next."""
    return tuple(held(node, "next"))


def forwards(
    nodes: Sequence[Node],
    start: int,
    given: Fact,
    after: Callable[[Node, Fact], Fact],
    joined: Callable[[Fact, Fact], Fact],
    ways: Callable[[Node], Iterable[int]] = successors,
) -> dict[int, Fact]:
    """What is known before each node that a run may come to.

    Args:
        nodes: of a flow.
        start: where runs start.
        given: what is known there.
        after: what is known after a node, from what is known before it.
        joined: what is known where either of two things may be.
        ways: where a run may go from a node.
    """
    # Nodes are numbered from the end of a program to its start: the last ones go first.
    return _solved(
        {start: given},
        lambda k, fact: after(nodes[k], fact),
        joined,
        lambda k: ways(nodes[k]),
        -1,
    )


def backwards(
    nodes: Sequence[Node],
    given: Fact,
    before: Callable[[Node, Fact], Fact],
    joined: Callable[[Fact, Fact], Fact],
) -> list[Fact]:
    """What is known before each node, from what is known after it; ``given``: at an end."""
    ways: list[list[int]] = [[] for _ in nodes]
    for k, node in enumerate(nodes):
        for s in successors(node):
            ways[s].append(k)

    def known(k: int, fact: Fact) -> Fact:
        return before(nodes[k], fact)

    found = _solved(dict.fromkeys(range(len(nodes)), given), known, joined, ways.__getitem__, 1)
    return [known(k, found[k]) for k in range(len(nodes))]


def reached(
    nodes: Sequence[Node],
    starts: Iterable[int],
    beyond: int | None = None,
    ways: Callable[[Node], Iterable[int]] = successors,
) -> list[Node]:
    """The nodes that a run may come to from some, in the order of the flow; up to ``beyond``."""
    found = _solved(
        {k: True for k in starts if k != beyond},
        lambda k, fact: fact,
        lambda one, other: one,
        lambda k: [way for way in ways(nodes[k]) if way != beyond],
        -1,
    )
    return [nodes[k] for k in sorted(found)]


def _solved(
    given: Mapping[int, Fact],
    after: Callable[[int, Fact], Fact],
    joined: Callable[[Fact, Fact], Fact],
    ways: Callable[[int], Iterable[int]],
    order: int,
) -> dict[int, Fact]:
    """The facts at each node; ``order``: 1 takes low numbers first, -1 high ones."""
    facts = dict(given)
    waiting = sorted(order * k for k in facts)
    queued = set(waiting)
    while waiting:
        place = heappop(waiting)
        queued.discard(place)
        k = order * place
        found = after(k, facts[k])
        for way in ways(k):
            fact = joined(facts[way], found) if way in facts else found
            if way not in facts or fact != facts[way]:
                facts[way] = fact
                if order * way not in queued:
                    queued.add(order * way)
                    heappush(waiting, order * way)
    return facts
