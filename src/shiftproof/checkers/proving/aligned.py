"""Proofs by an alignment: every case of the relation, or what is in the way."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ...alignments.alignment import Alignment, Reason, no_shift
from ...alignments.control import finite_variables
from ...alignments.examples import Example, Examples, shown
from ...dsl.errors import LimitReached, ShiftproofError, Unsupported
from ...dsl.language.dataflow import reached, successors
from ...dsl.language.flow import CallNode, HeadNode, Node, ReleaseNode
from ...dsl.language.syntax import NOWHERE, BooleanConstant, Span
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.allowance import allowed
from ...dsl.terms.formulas import FALSE, Formula
from ...dsl.terms.linear import Linear
from ...dsl.terms.phases import phase
from ..verdicts import Verdict
from ..walking.certificate import Part
from ..walking.common import common_facts
from .attempts import Failure, Proof
from .budgets.tighten import Proved, least_budget
from .excluded import excluded
from .loops.system import Solver
from .prove import Attempt, Unrolled, prove, prove_bounded
from .recordings import Recording, record
from .search import Search, failures
from .writing import part_of

#: How many alignments a proof is tried for.
CANDIDATES = 8
#: After how many runs of Spacer no further alignment is tried.
SEARCHES = 20
#: The work for the proofs of a case; for a bounded one; for examples of what fails.
PROOF_WORK = 16_000_000
BOUNDED_WORK = 4_000_000
#: How many times as much where loops go by states, each with shifts of its own.
STATES_WORK = 3
EXAMPLES_WORK = 4_000_000
#: Of how many runs on which an alignment fails the smallest one is shown.
FAILURES = 12
#: The size up to which a claim is tried to be proved when it was not proved for all sizes.
BOUNDED_SIZE = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in one case of the neighbour relation."""

    verdict: Verdict
    alignment: dict[str, str]
    reasons: tuple[str, ...] = ()
    proved: Proved | None = None
    part: Part | None = None
    failing: tuple[Example, ...] = ()


def by_alignment(program: Program) -> Proof | Failure:
    """Pair each run with one of the neighbour: its noise shifted, its outcome the same."""
    try:
        findings = findings_of(program)
        budget = least(program, findings)
    except Unsupported as error:
        return Failure("alignment", (str(error),), declined=True, refusal=error)
    shifts = _described(findings)
    reasons = tuple(dict.fromkeys(r for f in findings for r in f.reasons))
    verdicts = {f.verdict for f in findings}
    if verdicts == {Verdict.PROVED}:
        parts = tuple(f.part for f in findings if f.part is not None)
        return Proof(
            parts, method="alignment", sizes="all", least=budget, alignment=shifts, reasons=reasons
        )
    if verdicts in ({Verdict.BOUNDED}, {Verdict.PROVED, Verdict.BOUNDED}):
        sizes = f"up to {BOUNDED_SIZE}"
        return Proof(
            method="alignment", sizes=sizes, least=budget, alignment=shifts, reasons=reasons
        )
    from ..refuting.refute import instance_of

    starts = tuple(instance_of(program, e) for f in findings for e in f.failing)
    return Failure("alignment", reasons, starts, shifts)


def _described(findings: Sequence[Finding]) -> dict[str, str]:
    """The shift of each sample; where cases differ, all of them."""
    shifts: dict[str, str] = {}
    for finding in findings:
        for sample, shift in finding.alignment.items():
            known = shifts.get(sample)
            shifts[sample] = shift if known in (None, shift) else f"{known}  |  {shift}"
    return shifts


def findings_of(program: Program) -> list[Finding]:
    """What came of each case, up to the first one that was not proved."""
    findings: list[Finding] = []
    work = PROOF_WORK * (STATES_WORK if finite_variables(program.flow) else 1)
    try:
        with phase("read"):
            cases = program.cases
        empty = _empty(program, cases)
        for case in cases:
            with allowed(work, "the search for a proof"):
                findings.append(
                    _vacuous(program, case) if case in empty else _decide(program, case)
                )
            if findings[-1].verdict not in (Verdict.PROVED, Verdict.BOUNDED):
                break
    except LimitReached as error:
        findings.append(Finding(Verdict.UNKNOWN, {}, (str(error),)))
    return findings


def _empty(program: Program, cases: Sequence[Case]) -> list[Case]:
    """Pieces of a budget that no pair of inputs falls into; if there are others."""
    if all(case.budget is None for case in cases):
        return []
    solver = Solver()
    found = [c for c in cases if not solver.consistent(common_facts(program, c))]
    return found if len(found) < len(cases) else []


def _vacuous(program: Program, case: Case) -> Finding:
    """A case without pairs: whatever is said of it is true."""
    still = {n.site: no_shift(n.step.distribution.lattice) for n in program.flow.sites}
    return Finding(Verdict.PROVED, {}, part=part_of(program, case, Alignment(still, "found"), []))


