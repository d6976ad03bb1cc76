"""The source of one function: its syntax tree, its file, and the places in it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..errors import Location, Outlook, Unsupported
from .syntax import Span


@dataclass(frozen=True, slots=True)
class Source:
    """One function's syntax tree and the file that it stands in."""

    file: str
    lines: tuple[str, ...]
    tree: ast.FunctionDef

    @property
    def first(self) -> int:
        """Its first line, which may be that of a decorator."""
        return min([self.tree.lineno, *(d.lineno for d in self.tree.decorator_list)])

    def location(self, span: Span) -> Location:
        """A place of the file, with its text."""
        text = self.lines[span.line - 1] if 0 < span.line <= len(self.lines) else ""
        # Python counts the bytes of a line; people count its characters.
        raw, start = text.encode(), span.column - 1
        column = len(raw[:start].decode(errors="ignore")) + 1
        width = len(raw[start : start + span.width].decode(errors="ignore")) if raw else span.width
        return Location(self.file, span.line, column, text.rstrip("\n"), max(1, width))

    def refuse(
        self, span: Span, message: str, advice: str, outlook: Outlook = "not yet"
    ) -> Unsupported:
        """An error about a construct that is outside the language."""
        return Unsupported(message, self.location(span), advice, outlook)


def span_of(node: ast.AST) -> Span:
    """Where a syntax node stands (columns count characters from 1)."""
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    same_line = getattr(node, "end_lineno", line) == line
    width = getattr(node, "end_col_offset", column + 1) - column if same_line else 1
    return Span(line, column + 1, max(1, width))
