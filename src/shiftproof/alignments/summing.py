"""Finite noise that is summed instead of shifted: which draws, and what is left of them.

Where different noise leads to the same outcome, no shift of the noise may do.  Then all that is
drawn between two other steps counts as one draw of what is left of it: of the variables that it
matters for and that are read later.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping

from ..dsl.language.dataflow import successors
from ..dsl.language.flow import (
    AssignNode,
    BranchNode,
    Flow,
    HeadNode,
    ReleaseNode,
    SampleNode,
    expressions_of,
    liveness,
    stretch,
    writes,
)
from ..dsl.language.syntax import NOWHERE, Expression, Name, Summed, names_in
from ..dsl.relations.program import Program


def summed_shifts(program: Program, fixed: Mapping[int, Expression]) -> dict[int, Expression]:
    """What stands for the shift of each draw of finite noise that has none in ``fixed``."""
    flow = program.flow
    sites = [n for n in flow.sites if n.site not in fixed and n.step.distribution.is_finite()]
    summed = {node.site for node in sites}
    live = liveness(flow.nodes)
    found: dict[int, Expression] = {}
    for node in sites:
        inside = stretch(flow, flow.nodes.index(node), summed).inside
        drawn = _drawn(flow, inside, summed)
        later = frozenset[str]().union(*(live[k] for k in _exits(flow, inside)))
        names = tuple(Name(NOWHERE, name) for name in sorted(drawn & later))
        found[node.site] = Summed(NOWHERE, names)
    return found


def _exits(flow: Flow, inside: Collection[int]) -> Iterator[int]:
    """Where a block ends; a release is the last thing in it."""
    ways = {way for k in inside for way in successors(flow.nodes[k])}
    for k in ways - {*inside}:
        node = flow.nodes[k]
        yield node.after if isinstance(node, ReleaseNode) else k


def _drawn(flow: Flow, inside: Collection[int], summed: Container[int]) -> set[str]:
    """The variables for which it matters what is drawn."""
    drawn = set[str]()
    while True:
        known = len(drawn)
        for k in inside:
            node = flow.nodes[k]
            asked = any(drawn & names_in(e) for e in expressions_of(node))
            if isinstance(node, SampleNode) or (isinstance(node, AssignNode) and asked):
                drawn |= writes(node)
            elif isinstance(node, BranchNode | HeadNode) and asked:
                # What only one of the ways assigns.
                arms = (
                    (node.yes, node.no) if isinstance(node, BranchNode) else (node.body, node.exit)
                )
                ways = [stretch(flow, arm, summed).inside for arm in arms]
                drawn = drawn.union(*(writes(flow.nodes[m]) for m in ways[0] ^ ways[1]))
        if len(drawn) == known:
            return drawn
