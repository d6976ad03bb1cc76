"""What can be done about a mechanism: write its alignment down, or its counterexample as a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from lsprotocol import types

from ...checkers.refuting.comparison import Comparison
from ...workspace.regression import target_of, test_source
from .marks import program_of, steps_of
from .verdicts import Decided

#: The command that shows a proof or a counterexample in a browser.
OPEN = "shiftproof.open"
#: Words of the language that a shift may hold.
_WORDS = re.compile(r"\b(other|outcome|count|min|max|abs)\(")
_BUILTINS = {"min", "max", "abs"}


Action: TypeAlias = types.CodeAction | types.Command


def actions(one: Decided, path: Path, lines: Sequence[str]) -> list[Action]:
    """What an editor offers on a mechanism.

    Args:
        one: the mechanism and its report.
        path: its file.
        lines: the text of the file.
    """
    name = one.report.mechanism
    found: list[Action] = []
    edits = alignment_edits(one, lines)
    if edits:
        edit = types.WorkspaceEdit(changes={path.as_uri(): edits})
        title = f"Write the alignment of {name} down"
        found.append(types.CodeAction(title, types.CodeActionKind.RefactorRewrite, edit=edit))
    if one.report.refutation is not None:
        title = f"Write the counterexample to {name} as a test"
        edit = _with_test(one, one.report.refutation, path)
        found.append(types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit))
    title = f"Open the {'proof' if one.report.holds else 'explanation'} of {name}"
    return [*found, types.Command(title, OPEN, arguments=[path.as_uri(), name])]


def alignment_edits(one: Decided, lines: Sequence[str]) -> list[types.TextEdit]:
    """``align(noise, shift)`` after each draw of a proof that an alignment gives, and its imports.

    Nothing, where some draw is no statement of its own or is not shifted.
    """
    report, program = one.report, program_of(one.report)
    steps = steps_of(program)
    if program is None or not (report.holds and report.method == "alignment"):
        return []
    if any(step.shift is not None for step in steps):
        return []
    edits, words = [], {"align"}
    for step, called in zip(steps, program.draws, strict=True):
        row = program.location(step.span).line - 1
        shift = report.alignment.get(called, "")
        statement = re.match(rf"(\s*){re.escape(step.target)}\s*(:[^=]+)?=", lines[row])
        if statement is None or not shift or shift.startswith(("summed(", "gaps(")):
            return []
        words |= set(_WORDS.findall(shift)) - _BUILTINS
        after = types.Position(row + _length(lines, row), 0)
        text = f"{statement[1]}align({step.target}, {shift})\n"
        edits.append(types.TextEdit(types.Range(after, after), text))
    return [*_imports(lines, words), *edits] if edits else []


def _length(lines: Sequence[str], row: int) -> int:
    """How many lines the statement takes that begins on a line."""
    for last in range(row, len(lines)):
        try:
            ast.parse("\n".join(lines[row : last + 1]).strip())
        except SyntaxError:
            continue
        return last + 1 - row
    return 1


def _imports(lines: Sequence[str], words: set[str]) -> list[types.TextEdit]:
    """An import of the words that the file does not have yet, after its last one."""
    tree = ast.parse("\n".join(lines))
    last = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            last = node.end_lineno or node.lineno
            names = {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom) and node.module == "shiftproof":
                words = set() if "*" in names else words - names
    if not words:
        return []
    here = types.Position(last, 0)
    text = f"from shiftproof import {', '.join(sorted(words))}\n"
    return [types.TextEdit(types.Range(here, here), text)]


def _with_test(one: Decided, comparison: Comparison, path: Path) -> types.WorkspaceEdit:
    """A new file beside the mechanism's, with a test that fails as long as the claim is broken."""
    assert one.report.subject is not None
    file = path.with_name(f"test_{path.stem}_{one.report.mechanism}.py")
    text = test_source({target_of(one.report.subject): comparison}, file)
    start = types.Position(0, 0)
    document = types.OptionalVersionedTextDocumentIdentifier(file.as_uri())
    return types.WorkspaceEdit(
        document_changes=[
            types.CreateFile(file.as_uri(), options=types.CreateFileOptions(ignore_if_exists=True)),
            types.TextDocumentEdit(document, [types.TextEdit(types.Range(start, start), text)]),
        ]
    )
