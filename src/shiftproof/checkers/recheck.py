"""Re-checking certificate files: nothing of the prover is loaded.

Source: DESIGN, sections 1 and 2; the kernel generates what is owed, see ``kernel/``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from ..dsl.errors import BadInput, LimitReached, NoTruth, ShiftproofError, fault_text
from ..dsl.language.unparse import structure
from ..dsl.mechanism import Mechanism
from ..dsl.normalise import core_text, fingerprint, in_the_file, normalised, read_normalised
from ..dsl.relations.program import Program
from ..dsl.static import Reading, read_path
from .kernel.arithmetic import Wrong
from .kernel.check import check_file
from .walking.certificate import (
    LARGEST,
    Certificate,
    OldCertificate,
    kind_of_certificate,
    read_certificate,
)
from .walking.claims import answer_claims
from .walking.leaning import Leaning, texts_of_called
from .walking.sources import Sources

if TYPE_CHECKING:
    from .refuting.comparison import Refutation


class Rechecker:
    """Checks certificates one after the other.

    Args:
        sources: where the mechanisms stand now; by default each certificate says where it was.
    """

    def __init__(
        self, sources: Iterable[Path] = (), read: Callable[[Path], Reading] = read_path
    ) -> None:
        self._sources = Sources(sources, read)
        self._leaning = Leaning()
        self._looked_at: set[Path] = set()
        self._read: dict[str, Mechanism[..., Any]] = {}
        #: Of each file with a proof: what it says that it leans on, and its callees' texts.
        self._leans_on: dict[Path, tuple[dict[str, str], dict[str, str]]] = {}

    def check_all(self, files: Iterable[Path]) -> list[Recheck]:
        """Check several files that may lean on each other."""
        found = [(path, self.check(path)) for path in files]
        return [
            _but_for_faults(recheck, partial(self._with_what_it_leans_on, path, recheck))
            for path, recheck in found
        ]

    def check(self, path: Path) -> Recheck:
        """Check one file, apart from what it leans on."""
        begun = time.perf_counter()
        self._looked_at.add(path)
        nothing = Recheck(str(path), Standing.UNREADABLE)
        found = _but_for_faults(nothing, partial(self._looked_into, path))
        return replace(found, seconds=time.perf_counter() - begun)

    def _looked_into(self, path: Path) -> Recheck:
        """What a file holds, and whether it is right."""
        try:
            data = _bytes_of(path)
            kind = kind_of_certificate(data)
            if kind == "proof":
                certificate: Certificate | Refutation = read_certificate(data, Certificate)
            else:
                from .refuting.comparison import Refutation

                certificate = read_certificate(data, Refutation)
        except OldCertificate as error:
            return Recheck(str(path), Standing.OBSOLETE, reasons=(error.message,))
        except BadInput as error:
            return Recheck(str(path), Standing.UNREADABLE, reasons=(error.message,))
        return self._checked(path, data, certificate)

    def _checked(self, path: Path, data: bytes, certificate: Certificate | Refutation) -> Recheck:
        """A certificate that can be read: is it right, and is it about the source as it is?"""
        found = Recheck(
            str(path),
            Standing.VALID,
            mechanism=certificate.mechanism,
            verdict=certificate.verdict if isinstance(certificate, Certificate) else "refuted",
            claim=certificate.claim,
            preconditions=certificate.preconditions,
            assumptions=certificate.assumptions,
        )
        source = self._sources.find(certificate.mechanism, certificate.source, path.parent)
        now = source.alike(certificate.text)
        obligations, problems = self._problems(certificate, data, now)
        found = replace(found, obligations=obligations, reasons=tuple(problems))
        found = replace(found, file=source.file, line=source.line)
        if problems:
            return replace(found, standing=Standing.INVALID)
        if isinstance(certificate, Certificate) and certificate.verdict == "proved":
            callees = texts_of_called(self._mechanism(certificate.text))
            self._leaning.add(certificate.text, certificate.fingerprint, callees)
            self._leans_on[path] = certificate.leans_on, callees
        if now is None:
            return replace(found, standing=Standing.OBSOLETE, reasons=(source.why,))
        if certificate.library != now.library:
            why = "the file of the library is another one than when the certificate was made"
            return replace(found, standing=Standing.OBSOLETE, reasons=(why,))
        return found

    def _mechanism(self, text: str) -> Mechanism[..., Any]:
        """The mechanism that a certificate's program declares, read once."""
        if text not in self._read:
            self._read[text] = read_normalised(text)
        return self._read[text]

    def _problems(
        self, certificate: Certificate | Refutation, data: bytes, now: Mechanism[..., Any] | None
    ) -> tuple[int, list[str]]:
        """How many obligations it discharges, and what is wrong, in the lines of ``now``."""
        try:
            mechanism = self._mechanism(certificate.text)
            program = mechanism.program
            if structure(normalised(mechanism)) != structure(certificate.text):
                return 0, ["the program is not written in its normal form"]
            if fingerprint(certificate.text) != certificate.fingerprint:
                return 0, ["the fingerprint is not that of the program"]
            if isinstance(certificate, Certificate):
                return _check_proof(program, certificate, data, now)
            return _check_refutation(program, certificate)
        except ShiftproofError as error:
            return 0, [str(error)]

    def _with_what_it_leans_on(self, path: Path, found: Recheck) -> Recheck:
        """A proof that leans on others is valid if they are."""
        if found.standing not in (Standing.VALID, Standing.OBSOLETE) or found.verdict != "proved":
            return found
        named, callees = self._leans_on[path]
        if callees and None in map(self._leaning.fingerprint, callees.values()):
            self._look_beside(path)
        right = {name: self._leaning.fingerprint(text) for name, text in callees.items()}
        if right == named:
            return found
        missing = tuple(
            f"no valid certificate of {name}, on which this one leans, was found with it"
            for name, mark in right.items()
            if mark is None
        )
        reasons = missing or ("it does not lean on what it names in leans_on",)
        return replace(found, standing=Standing.INVALID, reasons=reasons)

    def _look_beside(self, path: Path) -> None:
        """Check the other certificates of a folder: one of them may be leant on."""
        for file in sorted(path.parent.glob("*.json")):
            if file not in self._looked_at and _is_proof(file):
                self.check(file)


