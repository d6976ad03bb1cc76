"""What the gallery holds, told from its text alone: no module is loaded, no body is read.

``targets.gallery`` reads the whole language, and is for whoever decides claims.  This is for
whoever wants names, and wants them at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "mechanisms"


@dataclass(frozen=True, slots=True)
class Entry:
    """One mechanism of the gallery.

    Attributes:
        name: its name.
        module: the module that it stands in, without the package.
        file: the module's file.
        line: the line of its decorator.
        claim: what it claims, as written, with policies in place of their names.
        expected: the verdict that it should get: proved, bounded or refuted.
        summary: the first sentence of its docstring.
    """

    name: str
    module: str
    file: Path
    line: int
    claim: str
    expected: str
    summary: str

    @property
    def target(self) -> str:
        """What commands take for it, whatever the current folder holds."""
        return f"{__name__.partition('.')[0]}.mechanisms.{self.module}::{self.name}"


def gallery_index(folder: Path = _FOLDER) -> list[Entry]:
    """Every mechanism of the gallery, in the order of ``targets.gallery``."""
    return [entry for file in sorted(folder.glob("*.py")) for entry in _entries(file)]


def _entries(file: Path) -> Iterator[Entry]:
    body = ast.parse(file.read_bytes()).body
    constants = {
        target.id: statement.value
        for statement in body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for function in body:
        if isinstance(function, ast.FunctionDef):
            for decorator in function.decorator_list:
                match decorator:
                    case ast.Call(func=ast.Name(id="mechanism")):
                        yield _entry(file, function, decorator, constants)


def _entry(
    file: Path, function: ast.FunctionDef, decorator: ast.Call, constants: dict[str, ast.expr]
) -> Entry:
    named = {keyword.arg: keyword.value for keyword in decorator.keywords}
    claim = ast.unparse(_WrittenOut(constants).visit(decorator.args[0]))
    match named.get("budget"):
        case ast.Lambda(body=budget):
            claim += f" with ε = {ast.unparse(budget)}"
    match named.get("expect"):
        case ast.Constant(value=str(expected)):
            pass
        case _:
            expected = "proved"
    told = (ast.get_docstring(function) or "").partition("\n\n")[0]
    return Entry(
        function.name, file.stem, file, decorator.lineno, claim, expected, " ".join(told.split())
    )


class _WrittenOut(ast.NodeTransformer):
    """Puts what a module's constants are in place of their names."""

    def __init__(self, constants: dict[str, ast.expr]) -> None:
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The constant, if it is one."""
        return self._constants.get(node.id, node)
