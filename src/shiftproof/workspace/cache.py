"""What was proved or refuted before: an unchanged mechanism costs no more than reading it.

Entries are found by a mechanism's fingerprint and the versions of the tools, so they cannot be
out of date.  They are taken at their word: whoever can write to the folder can make a verdict.
``shiftproof check`` never looks here.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ..checkers.certify import tools
from ..checkers.refuting.comparison import Refutation
from ..checkers.verdicts import OneSided, OneSidedOutcome, Report, Verdict
from ..checkers.walking.certificate import Certificate
from ..checkers.walking.claims import (
    answer_claims,
    claim_text,
    precondition_texts,
)
from ..dsl.mechanism import Mechanism
from ..dsl.normalise import fingerprint, normalised
from .files import make_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept of a report; nothing of it says where anything stands in the file.

    The shifts are those of the draws, ``one_sided`` the outcome, witness and probability of each
    claim, both in the order of the program.
    """

    sizes: str
    method: Literal["", "alignment", "sums", "enumeration"]
    epsilon_upper: str | None
    epsilon_lower: str | None
    keeps: str | None
    shifts: tuple[str, ...]
    assumptions: tuple[str, ...]
    one_sided: tuple[tuple[OneSidedOutcome, str, str], ...]
    certificate: Certificate | Refutation


class Cache:
    """Reports of mechanisms in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def verified(
        self, mechanism: Mechanism[..., Any], decide: Callable[[Mechanism[..., Any]], Report]
    ) -> Report:
        """The report of a mechanism: the one that is kept, or else a new one, which is kept.

        Raises:
            BadInput: the folder cannot be written.
        """
        try:
            key = _key(normalised(mechanism))
        except Exception:
            return decide(mechanism)  # it says what is wrong, be it with shiftproof itself
        path = self._folder / f"{key}.json"
        known = _read(path)
        if known is not None:
            try:
                return _report(mechanism, known)
            except Exception:  # an entry that is no use is as good as none
                pass
        report = decide(mechanism)
        if report.certificate is not None and report.verdict is not Verdict.UNKNOWN:
            make_folder(self._folder)
            write_whole(path, msgspec.json.encode(_entry(report)))
        return report


def _key(text: str) -> str:
    parts = [fingerprint(text), *msgspec.structs.astuple(tools())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _read(path: Path) -> Entry | None:
    """An entry; what cannot be read is as good as none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Entry)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _entry(report: Report) -> Entry:
    assert report.certificate is not None
    return Entry(
        report.sizes,
        report.method,
        report.epsilon_upper,
        report.epsilon_lower,
        report.keeps,
        tuple(report.alignment.values()),
        report.assumptions,
        tuple((c.outcome, c.witness, c.probability) for c in report.one_sided),
        report.certificate,
    )


def _report(mechanism: Mechanism[..., Any], entry: Entry) -> Report:
    program, where = mechanism.program, mechanism.location

    certificate = entry.certificate
    draws = program.draws if entry.shifts else ()  # a proof by sums has no shifts
    claims = zip(answer_claims(program), entry.one_sided, strict=True)
    return Report(
        mechanism=program.name,
        file=where.file,
        line=where.line,
        claim=claim_text(program),
        preconditions=precondition_texts(program),
        verdict=(
            Verdict(certificate.verdict)
            if isinstance(certificate, Certificate)
            else Verdict.REFUTED
        ),
        expected=mechanism.expect,
        sizes=entry.sizes,
        method=entry.method,
        epsilon_upper=entry.epsilon_upper,
        epsilon_lower=entry.epsilon_lower,
        keeps=entry.keeps,
        refutation=certificate.counterexample if isinstance(certificate, Refutation) else None,
        alignment=dict(zip(draws, entry.shifts, strict=True)),
        assumptions=entry.assumptions,
        one_sided=tuple(OneSided(claim, *said) for claim, said in claims),
        certificate=certificate,
        subject=mechanism,
    )
