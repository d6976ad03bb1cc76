"""A paired run of a mechanism, watched: what it owes, where it stops, what it costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from shiftproof import Mechanism
from shiftproof.alignments.alignment import annotated_shifts, no_shift
from shiftproof.checkers.proving.loops.system import PairedRun, Solver
from shiftproof.checkers.walking.common import common_facts
from shiftproof.checkers.walking.runs.prophecy import begin
from shiftproof.checkers.walking.runs.state import Condition, Ledger, Obligation, State
from shiftproof.checkers.walking.runs.walk import Walk
from shiftproof.dsl.language.flow import HeadNode
from shiftproof.dsl.language.syntax import Expression, Span
from shiftproof.dsl.relations.cases import cases_of
from shiftproof.dsl.terms.formulas import negation


@dataclass
class Watched:
    """What a walk comes to; infeasible paths are left out."""

    ledger: Ledger = field(default_factory=Ledger)
    heads: list[State] = field(default_factory=list)
    final: list[State] = field(default_factory=list)
    solver: Solver = field(default_factory=Solver)

    @property
    def owed(self) -> list[Obligation]:
        """What is owed, but for that no runs take the ways that were left out."""
        return [o for o in self.ledger if o.detail != "no pair of runs takes this way"]

    def arrives(self, state: State, node: HeadNode) -> None:
        self.heads.append(state)

    def ends(self, state: State, span: Span) -> None:
        self.final.append(state)

    def gives_up(self, state: State, span: Span) -> None:
        self.final.append(state)

    def holds(self, obligation: Obligation) -> bool:
        return not self.solver.consistent([*obligation.facts, negation(obligation.claim)])

    def claims(self, condition: Condition) -> list[str]:
        """What is owed under a condition, in order."""
        return [str(o.claim) for o in self.owed if o.condition == condition]

    def open(self) -> list[Condition]:
        """The conditions of what is owed and does not follow from the facts of its path."""
        return [o.condition for o in self.owed if not self.solver.follows(o.facts, o.claim)]


def walk(
    mechanism: Mechanism,
    shifts: dict[int, Expression] | None = None,
    start: State | None = None,
    case: int = 0,
) -> Watched:
    """Walk the annotated alignment (no shift where there is none) up to loop heads and ends."""
    program = mechanism.program
    found = cases_of(program.privacy, program.inputs)[case]
    still = {n.site: no_shift(n.step.distribution.lattice) for n in program.flow.sites}
    watched = Watched()
    known = {**still, **annotated_shifts(program), **(shifts or {})}
    run = PairedRun(program, found, known, (), watched.ledger, watched, solver=watched.solver)
    state = start or State(program.flow.start, fresh_start=False)
    for fact in common_facts(program, found):
        state.assume(fact)
    if start is None:
        begin(run, state)
    Walk(run, watched).explore(state)
    return watched
