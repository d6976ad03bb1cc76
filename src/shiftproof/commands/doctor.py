"""``shiftproof doctor``: whether all that is needed is there: packages, the solver, rooms."""

from __future__ import annotations

import importlib
import operator
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

import click

from ..dsl.version import __version__
from .common.answering import examples, print_found
from .common.options import json_option


@click.command(
    epilog=examples("doctor", "doctor --json"),
    short_help="Look whether the installation is whole.",
)
@json_option
def doctor(as_json: bool) -> int:
    """Look whether the installation is whole, and say what is missing and what brings it.

    Packages with their versions, the solver (asked small questions), extras and what they are for,
    the rooms of the package, and the certificates of the gallery.

    \b
    Exit status:
      0  all that is needed is there; extras may be missing
      1  something is not, or does not work
    """
    found = list(findings())
    hurts = any(finding.hurts for finding in found)
    print_found(as_json, lambda: _plain(found, hurts), lambda: _as_text(found))
    return 1 if hurts else 0


def _plain(found: Sequence[Finding], hurts: bool) -> dict[str, object]:
    from dataclasses import asdict

    return {"ok": not hurts, "findings": [asdict(finding) for finding in found]}


def _as_text(found: Sequence[Finding]) -> str:
    lines: list[str] = []
    for part, its in groupby(found, key=lambda finding: finding.part):
        inside = list(its)
        lines.append(part)
        for it in inside:
            cells = [it.state.ljust(7), it.name.ljust(max(len(other.name) for other in inside))]
            width = max(len(other.version) for other in inside)
            cells += [it.version.ljust(width)] if width else []
            lines.append("  ".join(["", *cells, it.note]))
        lines.append("")
    hurting = [finding.name for finding in found if finding.hurts]
    closing = f"Not as it should be: {', '.join(hurting)}" if hurting else "All needed is there."
    return "\n".join([*lines, closing])


# Whether an installation is whole: packages, the solver, rooms of the package, certificates.

#: What is needed, as in pyproject.toml, each with the module it is imported as, and what it does.
NEEDED = {
    "click>=8.1": ("click", "the command line"),
    "hypothesis>=6.100": ("hypothesis", "pairs of inputs for audits and tests"),
    "msgspec>=0.19": ("msgspec", "certificates"),
    "numpy>=2.0": ("numpy", "many runs at once"),
    "pathspec>=0.12": ("pathspec", "what .gitignore files leave out"),
    "python-flint>=0.8": ("flint", "rigorous enclosures"),
    "rich>=13.7": ("rich", "tables"),
    "scipy>=1.13": ("scipy", "confidence bounds"),
    "sympy>=1.13": ("sympy", "formulas"),
    "z3-solver>=5.4": ("z3", "proofs"),
}
#: The extras: what each is for, and what it brings.
EXTRAS = {
    "cluster": ("--executor dask://host:port", ("distributed>=2024.8",)),
    "watch": ("verify --watch", ("watchfiles>=1",)),
    "lsp": ("lsp, for editors", ("pygls>=2",)),
    "plot": ("--plot, pictures", ("matplotlib>=3.9",)),
    "mcp": ("mcp, a server for assistants", ("mcp>=2.0",)),
    "libraries": (
        "the benchmark of other libraries",
        ("diffprivlib>=0.6.6", "opendp>=0.12", "scikit-learn<1.6"),
    ),
}
_LEAST_PYTHON = (3, 11)
#: The folders of the package, and what each is.
ROOMS = {
    "dsl": "the language",
    "alignments": "examples, templates of shifts",
    "checkers": "proofs, refutations, audits",
    "mechanisms": "the gallery",
    "proofs": "its certificates",
    "workspace": "users' files",
    "showing": "reports, pages, pictures",
    "estimators": "from reports to estimates",
    "experiments": "those of the papers",
    "commands": "the command line",
}
_HERE = Path(__file__).parents[1]
_COMPARISONS = {">=": operator.ge, "<": operator.lt}

