"""From a report with its certificate to one that the guard has nothing against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...dsl.mechanism import Mechanism
from ...dsl.program import Program
from ...dsl.syntax import Expression
from ..kernel.certificate import Certificate
from ..kernel.check import ONE_SIDED
from ..kernel.shifts import shift_of
from ..verdicts import Report, Verdict
from .guard import LONGEST, Looked, guarded
from .live import executed
from .process import Gone, worker

#: Of a claim that is proved for some sizes, those sizes are looked at.
BOUNDED_LENGTH = 2


def awake() -> None:
    """Start the other process, so that it is there when it is asked."""
    try:
        worker()
    except Gone:
        return  # the report will say so


def held(report: Report, mechanism: Mechanism[..., Any], runs: int = 0) -> Report:
    """The report of a proof, if runs agree with it; else one that says what disagrees.

    Args:
        report: with its certificate, if the claim is proved.
        mechanism: the mechanism.
        runs: how many runs to look at, at least; those of an imported function among them.
    """
    certificate = report.certificate
    if not isinstance(certificate, Certificate):
        return report
    program = mechanism.program
    found = guarded(
        program,
        certificate.text,
        list(alignments_of(program, certificate)),
        live=mechanism if executed(mechanism) else None,
        runs=runs,
        longest=LONGEST if report.verdict is Verdict.PROVED else BOUNDED_LENGTH,
    )
    alarm = found.alarm or _wrong_answer(report, found)
    if alarm:
        return _withdrawn(report, f"alarm: the guard: {alarm}")
    if found.why:
        said = f"no run was held against the proof: {found.why}"
        return replace(report, assumptions=(*report.assumptions, said))
    return report


def alignments_of(program: Program, certificate: Certificate) -> Iterator[dict[int, Expression]]:
    """The shifts of the proof, case by case; none if it is by probabilities."""
    if certificate.sums is not None or certificate.enumeration is not None:
        return
    for part in certificate.parts:
        if part.case == ONE_SIDED:
            continue
        yield {
            node.site: node.step.shift if node.step.shift is not None else shift_of(text)
            for node, text in zip(program.flow.sites, part.shifts, strict=True)
        }


def _wrong_answer(report: Report, found: Looked) -> str:
    """A claim of an answer that counts as proved, and was wrong in a run."""
    wrong = (report.one_sided[k] for k in sorted(found.claims) if k < len(report.one_sided))
    said = next((c.claim for c in wrong if c.outcome == "proved"), "")
    return f"wrong in a run: {said}" if said else ""


def _withdrawn(report: Report, alarm: str) -> Report:
    """The report without a proof, and without what is proved of the answers."""
    claims = tuple(
        replace(c, outcome="unknown") if c.outcome == "proved" else c for c in report.one_sided
    )
    return replace(
        report,
        verdict=Verdict.UNKNOWN,
        sizes="",
        method="",
        epsilon_upper=None,
        certificate=None,
        reasons=(*report.reasons, alarm),
        one_sided=claims,
    )