def least(program: Program, findings: Sequence[Finding]) -> Linear:
    """The least ε that is proved; where a case is only bounded, the claimed one."""
    cases = [f.proved for f in findings if f.proved is not None]
    return least_budget(program, cases) if len(cases) == len(findings) else program.budget


def _decide(program: Program, case: Case) -> Finding:
    """One case: align, prove, or else say what is in the way."""
    solver = Solver()
    facts = common_facts(program, case)
    search = Search(program, case, facts)
    attempts: list[tuple[Alignment, Attempt]] = []
    limit: tuple[str, ...] = ()
    refused: Unsupported | None = None
    try:
        for alignment in itertools.islice(search.candidates(), CANDIDATES):
            attempts.append((alignment, Attempt("unknown")))  # unless no limit ends it
            searches = solver.searches
            try:
                attempt = _proved_by(program, case, search, alignment, solver)
            except Unsupported as error:
                if not search.may_sum:
                    raise
                refused = refused or error  # what cannot be shifted may be summed
                attempts.pop()
                search.refuse_template()
                continue
            if attempt.proof is None and alignment.alike and _asks_of_elements(attempt):
                alignment = replace(alignment, alike=frozenset())
                attempt = _proved_by(program, case, search, alignment, solver)
            attempts[-1] = alignment, attempt
            if attempt.proof is not None:
                problems = vacuous(program, case, alignment, facts, search.recordings, solver)
                shown = alignment.described(program)
                if problems:
                    return Finding(Verdict.UNKNOWN, shown, problems)
                proved = Proved(case, search, solver, alignment)
                part = part_of(program, case, alignment, [attempt.proof])
                return Finding(Verdict.PROVED, shown, proved=proved, part=part)
            if solver.searches >= SEARCHES:
                break  # what so much effort did not prove, more of it will not
            if solver.searches > searches:
                search.yield_turn()
    except LimitReached as error:
        limit = (str(error),)
    if refused is not None and not attempts:
        raise refused
    if not attempts:
        if limit:
            return Finding(Verdict.UNKNOWN, {}, limit)
        return _nothing_fits(program, case, facts, search)
    for alignment, attempt in attempts:
        if attempt.outcome == "unknown" and _is_bounded(program, case, alignment, facts, solver):
            why = ("no loop invariant was found within the solver's resources",)
            return Finding(Verdict.BOUNDED, alignment.described(program), why)
    alignment, attempt = attempts[0]
    reasons, failing = _explained(program, case, facts, alignment, attempt)
    shown = alignment.described(program)
    return Finding(Verdict.UNKNOWN, shown, (*reasons, *limit), failing=failing)


def _proved_by(
    program: Program, case: Case, search: Search, alignment: Alignment, solver: Solver
) -> Attempt:
    """One alignment tried, with what the search's recordings say of it."""
    arrived, doubted = search.arrived(alignment), search.speaks_against
    return prove(program, case, alignment, solver, doubted=doubted, arrived=arrived)


def _asks_of_elements(attempt: Attempt) -> bool:
    """Whether what is open may rest on the elements of lists, and not on their being the same."""
    return any(r.condition != "same output" for r in attempt.reasons)


def _is_bounded(
    program: Program, case: Case, alignment: Alignment, facts: Sequence[Formula], solver: Solver
) -> bool:
    """Whether the claim is proved for small sizes, and with little work."""
    try:
        with allowed(BOUNDED_WORK, "a proof for small sizes"):
            return prove_bounded(program, case, alignment, facts, solver, BOUNDED_SIZE)
    except LimitReached:
        return False


def _explained(
    program: Program, case: Case, facts: Sequence[Formula], alignment: Alignment, attempt: Attempt
) -> tuple[tuple[str, ...], tuple[Example, ...]]:
    """Why an alignment does not do, with the concrete values of a recording that shows it."""
    whose = (
        "the annotated alignment" if alignment.origin == "annotated" else "the best alignment found"
    )
    failure: tuple[Reason, Recording] | None = None
    with suppress(LimitReached), allowed(EXAMPLES_WORK, "a search for examples"):
        for one in itertools.islice(failures(program, case, facts, alignment), FAILURES):
            if failure is None or one[1].size < failure[1].size:
                failure = one
    if failure is not None:
        text, example = _shown_failure(program, whose, *failure)
        return (text,), (example,)
    texts = tuple(
        f"{_place_of(program, r.span)}{whose} is not proved to meet '{r.condition}': {r.detail}"
        for r in attempt.reasons
    )
    return texts or (f"{whose} was not proved within the solver's resources",), ()


