"""One random program with a δ or a ρ: through ``verify``, and against the judge."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Comparison, Unsupported, Verdict, refute, verify
from shiftproof.checkers.proving import aligned
from shiftproof.dsl.normalise import read_normalised
from tests.checkers.relaxed.judging import (
    SLACK,
    D,
    Judged,
    NotAdmitted,
    TooMany,
    are_neighbours,
    divergence,
    excess,
    judged,
    ln,
    number,
)
from tests.checkers.relaxed.random_relaxed import PREAMBLE, Program

#: How far a proof and a counterexample are searched for.
WORK, EFFORT = 2_000_000, 400


@dataclass(frozen=True)
class Trial:
    """What came of one program.

    Attributes:
        verdict: of ``verify``.
        program: what was verified.
        problem: what is wrong: a verdict that the judge knows to be wrong, or a crash.
        alarm: what prover, kernel or guard say against each other.
        compared: how many pairs of inputs a proof was compared on, or 1 if the judge has the
            counterexample, too.
        broken: whether the judge finds the claim broken; only asked if nothing is refuted.
        closest: the share of the claim that is needed.
        seconds: how long ``verify`` took.
        reasons: what it says.
    """

    verdict: str
    program: Program
    problem: str = ""
    alarm: str = ""
    compared: int = 0
    broken: bool = False
    closest: float = 0.0
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()


def tried(program: Program, effort: int = EFFORT) -> Trial:
    """Verify a program, and ask the judge about the verdict."""
    begun = time.perf_counter()
    try:
        mechanism = read_normalised(PREAMBLE + program.text)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(aligned, "PROOF_WORK", WORK)
            report = verify(mechanism, effort=0)
        found = None
        if report.verdict is Verdict.UNKNOWN and not report.fault and effort:
            found = refute(mechanism, effort=effort)
    except (BadInput, Unsupported) as error:
        return Trial("unsupported", program, reasons=(str(error),))
    except Exception as error:  # the find that is looked for
        return Trial("crash", program, problem=f"crash: {error!r}")
    seconds = time.perf_counter() - begun
    verdict = str(report.verdict) if found is None else "refuted"
    alarm = "; ".join(r for r in report.reasons if "alarm" in r or "fault" in r)
    if report.fault:
        return Trial(verdict, program, f"fault: {report.reasons}", alarm)
    read = Judged(program.text)
    if found is not None:
        problem, sure = confirmed(read, program, found)
        return Trial(
            verdict, program, problem, alarm, int(sure), seconds=seconds, reasons=report.reasons
        )
    said = judged(read, program.private, program.parameters, program.sizes, program.tail)
    problem = ""
    if report.verdict is Verdict.PROVED and said.violation is not None:
        problem = f"a wrong proof: {said.violation}"
    return Trial(
        verdict, program, problem, alarm, said.compared, said.violation is not None,
        said.closest, seconds, report.reasons,
    )  # fmt: skip


def value_of(text: Any) -> Any:
    """A number of a counterexample: an int, or a decimal one, also of multiples of ln 2."""
    if isinstance(text, list | tuple):
        return tuple(map(value_of, text))
    told = str(text)
    times, ln2, _ = told.partition("ln 2")
    factor = Fraction(times.strip() or 1)
    if ln2:
        return number(factor) * D(2).ln()
    return int(factor) if factor.denominator == 1 else number(factor)


def confirmed(read: Judged, program: Program, found: Comparison) -> tuple[str, bool]:
    """What is wrong with a counterexample, and whether the judge has found it right."""
    given: Mapping[str, Any] = {
        n: value_of(v) for n, v in (found.public | found.epsilon).items()
    }
    name, kind = program.private
    left, right = value_of(found.left[name]), value_of(found.right[name])
    if not found.breaks:
        return f"a counterexample that breaks nothing: {found}", False
    if not are_neighbours(kind, read.claim, left, right):
        return f"a counterexample of no neighbours: {found.left}, {found.right}", False
    try:
        one, two = (read.law({**given, name: v}, program.tail) for v in (left, right))
    except NotAdmitted:
        return f"a counterexample outside the preconditions: {given}", False
    except TooMany:
        return "", False
    budget = read.budget({**given, name: left})
    if read.claim.zcdp:
        order = float(Fraction(found.order))
        _, about = divergence(one, two, order)
        most = order * float(budget)
        if about < most * (1 - 1e-6) and ln(one.unseen) < -50:
            return f"D_{order} = {about} keeps {most} at {given}, {left}, {right}", False
        return "", about > most * (1 - 1e-6)
    delta = read.delta({**given, name: left})
    less, more = excess(one, two, budget)
    if more < delta - SLACK:
        return f"δ = {more} keeps {delta} at {given}, {left}, {right}", False
    return "", less > delta