Health = Literal["ok", "missing", "too old", "too new", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        part: what it belongs to: Python, packages, the solver, extras, rooms or certificates.
        name: what it is.
        state: how it is.
        version: which one is there; may be empty.
        note: what it is for, or what is wrong with it and what to do.
        needed: whether shiftproof does without.
    """

    part: str
    name: str
    state: Health
    version: str
    note: str
    needed: bool = True

    @property
    def hurts(self) -> bool:
        """Whether something that is needed is not as it should be."""
        return self.needed and self.state != "ok"


def findings() -> Iterator[Finding]:
    """Look at everything, one thing after another."""
    yield _python()
    yield Finding("Python", "shiftproof", "ok", __version__, f"in {_HERE}")
    for requirement, (module, purpose) in NEEDED.items():
        yield _package(requirement, module, purpose)
    yield _solver()
    for name, (purpose, requirements) in EXTRAS.items():
        yield _extra(name, purpose, requirements)
    for name, purpose in ROOMS.items():
        yield _room(name, purpose)
    yield _certificates()


def _python() -> Finding:
    least = ".".join(map(str, _LEAST_PYTHON))
    state: Health = "ok" if sys.version_info >= _LEAST_PYTHON else "too old"
    return Finding("Python", "Python", state, platform.python_version(), f"{least} or newer")


def _package(requirement: str, module: str, purpose: str) -> Finding:
    """A package that is needed, which must also load."""
    name, state, version = standing(requirement)
    if state == "missing":
        return Finding("packages", name, state, "", f"{purpose}; pip install '{requirement}'")
    if state != "ok":
        return Finding("packages", name, state, version, f"want {requirement}")
    try:
        importlib.import_module(module)
    except Exception as error:  # a library of another system may raise anything
        return Finding("packages", name, "broken", version, f"does not load: {_line(error)}")
    return Finding("packages", name, "ok", version, purpose)


def standing(requirement: str) -> tuple[str, Health, str]:
    """What is required, how what is installed meets it, and which version that is.

    Args:
        requirement: a package with one limit of its version, as in ``numpy>=2.0``.
    """
    name, comparison, limit = re.split("(>=|<)", requirement)
    from importlib import metadata  # too long an import for a command that needs none

    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return name, "missing", ""
    if _COMPARISONS[comparison](_release(version), _release(limit)):
        return name, "ok", version
    return name, "too old" if comparison == ">=" else "too new", version


def _release(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with."""
    found = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def _solver() -> Finding:
    """The solver, asked two questions that it cannot answer alike."""
    answers = []
    version = ""
    try:
        import z3

        from ..checkers.walking.solvers import Solver

        version = z3.get_version_string()
        for bound in (0, 2):
            session = Solver().session()
            session.tell(f"(declare-const x Real)(assert (and (> x 1) (< x {bound})))")
            answers.append(session.check())
    except Exception as error:  # a library of another system may raise anything
        state: Health = "missing" if isinstance(error, ImportError) else "broken"
        return Finding("solver", "z3", state, version, _line(error), needed=True)
    if answers != ["unsat", "sat"]:
        wrong = f"answers {' and '.join(answers)} where unsat and sat are right"
        return Finding("solver", "z3", "broken", version, wrong, needed=True)
    return Finding("solver", "z3", "ok", version, "answers two small questions", needed=True)


def _extra(name: str, purpose: str, requirements: tuple[str, ...]) -> Finding:
    found = [standing(requirement) for requirement in requirements]
    lacking = [each for each in found if each[1] != "ok"]
    if not lacking:
        versions = ", ".join(version for _, _, version in found)
        return Finding("extras", name, "ok", versions, purpose, needed=False)
    _, state, version = lacking[0]
    note = f"{purpose}; pip install 'shiftproof[{name}]'"
    return Finding("extras", name, state, version, note, needed=False)


def _room(name: str, purpose: str) -> Finding:
    """A folder of the package, with all that was installed in it."""
    if not (_HERE / name / "__init__.py").is_file():
        return Finding("rooms", name, "missing", "", "no such folder; install shiftproof again")
    lost = _lost(name)
    if lost:
        more = f" and {len(lost) - 1} more" if lost[1:] else ""
        note = f"gone: {lost[0]}{more}; install shiftproof again"
        return Finding("rooms", name, "broken", "", note)
    return Finding("rooms", name, "ok", "", purpose)


def _lost(room: str) -> list[str]:
    """The files of a room that were installed and are not there."""
    from importlib import metadata

    try:
        installed = metadata.files(_HERE.name) or ()
    except metadata.PackageNotFoundError:
        return []
    inside = (file for file in installed if file.parts[:2] == (_HERE.name, room))
    return [str(file) for file in inside if not Path(str(file.locate())).exists()]


def _certificates() -> Finding:
    """The certificates of the gallery; what is expected to stay open has none."""
    from ..workspace.gallery_index import gallery_index

    wanted = {
        f"{entry.module}.{entry.name}.json"
        for entry in gallery_index()
        if entry.expected in ("proved", "refuted")
    }
    there = {file.name for file in (_HERE / "proofs").glob("*.json")}
    lacking = sorted(wanted - there)
    number = f"{len(wanted) - len(lacking)} of {len(wanted)}"
    if wanted and not lacking:
        note = f"{number}; shiftproof check --gallery checks them again"
        return Finding("certificates", "gallery", "ok", "", note)
    note = f"{number}; {lacking[0]} is not there" if lacking else "there is no gallery"
    # That one is not there yet is no fault of the installation; that none is there is one.
    return Finding("certificates", "gallery", "missing", "", note, needed=not wanted & there)


def _line(error: Exception) -> str:
    """An error in one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]
