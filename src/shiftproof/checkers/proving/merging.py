"""The run on D' of two runs on recorded noise, through both arms of a branch at once.

Where the unknown shifts decide which way it takes, each of its variables becomes "this if the test
holds, else that"; the value gets a name, so that what is built on it stays small.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import AssignNode, BranchNode
from ...dsl.terms.formulas import (
    Formula,
    choice,
    conjunction,
    disjunction,
    iff,
    implies,
    negation,
)
from ...dsl.terms.linear import Linear, Symbol, term
from ...dsl.terms.values import Num, Value, joined_kind
from ..walking.runs.run import Run, Side
from ..walking.runs.state import State
from ..walking.runs.walk import Walk


class MergingRun(Run):
    """Two runs of which the one on D' may come to named values.

    Attributes:
        label: what the names begin with.
        definitions: names that were given to values of the run on D'.
        expected: what these are in the run on D, by name.
    """

    label: int
    definitions: list[tuple[Symbol, Linear]]
    expected: dict[str, Linear]


class MergingWalk(Walk):
    """The walk in which the run on D' takes both arms of a branch."""

    @property
    def _names(self) -> MergingRun:
        assert isinstance(self.run, MergingRun)
        return self.run

    def apart(
        self, state: State, node: BranchNode, left: Formula, right: Formula
    ) -> Iterator[State]:
        """Where the unknown shifts decide which way the run on D' takes, it takes both."""
        if state.decide(right) is not None:
            yield from super().apart(state, node, left, right)
            return
        assert node.join is not None
        for fork, value in list(self.run.forks(state, left)):
            for twin in list(self.alone(fork, "left", node.yes if value else node.no, node.join)):
                self._merge(twin, node, right)
                yield twin

    def _merge(self, state: State, node: BranchNode, test: Formula) -> None:
        """Put the run on D' through both arms of a branch, to its join."""
        assert node.join is not None
        yes, no = state.copy(), state.copy()
        self._through(yes, node.yes, node.join, test)
        self._through(no, node.no, node.join, negation(test))
        for name in yes.right.keys() | no.right.keys():
            one, another = yes.right.get(name), no.right.get(name)
            if one is None or another is None:
                state.right.pop(name, None)  # not assigned on both ways: never read any more
            elif one is not another:
                state.right[name] = self._either(state, node, test, one, another)
                self._expect(state.right[name], state.left.get(name))
        state.node = node.join

    def _through(self, state: State, at: int, join: int, reached: Formula) -> None:
        """The run on D' through one arm."""
        while at != join:
            node = self.run.program.flow.nodes[at]
            evaluator = Evaluator(Side(self.run, state, "right"))
            if isinstance(node, AssignNode):
                values = [evaluator.value(e) for e in node.step.values]
                state.right.update(zip(node.step.targets, values, strict=True))
                at = node.after
            else:
                assert isinstance(node, BranchNode) and node.join is not None
                test = evaluator.condition(node.test)
                decided = state.decide(test)
                if decided is None:
                    self._merge(state, node, test)
                    at = node.join
                else:
                    at = node.yes if decided else node.no
            for duty in evaluator.duties:
                claim = implies(reached, duty.condition)
                self.run.owe(state, claim, "definedness and end", duty.reason, duty.span)

    def _either(
        self, state: State, node: BranchNode, test: Formula, yes: Value, no: Value
    ) -> Value:
        """``yes`` where the test holds, else ``no``."""
        if yes == no:
            return yes
        if isinstance(yes, Num) and isinstance(no, Num):
            whole = yes.term.integral and no.term.integral
            name = Symbol(self.run.fresh(f"value {self._names.label}."), whole, private=True)
            self._names.definitions.append((name, choice(test, yes.term, no.term)))
            return Num(term(name), joined_kind(yes.kind, no.kind))
        if isinstance(yes, Formula) and isinstance(no, Formula):
            return disjunction((conjunction((test, yes)), conjunction((negation(test), no))))
        # Of two types: no shift is worth it that makes the runs part here.
        left = Evaluator(Side(self.run, state, "left")).condition(node.test)
        self.run.owe(state, iff(left, test), "same samples", "both runs agree here", node.span)
        return yes if state.decide(left) else no

    def _expect(self, right: Value, left: Value | None) -> None:
        """What a value of the run on D' is in the run on D."""
        if isinstance(right, Num) and isinstance(left, Num) and left.term.is_constant:
            self._names.expected.update((atom.key, left.term) for atom, _ in right.term.parts)
