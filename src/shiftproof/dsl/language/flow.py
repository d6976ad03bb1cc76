"""A mechanism's body as a graph: one node a step, loops cut at their heads.

The graph is what everything executes: the interpreter one run at a time, the
proof two runs side by side.  A branch whose two arms only compute (no noise, no
output, no loop, no way out) carries its ``join``, the node where both arms meet,
so that two runs may take different arms and still be compared afterwards.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from .calls import Call
from .dataflow import backwards, successors
from .statements import (
    Assign,
    Break,
    Continue,
    Ensure,
    If,
    ListStep,
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
from .syntax import Expression, Join, Next, Span, all_names, children, held


@dataclass(frozen=True, slots=True)
class StepNode:
    """A statement that has one way on, to ``after``."""

    step: Statement
    after: Next

    @property
    def span(self) -> Span:
        """Where the statement stands."""
        return self.step.span


@dataclass(frozen=True, slots=True)
class AssignNode(StepNode):
    """Assign."""

    step: Assign


@dataclass(frozen=True, slots=True)
class SampleNode(StepNode):
    """Draw noise; ``site`` numbers the samples of the program in source order."""

    step: Sample
    site: int = 0


@dataclass(frozen=True, slots=True)
class ListNode(StepNode):
    """Make a list, store into one, or pick indices by one."""

    step: ListStep


@dataclass(frozen=True, slots=True)
class CallNode(StepNode):
    """Run another mechanism: keep what it returns, or release what it releases."""

    step: Call


@dataclass(frozen=True, slots=True)
class EnsureNode(StepNode):
    """A one-sided claim about what is released next."""

    step: Ensure


@dataclass(frozen=True, slots=True)
class ReleaseNode(StepNode):
    """Release values."""

    step: Release


@dataclass(frozen=True, slots=True)
class BranchNode:
    """Go to ``yes`` or ``no``; ``join`` is set if both arms only compute."""

    test: Expression
    yes: Next
    no: Next
    join: Join | None
    span: Span


@dataclass(frozen=True, slots=True)
class HeadNode:
    """A loop head: go to ``body`` while the test holds, then to ``exit``.

    ``counted``: a ``for`` loop, which surely comes to its end.
    """

    test: Expression
    body: Next
    exit: Next
    span: Span
    counted: bool = False


@dataclass(frozen=True, slots=True)
class EndNode:
    """The run is over."""

    span: Span


Node = StepNode | BranchNode | HeadNode | EndNode


@dataclass(frozen=True, slots=True)
class Flow:
    """The nodes, where to start, and which variables each loop head needs and changes."""

    nodes: tuple[Node, ...]
    start: int
    live: dict[int, frozenset[str]]
    assigned: dict[int, frozenset[str]]

    @property
    def sites(self) -> tuple[SampleNode, ...]:
        """The samples in source order."""
        found = [node for node in self.nodes if isinstance(node, SampleNode)]
        return tuple(sorted(found, key=lambda node: node.site))


def expressions_of(node: Node) -> tuple[Expression, ...]:
    """The expressions that a node evaluates, in order; a sample's shift is one of them."""
    return children(node.step if isinstance(node, StepNode) else node)


def operands(node: Node) -> tuple[Expression, ...]:
    """The expressions that a step evaluates in one run, in order.

    An alignment is none of them; a list that is picked from stands last.
    """
    return node.step.operands() if isinstance(node, StepNode) else children(node)


def writes(node: Node) -> frozenset[str]:
    """The variables that a node binds."""
    return frozenset(held(node.step, "bound") if isinstance(node, StepNode) else ())


def liveness(nodes: Sequence[Node]) -> list[frozenset[str]]:
    """The variables that may be read from each node on before they are assigned."""

    def needed(node: Node, later: frozenset[str]) -> frozenset[str]:
        if isinstance(node, StepNode):
            return node.step.reads() | (later - writes(node))
        return later | all_names(children(node))

    return backwards(nodes, frozenset(), needed, frozenset.union)


# Stretches of a flow in which nothing is done but computing and drawing, loops of it included.
#
# A loop is part of one if its rounds are alike, as in "draw until it fits": nothing that is
# assigned in a round is read in the next one.


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


# From the statements of a body to its flow: built backwards, from the end to the start.

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
