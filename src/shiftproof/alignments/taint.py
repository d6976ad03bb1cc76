"""Which variables may hold private values, and which may hold noise, at each step.

A rough reading of the program that serves the search only: it suggests what to try,
and a proof never rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dsl.language.flow import AssignNode, BranchNode, CallNode, SampleNode, successors
from ..dsl.language.syntax import Cell, Counted, Expression, Name, Whole, children, record_name
from ..dsl.relations.program import Program

#: Names that depend on private inputs, and names that depend on samples.
Taints = tuple[frozenset[str], frozenset[str]]


class Taint:
    """What each variable may depend on before each node of the flow graph."""

    def __init__(self, program: Program) -> None:
        inputs = frozenset(n for n, kind in program.inputs.items() if not kind.public)
        self._program = program
        self._before: dict[int, Taints] = {}
        self._flow(program.flow.start, (inputs, frozenset()))

    def _flow(self, start: int, state: Taints) -> None:
        waiting = [(start, state)]
        while waiting:
            k, (private, noisy) = waiting.pop()
            known = self._before.get(k)
            if known is not None:
                private, noisy = private | known[0], noisy | known[1]
                if (private, noisy) == known:
                    continue
            self._before[k] = private, noisy
            after = self._after(k, private, noisy)
            waiting += [(s, after) for s in successors(self._program.flow.nodes[k])]

    def _after(self, k: int, private: frozenset[str], noisy: frozenset[str]) -> Taints:
        node = self._program.flow.nodes[k]
        if isinstance(node, SampleNode):
            return private - {node.step.target}, noisy | {node.step.target}
        if isinstance(node, CallNode):
            # What another mechanism returns is like noise, and the same in both runs.
            targets = frozenset(node.step.targets or ())
            return private - targets, noisy | targets
        if isinstance(node, AssignNode):
            reads = [values_in(e) for e in node.step.values]
            pairs = list(zip(node.step.targets, reads, strict=True))
            return (
                _assigned(private, ((t, bool(r & private)) for t, r in pairs)),
                _assigned(noisy, ((t, bool(r & noisy)) for t, r in pairs)),
            )
        if isinstance(node, BranchNode) and node.join is not None:
            # What the arms of a private branch assign tells of its test.
            reads_test = values_in(node.test)
            targets = self._arm_targets(node)
            return (
                private | targets if reads_test & private else private,
                noisy | targets if reads_test & noisy else noisy,
            )
        return private, noisy

    def _arm_targets(self, branch: BranchNode) -> frozenset[str]:
        found: set[str] = set()
        stack = [branch.yes, branch.no]
        while stack:
            k = stack.pop()
            node = self._program.flow.nodes[k]
            if k != branch.join:
                found.update(node.step.targets if isinstance(node, AssignNode) else ())
                stack.extend(successors(node))
        return frozenset(found)

    def is_plain_private(self, e: Expression, k: int) -> bool:
        """Whether an expression is private and free of noise before node ``k``."""
        private, noisy = self._before.get(k, (frozenset(), frozenset()))
        names = values_in(e)
        return bool(names & private) and not names & noisy

    def is_private(self, e: Expression, k: int) -> bool:
        """Whether an expression may hold a private value before node ``k``, noise or not."""
        return bool(values_in(e) & self._before.get(k, (frozenset(), frozenset()))[0])

    def is_noisy(self, e: Expression, k: int) -> bool:
        """Whether an expression may hold noise before node ``k``."""
        return bool(values_in(e) & self._before.get(k, (frozenset(), frozenset()))[1])


def _assigned(names: frozenset[str], marks: Iterable[tuple[str, bool]]) -> frozenset[str]:
    result = set(names)
    for target, marked in marks:
        (result.add if marked else result.discard)(target)
    return frozenset(result)


def values_in(e: Expression) -> frozenset[str]:
    """The variables and sequences whose values an expression reads; lengths are public."""
    if isinstance(e, Counted):
        return values_in(e.test) - {record_name(e.data)} | {e.data}
    own = {e.name} if isinstance(e, Name) else {e.array} if isinstance(e, Cell | Whole) else set()
    return frozenset(own.union(*map(values_in, children(e))))
