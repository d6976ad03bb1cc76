"""A mechanism's body as a graph: one node a step, loops cut at their heads.

The graph is what everything executes: the interpreter one run at a time, the
proof two runs side by side.  A branch whose two arms only compute (no noise, no
output, no loop, no way out) carries its ``join``, the node where both arms meet,
so that two runs may take different arms and still be compared afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from .calls import Call
from .parts import Join, Next, held
from .statements import Assign, Ensure, ListStep, Release, Sample, Statement
from .syntax import Expression, Span, children


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


def successors(node: Node) -> tuple[int, ...]:
    """The nodes that can come next."""
    return tuple(held(node, "next"))


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
