"""Stretches of a flow in which nothing is done but computing and drawing, loops of it included.

A loop is part of one if its rounds are alike, as in "draw until it fits": nothing that is
assigned in a round is read in the next one.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from .dataflow import successors
from .flow import AssignNode, BranchNode, Flow, HeadNode, Node, SampleNode, liveness, writes


@dataclass(frozen=True, slots=True)
class Stretch:
    """The nodes, and of each loop in it those of a round, by the head."""

    inside: frozenset[int]
    rounds: Mapping[int, frozenset[int]]


def stretch(flow: Flow, start: int, sites: Container[int]) -> Stretch:
    """What is reached from a node on with computing, and with draws at these sites."""
    rounds: dict[int, frozenset[int]] = {}
    inside, waiting = set[int](), [start]
    while waiting:
        k = waiting.pop()
        if k in inside:
            continue
        if isinstance(flow.nodes[k], HeadNode):
            rounds[k] = _round(flow, k, sites)
        if rounds.get(k) or _is_within(flow.nodes[k], sites):
            inside.add(k)
            waiting += successors(flow.nodes[k])
    return Stretch(frozenset(inside), {k: nodes for k, nodes in rounds.items() if nodes})


def _is_within(node: Node, sites: Container[int]) -> bool:
    if isinstance(node, SampleNode):
        return node.site in sites
    return isinstance(node, AssignNode | BranchNode)


def _round(flow: Flow, head: int, sites: Container[int]) -> frozenset[int]:
    """The nodes of a round, with the head; none if it does more, or depends on the one before."""
    node = flow.nodes[head]
    assert isinstance(node, HeadNode)
    reached, waiting = {head}, [node.body]
    while waiting:
        k = waiting.pop()
        if k not in reached:
            reached.add(k)
            waiting += successors(flow.nodes[k])
    found, more = {head}, {head}
    while more:  # those that lead back
        more = {k for k in reached - found if not found.isdisjoint(successors(flow.nodes[k]))}
        found |= more
    inner = [flow.nodes[k] for k in found if k != head]
    assigned = frozenset[str]().union(*map(writes, inner))
    fits = not node.counted and all(_is_within(n, sites) for n in inner)
    drawn = any(isinstance(n, SampleNode) for n in inner)
    if fits and drawn and assigned.isdisjoint(liveness(flow.nodes)[node.body]):
        return frozenset(found)
    return frozenset()
