"""One random program with a δ or a ρ: through ``verify``, and against the judge."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Comparison, Report, Unsupported, Verdict, refute, verify
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
    precisely,
)
from tests.checkers.relaxed.random_relaxed import PREAMBLE, Program, program

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


@dataclass(frozen=True)
class Said:
    """What is said of a text: by ``verify`` without a search, then by ``refute``."""

    verdict: str
    report: Report | None = None
    found: Comparison | None = None
    problem: str = ""
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()


def verdict_on(text: str, work: int = WORK, effort: int = EFFORT) -> Said:
    """The verdict on a text's last mechanism, with less work than a user would allow."""
    begun = time.perf_counter()
    found = None
    try:
        mechanism = read_normalised(text)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(aligned, "PROOF_WORK", min(work, aligned.PROOF_WORK))
            report = verify(mechanism, effort=0)
        if report.verdict is Verdict.UNKNOWN and not report.fault and effort:
            found = refute(mechanism, effort=effort)
    except (BadInput, Unsupported) as error:
        return Said("unsupported", reasons=(str(error),))
    except Exception as error:  # the find that is looked for
        return Said("crash", problem=f"crash: {error!r}")
    seconds = time.perf_counter() - begun
    verdict = str(report.verdict) if found is None else "refuted"
    problem = f"a fault: {report.reasons}" if report.fault else ""
    return Said(verdict, report, found, problem, seconds, report.reasons)


def tried(program: Program) -> Trial:
    """Verify a program, and ask the judge about the verdict."""
    said = verdict_on(PREAMBLE + program.text)
    alarm = "; ".join(r for r in said.reasons if "alarm" in r)
    trial = Trial(
        said.verdict, program, said.problem, alarm, seconds=said.seconds, reasons=said.reasons
    )
    if said.problem or said.verdict in ("unsupported", "crash"):
        return trial
    read = Judged(program.text)
    if said.found is not None:
        problem, sure = confirmed(read, program, said.found)
        return replace(trial, problem=problem, compared=int(sure))
    truth = judged(read, program.private, program.parameters, program.sizes, program.tail)
    problem = ""
    if said.verdict in ("proved", "bounded") and truth.violation is not None:
        problem = f"a wrong proof: {truth.violation}"
    return replace(
        trial, problem=problem, compared=truth.compared, broken=truth.violation is not None,
        closest=truth.closest,
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


@precisely()
def confirmed(read: Judged, program: Program, found: Comparison) -> tuple[str, bool]:
    """What is wrong with a counterexample, and whether the judge has found it right."""
    given: Mapping[str, Any] = {n: value_of(v) for n, v in (found.public | found.epsilon).items()}
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


def main() -> int:
    """Try many programs, tell what is wrong and how many there are of each verdict."""
    parser = argparse.ArgumentParser(prog="tests.checkers.relaxed.trials", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (5000 at full size)")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    given = parser.parse_args()
    verdicts: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.programs):
        found = tried(program(seed))
        verdicts[f"{found.program.notion} {found.verdict}"] += 1
        verdicts["proved, and tight"] += found.verdict == "proved" and found.closest > 0.999
        verdicts["unknown, and broken"] += found.verdict == "unknown" and found.broken
        verdicts["alarm"] += bool(found.alarm)
        if found.problem:
            verdicts["wrong"] += 1
            print(f"seed {seed}: {found.problem}\n{found.program.text}", flush=True)
    for what, count in sorted(verdicts.items()):
        print(f"{count:7} {what}")
    return 1 if verdicts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
