"""What a proof by alignment owes, line by line: the kernel's own walk, its ledger kept.

Nothing is proved here.  The kernel has discharged these obligations before there was a report.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..checkers.kernel.certificate import Head, Part
from ..checkers.kernel.check import AS_WRITTEN, common_facts
from ..checkers.kernel.discharge import Questioner
from ..checkers.kernel.heads import LoopHead, loop_head
from ..checkers.kernel.obligations import Ledger, Obligation
from ..checkers.kernel.prophecy import begin
from ..checkers.kernel.run import Run
from ..checkers.kernel.shifts import shift_of
from ..checkers.kernel.solvers import Solver
from ..checkers.kernel.state import State
from ..checkers.kernel.vocabulary import Vocabulary
from ..checkers.kernel.walk import Walk
from ..dsl.flow import HeadNode
from ..dsl.formulas import at_least
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.smt import one_context
from ..dsl.syntax import Expression, Span
from ..dsl.terms import number


def obligations(program: Program, case: Case, part: Part) -> tuple[Obligation, ...]:
    """Everything that is owed of the steps of a program, from its start and every loop head."""
    with one_context():
        sources: tuple[Head | None, ...] = (None, *part.heads)
        return tuple(o for head in sources for o in _Steps(program, case, part).owed(head))


class _Steps:
    """One walk."""

    def __init__(self, program: Program, case: Case, part: Part) -> None:
        self._case, self._part = case, part
        self._ledger = Ledger()
        common = common_facts(program, case)
        oracle = Questioner(Solver("z3"))
        self._run = Run(program, case, _shifts(program, part), common, self._ledger, oracle)
        vocabulary = Vocabulary.of(program, case)
        self._heads = [loop_head(self._run, vocabulary, head) for head in part.heads]

    def owed(self, source: Head | None) -> Iterator[Obligation]:
        """What is owed on the ways from there to the next loop head or end."""
        if source is None:
            start = State(self._run.program.flow.start, fresh_start=False)
            begin(self._run, start)
        else:
            start = self._heads[self._part.heads.index(source)].start(self._run)
        Walk(self._run, self).explore(start)
        yield from self._ledger

    def arrives(self, state: State, node: HeadNode) -> None:
        """Both runs come to a loop head: its invariants are owed."""
        if not node.counted:
            self.ends(state, node.span)
        head: LoopHead | None = next((h for h in self._heads if h.fits(self._run, state)), None)
        if head is not None:
            head.owe(self._run, state, node.span)

    def ends(self, state: State, span: Span) -> None:
        """Both runs end: the bounds on the costs are told elsewhere."""
        for rate, spent in state.costs.items():
            if not self._part.costs and spent != number(0):
                self._run.owe(state, at_least(number(0), spent), "cost", str(rate), span)


def _shifts(program: Program, part: Part) -> dict[int, Expression]:
    sites = zip(program.flow.sites, part.shifts, strict=True)
    return {
        node.site: node.step.shift
        if text == AS_WRITTEN and node.step.shift is not None
        else shift_of(text)
        for node, text in sites
    }
