"""The proof of one alignment: obligations between loop heads, then the loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...alignments.alignment import Alignment, Reason
from ...dsl.language.flow import CallNode, HeadNode
from ...dsl.language.syntax import NOWHERE, Span
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, at_least, equal, negation
from ...dsl.terms.linear import number, term
from ..walking.runs.given_up import probability_at
from ..walking.runs.prophecy import begin
from ..walking.runs.state import Condition, Ledger, Obligation, State
from ..walking.runs.walk import Walk
from .loops.budget import Bounds, allotments, claimed, times
from .loops.cases import proposals_by_case
from .loops.horn import Answer, Query, unreachable
from .loops.invariants import invariants, proposals, strengthened
from .loops.needed import needed_invariants
from .loops.products import Products, with_products
from .loops.records import proposals_by_record
from .loops.seen import Arrived, Seen
from .loops.system import End, Invariants, Owed, PairedRun, Solver, System, SystemBuilder

#: In how many ways a budget is divided between counters when a quick answer is wanted.
QUICK_ALLOTMENTS = 2

AttemptOutcome = Literal["proved", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of trying to prove one alignment in one case.

    ``failed`` means that no invariant can save this alignment as it is checked here;
    it never means that the mechanism is not private.  ``reasons`` lists what could not
    be settled without loop invariants, or why the attempt ended.
    """

    outcome: AttemptOutcome
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
    program: Program,
    case: Case,
    alignment: Alignment,
    solver: Solver,
    *,
    quick: bool = False,
    doubted: Callable[[], bool] = lambda: False,
    arrived: Iterable[Arrived] = (),
) -> Attempt:
    """Try to prove the claim for all sizes and parameters with this alignment.

    ``quick``: give up where elimination finds no invariants; ``doubted`` is asked there else.
    ``arrived``: what runs under this alignment held at loop heads.

    Raises:
        Unsupported: a construct has no meaning for the proof.
        LimitReached: there are too many paths.
        BadInput: the preconditions contradict each other.
    """
    system, open_duties = owed_by(program, case, alignment, solver)
    hopeless = [q.reason for q in open_duties if q.source is None]
    if hopeless:
        return Attempt("failed", tuple(dict.fromkeys(hopeless)))
    facts = system.facts  # of all paths: what one branch says of parameters is not for the rest
    if not all(solver.follows(facts, negation(equal(d, number(0)))) for d in program.divisors):
        detail = "the budget divides by what is not zero"
        where = system.ends[0].span if system.ends else NOWHERE
        return Attempt("failed", (Reason("preconditions and positivity", detail, where),))
    unsettled: list[Query] = []
    answers: set[Answer] = set()
    budget = claimed(program, case)
    seen = Seen(program, case.places, alignment.alike, system, arrived)
    found = allotments(system.ends, budget, facts, solver, case.distance, program.delta)
    for shares in itertools.islice(found, QUICK_ALLOTMENTS if quick else None):
        bounds = times(shares, case.distance)
        queries = [*open_duties, *cost_queries(system, bounds, solver)]
        if any(q.source is None for q in queries):
            continue
        answer, left, known = settle_loops(
            system, queries, bounds, solver, seen, quick=quick, doubted=doubted
        )
        if answer == "unreachable" and known is not None:
            return Attempt("proved", proof=Proof(system, known, shares))
        answers.add("unknown" if answer == "unreachable" else answer)
        unsettled = unsettled or left
    reasons = tuple(dict.fromkeys(q.reason for q in unsettled)) or _cost_reason(system)
    return Attempt("unknown" if "unknown" in answers else "failed", reasons)


def owed_by(
    program: Program, case: Case, alignment: Alignment, solver: Solver
) -> tuple[System, list[Query]]:
    """The alignment's system, and what of its obligations is not settled without loop invariants.

    Raises:
        Unsupported, LimitReached, BadInput: as for :func:`prove`.
    """
    built = SystemBuilder(program, case, alignment, solver).build()
    system = with_products(built, solver, case.distance)
    return system, [q for o in system.owed if not settled(q := query_of(o), solver)]


def settle_loops(
    system: System,
    queries: list[Query],
    bounds: Bounds,
    solver: Solver,
    seen: Seen | None = None,
    *,
    quick: bool = False,
    doubted: Callable[[], bool] = lambda: False,
) -> tuple[Answer, list[Query], Invariants | None]:
    """Find invariants for what is left, by elimination first, then, if not ``quick``, with Spacer.

    Spacer takes long: ``doubted`` says whether to give up before more is done.

    Returns the answer, the queries that elimination left open, and, where nothing is open in the
    end, the invariants that all of them rest on (``None`` if they cannot be written down).
    """
    known: Invariants = {}
    left = queries
    counted = Products.counted(system, bounds, solver)
    system, products = counted.told(system), counted.joined(system)
    for propose in (proposals, proposals_by_case, proposals_by_record):
        if not left:
            break
        if propose is proposals_by_record and not quick and doubted():
            return "reachable", left, None  # by a run that was recorded: the rest takes long
        known = invariants(system, bounds, propose, known, seen)
        left = [q for q in left if not solver.follows(_with(known, products, q), q.claim)]
    if left and quick:
        return "unknown", left, None
    if left and doubted():
        return "reachable", left, None  # by a run that was recorded
    if left:
        answer, found = unreachable(strengthened(system, known), left, solver)
        if answer != "unreachable" or found is None:
            return answer, left, None
        known = {name: (*known[name], *found.get(name, ())) for name in known}
    # What follows without invariants is not among the queries.
    told = [replace(q, facts=(*q.facts, *products.following(q, known))) for q in queries]
    return "unreachable", left, needed_invariants(system, told, known)


