"""What can be said of a certificate that is checked again, and the record that says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, ClassVar, NoReturn

from ..dsl.truth import NoTruth


class Standing(StrEnum):
    """The four answers; a sentence for each in ``meaning``."""

    VALID = "valid"
    OBSOLETE = "obsolete"
    INVALID = "invalid"
    UNREADABLE = "unreadable"

    def __bool__(self) -> NoReturn:
        raise TypeError("a standing is neither true nor false; ask which, as in '== \"valid\"'")

    @property
    def meaning(self) -> str:
        """What the standing says, in one sentence."""
        return _MEANINGS[self]


_MEANINGS = {
    Standing.VALID: "The proof or counterexample holds for the source as it is.",
    Standing.OBSOLETE: "The source has changed since the certificate was made.",
    Standing.INVALID: "An obligation fails, or the certificate is not about this program.",
    Standing.UNREADABLE: "It is no certificate of this version, or shiftproof itself failed on it.",
}


@dataclass(frozen=True, slots=True)
class Recheck(NoTruth):
    """The answer of ``check`` for one certificate.

    Attributes:
        certificate: the path of the certificate file.
        standing: the answer.
        mechanism: the name of the mechanism; empty if the certificate is unreadable.
        file: the mechanism's source file, if it was looked at.
        line: the mechanism's first line there, or 0.
        verdict: what is certified, ``proved``, ``bounded`` or ``refuted``.
        claim: the privacy claim in words.
        preconditions: under which inputs the claim is made.
        reasons: why the certificate is not valid; an obligation that fails, with its place.
        assumptions: what the claim takes on trust.
        obligations: how many were discharged.
        solvers: by which solvers.
        seconds: how long it took.
    """

    instead: ClassVar[str] = "ask for its standing, as in 'found.standing is Standing.VALID'"

    certificate: str
    standing: Standing
    mechanism: str = ""
    file: str = ""
    line: int = 0
    verdict: str = ""
    claim: str = ""
    preconditions: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    obligations: int = 0
    solvers: tuple[str, ...] = ()
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The record as plain JSON values."""
        plain = asdict(self) | {
            "standing": str(self.standing),
            "seconds": round(self.seconds, 6),
        }
        return {k: list(v) if isinstance(v, tuple) else v for k, v in plain.items()}
