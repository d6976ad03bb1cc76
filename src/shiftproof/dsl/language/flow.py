"""A mechanism's body as a graph: one node a step, loops cut at their heads.

The graph is what everything executes: the interpreter one run at a time, the
proof two runs side by side.  A branch whose two arms only compute (no noise, no
output, no loop, no way out) carries its ``join``, the node where both arms meet,
so that two runs may take different arms and still be compared afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from .calls import Call
from .syntax import (
    Assign,
    Break,
    Continue,
    Ensure,
    Expression,
    If,
    ListStep,
    MakeList,
    Pick,
    Release,
    Return,
    Sample,
    Span,
    Statement,
    Store,
    While,
    Whole,
    names_in,
)


@dataclass(frozen=True, slots=True)
class AssignNode:
    """Assign, then go to ``after``."""

    step: Assign
    after: int


@dataclass(frozen=True, slots=True)
class SampleNode:
    """Draw noise; ``site`` numbers the samples of the program in source order."""

    step: Sample
    site: int
    after: int


@dataclass(frozen=True, slots=True)
class ListNode:
    """Make a list, store into one, or pick indices by one."""

    step: ListStep
    after: int


@dataclass(frozen=True, slots=True)
class CallNode:
    """Run another mechanism: keep what it returns, or release what it releases."""

    step: Call
    after: int


@dataclass(frozen=True, slots=True)
class EnsureNode:
    """A one-sided claim about what is released next."""

    claim: Expression
    after: int
    span: Span


@dataclass(frozen=True, slots=True)
class BranchNode:
    """Go to ``yes`` or ``no``; ``join`` is set if both arms only compute."""

    test: Expression
    yes: int
    no: int
    join: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class HeadNode:
    """A loop head: go to ``body`` while the test holds, then to ``exit``.

    ``counted``: a ``for`` loop, which surely comes to its end.
    """

    test: Expression
    body: int
    exit: int
    span: Span
    counted: bool = False


@dataclass(frozen=True, slots=True)
class ReleaseNode:
    """Release the values; go on to ``after``."""

    values: tuple[Expression, ...]
    after: int
    span: Span


@dataclass(frozen=True, slots=True)
class EndNode:
    """The run is over."""

    span: Span


Node = (
    AssignNode
    | SampleNode
    | ListNode
    | CallNode
    | EnsureNode
    | BranchNode
    | HeadNode
    | ReleaseNode
    | EndNode
)


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


class _Builder:
    def __init__(self) -> None:
        self.nodes: list[Node | None] = []
        self.loops: dict[int, set[str]] = {}

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
            case Assign():
                return self.add(AssignNode(s, after))
            case Sample():
                return self.add(SampleNode(s, 0, after))
            case Ensure(claim=claim):
                return self.add(EnsureNode(claim, after, s.span))
            case MakeList() | Store() | Pick():
                return self.add(ListNode(s, after))
            case Call():
                return self.add(CallNode(s, after))
            case Release(value=value):
                return self.add(ReleaseNode((value,), after, s.span))
            case Return(values=values):
                end = self.add(EndNode(s.span))
                return self.add(ReleaseNode(values, end, s.span)) if values else end
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
                self.loops[head] = set(assigned_in((*body, *step)))
                return head
        raise AssertionError(s)


def only_computes(body: tuple[Statement, ...]) -> bool:
    """Whether a block draws nothing, releases nothing, and ends where it is written to end."""
    return all(
        isinstance(s, Assign)
        or (isinstance(s, If) and only_computes(s.yes) and only_computes(s.no))
        for s in body
    )


def assigned_in(body: tuple[Statement, ...]) -> frozenset[str]:
    """Every variable that a block may assign."""
    found: set[str] = set()
    for s in body:
        match s:
            case Assign(targets=targets):
                found.update(targets)
            case Sample(target=target) | MakeList(target=target) | Pick(target=target):
                found.add(target)
            case Store(array=array):
                found.add(array)
            case Call(targets=targets):
                found.update(targets or ())
            case If(yes=yes, no=no):
                found |= assigned_in(yes) | assigned_in(no)
            case While(body=inner, step=step):
                found |= assigned_in(inner) | assigned_in(step)
    return frozenset(found)


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
        node = nodes[k]
        assert isinstance(node, SampleNode)
        nodes[k] = SampleNode(node.step, site, node.after)
    live = liveness(nodes)
    heads = {k: live[k] for k, node in enumerate(nodes) if isinstance(node, HeadNode)}
    assigned = {k: frozenset(names) for k, names in builder.loops.items()}
    return Flow(tuple(nodes), start, heads, assigned)


def successors(node: Node) -> tuple[int, ...]:
    """The nodes that can come next."""
    match node:
        case (
            AssignNode(after=after)
            | SampleNode(after=after)
            | ListNode(after=after)
            | CallNode(after=after)
            | EnsureNode(after=after)
            | ReleaseNode(after=after)
        ):
            return (after,)
        case BranchNode(yes=yes, no=no):
            return (yes, no)
        case HeadNode(body=body, exit=exit_):
            return (body, exit_)
    return ()


def expressions_of(node: Node) -> tuple[Expression, ...]:
    """The expressions that a node evaluates, in order; a sample's shift is one of them."""
    match node:
        case AssignNode(step=step):
            return step.values
        case SampleNode(step=step):
            return (*step.arguments, *(() if step.shift is None else (step.shift,)))
        case ListNode(step=MakeList(fill=fill, length=length)):
            return (length,) if fill is None else (fill, length)
        case ListNode(step=Store(index=index, value=value)):
            return (value, *(() if index is None else (index,)))
        case ListNode(step=Pick(count=count)):
            return () if count is None else (count,)
        case CallNode(step=call):
            return tuple(e for _, e in call.values)
        case BranchNode(test=test) | HeadNode(test=test) | EnsureNode(claim=test):
            return (test,)
        case ReleaseNode(values=values):
            return values
    return ()


