"""One random program through the prover and the kernel, and against the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shiftproof import ShiftproofError, Verdict, verify
from shiftproof.checkers.proving import aligned
from shiftproof.checkers.verdicts import Report
from shiftproof.checkers.walking.certificate import Certificate
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.dsl.normalise import read_normalised

from .truth import Found, truth
from .writing import program

#: What a search for a proof may cost here: what is not proved soon is of no interest.
WORK = 800_000


@dataclass(frozen=True)
class Trial:
    """What came of one program.

    Attributes:
        seed: of the program.
        verdict: of ``verify``, or ``refused`` by the reader.
        pairs: how many pairs of neighbours a proof was compared on.
        problem: what is wrong: a false proof, or an exception that is none of the library's.
        text: the program.
        unknowable: why the truth is not known, if it is not.
    """

    seed: int
    verdict: str
    pairs: int = 0
    problem: str = ""
    text: str = ""
    unknowable: str = ""


def trial(seed: int) -> Trial:
    """Write a program, verify it, and compare what is proved with the truth."""
    return tried(program(seed), seed)


def tried(text: str, seed: int = 0) -> Trial:
    """The same of any text whose last function is a mechanism ``m``."""
    try:
        mechanism = read_normalised(text)
        read = mechanism.program
    except ShiftproofError:
        return Trial(seed, "refused", text=text)
    except Exception as error:  # the find that is looked for
        return Trial(seed, "crash", problem=f"crash in the reader: {error!r}", text=text)
    try:
        report = _verified(mechanism)
    except Exception as error:  # the find that is looked for
        return Trial(seed, "crash", problem=f"crash: {error!r}", text=text)
    alarms = [reason for reason in report.reasons if "alarm" in reason]
    if alarms:
        return Trial(seed, str(report.verdict), problem=f"prover and kernel: {alarms}", text=text)
    answers = [claim.outcome for claim in report.one_sided]
    ensured = bool(answers) and set(answers) == {"proved"}
    if report.verdict is not Verdict.PROVED and not ensured:
        return Trial(seed, str(report.verdict), text=text)
    found = truth(text, read, seed)
    return Trial(
        seed,
        str(report.verdict),
        found.pairs,
        _problem(found, report.verdict is Verdict.PROVED, ensured),
        text,
        found.unknowable,
    )


def proof_of(text: str) -> Certificate | None:
    """The certificate that ``verify`` finds of a program, if it finds one."""
    found = _verified(read_normalised(text)).certificate
    return found if isinstance(found, Certificate) else None


def _verified(mechanism: Mechanism[..., Any]) -> Report:
    before = aligned.PROOF_WORK
    aligned.PROOF_WORK = min(before, WORK)
    try:
        return verify(mechanism, effort=0)
    finally:
        aligned.PROOF_WORK = before


def _problem(found: Found, proved: bool, ensured: bool) -> str:
    if proved and found.problem:
        return f"a false proof: {found.problem}"
    return "a false 'ensure' is proved" if ensured and found.broken else ""
