"""The proof of one alignment: obligations between loop heads, then the loops."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...alignments.alignment import Alignment, Condition, Obligation, Reason
from ...alignments.inputs import SymbolicInputs
from ...alignments.paired import PairedRun
from ...alignments.paths import Path
from ...dsl.language.syntax import NOWHERE, Span
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, at_least, equal, negation
from ...dsl.terms.linear import number, term
from .budget import Bounds, allotments, claimed, times
from .cases import proposals_by_case
from .horn import Answer, Query, unreachable
from .invariants import invariants, needed_invariants, proposals, strengthened
from .system import End, Invariants, Owed, Solver, System, SystemBuilder

#: In how many ways a budget is divided between counters when a quick answer is wanted.
QUICK_ALLOTMENTS = 2

Outcome = Literal["proved", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of trying to prove one alignment in one case.

    ``failed`` means that no invariant can save this alignment as it is checked here;
    it never means that the mechanism is not private.  ``reasons`` lists what could not
    be settled without loop invariants, or why the attempt ended.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...] = ()
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What a certificate is written from: the system, what holds at its heads, the bounds.

    The bounds are shares of the pair's distance, where the budget is a multiple of it.
    """

    system: System
    invariants: Invariants
    bounds: Bounds


def prove(
    program: Program, case: Case, alignment: Alignment, solver: Solver, *, quick: bool = False
) -> Attempt:
    """Try to prove the claim for all sizes and parameters with this alignment.

    ``quick``: give up where elimination finds no invariants.

    Raises:
        Unsupported: a construct has no meaning for the proof.
        LimitReached: there are too many paths.
        BadInput: the preconditions contradict each other.
    """
    system = SystemBuilder(program, case, alignment, solver).build()
    open_duties = [o for o in system.owed if not _settled(o, solver)]
    hopeless = [o for o in open_duties if o.source is None]
    if hopeless:
        return Attempt("failed", _reasons(hopeless))
    facts = system.facts  # of all paths: what one branch says of parameters is not for the rest
    if not all(solver.follows(facts, negation(equal(d, number(0)))) for d in program.divisors):
        detail = "the budget divides by what is not zero"
        where = system.ends[0].span if system.ends else NOWHERE
        return Attempt("failed", (Reason(Condition.PRECONDITIONS, detail, where),))
    unsettled: list[Query] = []
    answers: set[Answer] = set()
    budget = claimed(program, case)
    found = allotments(system.ends, budget, facts, solver, case.distance)
    for shares in itertools.islice(found, QUICK_ALLOTMENTS if quick else None):
        bounds = times(shares, case.distance)
        queries = [*map(_query, open_duties), *_cost_queries(system, bounds, solver)]
        if any(q.source is None for q in queries):
            continue
        answer, left, known = settle_loops(system, queries, bounds, solver, quick=quick)
        if answer == "unreachable" and known is not None:
            return Attempt("proved", proof=Proof(system, known, shares))
        answers.add("unknown" if answer == "unreachable" else answer)
        unsettled = unsettled or left
    reasons = tuple(dict.fromkeys(q.reason for q in unsettled)) or _cost_reason(system)
    return Attempt("unknown" if "unknown" in answers else "failed", reasons)


def settle_loops(
    system: System, queries: list[Query], bounds: Bounds, solver: Solver, *, quick: bool = False
) -> tuple[Answer, list[Query], Invariants | None]:
    """Find invariants for what is left, by elimination first, then, if not ``quick``, with Spacer.

    Returns the answer, the queries that elimination left open, and, where nothing is open in the
    end, the invariants that all of them rest on (``None`` if they cannot be written down).
    """
    known: Invariants = {}
    left = queries
    for propose in (proposals, proposals_by_case):
        if not left:
            break
        known = invariants(system, bounds, propose, known)
        left = [q for q in left if not solver.follows((*q.facts, *known[q.source or ""]), q.claim)]
    if left and quick:
        return "unknown", left, None
    if left:
        answer, found = unreachable(strengthened(system, known), left, solver)
        if answer != "unreachable" or found is None:
            return answer, left, None
        known = {name: (*known[name], *found.get(name, ())) for name in known}
    # What follows without invariants is not among the queries.
    return "unreachable", left, needed_invariants(system, queries, known)


def _query(owed: Owed) -> Query:
    o = owed.obligation
    return Query(owed.source, o.facts, o.claim, o.reason)


def _settled(owed: Owed, solver: Solver) -> bool:
    return solver.follows(owed.obligation.facts, owed.obligation.claim)


def _reasons(owed: list[Owed]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(o.obligation.reason for o in owed))


def _cost_queries(system: System, bounds: Bounds, solver: Solver) -> list[Query]:
    """The bounds that the ends do not meet without invariants."""
    found = []
    detail = "the shifts cost at most the budget"
    for end in system.ends:
        for rate, bound in bounds.items():
            claim = at_least(bound, end.costs.get(rate, number(0)))
            if not solver.follows(end.facts, claim):
                reason = Reason(Condition.COST, detail, end.span)
                found.append(Query(end.source, end.facts, claim, reason))
    return found


def _cost_reason(system: System) -> tuple[Reason, ...]:
    if not system.ends:
        return ()
    detail = "the shifts cost at most the budget"
    return (Reason(Condition.COST, detail, system.ends[0].span),)


# The paired run with its loops written out a few rounds: for bounded proofs and reachability.


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