def _but_for_faults(known: Recheck, look: Callable[[], Recheck]) -> Recheck:
    """The answer of a look; if shiftproof itself fails in it, what is known, and that.

    Whatever somebody wrote into one file, the others are still to be checked.
    """
    try:
        return look()
    except ShiftproofError:
        raise
    except Exception as error:
        return replace(known, standing=Standing.UNREADABLE, reasons=(fault_text(error),))


def _check_proof(
    program: Program, certificate: Certificate, data: bytes, now: Mechanism[..., Any] | None
) -> tuple[int, list[str]]:
    """The kernel's word on the core text, and that it is the text of this program."""
    problems = certificate.differences(program)
    said = [n for n, line in enumerate(certificate.core, 1) if line.strip().startswith("ensure(")]
    claims = dict(zip(said, answer_claims(program), strict=False))
    proved = [claims.get(line, "") for part in certificate.parts for line in part.ensures]
    if proved != list(certificate.one_sided):
        problems.append("the one-sided claims are not those that the parts prove")
    bodies = certificate.enumeration is not None
    core = core_text(program, bodies=bodies)
    if structure("\n".join(core)) != structure("\n".join(certificate.core)):
        problems.append("the core text is not that of the program")
    try:
        return check_file(data).questions, problems
    except Wrong as error:
        origin = None if problems or now is None else now.program
        return 0, [*problems, in_the_file(str(error), origin, bodies=bodies)]


def _check_refutation(program: Program, certificate: Refutation) -> tuple[int, list[str]]:
    """The counterexample, computed anew."""
    from .refuting.comparison import recomputed

    problems = certificate.differences(program)
    try:
        now = recomputed(certificate.counterexample, program)
    except LimitReached as error:
        return 0, [*problems, f"the likelihoods were not computed: {error}"]
    if now != certificate.counterexample:
        problems.append("the likelihoods, computed anew, are others")
    elif not now.breaks:
        problems.append("the two likelihoods do not break the claim")
    return 1, problems


def _is_proof(path: Path) -> bool:
    try:
        return kind_of_certificate(_bytes_of(path)) == "proof"
    except BadInput:
        return False


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file that could be a certificate.

    Raises:
        BadInput: it cannot be read, or is too large.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise BadInput("no certificate: this is no file")
        if size > LARGEST:
            raise BadInput(f"{size} bytes; a certificate has at most {LARGEST}")
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"the file cannot be read: {error.strerror or error}") from None


# What can be said of a certificate that is checked again, and the record that says it.


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
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The record as plain JSON values."""
        plain = asdict(self) | {"standing": str(self.standing), "seconds": round(self.seconds, 6)}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in plain.items()}
