"""Which files may hold mechanisms, told from their text: for hooks that get every changed file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

_DECORATOR, _LIBRARY = "mechanism", __name__.partition(".")[0]


def with_mechanisms(targets: Sequence[str]) -> list[str]:
    """The targets without those files that name neither ``mechanism`` nor this library."""
    return [target for target in targets if not Path(target).is_file() or _occurs(Path(target))]


def _occurs(file: Path) -> bool:
    """Whether a file names the decorator, or the library that it may have another name from.

    What cannot be read may, and its error is to be told.
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, MemoryError, RecursionError):
        return True
    return any(_names_it(node) for node in ast.walk(tree))


def _names_it(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
            return name.rpartition(".")[2] == _DECORATOR or name.partition(".")[0] == _LIBRARY
        case ast.ImportFrom(module=str(module)):
            return module.partition(".")[0] == _LIBRARY
    return False
