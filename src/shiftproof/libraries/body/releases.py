"""What a mechanism releases: results, as one stream of values, and exceptions.

Whoever sees what a function of Python returns sees more than the values in it: how they are
gathered in lists, and which exception was raised.  So two results, or two exceptions, that Python
tells apart never become the same stream.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from ..terms.arithmetic import stored
from ..terms.values import (
    Fixed,
    Flip,
    Known,
    Term,
    Value,
    Vector,
    is_fixed,
    kind_of,
    text_of,
)

if TYPE_CHECKING:
    from ..run import Run
    from .frame import Frame

#: How values are gathered, and which are Booleans, as numbers may equal these.
Shape: TypeAlias = str | tuple[str, "tuple[Shape, ...]"]
_RAISED = "raises"


class Releases:
    """The releases of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.shapes: list[Shape] = []
        self.exceptions: set[str] = set()

    def result(self, frame: Frame, value: Value, node: ast.AST) -> None:
        """The function that is read returns: that is what the mechanism releases."""
        self._check(frame, _shape(value), node)
        writer = self.run.writer
        items = value.items if isinstance(value, Fixed) else [value]
        if not any(isinstance(item, Vector | Fixed) for item in items):
            writer.release([self._scalar(frame, item, node) for item in items])
            return
        for item in items:
            self._spread(frame, item, node)
        writer.release([])

    def _spread(self, frame: Frame, value: Value, node: ast.AST) -> None:
        """Release the values of lists, one after the other."""
        if isinstance(value, Vector):
            self._each(frame, value, node)
        elif isinstance(value, Fixed):
            for item in value.items:
                self._spread(frame, item, node)
        else:
            self.run.writer.say(f"yield {self._scalar(frame, value, node)}")

    def _scalar(self, frame: Frame, value: Value, node: ast.AST) -> str:
        found = frame.expressions.drawn(value, node, "answer")
        shown = text_of(found)
        if kind_of(found) == "text" and repr(_RAISED) in shown:
            raise frame.module.refuse(node, f"a text that says {_RAISED!r}, as exceptions do here")
        return shown

    def _each(self, frame: Frame, value: Vector, node: ast.AST) -> None:
        """Release the elements of a vector."""
        frame.use(value, node)
        length = frame.length(value, node)
        with self.run.loop("i", length) as index:
            element = frame.expressions.drawn(value.element(index), node, "entry")
            self.run.writer.say(f"yield {text_of(stored(element, value.kind))}")

    def _check(self, frame: Frame, shape: Shape, node: ast.AST) -> None:
        """Refuse results of which the stream does not tell how they were gathered."""
        if _varying(shape) > 1:
            raise frame.module.refuse(node, "several lists of lengths that are not public")
        for other in self.shapes:
            counts = _count(shape), _count(other)
            if other != shape and (None in counts or counts[0] == counts[1]):
                raise frame.module.refuse(
                    node,
                    "results that are lists in one case, and other lists or numbers in another",
                )
        self.shapes.append(shape)

    def exception(self, frame: Frame, node: ast.Raise) -> None:
        """An exception is something that is seen: that it is raised, and which one it is."""
        told = "" if node.exc is None else ast.unparse(node.exc)
        for inner in ast.walk(node.exc or node):
            if isinstance(inner, ast.Name) and inner is not getattr(node.exc, "func", node.exc):
                value = frame.expressions.value(inner)
                if isinstance(value, Known | Term) and not is_fixed(value):
                    raise frame.module.refuse(node, f"an exception that tells of {inner.id!r}")
                told += f", {text_of(value)}" if isinstance(value, Known | Term) else ""
        if self.exceptions - {told}:
            raise frame.module.refuse(node, "another exception than one that was raised before")
        self.exceptions.add(told)
        self.run.writer.say(f"yield {_RAISED!r}")
        self.run.writer.release([])


def _shape(value: Value) -> Shape:
    """How a result is gathered; a list whose length is not public is a list of ``…``."""
    own = "array" if isinstance(value, Vector | Fixed) and value.array else "list"
    if isinstance(value, Fixed) and value.constant:
        own = "tuple"
    match value:
        case Fixed(items=items):
            return own, tuple(_shape(item) for item in items)
        case Vector(length=Known(value=int() as count)):
            return own, ("value",) * count
        case Vector(length=(Known() | Term()) as length) if is_fixed(length):
            return own, (f"{text_of(length)} times",)
        case Vector():
            return own, ("…",)
    is_bool = isinstance(value, Known | Term) and kind_of(value) == "bool"
    return "bool" if is_bool or isinstance(value, Flip) else "value"


def _varying(shape: Shape) -> int:
    if isinstance(shape, str):
        return shape == "…"
    return sum(_varying(part) for part in shape[1])


def _count(shape: Shape) -> int | None:
    """How many values there are, if that is a number."""
    if isinstance(shape, str):
        return None if shape == "…" or shape.endswith(" times") else 1
    counts = [_count(part) for part in shape[1]]
    return None if None in counts else sum(count or 0 for count in counts)