def operands(node: Node) -> tuple[Expression, ...]:
    """The expressions that a step evaluates in one run, in order.

    An alignment is none of them; a list that is picked from stands last.
    """
    match node:
        case SampleNode(step=sample):
            return sample.arguments
        case ListNode(step=Pick(array=array, span=span)):
            return (*expressions_of(node), Whole(span, array))
    return expressions_of(node)


def span_of(node: Node) -> Span:
    """Where a step stands."""
    if isinstance(node, AssignNode | SampleNode | ListNode | CallNode):
        return node.step.span
    return node.span


def _reads(node: Node) -> frozenset[str]:
    read = frozenset[str]().union(*map(names_in, expressions_of(node)))
    if isinstance(node, SampleNode):
        # A shift speaks of the draw that it shifts, not of what the name held before.
        arguments = frozenset[str]().union(*map(names_in, node.step.arguments))
        return arguments | (read - {node.step.target})
    if isinstance(node, ListNode) and not isinstance(node.step, MakeList):
        # Of a list that is stored into, the other elements stay: it is read as well.
        return read | {node.step.array}
    return read


def writes(node: Node) -> frozenset[str]:
    """The variables that a node binds."""
    if isinstance(node, AssignNode):
        return frozenset(node.step.targets)
    if isinstance(node, ListNode):
        return frozenset() if isinstance(node.step, Store) else frozenset({node.step.target})
    if isinstance(node, CallNode):
        return frozenset(node.step.targets or ())
    return frozenset({node.step.target}) if isinstance(node, SampleNode) else frozenset()


def liveness(nodes: list[Node]) -> list[frozenset[str]]:
    """The variables that may be read from each node on before they are assigned."""
    live = [frozenset[str]() for _ in nodes]
    changed = True
    while changed:
        changed = False
        for k, node in enumerate(nodes):
            after = frozenset[str]().union(*(live[s] for s in successors(node)))
            new = _reads(node) | (after - writes(node))
            if new != live[k]:
                live[k], changed = new, True
    return live
