"""Checking certificates loads nothing of what made them, and the kernel nothing but Python."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import shiftproof.checkers.kernel
import shiftproof.checkers.walking
import shiftproof.dsl
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import check_file
from shiftproof.commands.check import standalone_text, trusted_base
from shiftproof.commands.cli import main
from tests.checkers.walking.certificates import FILES, IMPORTS, content, encoded, kind

KERNEL = Path(next(iter(shiftproof.checkers.kernel.__path__)))
#: The modules of the kernel; ``__main__`` is the command line of the package.
PARTS = sorted(p for p in KERNEL.rglob("*.py") if p.stem not in ("__init__", "__main__"))
PROOFS = [p for p in FILES if kind(p) == "proof"]
#: Proofs that are checked case by case.
WALKED = [p for p in PROOFS if "enumeration" not in content(p)]
LANGUAGE = Path(next(iter(shiftproof.dsl.__path__)))
WALKING = Path(next(iter(shiftproof.checkers.walking.__path__)))
FOREIGN = ("z3", "cvc5", "flint", "sympy", "msgspec", "numpy", "scipy", "hypothesis", "rich")

#: Outside the kernel and the language, what a check of proofs may load; nothing of it proves.
BESIDES = {
    "shiftproof",
    "shiftproof.showing",
    "shiftproof.showing.notebooks",  # the name of what shows objects, which is not loaded
    "shiftproof.checkers",
    "shiftproof.checkers.recheck",
    "shiftproof.checkers.kernel",
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
            "chains",
            "comparison",
            "epsilon",
            "inputs",
            "judge",
            "recompute",
            "records",
            "relation",
            "values",
        )
    ),
}
#: Not needed to check a proof.
HEAVY = {"hypothesis", "numpy", "rich", "scipy", "sympy"}

CHECK = """
import sys
from pathlib import Path
from shiftproof.checkers.recheck import Rechecker
checked = Rechecker().check_all(map(Path, sys.argv[1:]))
assert {str(c.standing) for c in checked} == {"valid"}, checked
print("\\n".join(["{", *sys.modules]))
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
#: The kernel where none of the packages can be imported; what it loads beside what Python had.
ALONE = """
import sys
begun = set(sys.modules)
for name in {foreign!r}:
    sys.modules[name] = None
from pathlib import Path
from shiftproof.checkers.kernel.check import check_file
for path in sys.argv[1:]:
    assert check_file(Path(path).read_bytes()).questions > 0, path
print("\\n".join(["{{", *(n for n, m in sys.modules.items() if m and n not in begun)]))
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
    rooms = ("shiftproof.dsl.", "shiftproof.checkers.walking.", "shiftproof.checkers.kernel.")
    return {m for m in ours(modules) if m not in known and not m.startswith(rooms)}


def of_kind(wanted: str) -> list[Path]:
    found = [p for p in FILES if kind(p) == wanted]
    assert len(found) > 25
    return found


class TestProcess:
    def test_proofs_load_the_kernel_and_the_language_only(self) -> None:
        found = loaded(CHECK, of_kind("proof")[::2])
        assert "shiftproof.checkers.kernel.paired.walk" in found
        assert not strangers(found)
        assert not found & HEAVY

    def test_refutations_load_likelihoods_besides(self) -> None:
        found = loaded(CHECK, of_kind("refutation"))
        exact = {m for m in found if m.startswith("shiftproof.checkers.exact.")}
        # A file of the gallery that imports another one gets that from the library.
        gallery = {m for m in found if m.startswith("shiftproof.mechanisms")}
        beside = {m for m in found if m.startswith("shiftproof.checkers.refuting.divergences")}
        assert exact and not strangers(found, LIKELIHOODS, exact | gallery | beside)

    def test_the_command_loads_no_prover_either(self) -> None:
        found = loaded(COMMAND, of_kind("proof")[::8])
        assert "shiftproof.commands.check" in found
        front = {m for m in found if m.split(".")[1:2] not in (["alignments"], ["checkers"])}
        assert not strangers(found, front, {"shiftproof.checkers.verdicts"})  # a record

    def test_the_kernel_checks_the_gallery_without_any_package(self) -> None:
        assert len(PROOFS) > 70
        found = loaded(ALONE.format(foreign=FOREIGN), PROOFS)
        assert "shiftproof.checkers.kernel.paired.walk" in found and not found & set(FOREIGN)
        beside = loaded("import shiftproof.checkers, sys\nprint('{', *sys.modules)", [])
        assert all(m.startswith("shiftproof.checkers.kernel") for m in ours(found) - beside)
        assert {m.partition(".")[0] for m in found} <= {*sys.stdlib_module_names, "shiftproof"} | {
            m for m in found if m.startswith("_")
        }


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = CliRunner().invoke(main, ["check", "--standalone"])
    assert result.exit_code == 0 and result.output == standalone_text()
    path = tmp_path_factory.mktemp("alone") / "kernel.py"
    path.write_text(result.output, encoding="utf-8")
    return path


def said_by(standalone: Path, *files: Path) -> Any:
    """By a Python that has neither packages nor variables of the environment."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(standalone), *map(str, files)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=standalone.parent,
        env={"PYTHONUTF8": "1"},
    )


