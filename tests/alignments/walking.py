"""A paired run of a mechanism, watched: what it owes, where it stops, what it costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from shiftproof import Mechanism
from shiftproof.alignments.alignment import Condition, Reason, annotated_shifts, no_shift
from shiftproof.alignments.inputs import SymbolicInputs
from shiftproof.alignments.paired import PairedRun
from shiftproof.alignments.paths import Path
from shiftproof.checkers.proving.system import Solver, global_facts
from shiftproof.dsl.language.syntax import Expression, Span
from shiftproof.dsl.relations.cases import cases_of
from shiftproof.dsl.terms.formulas import Formula


@dataclass
class Watched:
    """An observer that remembers; infeasible paths are left out."""

    owed_here: list[tuple[Path, Formula, Reason]] = field(default_factory=list)
    heads: list[Path] = field(default_factory=list)
    ends: list[Path] = field(default_factory=list)
    solver: Solver = field(default_factory=Solver)

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        self.owed_here.append((path.copy(), claim, reason))

    def at_head(self, path: Path) -> None:
        self.heads.append(path)

    def at_end(self, path: Path, span: Span) -> None:
        self.ends.append(path)

    def feasible(self, path: Path, formula: Formula) -> bool:
        return self.solver.consistent([*path.facts, formula])

    def claims(self, condition: Condition) -> list[str]:
        """What is owed under a condition, in order."""
        return [str(claim) for _, claim, reason in self.owed_here if reason.condition is condition]

    def open(self) -> list[Reason]:
        """What is owed and does not follow from the facts of its path."""
        return [
            reason
            for path, claim, reason in self.owed_here
            if not self.solver.follows(path.facts, claim)
        ]


def walk(
    mechanism: Mechanism,
    shifts: dict[int, Expression] | None = None,
    start: Path | None = None,
    case: int = 0,
) -> Watched:
    """Walk the annotated alignment (no shift where there is none) up to loop heads and ends."""
    program = mechanism.program
    found = cases_of(program.privacy, program.inputs)[case]
    still = {n.site: no_shift(n.step.distribution.lattice) for n in program.flow.sites}
    watched = Watched()
    run = PairedRun(
        program,
        SymbolicInputs(program, found),
        {**still, **annotated_shifts(program), **(shifts or {})},
        watched,
        cut=True,
    )
    path = start or Path(program.flow.start)
    for fact in global_facts(program, found):
        path.assume(fact)
    run.explore(path)
    return watched
