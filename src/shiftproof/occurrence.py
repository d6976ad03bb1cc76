"""Which files may hold mechanisms, told from their text: for hooks that get every changed file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from .dsl.errors import ShiftproofError

_DECORATOR, _LIBRARY = "mechanism", __name__.partition(".")[0]


def with_mechanisms(targets: Sequence[str]) -> list[str]:
    """The targets without those files that surely make no mechanism."""
    return [target for target in targets if not Path(target).is_file() or _occurs(Path(target))]


def _occurs(file: Path) -> bool:
    """Whether a file may make mechanisms; what cannot be read may, and its error is to be told."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, MemoryError, RecursionError):
        return True
    names = set(_names(tree))
    if _DECORATOR in names:
        return True
    # The decorator may have another name where it comes from.
    return _LIBRARY in names and _makes_some(file)


def _names(tree: ast.AST) -> Iterator[str]:
    """Names, attributes, and what is imported from where."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.alias(name=name) | ast.ImportFrom(module=str(name)):
                first, *rest = name.split(".")
                yield first
                yield from rest[-1:]


def _makes_some(file: Path) -> bool:
    from .dsl.static import read_path

    try:
        reading = read_path(file)
    except ShiftproofError:
        return True
    return bool(reading.held or reading.left_out())
