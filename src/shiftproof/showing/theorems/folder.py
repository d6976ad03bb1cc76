"""A folder of theorems for Rocq: their files, the theory that they use, and how to build all."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...checkers.verdicts import Report, Verdict
from ...checkers.walking.certificate import Certificate, certificate_text, read_certificate
from ...checkers.walking.leaning import called_by
from ...dsl.errors import BadInput, ShiftproofError, Unsupported, cell_of
from ...workspace.files import gallery_certificates, make_folder
from .export import Theorem, theorem_of

if TYPE_CHECKING:
    from ...workspace.importing import AnyMechanism

#: The first line of the list of files, by which a folder is known as an export.
MARK = "# Written by shiftproof export --rocq, which replaces all of this folder."
#: The list of files, and the file that says of every theorem what it proves and rests on.
PROJECT, ALL = "_CoqProject", "Theorems"
#: What Rocq cannot read as the name of a file, and Python can.
_RESERVED = frozenset({
    "at", "by", "cofix", "end", "exists", "exists2", "fix", "forall", "fun", "IF", "let", "match",
    "mod", "of", "Prop", "Set", "SProp", "then", "Type", "using", "where",
})  # fmt: skip
#: What Rocq leaves beside the files that it builds.
_BUILT = re.compile(
    r"\.(lia|nia|nra|csdp)\.cache|Makefile\.coq(\.conf)?|\.Makefile\.coq\.d|"
    r"\.(?P<aux>.+)\.aux|(?P<stem>.+)\.(vo|vos|vok|glob)"
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of one mechanism.

    Attributes:
        mechanism: its name.
        file: where it stands.
        line: its first line.
        claim: the privacy claim in words.
        proved: whether the claim is proved.
        theorem: the theorem, if there is one.
        why: why there is none; empty if there is one.
    """

    mechanism: str
    file: str
    line: int
    claim: str
    proved: bool = False
    theorem: Theorem | None = None
    why: str = ""

    @property
    def statement_lines(self) -> int:
        """The lines of the statement, without blank ones."""
        return _lines(self.theorem.statement) if self.theorem else 0

    @property
    def proof_lines(self) -> int:
        """The lines of the proof, without blank ones."""
        return _lines(self.theorem.proof) if self.theorem else 0


def _lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


# What becomes of a mechanism.


def exported(report: Report, others: Iterable[Report] = ()) -> Exported:
    """The theorem of a verdict, or why there is none; what it calls is among the others."""
    found = Exported(report.mechanism, report.file, report.line, report.claim)
    certificate = _certificate(report)
    if certificate is None:
        return replace(found, why=f"not proved: {report.verdict}")
    beside = [other for other in map(_certificate, others) if other is not None]
    return _with_theorem(found, certificate, beside)


def _certificate(report: Report) -> Mapping[str, Any] | None:
    """The proof, if there is one, as it is stored."""
    if report.verdict is not Verdict.PROVED or not isinstance(report.certificate, Certificate):
        return None
    found: Mapping[str, Any] = json.loads(certificate_text(report.certificate))
    return found


def reports_of_called(mechanism: AnyMechanism) -> list[Report]:
    """What is found of the mechanisms that one calls, also by way of others."""
    from ...checkers.verify import verify

    called = called_by(mechanism)
    return [report for c in called for report in (verify(c, effort=0), *reports_of_called(c))]


def stored(mechanism: AnyMechanism) -> Exported | None:
    """That of a mechanism of the gallery, whose proof is in the package; ``None`` of others.

    ``None``, too, if what is stored is about another text, or proves nothing.
    """
    from ... import mechanisms
    from ...dsl.normalise import fingerprint, normalised

    place, name = mechanism.location, mechanism.function.__name__
    if cell_of(place.file) or Path(place.file).parent not in map(Path, mechanisms.__path__):
        return None
    path = gallery_certificates() / f"{Path(place.file).stem}.{name}.json"
    try:
        data = path.read_bytes()
        certificate = read_certificate(data, Certificate)
        same = certificate.fingerprint == fingerprint(normalised(mechanism))
    except (OSError, ShiftproofError):
        return None
    if not same or certificate.verdict != "proved":
        return None
    found = Exported(name, place.file, place.line, certificate.claim)
    return _with_theorem(found, json.loads(data))


def _with_theorem(
    found: Exported, certificate: Mapping[str, Any], beside: Sequence[Mapping[str, Any]] = ()
) -> Exported:
    """What is proved, with its theorem if there is one."""
    trouble = _trouble_with(found.mechanism)
    if trouble:
        return replace(found, proved=True, why=trouble)
    try:
        return replace(found, proved=True, theorem=theorem_of(certificate, beside))
    except Unsupported as error:
        return replace(found, proved=True, why=error.message)


def _trouble_with(name: str) -> str:
    """Why a mechanism's name is no name of a file for Rocq; empty if it is one."""
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or name in _RESERVED:
        return "its name, which is none of Rocq"
    taken = {Path(file).stem for file in theory_files()} | {ALL}
    return "its name, which a file of the theory has" if name in taken else ""


# The folder.


