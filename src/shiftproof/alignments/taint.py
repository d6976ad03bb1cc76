"""Which variables may hold private values, and which may hold noise, at each step.

A rough reading of the program that serves the search only: it suggests what to try,
and a proof never rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..dsl.language.dataflow import forwards, reached
from ..dsl.language.flow import AssignNode, BranchNode, CallNode, Node, SampleNode, writes
from ..dsl.language.syntax import (
    Cell,
    Conditional,
    Counted,
    Expression,
    Length,
    children,
    held,
    record_name,
)
from ..dsl.relations.program import Program


class Taints(NamedTuple):
    """Names that depend on private inputs, those that depend on samples, and those that hold some.

    What noise chooses from two values holds none: in ``x = f if noise > 0 else g`` that is x.
    """

    private: frozenset[str] = frozenset()
    noisy: frozenset[str] = frozenset()
    mixed: frozenset[str] = frozenset()


class Taint:
    """What each variable may depend on before each node of the flow graph."""

    def __init__(self, program: Program) -> None:
        inputs = frozenset(n for n, kind in program.inputs.items() if not kind.public)
        self._flow = program.flow
        given = Taints(inputs)
        self._before = forwards(program.flow.nodes, program.flow.start, given, self._after, _either)

    def _after(self, node: Node, before: Taints) -> Taints:
        private, noisy, mixed = before
        if isinstance(node, SampleNode):
            target = {node.step.target}
            return Taints(private - target, noisy | target, mixed | target)
        if isinstance(node, CallNode):
            # What another mechanism returns is like noise, and the same in both runs.
            targets = frozenset(node.step.targets or ())
            return Taints(private - targets, noisy | targets, mixed | targets)
        if isinstance(node, AssignNode):
            pairs = list(zip(node.step.targets, node.step.values, strict=True))
            return Taints(
                _assigned(private, ((t, bool(values_in(e) & private)) for t, e in pairs)),
                _assigned(noisy, ((t, bool(_answers_in(e) & noisy)) for t, e in pairs)),
                _assigned(mixed, ((t, bool(_held_in(e) & mixed)) for t, e in pairs)),
            )
        if isinstance(node, BranchNode) and node.join is not None:
            # What the arms of a private branch assign tells of its test.
            reads_test = values_in(node.test)
            targets = self._arm_targets(node)
            return Taints(
                private | targets if reads_test & private else private,
                noisy | targets if reads_test & noisy else noisy,
                mixed | targets if reads_test & noisy else mixed,
            )
        return before

    def _arm_targets(self, branch: BranchNode) -> frozenset[str]:
        arms = reached(self._flow.nodes, (branch.yes, branch.no), branch.join)
        return frozenset[str]().union(*map(writes, arms))

    def is_plain_private(self, e: Expression, k: int) -> bool:
        """Whether an expression is private and holds no noise before node ``k``."""
        before = self._before.get(k, Taints())
        return bool(_answers_in(e) & before.private) and not _held_in(e) & before.mixed

    def is_private(self, e: Expression, k: int) -> bool:
        """Whether an expression may hold a private value before node ``k``, noise or not."""
        return bool(values_in(e) & self._before.get(k, Taints()).private)

    def is_noisy(self, e: Expression, k: int) -> bool:
        """Whether an expression may depend on noise before node ``k``."""
        return bool(values_in(e) & self._before.get(k, Taints()).noisy)


def _either(one: Taints, other: Taints) -> Taints:
    return Taints(*(a | b for a, b in zip(one, other, strict=True)))


def _assigned(names: frozenset[str], marks: Iterable[tuple[str, bool]]) -> frozenset[str]:
    result = set(names)
    for target, marked in marks:
        (result.add if marked else result.discard)(target)
    return frozenset(result)


def values_in(e: Expression) -> frozenset[str]:
    """The variables and sequences whose values an expression reads; lengths are public."""
    if isinstance(e, Counted):
        return values_in(e.test) - {record_name(e.data)} | {e.data}
    own = () if isinstance(e, Length) else held(e, "read")
    return frozenset(own).union(*map(values_in, children(e)))


def _answers_in(e: Expression, *, tests: bool = True) -> frozenset[str]:
    """The same but for what chooses among answers: which element it is, what is asked of records.

    What noise has chosen is the same in both runs, or all is lost.  So are ``tests`` of a choice
    between two values, which may be left out.
    """
    if isinstance(e, Cell):
        return frozenset((e.array,))
    if isinstance(e, Counted):
        return frozenset((e.data,))
    own = () if isinstance(e, Length) else held(e, "read")
    parts = children(e) if tests or not isinstance(e, Conditional) else (e.yes, e.no)
    return frozenset(own).union(*(_answers_in(part, tests=tests) for part in parts))


def _held_in(e: Expression) -> frozenset[str]:
    return _answers_in(e, tests=False)
