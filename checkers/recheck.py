"""Re-checking certificate files: nothing of the prover is loaded, nothing of the user's is run.

Source: DESIGN, sections 1 and 2; the kernel generates what is owed, see ``kernel/``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..dsl.errors import BadInput, LimitReached, ShiftproofError
from ..dsl.faults import fault_text
from ..dsl.mechanism import Mechanism
from ..dsl.normalise import fingerprint, normalised, read_normalised
from ..dsl.program import Program
from ..dsl.structure import structure
from .kernel.certificate import LARGEST, Certificate, kind_of_certificate, read_certificate
from .kernel.check import Checked, check_certificate
from .kernel.solvers import Name, versions
from .leaning import Leaning, texts_of_called
from .rechecks import Recheck, Standing
from .sources import Sources

if TYPE_CHECKING:
    from .refuting.certificate import Refutation


class Rechecker:
    """Checks certificates one after the other.

    Args:
        solvers: which solvers discharge the obligations; all of them must.
        sources: where the mechanisms stand now; by default each certificate says where it was.
    """

    def __init__(self, solvers: Sequence[Name] = ("z3",), sources: Iterable[Path] = ()) -> None:
        self._solvers = tuple(solvers)
        self._versions = versions(self._solvers)
        self._sources = Sources(sources)
        self._leaning = Leaning()
        self._looked_at: set[Path] = set()
        self._read: dict[str, Mechanism[..., Any]] = {}
        #: Of each file with a proof: what it says that it leans on, and its callees' texts.
        self._leans_on: dict[Path, tuple[dict[str, str], dict[str, str]]] = {}

    def check_all(self, files: Iterable[Path]) -> list[Recheck]:
        """Check several files that may lean on each other.

        Raises:
            Disagreement: two solvers contradict each other.
        """
        found = [(path, self.check(path)) for path in files]
        return [
            _but_for_faults(recheck, partial(self._with_what_it_leans_on, path, recheck))
            for path, recheck in found
        ]

    def check(self, path: Path) -> Recheck:
        """Check one file, apart from what it leans on.

        Raises:
            Disagreement: two solvers contradict each other.
        """
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
                from .refuting.certificate import Refutation

                certificate = read_certificate(data, Refutation)
        except BadInput as error:
            return Recheck(str(path), Standing.UNREADABLE, reasons=(error.message,))
        return self._checked(path, certificate)

    def _checked(self, path: Path, certificate: Certificate | Refutation) -> Recheck:
        """A certificate that can be read: is it right, and is it about the source as it is?"""
        proof = isinstance(certificate, Certificate)
        found = Recheck(
            str(path),
            Standing.VALID,
            mechanism=certificate.mechanism,
            verdict=certificate.verdict if isinstance(certificate, Certificate) else "refuted",
            claim=certificate.claim,
            preconditions=certificate.preconditions,
            assumptions=certificate.assumptions,
            solvers=self._versions if proof else (),
        )
        checked = self._problems(certificate)
        problems = tuple(checked.problems)
        found = replace(found, obligations=checked.obligations, reasons=problems)
        source = self._sources.find(certificate.mechanism, certificate.source, path.parent)
        found = replace(found, file=source.file, line=source.line)
        if problems:
            return replace(found, standing=Standing.INVALID)
        if isinstance(certificate, Certificate) and certificate.verdict == "proved":
            callees = texts_of_called(self._mechanism(certificate.text))
            self._leaning.add(certificate.text, certificate.fingerprint, callees)
            self._leans_on[path] = certificate.leans_on, callees
        texts = map(structure, source.texts)
        if structure(certificate.text) not in texts:
            return replace(found, standing=Standing.OBSOLETE, reasons=(source.why,))
        return found

    def _mechanism(self, text: str) -> Mechanism[..., Any]:
        """The mechanism that a certificate's program declares, read once."""
        if text not in self._read:
            self._read[text] = read_normalised(text)
        return self._read[text]

    def _problems(self, certificate: Certificate | Refutation) -> Checked:
        """What is wrong with a certificate."""
        try:
            mechanism = self._mechanism(certificate.text)
            program = mechanism.program
            if structure(normalised(mechanism)) != structure(certificate.text):
                return Checked(problems=["the program is not written in its normal form"])
            if fingerprint(certificate.text) != certificate.fingerprint:
                return Checked(problems=["the fingerprint is not that of the program"])
            if isinstance(certificate, Certificate):
                return check_certificate(program, certificate, self._solvers)
            return _check_refutation(program, certificate)
        except ShiftproofError as error:
            from .kernel.discharge import Disagreement

            if isinstance(error, Disagreement):
                raise
            return Checked(problems=[str(error)])

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


def _check_refutation(program: Program, certificate: Refutation) -> Checked:
    """The counterexample, computed anew."""
    from .refuting.recompute import recomputed

    problems = certificate.differences(program)
    try:
        now = recomputed(certificate.counterexample, program)
    except LimitReached as error:
        return Checked(problems=[*problems, f"the likelihoods were not computed: {error}"])
    if now != certificate.counterexample:
        problems.append("the likelihoods, computed anew, are others")
    elif not now.breaks:
        problems.append("the two likelihoods do not break the claim")
    return Checked(1, problems)


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
