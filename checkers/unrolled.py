"""The paired run with its loops written out a few rounds: for bounded proofs and reachability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..alignments.alignment import Alignment
from ..alignments.inputs import SymbolicInputs
from ..alignments.obligations import Obligation, Reason
from ..alignments.paired import PairedRun
from ..alignments.paths import Path
from ..dsl.formulas import Formula, at_least
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.syntax import Span
from ..dsl.terms import number, term
from .budget import allotments, claimed, times
from .solver import Solver
from .system import End


@dataclass(slots=True)
class Unrolled:
    """What the unrolled program owes, where it ends, and whether a loop wanted more rounds.

    ``called``: where it calls a mechanism, which may never return.
    """

    owed: list[Obligation] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    called: list[End] = field(default_factory=list)
    visited: set[Span] = field(default_factory=set)
    cut_short: bool = False


class _Watcher:
    def __init__(self, solver: Solver) -> None:
        self.found = Unrolled()
        self._solver = solver

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        self.found.owed.append(Obligation(tuple(path.facts), claim, reason))

    def at_head(self, path: Path) -> None:
        self.found.cut_short = True

    def at_end(self, path: Path, span: Span) -> None:
        self.found.ends.append(End(None, tuple(path.facts), dict(path.costs), span))
        self.found.visited.update(place for place, _, _ in path.outputs)

    def at_call(self, path: Path, span: Span) -> None:
        self.found.called.append(End(None, tuple(path.facts), dict(path.costs), span))

    def feasible(self, path: Path, formula: Formula) -> bool:
        return self._solver.consistent([*path.facts, formula])


def unroll(
    program: Program,
    case: Case,
    alignment: Alignment,
    facts: Sequence[Formula],
    solver: Solver,
    rounds: int,
) -> Unrolled:
    """Follow every path through at most ``rounds`` rounds of each loop."""
    watcher = _Watcher(solver)
    start = Path(program.flow.start, fuel=rounds + 2)
    for fact in facts:
        start.assume(fact)
    run = PairedRun(program, SymbolicInputs(program, case), alignment.shifts, watcher, cut=False)
    run.explore(start)
    return watcher.found


def prove_bounded(
    program: Program,
    case: Case,
    alignment: Alignment,
    facts: Sequence[Formula],
    solver: Solver,
    size: int,
) -> bool:
    """Whether the claim is proved for sequences of at most ``size`` elements.

    Raises:
        LimitReached: there are too many paths.
    """
    lengths = [
        at_least(number(size), term(program.length_symbol(name)))
        for name, kind in program.inputs.items()
        if kind.array
    ]
    if not lengths:
        return False
    limited = [*facts, *lengths]
    if not solver.consistent_parameters(limited):
        return False  # there are no such sizes
    found = unroll(program, case, alignment, limited, solver, size)
    if found.cut_short or not all(solver.follows(o.facts, o.claim) for o in found.owed):
        return False
    ends = [*found.ends, *found.called]
    for shares in allotments(ends, claimed(program, case), limited, solver, case.distance):
        bounds = times(shares, case.distance)
        if all(
            solver.follows(end.facts, at_least(bound, end.costs.get(rate, number(0))))
            for end in ends
            for rate, bound in bounds.items()
        ):
            return True
    return False