def _with(known: Invariants, products: Products, query: Query) -> tuple[Formula, ...]:
    """What is known on the path of a query."""
    return (*query.facts, *known[query.source or ""], *products.following(query, known))


def query_of(owed: Owed) -> Query:
    """What is owed, as a question to the solver."""
    o = owed.obligation
    return Query(owed.source, o.facts, o.claim, Reason(o.condition, o.detail, o.span))


def settled(query: Query, solver: Solver) -> bool:
    """Whether it holds without loop invariants."""
    return solver.follows(query.facts, query.claim)


def cost_queries(system: System, bounds: Bounds, solver: Solver) -> list[Query]:
    """The bounds that the ends do not meet without invariants."""
    found = []
    detail = "the shifts cost at most the budget"
    for end in system.ends:
        for rate, bound in bounds.items():
            claim = at_least(bound, end.costs.get(rate, number(0)))
            if not solver.follows(end.facts, claim):
                reason = Reason("cost", detail, end.span)
                found.append(Query(end.source, end.facts, claim, reason))
    return found


def _cost_reason(system: System) -> tuple[Reason, ...]:
    if not system.ends:
        return ()
    detail = "the shifts cost at most the budget"
    return (Reason("cost", detail, system.ends[0].span),)


# The paired run with its loops written out a few rounds: for bounded proofs and reachability.


class Unrolled:
    """What the unrolled program owes, where it ends, and whether a loop wanted more rounds.

    ``called``: where it calls a mechanism, which may never return.  ``going_on``: the heads at
    which it was left, as if it ended there.
    """

    def __init__(
        self,
        program: Program,
        case: Case,
        alignment: Alignment,
        facts: Sequence[Formula],
        solver: Solver,
        rounds: int,
    ) -> None:
        self._solver = solver
        self._nodes = program.flow.nodes
        self._arrived: list[State] = []
        self.owed = Ledger()
        self.ended: list[End] = []
        self.called: list[End] = []
        run = _Visiting(
            program,
            case,
            alignment.shifts,
            (),
            self.owed,
            self,
            alike=alignment.alike,
            solver=solver,
            rough=alignment.rough,
        )
        start = State(program.flow.start, fresh_start=False)
        for fact in facts:
            start.assume(fact)
        begin(run, start)
        self._arrived.append(start)
        for _ in range(rounds + 2):
            waiting, self._arrived = self._arrived, []
            for state in waiting:
                Walk(run, self).explore(state)
        self.visited = run.visited
        self.cut_short = bool(self._arrived)
        self.going_on = [End(None, tuple(s.facts), dict(s.costs), NOWHERE) for s in self._arrived]

    def arrives(self, state: State, node: HeadNode) -> None:
        """Begin a round, unless there have been enough."""
        state.fresh_start = True
        self._arrived.append(state)

    def ends(self, state: State, span: Span) -> None:
        """Record an end with its cost."""
        found = self.called if isinstance(self._nodes[state.node], CallNode) else self.ended
        found.append(End(None, tuple(state.facts), dict(state.costs), span))

    def gives_up(self, state: State, span: Span) -> None:
        """What was given up so far is owed as where a callee may never return."""
        counted = {rate: n for rate, n in state.costs.items() if probability_at(rate) is not None}
        self.called.append(End(None, tuple(state.facts), counted, span))

    def holds(self, obligation: Obligation) -> bool:
        """Ask the solver."""
        return not self._solver.consistent([*obligation.facts, negation(obligation.claim)])


class _Visiting(PairedRun):
    """A run that remembers what it released."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.visited: set[Span] = set()

    def owe(
        self, state: State, claim: Formula, condition: Condition, detail: str, span: Span
    ) -> None:
        """As ever; what is released is owed to be the same."""
        if condition == "same output":
            self.visited.add(span)
        super().owe(state, claim, condition, detail, span)


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
    found = Unrolled(program, case, alignment, limited, solver, size)
    if found.cut_short or not all(solver.follows(o.facts, o.claim) for o in found.owed):
        return False
    ends = [*found.ended, *found.called]
    budget = claimed(program, case)
    for shares in allotments(ends, budget, limited, solver, case.distance, program.delta):
        bounds = times(shares, case.distance)
        if all(
            solver.follows(end.facts, at_least(bound, end.costs.get(rate, number(0))))
            for end in ends
            for rate, bound in bounds.items()
        ):
            return True
    return False
