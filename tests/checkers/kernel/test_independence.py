"""Checking certificates loads nothing of what made them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

import shiftproof.checkers.walking
import shiftproof.dsl
from tests.checkers.walking.certificates import FILES, IMPORTS, kind

#: Outside the kernel and the language, what a check of proofs may load; nothing of it proves.
BESIDES = {
    "shiftproof",
    "shiftproof.showing",
    "shiftproof.showing.notebooks",  # the name of what shows objects, which is not loaded
    "shiftproof.checkers",
    "shiftproof.checkers.leaning",
    "shiftproof.checkers.recheck",
    "shiftproof.dsl",
    "shiftproof.checkers.walking",
}
#: Computes likelihoods; does not look for inputs or outcomes.
LIKELIHOODS = {
    "shiftproof.checkers.exact",
    "shiftproof.checkers.refuting",
    *(
        f"shiftproof.checkers.refuting.{name}"
        for name in (
            "comparison",
            "epsilon",
            "inputs",
            "judge",
            "recompute",
            "records",
            "relation",
        )
    ),
}
#: Not needed to check a proof.  (Flint is asked for common factors of polynomials, in proofs by
#: enumeration, and they are multiplied back.)
HEAVY = {"hypothesis", "numpy", "rich", "scipy", "sympy"}

CHECK = """
import sys
from pathlib import Path
from shiftproof.checkers.recheck import Rechecker
checked = Rechecker().check_all(map(Path, sys.argv[1:]))
assert {str(c.standing) for c in checked} == {"valid"}, checked
print("\\n".join(sys.modules))
"""
COMMAND = """
import sys
from shiftproof.commands.cli import main
try:
    main(["check", *sys.argv[1:], "--format", "json"])
except SystemExit as error:
    assert not error.code, error.code
print("\\n".join(["{", *sys.modules]))
"""


def loaded(script: str, files: list[Path]) -> set[str]:
    said = subprocess.run(
        [sys.executable, "-c", script, *map(str, files)],
        capture_output=True,
        text=True,
        env={**os.environ, **IMPORTS},
    )
    assert said.returncode == 0, said.stderr
    return set(said.stdout.rpartition("{")[2].split())


def ours(modules: set[str]) -> set[str]:
    return {m for m in modules if m.partition(".")[0] == "shiftproof"}


def strangers(modules: set[str], *allowed: set[str]) -> set[str]:
    """Modules of ours that are neither language nor kernel nor allowed."""
    known = set().union(BESIDES, *allowed)
    rooms = ("shiftproof.dsl.", "shiftproof.checkers.walking.")
    return {m for m in ours(modules) if m not in known and not m.startswith(rooms)}


def of_kind(wanted: str) -> list[Path]:
    found = [p for p in FILES if kind(p) == wanted]
    assert len(found) > 25
    return found


def test_proofs_load_the_kernel_and_the_language_only() -> None:
    found = loaded(CHECK, of_kind("proof")[::2])
    assert "shiftproof.checkers.walking.runs.walk" in found
    assert not strangers(found)
    assert not found & HEAVY


def test_refutations_load_likelihoods_besides() -> None:
    found = loaded(CHECK, of_kind("refutation"))
    exact = {m for m in found if m.startswith("shiftproof.checkers.exact.")}
    # A file of the gallery that imports another one gets that from the library, where it stands.
    gallery = {m for m in found if m.startswith("shiftproof.mechanisms")}
    assert exact and not strangers(found, LIKELIHOODS, exact | gallery)


def test_the_command_loads_no_prover_either() -> None:
    found = loaded(COMMAND, of_kind("proof")[::8])
    assert "shiftproof.commands.check" in found
    front = {m for m in found if m.split(".")[1:2] not in (["alignments"], ["checkers"])}
    assert not strangers(found, front, {"shiftproof.checkers.verdicts"})  # a record


def imported(file: Path, package: str) -> Iterator[str]:
    """What a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = resolve_name("." * node.level + (node.module or ""), package)
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in ("import_module", "__import__", "exec", "eval", "compile"):
                yield f"by hand: {called}"


def modules(package: str, folder: Path) -> list[tuple[Path, str]]:
    files = sorted(folder.rglob("*.py"))
    return [(f, ".".join((package, *f.parent.relative_to(folder).parts))) for f in files]


KERNEL = Path(next(iter(shiftproof.checkers.walking.__path__)))
LANGUAGE = Path(next(iter(shiftproof.dsl.__path__)))


def test_there_are_files_to_look_at() -> None:
    assert len(modules("", KERNEL)) > 15 and len(modules("", LANGUAGE)) > 40


@pytest.mark.parametrize(
    ("file", "package"),
    modules("shiftproof.checkers.walking", KERNEL),
    ids=lambda v: v.stem if isinstance(v, Path) else "",
)
def test_a_module_of_the_kernel_imports_kernel_and_language_only(file: Path, package: str) -> None:
    rooms = ("shiftproof.checkers.walking", "shiftproof.dsl.")
    for name in imported(file, package):
        assert not name.startswith("by hand"), name
        assert not name.startswith("shiftproof") or name.startswith(rooms), (file, name)


@pytest.mark.parametrize(
    ("file", "package"),
    modules("shiftproof.dsl", LANGUAGE),
    ids=lambda v: str(v.relative_to(LANGUAGE)) if isinstance(v, Path) else "",
)
def test_the_language_knows_no_prover(file: Path, package: str) -> None:
    for name in imported(file, package):
        assert not name.startswith(("shiftproof.alignments", "shiftproof.checkers")), (file, name)
