"""The module of Python that declares a mechanism as it was read."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..dsl.errors import BadInput, Location
from .modules import SourceModule
from .reading import Reading
from .writer import finished

if TYPE_CHECKING:
    from .run import Run


@dataclass(frozen=True, slots=True)
class Written:
    """A mechanism as it was read from a library.

    Attributes:
        text: a module of Python that declares it.
        lines: of each line of the mechanism's body, its text and the file and line it comes from.
        taken: what was taken for granted.
        module: the file of the library.
        line: the first line of the function there.
    """

    text: str
    lines: tuple[tuple[str, tuple[str, int]], ...]
    taken: tuple[str, ...]
    module: SourceModule
    line: int

    def line_of(self, line: int) -> Location:
        """Where in the library a line of the text comes from."""
        ahead = len(self.text.splitlines()) - len(self.lines)
        file, own = str(self.module.path), self.line
        if ahead < line <= ahead + len(self.lines):
            file, own = self.lines[line - ahead - 1][1]
        return Location(file, own, 1, self.source((file, own)))

    def source(self, at: tuple[str, int]) -> str:
        """A line of the library."""
        found = self.module.modules.get(Path(at[0]))
        lines = () if found is None else found.text.lines
        return lines[at[1] - 1].strip() if 0 < at[1] <= len(lines) else ""


def assembled(run: Run, module: SourceModule, node: ast.FunctionDef) -> Written:
    """The module that declares the mechanism."""
    reading = run.reading
    lines = finished(run.writer.lines)
    options = [reading.privacy]
    if reading.budget:
        options.append(f"budget={reading.budget}")
    if reading.expect:
        options.append(f"expect={reading.expect!r}")
    parameters = ", ".join(f"{n}: {a}" for n, a in reading.inputs.items())
    leading = [f"    assert {text}" for text in dict.fromkeys([*reading.assume, *run.required])]
    body = [f"{'    ' * line.depth}{line.text}" for line in lines]
    known = ["mechanism", *sorted(run.writer.imports)]
    head = [
        "from collections.abc import Iterable, Iterator, Sequence",
        "from math import ceil, exp, floor, log, sqrt",
        "from typing import Annotated",
        f"from shiftproof import {', '.join(dict.fromkeys([*known, *_names_of(reading)]))}",
        "", "",
        f"@mechanism({', '.join(options)})",
        f"def {reading.called}({parameters}):",
    ]  # fmt: skip
    text = "\n".join([*head, *leading, *body]) + "\n"
    shown = tuple(
        zip(
            [*head[6:], *leading, *body],
            [(str(module.path), node.lineno)] * (2 + len(leading)) + [line.at for line in lines],
            strict=True,
        )
    )
    taken = [f"{text} (the function refuses other inputs before it draws)" for text in run.required]
    return Written(text, shown, (*run.taken, *taken), module, node.lineno)


def _names_of(reading: Reading) -> list[str]:
    """What the claim and the annotations use of this library."""
    import shiftproof

    text = " ".join([reading.privacy, reading.budget, *reading.inputs.values()])
    try:
        tree = ast.parse(
            f"f({', '.join([reading.privacy, reading.budget or '0', *reading.inputs.values()])})"
        )
    except SyntaxError:
        raise BadInput(f"{reading.called}: {text[:120]!r} is no claim with its inputs") from None
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return sorted(names & set(shiftproof.__all__))
