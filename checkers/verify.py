"""``verify``: the whole pipeline, from a mechanism to a verdict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..dsl.errors import BadInput, LimitReached, ShiftproofError, Unsupported
from ..dsl.formulas import at_least
from ..dsl.misuse import misuses
from ..dsl.privacy import DPrivacy
from ..dsl.program import Program
from ..dsl.smt import one_context
from ..dsl.terms import Linear, number
from .aligned import BOUNDED_SIZE, Finding, findings_of, least
from .certify import Proof, certified
from .claims import assumptions, budget_text, claim_text, precondition_texts
from .finite import Finite, by_enumeration, by_sums, has_loops, is_finite
from .guarding.hold import awake, held
from .kernel.certificate import Part
from .kernel.check import nothing_compared
from .leaning import called_by
from .one_sided import Answers, one_sided_claims
from .refuting.inputs import Instance
from .refuting.judge import EFFORT
from .refuting.refute import instance_of, refutation
from .refuting.text import lower_bound_text
from .solver import Solver
from .system import global_facts
from .verdicts import Report, Verdict, faulty

if TYPE_CHECKING:
    from ..dsl.mechanism import Mechanism


#: By how much less is searched where all small inputs were counted.
COUNTED_OUT = 20


def verify(mechanism: Mechanism[..., Any], *, replays: int = 0, effort: int = EFFORT) -> Report:
    """Decide whether a mechanism has the privacy that it claims.

    Args:
        mechanism: what ``@mechanism`` made.
        replays: how many runs of the real function, if it was imported, are held against a
            proof; by default a few are, like runs of the text that was read.
        effort: how far to search for a counterexample where there is no proof (see
            :func:`refute`); 0 for no search.

    Returns:
        The verdict with its reasons, and a counterexample for a refuted claim.  Errors in the
        mechanism are verdicts too (``unsupported``, with the place and what to write instead),
        and so is a fault of shiftproof itself (``unknown``, and ``report.fault`` is true).

    Source: the conditions are those of the soundness theorem (DESIGN, section 1), after
    Ding et al.'s randomness alignments and Theorem 7 of Asymmetric Differential Privacy.
    """
    begun = time.perf_counter()
    report = _undecided(mechanism)
    try:
        with one_context():
            report = _verified(report, mechanism, replays, effort)
    except (Unsupported, BadInput) as error:
        report = replace(report, verdict=Verdict.UNSUPPORTED, reasons=(str(error),))
    except LimitReached as error:
        report = replace(report, verdict=Verdict.UNKNOWN, reasons=(str(error),))
    except ShiftproofError:
        raise
    except Exception as error:  # whatever is wrong here, other mechanisms keep their verdicts
        report = faulty(report, error)
    return replace(report, seconds=time.perf_counter() - begun)


def _undecided(mechanism: Mechanism[..., Any]) -> Report:
    where = mechanism.location
    return Report(
        mechanism=mechanism.function.__name__,
        file=where.file,
        line=where.line,
        claim=str(mechanism.privacy),
        preconditions=(),
        verdict=Verdict.UNSUPPORTED,
        expected=mechanism.expect,
    )


def _verified(report: Report, mechanism: Mechanism[..., Any], replays: int, effort: int) -> Report:
    """The pipeline: read, align, prove or else refute, certify."""
    program = mechanism.program
    awake()
    program.check_frozen()
    report = replace(
        report,
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        assumptions=assumptions(program),
    )
    _check_compares(program)
    report, proof, starts = _decided(report, mechanism, program)
    if report.method == "enumeration":
        effort //= COUNTED_OUT  # what is small enough to be found soon was counted already
    if report.verdict is not Verdict.PROVED and effort:
        report = _refuted(report, program, starts, effort)
    answers = one_sided_claims(program)
    reasons = (*report.reasons, *answers.limits)
    report = replace(report, one_sided=answers.claims, reasons=reasons)
    checked = held(certified(report, mechanism, proof, answers), mechanism, replays)
    if checked.verdict is Verdict.UNKNOWN and report.verdict is Verdict.PROVED and effort:
        # Kernel or guard objected: the claim may well be false.
        checked = certified(
            _refuted(checked, program, starts, effort), mechanism, Proof(), Answers()
        )
    return checked


def _check_compares(program: Program) -> None:
    """Make sure that there is something to prove: two different inputs that are neighbours.

    Raises:
        BadInput: there are none.
    """
    vacuous = nothing_compared(program)
    if vacuous is not None:
        raise vacuous


def _decided(
    report: Report, mechanism: Mechanism[..., Any], program: Program
) -> tuple[Report, Proof, list[Instance]]:
    """A proof by the first method that has one, and pairs of inputs on which others failed.

    An alignment proves loops for all sizes; finite noise can be summed instead, for all
    parameters where there are no loops, and else size by size.
    """
    tried: list[Finite] = []
    finite = is_finite(program)
    if finite:
        for wrong in misuses(program.flow, program.inputs):
            raise program.refuse(wrong.where.span, wrong.message, wrong.advice)
        finite = not _may_be_negative(program)
    if finite and not has_loops(program):
        tried.append(by_sums(program))
        if tried[-1].verdict is Verdict.PROVED:
            return _of_finite(report, program, tried[-1]), _proof_of(program, tried[-1]), []
    refusal: Unsupported | None = None
    findings: list[Finding] = []
    budget = program.budget
    try:
        findings = findings_of(program)
        budget = least(program, findings)
        report = _leaning(_summed_up(report, program, findings, budget), mechanism)
    except Unsupported as error:
        refusal = error
    if report.verdict is Verdict.PROVED:
        return report, Proof(parts=_parts(findings), least=budget), []
    if finite:
        tried.append(by_enumeration(program))
        if tried[-1].verdict in (Verdict.PROVED, Verdict.BOUNDED):
            return _of_finite(report, program, tried[-1]), _proof_of(program, tried[-1]), []
    telling = [t for t in tried if not t.declined]
    if refusal is not None and not telling:
        declined = tuple(r for t in tried for r in t.reasons)
        if not declined:
            raise refusal
        reasons = (str(refusal), *(f"nor is finite noise enough: {r}" for r in declined))
        return replace(report, verdict=Verdict.UNSUPPORTED, reasons=reasons), Proof(), []
    failing = [instance_of(program, e) for f in findings for e in f.failing]
    starts = [*(start for t in telling for start in t.starts), *failing]
    more = tuple(reason for t in telling for reason in t.reasons)
    if refusal is not None:
        report = replace(report, verdict=Verdict.UNKNOWN, reasons=more)
    elif more:
        report = replace(report, reasons=(*more, *report.reasons))
    return report, Proof(), starts


def _may_be_negative(program: Program) -> bool:
    """Whether a declared distance may be negative; then no input keeps its budget with itself."""
    if not isinstance(program.privacy, DPrivacy):
        return False
    solver = Solver()
    return not all(
        case.distance is not None
        and solver.follows(global_facts(program, case), at_least(case.distance, number(0)))
        for case in program.cases
    )


def _of_finite(report: Report, program: Program, found: Finite) -> Report:
    """The report of a claim whose probabilities were compared."""
    return replace(
        report,
        verdict=found.verdict,
        sizes=found.sizes,
        epsilon_upper=budget_text(program),
        alignment={},
        reasons=found.reasons,
        method="sums" if found.sums is not None else "enumeration",
    )


def _proof_of(program: Program, found: Finite) -> Proof:
    return Proof(sums=found.sums, enumeration=found.enumeration, least=program.budget)


def _parts(findings: Sequence[Finding]) -> tuple[Part, ...]:
    return tuple(f.part for f in findings if f.part is not None)


def _leaning(report: Report, mechanism: Mechanism[..., Any]) -> Report:
    """The report of a mechanism that calls others: proved only if each of them is."""
    if report.verdict not in (Verdict.PROVED, Verdict.BOUNDED):
        return report
    found = [verify(called, effort=0) for called in called_by(mechanism)]
    lacking = [r for r in found if r.verdict is not Verdict.PROVED]
    if not lacking:
        assumed = (a for r in found for a in r.assumptions)
        return replace(report, assumptions=tuple(dict.fromkeys((*report.assumptions, *assumed))))
    reasons = tuple(
        f"it calls {r.mechanism}, which is not proved: {reason}"
        for r in lacking
        for reason in r.reasons or (str(r.verdict),)
    )
    return replace(
        report,
        verdict=Verdict.UNKNOWN,
        sizes="",
        method="",
        epsilon_upper=None,
        reasons=(*report.reasons, *reasons),
    )


def proved_budget(mechanism: Mechanism[..., Any], program: Program) -> Linear | None:
    """The least ε that is proved for all sizes, if any is.

    Raises:
        BadInput, Unsupported: there is nothing to prove, or the mechanism is outside the language.
    """
    _check_compares(program)
    report, proof, _ = _decided(_undecided(mechanism), mechanism, program)
    report = held(certified(report, mechanism, proof, one_sided_claims(program)), mechanism)
    return proof.least if report.verdict is Verdict.PROVED else None


def _refuted(report: Report, program: Program, starts: Sequence[Instance], effort: int) -> Report:
    """The report with a counterexample, if one is found; where proofs fail is tried first."""
    found = refutation(program, effort=effort, starts=starts)
    if found.comparison is None and found.raises:
        return replace(report, verdict=Verdict.UNSUPPORTED, sizes="", reasons=(found.raises,))
    if found.comparison is None:
        if report.verdict is Verdict.BOUNDED and report.expected == "bounded":
            return report  # nothing is in the way
        reasons = (*report.reasons, f"no counterexample found: {found.why}")
        return replace(report, reasons=reasons)
    return replace(
        report,
        verdict=Verdict.REFUTED,
        sizes="",
        method="",
        epsilon_upper=None,
        epsilon_lower=lower_bound_text(found.comparison),
        refutation=found.comparison,
    )


def _summed_up(
    report: Report, program: Program, findings: Sequence[Finding], budget: Linear
) -> Report:
    """All cases together: as strong as the weakest."""
    order = (Verdict.PROVED, Verdict.BOUNDED, Verdict.UNKNOWN)
    verdict = max((f.verdict for f in findings), key=order.index)
    alignment: dict[str, str] = {}
    for finding in findings:
        for sample, shift in finding.alignment.items():
            known = alignment.get(sample)
            alignment[sample] = shift if known in (None, shift) else f"{known}  |  {shift}"
    proved = verdict in (Verdict.PROVED, Verdict.BOUNDED)
    sizes = {Verdict.PROVED: "all", Verdict.BOUNDED: f"up to {BOUNDED_SIZE}"}.get(verdict, "")
    return replace(
        report,
        verdict=verdict,
        sizes=sizes,
        method="alignment" if proved else "",
        epsilon_upper=budget_text(program, budget) if proved else None,
        alignment=alignment,
        reasons=tuple(dict.fromkeys(r for f in findings for r in f.reasons)),
    )
