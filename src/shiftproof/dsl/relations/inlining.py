"""Calls of mechanisms written out, and what a case of a relation assumes of their arguments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from ..language.annotations import asked
from ..language.calls import Call
from ..language.flow import (
    AssignNode,
    CallNode,
    EndNode,
    Flow,
    Node,
    SampleNode,
    StepNode,
    as_flow,
)
from ..language.statements import Assign, Ensure, Release, Sample
from ..language.syntax import Arithmetic, Conditional, Constant, Expression, Span, rebuilt
from ..privacy.inputs import InputKind, Value
from ..privacy.records import RECORD, kept, replaced
from ..terms.formulas import FALSE, Formula
from ..terms.linear import Linear, number
from .cases import Case

# Calls of mechanisms written out: what runs, as one flow of nodes without calls.
#
# The callee's nodes stand where the call stood, its variables under names of their own.  What the
# call checks (kinds of arguments, preconditions) raises there as it does when the mechanism runs.

Syntax = TypeVar("Syntax")

# before:  (answer,) = laplace(f[i], eps / 2)      after:  q@@1 = 0.0 + f[i]; eps@@1 = 0.0 + eps / 2
#                                                          checks of q@@1 and eps@@1
#                                                          noise@@1 = sample(Laplace(1 / eps@@1))
#                                                          (answer,) = (q@@1 + noise@@1,)


def written_out(flow: Flow, flow_of: Callable[[Call], Flow]) -> Flow:
    """The flow without calls; ``flow_of`` says what a call runs."""
    writer = _Writer(flow_of)
    start = writer.copied(flow)
    sites = itertools.count()
    for k, node in enumerate(writer.nodes):
        if isinstance(node, SampleNode):
            writer.nodes[k] = replace(node, site=next(sites))
    return as_flow(writer.nodes, start)


class _Writer:
    """Collects the nodes of a flow and of everything that it calls."""

    def __init__(self, flow_of: Callable[[Call], Flow]) -> None:
        self._flow_of = flow_of
        self.nodes: list[Node] = []
        self._calls = 0

    def copied(self, flow: Flow, inside: _Inside | None = None) -> int:
        """Copy a flow, the one of a callee as it runs ``inside`` a call; where it starts."""
        base = len(self.nodes)
        # Places are taken first: nodes refer to each other.
        self.nodes += flow.nodes
        for k, node in enumerate(flow.nodes):
            moved = _moved(node, base)
            self.nodes[base + k] = moved if inside is None else inside.node(moved)
        for k in range(base, base + len(flow.nodes)):
            node = self.nodes[k]
            if isinstance(node, CallNode):
                self.nodes[k] = self._called(node)
        return base + flow.start

    def _called(self, node: CallNode) -> Node:
        """The first node of what a call runs."""
        self._calls += 1
        step = node.step
        inside = _Inside(step, f"@@{self._calls}", node.after)
        after = self.copied(self._flow_of(step), inside)
        for assign in reversed(list(inside.entry())):
            self.nodes.append(AssignNode(assign, after))
            after = len(self.nodes) - 1
        return _pass(step, after)


class _Inside:
    """How a callee's nodes are written inside one call."""

    def __init__(self, call: Call, mark: str, after: int) -> None:
        self._call = call
        self._mark = mark
        self._after = after
        self._passed = dict(call.sequences)

    def _name(self, name: str) -> str:
        """A name of the callee as it is called here: sequences are those of the caller."""
        data = name.removeprefix(RECORD)
        if data in self._passed:
            return name.removesuffix(data) + self._passed[data]
        return name + self._mark

    def entry(self) -> Iterator[Assign]:
        """Bind the arguments, and raise where the callee would."""
        span, callee = self._call.span, self._call.callee
        targets = tuple(self._name(parameter) for parameter, _ in self._call.values)
        values = tuple(_given(callee.inputs[p], e) for p, e in self._call.values)
        yield Assign(span, targets, values)
        for claim, _ in asked(callee):
            wrong = Arithmetic(span, "/", _whole(span, 1), _whole(span, 0))
            test = self._renamed(claim)
            checked = Conditional(span, test, Constant(span, Fraction(0), "float"), wrong)
            yield Assign(span, (f"checked{self._mark}",), (checked,))

    def node(self, node: Node) -> Node:
        """One node of the callee."""
        targets = self._call.targets
        match self._renamed(node):
            case StepNode(step=Ensure(), after=after):
                return _pass(self._call, after)
            case StepNode(step=Release(values=values), after=after) if targets is not None:
                return AssignNode(Assign(self._call.span, targets, values), after)
            case StepNode(step=Sample() as step, after=after):
                return SampleNode(replace(step, shift=None), after)
            case EndNode():
                return _pass(self._call, self._after)
            case renamed:
                return renamed

    def _renamed(self, piece: Syntax) -> Syntax:
        """A piece of the callee under the names of this call, at its place."""
        return rebuilt(
            piece,
            read=self._name,
            bound=self._name,
            expression=self._renamed,
            statement=self._renamed,
            span=lambda _: self._call.span,
        )


def _given(kind: InputKind, e: Expression) -> Expression:
    """An argument as the callee has it: where its parameter is a float, an int becomes one."""
    return e if kind.whole else Arithmetic(e.span, "+", Constant(e.span, Fraction(0), "float"), e)


def _whole(span: Span, value: int) -> Constant:
    return Constant(span, Fraction(value), "int")


def _moved(node: Node, base: int) -> Node:
    """A node whose successors stand further back."""
    return rebuilt(node, next=lambda k: k + base, join=lambda k: k + base)


def _pass(call: Call, after: int) -> AssignNode:
    """Nothing is done."""
    return AssignNode(Assign(call.span, (), ()), after)


# What a case of a relation assumes of arguments that are passed on to another mechanism.


def pair_facts(
    case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear], *, alone: bool
) -> list[Formula]:
    """What a case assumes of two scalar arguments, besides how far they may move.

    ``alone``: there are no private sequences among the arguments.  A definition that speaks of
    all private values at once says nothing of the arguments otherwise: then it is not met.
    """
    found: list[Formula] = []
    for name, move in case.moves.items():
        if isinstance(case.inputs[name], Value) and move.policy is not None and name in left:
            found += kept(left[name], right[name], move.policy)
    found += _replaced(case, left, right)
    if case.pairing is not None:
        found += case.pairing.neighbours(left, right) if alone else (FALSE,)
        for allowance in case.pairing.allowances(left, right) if alone else ():
            found += allowance.when
    return found


def _replaced(
    case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear]
) -> Iterator[Formula]:
    """Under a definition that replaces whole records: a value of this one is sensitive.

    Where a part of the record is passed on in a sequence, that part is not known here; then one
    of the scalar arguments has to be sensitive, or none of the record to differ.
    """
    for move in case.moves.values():
        scalars = [(left[n], right[n]) for n in move.along if n in left]
        if move.whole is not None and scalars:
            yield replaced(scalars, move.whole)
            return


def distance_of(case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear]) -> Linear:
    """What a budget is multiplied by for these arguments; 1 unless a distance is declared."""
    if case.pairing is None:
        return number(1)
    (allowance,) = case.pairing.allowances(left, right)
    return number(1) if allowance.distance is None else allowance.distance


def same_range(one: InputKind, two: InputKind) -> bool:
    """Whether two kinds of sequences hold users' values of the same range, if they do at all."""
    if not isinstance(one, Value) and not isinstance(two, Value):
        return True
    return isinstance(one, Value) and one == two and one.constant