def tampered_files(folder: Path) -> list[Path]:
    """Certificates of which some are right, and some are not for one reason or another."""
    found = []
    for k, path in enumerate(WALKED[::6]):
        right = content(path)
        first, *rest = right["parts"]
        others = [
            right,
            right | {"parts": [first | {"trees": first["trees"][:-1]}, *rest]},
            right | {"parts": [first | {"costs": {}}, *rest]},
            right | {"core": right["core"][:-1]},
            right | {"version": 1},
            right | {"parts": []},
        ]
        for j, certificate in enumerate(others):
            found.append(folder / f"{k}-{j}.json")
            found[-1].write_bytes(encoded(certificate))
    (folder / "none.json").write_text("{")
    return [*found, folder / "none.json", folder / "gone.json"]


class TestStandalone:
    def test_a_terminal_without_greek(self, standalone: Path) -> None:
        file = next(path for path in WALKED if path.name == "laplace.laplace.json")
        said = subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8=0", str(standalone), str(file)],
            env={"LC_ALL": "POSIX"},
            capture_output=True,
            check=True,
        )
        assert b"proved" in said.stdout and b"\\u03b2 = eps" in said.stdout and not said.stderr

    def test_it_says_what_the_package_says(self, standalone: Path, tmp_path: Path) -> None:
        files = tampered_files(tmp_path)
        said = said_by(standalone, *files)
        right, wrong = [], []
        for path in files:
            try:
                found = check_file(path.read_bytes())
                right.append(
                    f"{path}: proved, {found.questions} questions answered\n\n{found.statement}\n\n"
                )
            except (Wrong, OSError) as error:
                wrong.append(f"{path}: not proved: {error}\n")
        assert said.stdout == "".join(right) and said.stderr == "".join(wrong)
        assert said.returncode == 1 and len(right) > 5 and len(wrong) > 20

    def test_it_checks_the_gallery(self, standalone: Path) -> None:
        said = said_by(standalone, *PROOFS)
        assert said.returncode == 0 and not said.stderr
        assert said.stdout.count(" questions answered\n") == len(PROOFS)

    def test_without_a_certificate(self, standalone: Path) -> None:
        said = said_by(standalone)
        assert said.returncode == 2 and "usage" in said.stderr

    def test_no_name_is_defined_by_two_files(self) -> None:
        """One would take the other's place in the one file that is made of all."""
        defined: Counter[str] = Counter()
        imports: dict[str, set[str]] = {}
        for path in PARTS:
            own: set[str] = set()
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                for name, what in bindings(node):
                    own.add(name)
                    if what:
                        imports.setdefault(name, set()).add(what)
                    else:
                        imports.setdefault(name, set()).add(f"own {path.stem}")
            defined.update(own)
        for name, whats in imports.items():
            # The same import in two files is one.
            assert len(whats) == 1, (name, whats)
        assert defined["Wrong"] == 1

    def test_all_files_are_in_it(self) -> None:
        assert set(trusted_base()) == {
            path.relative_to(KERNEL).with_suffix("").as_posix() for path in PARTS
        }


def bindings(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """What a statement of a module binds; and of a foreign import, what."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, ""
        case ast.Import(names=names):
            for alias in names:
                yield (alias.asname or alias.name).partition(".")[0], f"import {alias.name}"
        case ast.ImportFrom(level=0, module=module, names=names) if module != "__future__":
            for alias in names:
                yield alias.asname or alias.name, f"{module}.{alias.name}"
        case ast.ImportFrom(level=int() as level, names=names) if level:
            for alias in names:
                assert alias.asname is None, "a name of the kernel under another name"
        case _:
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    yield part.id, ""


def imported(file: Path, package: str) -> Iterator[str]:
    """What a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = resolve_name("." * node.level + (node.module or ""), package)
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "re.compile":
            continue
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in ("import_module", "__import__", "exec", "eval", "compile"):
                yield f"by hand: {called}"


def modules(package: str, folder: Path) -> list[tuple[Path, str]]:
    files = sorted(folder.rglob("*.py"))
    return [(f, ".".join((package, *f.parent.relative_to(folder).parts))) for f in files]


def test_there_are_files_to_look_at() -> None:
    assert len(PARTS) > 14
    assert len(modules("", WALKING)) > 15 and len(modules("", LANGUAGE)) > 40


#: What of Python the kernel uses: nothing of it opens, runs or asks anything but certificates.
LIBRARY = {
    "__future__", "abc", "ast", "collections", "contextlib", "copy", "enum", "fractions",
    "functools", "itertools", "json", "math", "operator", "pathlib", "re", "sys", "threading",
    "typing",
}  # fmt: skip


@pytest.mark.parametrize(
    ("file", "package"),
    modules("shiftproof.checkers.kernel", KERNEL),
    ids=lambda v: str(v.relative_to(KERNEL)) if isinstance(v, Path) else "",
)
def test_a_module_of_the_kernel_imports_python_and_kernel_only(file: Path, package: str) -> None:
    for name in imported(file, package):
        assert not name.startswith("by hand"), name
        kernel = name.startswith("shiftproof.checkers.kernel")
        assert kernel or name.partition(".")[0] in LIBRARY, (file, name)


@pytest.mark.parametrize(
    ("file", "package"),
    modules("shiftproof.checkers.walking", WALKING),
    ids=lambda v: v.stem if isinstance(v, Path) else "",
)
def test_a_module_of_the_walk_imports_walk_and_language_only(file: Path, package: str) -> None:
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


def test_the_package_prints_what_it_proves() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "shiftproof.checkers.kernel", str(WALKED[0])],
        capture_output=True,
        text=True,
        env={**os.environ, **IMPORTS},
    )
    assert said.returncode == 0
    for line in json.loads(WALKED[0].read_text())["core"]:
        assert f"    {line}" in said.stdout
