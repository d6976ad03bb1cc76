"""The modules of a library, found and parsed without executing anything."""

from __future__ import annotations

import ast
import hashlib
import sys
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import PathFinder
from pathlib import Path

from ..dsl.errors import BadInput, Location, Unsupported
from ..dsl.static.places import place_of
from ..dsl.static.text import Text, parsed, read_bytes
from .scoping.scopes import bound_names, top_names

#: Functions of Python that go through what they are given.
GOING_THROUGH = ("all", "any", "enumerate", "list", "max", "min", "sum", "tuple", "zip")


@dataclass(eq=False)
class SourceModule:
    """One file of a library."""

    path: Path
    root: Path
    modules: dict[Path, SourceModule] = field(repr=False)

    @cached_property
    def content(self) -> bytes:
        """The bytes of the file."""
        return read_bytes(self.path)

    @property
    def sha256(self) -> str:
        """The hash of the file."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def text(self) -> Text:
        """Its text and syntax tree."""
        return parsed(self.content, str(self.path))

    @cached_property
    def names(self) -> dict[str, ast.stmt | None]:
        """What each name at the top level is bound by; ``None`` if that is not known."""
        return top_names(self.text.tree)

    @cached_property
    def _gone_through(self) -> set[ast.expr]:
        """Expressions that something goes through where they stand, once and at once."""
        found: set[ast.expr] = set()
        own = {n for inner in ast.walk(self.text.tree) for n in bound_names(inner)}
        own |= {n.arg for n in ast.walk(self.text.tree) if isinstance(n, ast.arg)}
        for node in ast.walk(self.text.tree):
            if isinstance(node, ast.For | ast.comprehension):
                found.add(node.iter)
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in GOING_THROUGH
                and node.func.id not in own
            ):
                found |= {*node.args}
        return found

    def is_gone_through(self, node: ast.expr) -> bool:
        """Whether an expression is gone through where it stands: nobody else sees it."""
        return node in self._gone_through

    def location(self, node: ast.AST) -> Location:
        """Where a node of this file stands."""
        return self.text.location(node)

    def refuse(self, node: ast.AST, message: str, advice: str = "") -> Unsupported:
        """An error about something that is not read."""
        return Unsupported(message, self.location(node), advice or "say what it is in the reading")

    def sibling(self, name: str, level: int = 0) -> SourceModule | None:
        """A module of the same library by its dotted name, if there is one."""
        base = self.root
        parts = name.split(".") if name else []
        if level:
            base = self.path.parent
            for _ in range(level - 1):
                base = base.parent
        path = base.joinpath(*parts)
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if (parts or file.name == "__init__.py") and file.is_file():
                return module_at(file, self.modules)
        return None

    def packages(self) -> list[SourceModule]:
        """The packages that the module is in, which are imported with it."""
        files = [folder / "__init__.py" for folder in self.path.parents]
        inside = [f for f in files if self.root in f.parent.parents and f.is_file()]
        return [module_at(file, self.modules) for file in inside]

    def imports(self, node: ast.Import | ast.ImportFrom) -> list[SourceModule]:
        """The modules of the same library that a statement imports."""
        found = []
        for alias in node.names:
            if isinstance(node, ast.Import):
                tried, level = [alias.name], 0
            else:
                of = node.module or ""
                tried, level = [of, f"{of}.{alias.name}".strip(".")], node.level
            for name in tried:
                if level or self.is_own(name):
                    one = self.sibling(name, level)
                    found += [] if one is None else [one, *one.packages()]
        return found

    def is_own(self, name: str) -> bool:
        """Whether a dotted name is of the same library: its package, or a file beside this one."""
        top = name.partition(".")[0]
        beside = self.path.parent == self.root and (self.root / f"{top}.py").is_file()
        return bool(top) and (self.path.relative_to(self.root).parts[0] == top or beside)


def module_at(file: Path, known: dict[Path, SourceModule] | None = None) -> SourceModule:
    """The module of a file.

    Raises:
        BadInput: there is no such file.
    """
    known = {} if known is None else known
    file = file.resolve()
    if file not in known:
        if not file.is_file():
            raise BadInput(f"{file}: no such file")
        known[file] = SourceModule(file, place_of(file)[0], known)
    return known[file]


def found_at(place: str, folder: Path) -> SourceModule:
    """The module of a file, seen from a folder, or of a dotted name that Python would import.

    Raises:
        BadInput: there is none.
    """
    if place.endswith(".py"):
        return module_at(folder / place)
    top, *rest = place.split(".")
    spec = PathFinder.find_spec(top, [str(folder), *sys.path])
    for part in rest:
        folders = list(spec.submodule_search_locations or ()) if spec else []
        top = f"{top}.{part}"
        spec = PathFinder.find_spec(top, folders) if folders else None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise BadInput(
            f"{place}: no file and no module of that name; want FILE.py or a dotted name"
        )
    return module_at(Path(spec.origin))


def lookup(module: SourceModule, qualified: str) -> tuple[ast.FunctionDef, ast.ClassDef | None]:
    """A function ``f`` or a method ``Class.f`` of a module.

    Raises:
        BadInput: there is none, or it is not known which one it is.
    """
    *outer, last = qualified.split(".")
    if qualified.partition(".")[0] in (n for n, node in module.names.items() if node is None):
        raise BadInput(
            f"{module.path}: {qualified.partition('.')[0]!r} is bound in several places, or changed"
        )
    body = [node for node in module.names.values() if node is not None]
    owner: ast.ClassDef | None = None
    for part in outer:
        owner = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == part), None)
        if owner is None:
            raise BadInput(f"{module.path}: no class is called {part!r}")
        body = owner.body
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == last:
            return node, owner
    names = sorted(n.name for n in body if isinstance(n, ast.FunctionDef))
    raise BadInput(
        f"{module.path}: no function is called {qualified!r}; there are {', '.join(names)}"
    )
