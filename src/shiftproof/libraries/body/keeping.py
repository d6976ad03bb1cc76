"""What becomes of a value that is kept for later, by a name, in a list or in an object."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..terms.values import Flip, IsNot, Numbers, Term, Undrawn, Value, Vector, text_of

if TYPE_CHECKING:
    from .frame import Frame


def taken(frame: Frame, value: Value, text: str, node: ast.AST) -> Value:
    """A value that is given to a name; noise that may be read again is drawn into a list."""
    value = kept(frame, value, text, node)
    if not isinstance(value, Vector) or value.path is not frame.run.path:
        return value  # what was made in another case, or round, does not become a list here
    if value.draws and frame.run.uses(frame, text) != 1:
        return frame.lists.listed(value, text, node)
    return value


def kept(frame: Frame, value: Value, text: str, node: ast.AST) -> Value:
    """A value that is kept for later: a coin is tossed, and what may change is worked out."""

    def part(inner: Value) -> Value:
        return kept(frame, inner, text, node)

    match value:
        case Flip():
            return frame.expressions.drawn(value, node)
        case Term() if frame.run.writer.versions.speaks_of_changing(text_of(value)):
            return frame.held(value, text)
        case Numbers(start=start, stop=stop, without=without):
            left_out = None if without is None else part(without)
            return Numbers(part(start), part(stop), left_out, value.array)
        case IsNot(numbers=numbers, value=other):
            found = part(numbers)
            assert isinstance(found, Numbers)
            return IsNot(found, part(other))
        case Undrawn(start=start, factor=factor, origin=origin):
            return Undrawn(part(start), part(factor), origin)
        case Vector(listed="", mask=None, path=made) if made is frame.run.path:
            if frame.lists.may_change(value, node):
                return frame.lists.listed(value, text, node)
    return value
