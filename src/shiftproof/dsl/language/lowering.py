"""From the statements of a body to its flow: built backwards, from the end to the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .calls import Call
from .dataflow import liveness
from .flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    StepNode,
)
from .statements import (
    Assign,
    Break,
    Continue,
    Ensure,
    If,
    MakeList,
    Pick,
    Release,
    Return,
    Sample,
    Statement,
    Store,
    While,
    assigned_in,
)
from .syntax import Span

#: The nodes of statements that others ask for by the class of their node.
_NODES: dict[type[Statement], type[StepNode]] = {
    Assign: AssignNode,
    Sample: SampleNode,
    MakeList: ListNode,
    Store: ListNode,
    Pick: ListNode,
    Call: CallNode,
    Ensure: EnsureNode,
    Release: ReleaseNode,
}


class _Builder:
    def __init__(self) -> None:
        self.nodes: list[Node | None] = []
        self.loops: dict[int, frozenset[str]] = {}

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def block(
        self, body: tuple[Statement, ...], after: int, out: int | None, again: int | None
    ) -> int:
        """Lower a block backwards; ``out`` and ``again`` are where break and continue go."""
        for statement in reversed(body):
            after = self.statement(statement, after, out, again)
        return after

    def statement(self, s: Statement, after: int, out: int | None, again: int | None) -> int:
        match s:
            case Return(values=()):
                return self.add(EndNode(s.span))
            case Return(values=values):
                return self.add(ReleaseNode(Release(s.span, values), self.add(EndNode(s.span))))
            case Break():
                assert out is not None
                return out
            case Continue():
                assert again is not None
                return again
            case If(test=test, yes=yes, no=no):
                first, second = (self.block(arm, after, out, again) for arm in (yes, no))
                join = after if only_computes(yes) and only_computes(no) else None
                return self.add(BranchNode(test, first, second, join, s.span))
            case While(test=test, body=body, step=step):
                self.nodes.append(None)
                head = len(self.nodes) - 1
                step_entry = self.block(step, head, None, None)
                entry = self.block(body, step_entry, after, step_entry)
                self.nodes[head] = HeadNode(test, entry, after, s.span, counted=bool(step))
                self.loops[head] = assigned_in((*body, *step))
                return head
        return self.add(_NODES.get(type(s), StepNode)(s, after))


def only_computes(body: tuple[Statement, ...]) -> bool:
    """Whether a block draws nothing, releases nothing, and ends where it is written to end."""
    return all(
        isinstance(s, Assign)
        or (isinstance(s, If) and only_computes(s.yes) and only_computes(s.no))
        for s in body
    )


def build_flow(body: tuple[Statement, ...], end: Span) -> Flow:
    """The graph of a body; falling off its end is an end like any other."""
    builder = _Builder()
    start = builder.block(body, builder.add(EndNode(end)), None, None)
    nodes = [node for node in builder.nodes if node is not None]
    assert len(nodes) == len(builder.nodes)
    places = sorted(
        (k for k, node in enumerate(nodes) if isinstance(node, SampleNode)),
        key=lambda k: (nodes[k].step.span.line, nodes[k].step.span.column),  # type: ignore[union-attr]
    )
    for site, k in enumerate(places):
        nodes[k] = replace(nodes[k], site=site)  # type: ignore[call-arg]
    return as_flow(nodes, start, builder.loops)


def as_flow(
    nodes: Sequence[Node], start: int, assigned: Mapping[int, frozenset[str]] | None = None
) -> Flow:
    """The graph of these nodes; ``assigned``: what loops may change, which else may be anything."""
    live = liveness(nodes)
    anything = frozenset[str]().union(*live)
    heads = [k for k, node in enumerate(nodes) if isinstance(node, HeadNode)]
    changed = {k: anything if assigned is None else assigned[k] for k in heads}
    return Flow(tuple(nodes), start, {k: live[k] for k in heads}, changed)
