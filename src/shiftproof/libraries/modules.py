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
        found: dict[str, ast.stmt | None] = {}
        for node in self.text.tree.body:
            self._bind(node, found)
        for inner in ast.walk(self.text.tree):
            if isinstance(inner, ast.Global):
                found |= dict.fromkeys(inner.names)
        return found

    def _bind(self, node: ast.stmt, found: dict[str, ast.stmt | None]) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = node
            case ast.Import(names=aliases):
                for alias in aliases:
                    found[alias.asname or alias.name.partition(".")[0]] = node
            case ast.ImportFrom(names=aliases):
                for alias in aliases:
                    found[alias.asname or alias.name] = node
            case ast.Try(body=body, handlers=handlers):
                for other in ast.walk(node):
                    found |= dict.fromkeys(bound_names(other))
                again = {n for h in handlers for o in ast.walk(h) for n in bound_names(o)}
                for inside in body:
                    if isinstance(inside, ast.Import | ast.ImportFrom):
                        self._bind(inside, found)
                found |= dict.fromkeys(again)
            case ast.Assign(targets=targets) if any(
                isinstance(t, ast.Attribute | ast.Subscript) for t in targets
            ):
                for inner in (n for t in targets for n in ast.walk(t)):
                    if isinstance(inner, ast.Name):
                        found[inner.id] = None
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                if isinstance(found.get(name), ast.Assign | ast.ClassDef):
                    found[name] = None
            case ast.Expr() | ast.Pass():
                pass
            case _:
                for other in ast.walk(node):
                    found |= dict.fromkeys(bound_names(other))

    @cached_property
    def seeded(self) -> bool:
        """Whether the module sets a seed when it is imported."""
        found = []
        for node in self.text.tree.body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                found += [n for n in ast.walk(node) if isinstance(n, ast.Call)]
        return any(isinstance(n.func, ast.Attribute) and n.func.attr == "seed" for n in found)

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
            if (parts and file.is_file()) or (file.name == "__init__.py" and file.is_file()):
                return module_at(file, self.modules)
        return None


def bound_names(node: ast.AST) -> list[str]:
    """The names that a node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name.partition(".")[0]]
    return []


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
        BadInput: there is none.
    """
    body = [node for node in module.names.values() if node is not None]
    owner: ast.ClassDef | None = None
    *outer, last = qualified.split(".")
    for part in outer:
        owner = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == part), None)
        if owner is None:
            raise BadInput(f"{module.path}: no class is called {part!r}")
        body = owner.body
    for node in reversed(body):
        if isinstance(node, ast.FunctionDef) and node.name == last:
            return node, owner
    names = sorted(n.name for n in body if isinstance(n, ast.FunctionDef))
    raise BadInput(
        f"{module.path}: no function is called {qualified!r}; there are {', '.join(names)}"
    )