def theory() -> Path:
    """The folder of the theory that all theorems use, a part of this package."""
    return gallery_certificates() / "rocq"


def theory_files() -> list[str]:
    """The files of the theory, each after those that it uses."""
    listed = (theory() / PROJECT).read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in listed if line.strip().endswith(".v")]


def write_theorems(reports: Iterable[Report], folder: Path) -> list[Path]:
    """Write each proof as a theorem for Rocq, as far as there are theorems.

    The folder gets two files for each, ``laplace.v`` with the statement and ``laplace_proof.v``,
    the theory that they use, a list of all files, and a ``Makefile``.  What an earlier call has
    written there is replaced.

    Args:
        reports: what ``verify`` found, also of what is called; those without a proof, or of which
            no theorem is made, are passed over.
        folder: where to; it is made if there is none.

    Returns:
        The statements; if there is none, nothing is written.

    Raises:
        BadInput: the folder holds something else, or cannot be written, or two mechanisms would
            share a file.
    """
    reports = list(reports)
    return write_folder([exported(report, reports) for report in reports], folder)


def write_folder(found: Sequence[Exported], folder: Path) -> list[Path]:
    """Write a folder at once, or not at all; as :func:`write_theorems`."""
    check_own(folder)
    theorems = [one.theorem for one in found if one.theorem]
    if not theorems:
        return []
    texts = texts_of(theorems)
    place = Path(os.path.realpath(folder))
    make_folder(place.parent)
    try:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as beside:
            new, old = Path(beside) / "new", Path(beside) / "old"
            for name, text in texts.items():
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                (new / name).write_text(text, encoding="utf-8", newline="\n")
            if place.exists():
                place.rename(old)
            try:
                new.rename(place)
            except BaseException:
                if old.exists():
                    old.rename(place)
                raise
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
    return [folder / f"{theorem.name}.v" for theorem in theorems]


def texts_of(theorems: Sequence[Theorem]) -> dict[str, str]:
    """All files of a folder, by their names.

    Raises:
        BadInput: two theorems would share a file.
    """
    texts = {f"theory/{file}": _theory_text(file) for file in theory_files()}
    for theorem in theorems:
        named = {f"{theorem.name}.v": theorem.statement, f"{theorem.name}_proof.v": theorem.proof}
        for name, text in named.items():
            if name in texts:
                raise BadInput(
                    f"{name}: two mechanisms would share this file; give them different folders"
                )
            texts[name] = text
    texts[f"{ALL}.v"] = all_theorems([theorem.name for theorem in theorems])
    texts[PROJECT] = "\n".join([MARK, "-R . Shiftproof", *texts]) + "\n"
    texts["Makefile"] = _theory_text("Makefile")
    return texts


def all_theorems(names: Sequence[str]) -> str:
    """A file that asks Rocq of each theorem what it proves, and which axioms all rest on."""
    lines = ["(** What is proved here, and on which axioms it rests. *)"]
    lines += [f"From Shiftproof Require {name} {name}_proof." for name in names]
    for name in names:
        lines += [
            f"Theorem {name} : {name}.private.",
            f"Proof. exact {name}_proof.proved. Qed.",
        ]
    # Asked of all at once it takes Rocq a second, and of each a second for each.
    together = ",\n  ".join(names)
    lines += [f"Definition {ALL} :=\n  ({together}).", f"Print Assumptions {ALL}."]
    return "\n".join(lines) + "\n"


def _theory_text(file: str) -> str:
    return (theory() / file).read_text(encoding="utf-8")


def check_own(folder: Path) -> None:
    """Make sure that a folder may be replaced: that it is none yet, empty, or of an export.

    Raises:
        BadInput: it is no folder, holds something else, or is the current one.
    """
    place = Path(os.path.realpath(folder))
    if not place.exists():
        return
    if not place.is_dir():
        raise BadInput(f"{folder}: is no folder")
    if Path.cwd().is_relative_to(place):
        raise BadInput(f"{folder}: is the current folder, or holds it; want another one")
    other = _first_foreign(place)
    if other is not None:
        raise BadInput(
            f"{folder}: holds {other}, which no export has written; want a new or an empty folder"
        )


def _first_foreign(place: Path) -> str | None:
    """Something in a folder that is not of an export; ``None`` if there is nothing."""
    listed = _listed(place)
    stems = {name.removesuffix(".v") for name in listed}
    for inside, folders, files in os.walk(place):
        here = Path(inside)
        links = [name for name in folders if (here / name).is_symlink()]
        for name in sorted([*links, *files]):
            full = (here / name).relative_to(place).as_posix()
            built = _BUILT.fullmatch(name)
            of = built and (built["aux"] or built["stem"])
            ours = listed and (not of or (here / of).relative_to(place).as_posix() in stems)
            if full not in listed and not (built and ours):
                return full
    return None


def _listed(place: Path) -> set[str]:
    """The files that an export has written to a folder; none if it is of no export."""
    try:
        lines = (place / PROJECT).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    if lines[:1] != [MARK]:
        return set()
    return {*lines[2:], PROJECT, "Makefile"}
