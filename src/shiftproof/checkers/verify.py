"""``verify``: the whole pipeline, from a mechanism to a verdict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..dsl.errors import BadInput, LimitReached, ShiftproofError, Unsupported
from ..dsl.language.declaration import INFER
from ..dsl.language.flow import EnsureNode
from ..dsl.relations.program import Program
from ..dsl.terms.allowance import lessened
from ..dsl.terms.linear import Linear
from ..dsl.terms.phases import phase, watched
from ..dsl.terms.smt import one_context
from .certify import certified
from .finite.methods import by_enumeration, by_sums
from .guarding.hold import awake, held
from .proving.advice import advice
from .proving.aligned import by_alignment
from .proving.attempts import Answers, Failure, Method, Proof
from .proving.budgets.inferring import WORK, inferred
from .proving.converting import by_concentration, by_conversion
from .refuting import EFFORT
from .verdicts import Report, Verdict, faulty
from .walking.claims import assumptions, budget_text, claim_text, precondition_texts
from .walking.common import nothing_compared
from .walking.leaning import called_by

if TYPE_CHECKING:
    from ..dsl.mechanism import Mechanism
    from .refuting.inputs import Instance


#: The methods of proof, in the order in which they are tried.  Of finite noise the probabilities
#: are compared: without loops summed for all parameters at once, else counted size by size.
METHODS: tuple[Method, ...] = (by_sums, by_alignment, by_enumeration)
#: How much may be done to find what a mechanism keeps whose claim was not proved.
KEEPING_WORK = 4_000_000
KEEPING_SHARE = Fraction(1, 8)
#: From how many rounds of a loop on, beside a δ or of a ρ, it is looked first whether a claim falls
#: at once, and with what effort.
LONG, GLANCE = 24, 1_000
#: A multiple of ε that would be enough for most that has any alignment.
LARGE = 64
#: By how much less is searched where all small inputs were counted.
COUNTED_OUT = 20


def verify(mechanism: Mechanism[..., Any], *, replays: int = 0, effort: int = EFFORT) -> Report:
    """Decide whether a mechanism has the privacy that it claims.

    Args:
        mechanism: what ``@mechanism`` made.
        replays: how many runs of the real function, if it was imported, are held against a
            proof; by default a few are, like runs of the text that was read.
        effort: how far to search for a counterexample where there is no proof (see
            :func:`refute`); 0 for no search, nor for what would help or is kept instead.

    Returns:
        The verdict with its reasons, and a counterexample for a refuted claim.  Errors in the
        mechanism are verdicts too (``unsupported``, with the place and what to write instead),
        and so is a fault of shiftproof itself (``unknown``, and ``report.fault`` is true).

    Source: the conditions are those of the soundness theorem (DESIGN, section 1), after
    Ding et al.'s randomness alignments and Theorem 7 of Asymmetric Differential Privacy.
    """
    begun = time.perf_counter()
    report = _undecided(mechanism)
    with watched() as watch:
        report = _looked_after(report, mechanism, replays, effort)
    return replace(report, seconds=time.perf_counter() - begun, phases=watch.seconds)


def _looked_after(
    report: Report, mechanism: Mechanism[..., Any], replays: int, effort: int
) -> Report:
    """The report of a mechanism, and of whatever went wrong with it."""
    try:
        with one_context():
            report = _verified(report, mechanism, replays, effort)
            if effort and not report.as_expected:
                report = replace(report, keeps=_kept_instead(report, mechanism))
        return report
    except (Unsupported, BadInput) as error:
        return replace(report, verdict=Verdict.UNSUPPORTED, reasons=(str(error),))
    except LimitReached as error:
        return replace(report, verdict=Verdict.UNKNOWN, reasons=(str(error),))
    except Exception as error:  # whatever is wrong here, other mechanisms keep their verdicts
        return faulty(report, error)


@phase("prove")
def kept(
    mechanism: Mechanism[..., Any],
    work: int = KEEPING_WORK,
    replays: int = 0,
    share: Fraction = Fraction(1),
) -> Report | None:
    """The report of a mechanism that claims the least ε that it was found to keep; if it does.

    Args:
        mechanism: of which the claim does not count.
        work: how far to search.
        replays: as for :func:`verify`.
        share: how much may be done to prove it, of what may be done for a claim.
    """
    for budget in inferred(mechanism.program, work):
        with lessened(share):
            report = verify(mechanism.claiming(budget), replays=replays, effort=0)
        if report.verdict is Verdict.PROVED:
            return report
    return None


def _inferred(report: Report, mechanism: Mechanism[..., Any], replays: int) -> Report:
    """The report of a mechanism that claims nothing, with an ε that it keeps as its claim."""
    _check_compares(mechanism.program)
    found = kept(mechanism, WORK, replays)
    if found is None:
        # Not the budget is in the way, so even a large one may not do.
        large = replace(mechanism.program, budget=mechanism.program.budget.scaled(LARGE))
        report, proof, _ = _judged(report, mechanism, large)
        least = _of_all_steps(large, proof) if report.verdict is Verdict.PROVED else None
        if least is None:
            reasons = ("no ε was found that is kept", *report.reasons)
            return replace(
                report,
                verdict=Verdict.UNKNOWN,
                sizes="",
                method="",
                epsilon_upper=None,
                reasons=reasons,
            )
        found = verify(mechanism.claiming(least), replays=replays, effort=0)
    return replace(found, expected=mechanism.expect)


def _kept_instead(report: Report, mechanism: Mechanism[..., Any]) -> str | None:
    """The ε that is kept where the claimed one is not proved."""
    if report.verdict not in (Verdict.REFUTED, Verdict.UNKNOWN) or report.fault:
        return None
    if report.refutation is not None and _is_long(mechanism.program):
        return None  # no alignment was looked for, which takes long
    try:
        found = kept(mechanism, share=KEEPING_SHARE)
    except ShiftproofError:
        return None  # the verdict stands without it
    return None if found is None else found.epsilon_upper


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
        letter=mechanism.privacy.letter,
        subject=mechanism,
    )


def _verified(report: Report, mechanism: Mechanism[..., Any], replays: int, effort: int) -> Report:
    """The pipeline: read, prove or else refute, certify, hold against runs."""
    with phase("read"):
        program = mechanism.program
    awake()
    program.check_frozen()
    if mechanism.budget is INFER:
        return _inferred(report, mechanism, replays)
    report = replace(
        report,
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        assumptions=assumptions(program),
    )
    _check_compares(program)
    if effort and _is_long(program):
        glance = _refuted(report, program, (), GLANCE)
        if glance.refutation is not None:
            return glance
    report, proof, starts = _judged(report, mechanism, program)
    if report.method == "enumeration":
        effort //= COUNTED_OUT  # what is small enough to be found soon was counted already
    if report.verdict is not Verdict.PROVED and effort:
        report = _refuted(report, program, starts, effort)
    if report.verdict in (Verdict.UNKNOWN, Verdict.UNSUPPORTED) and effort:
        with suppress(ShiftproofError):  # what is said so far stands without it
            report = replace(report, reasons=(*report.reasons, *advice(program.one_step)))
    answers = _answers(program)
    reasons = (*report.reasons, *answers.limits)
    report = replace(report, one_sided=answers.claims, reasons=reasons)
    with phase("check"):
        checked = held(certified(report, mechanism, proof, answers), mechanism, replays)
    if checked.verdict is Verdict.UNKNOWN and report.verdict is Verdict.PROVED and effort:
        # Kernel or guard objected: the claim may well be false.
        checked = certified(
            _refuted(checked, program, starts, effort), mechanism, Proof(), Answers()
        )
    return checked


def _is_long(program: Program) -> bool:
    """Whether proofs of its runs take long, and a counterexample, if there is one, does not."""
    from .refuting.starting.named import Named

    return program.privacy.is_relaxed and Named(program).most_rounds >= LONG


@phase("prove")
def _answers(program: Program) -> Answers:
    """What came of its one-sided claims; few programs make any."""
    if not any(isinstance(node, EnsureNode) for node in program.flow.nodes):
        return Answers()
    from .proving.one_sided import one_sided_claims

    return one_sided_claims(program)


def _check_compares(program: Program) -> None:
    """Make sure that there is something to prove: two different inputs that are neighbours.

    Raises:
        BadInput: there are none.
    """
    vacuous = nothing_compared(program)
    if vacuous is not None:
        raise vacuous


def _judged(
    report: Report, mechanism: Mechanism[..., Any], program: Program
) -> tuple[Report, Proof, tuple[Instance, ...]]:
    """What the methods say of the claim, the best proof, and where a refutation starts.

    Raises:
        Unsupported: the program is outside what they read.
    """
    tried = _tried(program.one_step)
    proof = next((found for found in reversed(tried) if isinstance(found, Proof)), None)
    failures = [found for found in tried if isinstance(found, Failure)]
    # What probabilities show is more definite than what is in the way of an alignment.
    failures.sort(key=lambda failure: failure.method == "alignment")
    telling = [failure for failure in failures if not failure.declined]
    starts = tuple(start for failure in telling for start in failure.starts)
    reasons = tuple(reason for failure in telling for reason in failure.reasons)
    if proof is not None:
        compared = tuple(r for f in telling if f.method != "alignment" for r in f.reasons)
        return _leaning(_proved(report, program, proof, compared), mechanism), proof, starts
    if not telling:
        return _declined(report, failures), Proof(), ()
    alignment = next((dict(f.alignment) for f in telling if f.alignment), {})
    report = replace(report, verdict=Verdict.UNKNOWN, alignment=alignment, reasons=reasons)
    return report, Proof(), starts


@phase("prove")
def _tried(program: Program) -> list[Proof | Failure]:
    """What each method gives, up to the first proof for all sizes; else the best proof is last."""
    tried: list[Proof | Failure] = []
    for method in _methods(program):
        tried.append(method(program))
        if isinstance(tried[-1], Proof) and tried[-1].complete:
            break
    return tried


def _methods(program: Program) -> tuple[Method, ...]:
    """Those that are for a claim: of sums no δ is known, and of normal noise rather a ρ."""
    if program.privacy.delta is not None:
        normal = any(n.step.distribution.shape == "normal" for n in program.inlined.flow.sites)
        both = (by_alignment, by_concentration)
        return both[::-1] if normal else both
    return (by_alignment, by_conversion, by_sums) if program.privacy.zcdp else METHODS


def _proved(report: Report, program: Program, proof: Proof, compared: tuple[str, ...]) -> Report:
    """The report of a claim with a proof; ``compared`` is what probabilities show against it."""
    return replace(
        report,
        verdict=Verdict.PROVED if proof.complete else Verdict.BOUNDED,
        sizes=proof.sizes,
        method=proof.method,
        epsilon_upper=budget_text(program, _of_all_steps(program, proof)),
        alignment=dict(proof.alignment),
        reasons=proof.reasons if proof.complete else (*compared, *proof.reasons),
    )


def _declined(report: Report, failures: Sequence[Failure]) -> Report:
    """The report of a program that no method is for.

    Raises:
        Unsupported: the one that an alignment would need is all there is to say.
    """
    refusal = next(f.refusal for f in failures if f.refusal is not None)
    declined = [r for f in failures if f.refusal is None for r in f.reasons]
    if not declined:
        raise refusal
    reasons = (str(refusal), *(f"nor is finite noise enough: {reason}" for reason in declined))
    return replace(report, verdict=Verdict.UNSUPPORTED, reasons=reasons)


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


def proved_budget(mechanism: Mechanism[..., Any]) -> Linear | None:
    """The least ε that is proved for all sizes, if the claimed one is.

    Raises:
        BadInput, Unsupported: there is nothing to prove, or the mechanism is outside the language.
    """
    program = mechanism.program
    _check_compares(program)
    report, proof, _ = _judged(_undecided(mechanism), mechanism, program)
    report = held(certified(report, mechanism, proof, _answers(program)), mechanism)
    return _of_all_steps(program, proof) if report.verdict is Verdict.PROVED else None


def _of_all_steps(program: Program, proof: Proof) -> Linear | None:
    """The least ε that a proof about one step shows of a chain of them."""
    return None if proof.least is None else proof.least.scaled(program.privacy.group_size)


@phase("refute")
def _refuted(report: Report, program: Program, starts: Sequence[Instance], effort: int) -> Report:
    """The report with a counterexample, if one is found; where proofs fail is tried first."""
    from .refuting.likelihood import lower_bound_text
    from .refuting.refute import refutation

    found = refutation(program, effort=effort, starts=starts)
    if found.comparison is None and found.raises:
        undefined = (r for r in report.reasons if "'definedness and end'" in r)
        reasons = (found.raises, *undefined)
        return replace(report, verdict=Verdict.UNSUPPORTED, sizes="", reasons=reasons)
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