def _place_of(program: Program, span: Span) -> str:
    """A place, where there is one: shifts that were found stand nowhere."""
    return "" if span == NOWHERE else f"{program.location(span)}: "


def _shown_failure(
    program: Program, whose: str, reason: Reason, recording: Recording
) -> tuple[str, Example]:
    """A condition that fails, with the numbers of the run on which it does."""
    left, right = recording.example.left, recording.example.right
    inputs = ", ".join(f"{n} = {shown(v)}" for n, v in left.items())
    others = ", ".join(f"{n}′ = {shown(v)}" for n, v in right.items() if v != left[n])
    noise = ", ".join(map(str, recording.draws))
    text = (
        f"{_place_of(program, reason.span)}{whose} fails on '{reason.condition}': "
        f"{reason.detail}; for instance {inputs}; {others or 'D = D′'}; noise {noise or 'none'}"
    )
    if reason.detail.endswith("is not negative"):
        text += "; Python counts from the end there: start later, or test the index first"
    return text, recording.example


def _nothing_fits(
    program: Program, case: Case, facts: Sequence[Formula], search: Search
) -> Finding:
    """No shift of the template fits even a few examples: say what fails when nothing is shifted.

    Or what fails whatever is shifted, as D alone does not meet it.
    """
    for recording in search.recordings:
        for claim, reason in recording.owed:
            if claim == FALSE and reason.condition == "definedness and end":
                text, example = _shown_failure(program, "every alignment", reason, recording)
                return Finding(Verdict.UNKNOWN, {}, (text,), failing=(example,))
    still = Alignment(search.template.filled(dict.fromkeys(search.template.unknowns, 0)), "found")
    attempt = Attempt("failed")
    try:
        reasons, failing = _explained(program, case, facts, still, attempt)
    except ShiftproofError:
        reasons, failing = (), ()
    nothing = "no alignment of the template fits"
    texts = (f"{nothing}; without any shift:", *reasons) if reasons else (nothing,)
    return Finding(Verdict.UNKNOWN, {}, texts, failing=failing)


# Doubts about a proof: is it about something?
#
# Every output and the end must be reachable.  The witnesses are recordings, runs on
# concrete inputs and noise; where they miss an output, the solver looks for a path.
# Whether runs agree with the proof, the guard asks (:mod:`.guarding`).

#: How many rounds of loops the solver follows to an output that no recording reached.
ROUNDS = 3
#: How many runs under the alignment of the proof are witnesses, besides those of the search.
OWN_RECORDINGS = 3


def vacuous(
    program: Program,
    case: Case,
    alignment: Alignment,
    facts: Sequence[Formula],
    seen: Iterable[Recording],
    solver: Solver,
) -> tuple[str, ...]:
    """What keeps a proof from meaning anything; nothing if it is about something.

    ``seen`` are recordings of the search; their runs on D are witnesses too.
    """
    own = _recordings(program, case, alignment, facts)
    recordings = [r for r in (*own, *seen) if r.cost is not None]
    missing = _outputs(program) - {span for r in recordings for span in r.visited}
    ended = bool(recordings)
    if missing or not ended:
        found = Unrolled(program, case, alignment, facts, solver, ROUNDS)
        missing -= found.visited
        missing -= excluded(program, facts, solver) if missing else set()
        ended = ended or bool(found.ended)
    problems = [
        f"{program.location(span)}: no run was found that releases this"
        for span in sorted(missing, key=_place)
    ]
    if not ended:
        problems.append("no run was found that comes to an end")
    costs = [r.cost.constant for r in recordings if r.cost is not None and r.cost.is_constant]
    if costs and max(costs) < 0:
        problems.append(
            "alarm: every recorded run has a negative cost; the proof would claim too much"
        )
    return tuple(problems)


def _recordings(
    program: Program, case: Case, alignment: Alignment, facts: Sequence[Formula]
) -> Iterator[Recording]:
    examples = itertools.islice(Examples(program, case, facts, seed=3), OWN_RECORDINGS)
    for seed, example in enumerate(examples):
        recording = record(program, example, alignment.shifts, (), seed)
        if recording is not None:
            yield recording


def _outputs(program: Program) -> set[Span]:
    """Every place of a release that the flow graph leads to."""
    found = reached(program.flow.nodes, [program.flow.start], ways=_taken)
    called = (n.step for n in found if isinstance(n, CallNode))
    released_there = {step.span for step in called if step.targets is None}
    return released_there | {node.span for node in found if isinstance(node, ReleaseNode)}


def _taken(node: Node) -> Sequence[int]:
    """The ways on from a node; none leads out of ``while True`` but a break."""
    match node:
        case HeadNode(test=BooleanConstant(value=True), body=body):
            return (body,)
    return successors(node)


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column
