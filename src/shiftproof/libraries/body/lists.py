"""Lists and arrays of a library's function: those that wait, and lists of the language."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..terms.arithmetic import arithmetic, stored
from ..terms.values import (
    Fixed,
    Kind,
    Known,
    Term,
    Value,
    Vector,
    kind_of,
    name,
    text_of,
)
from ..versions import Stale

if TYPE_CHECKING:
    from .frame import Frame


class Lists:
    """What a frame does with lists."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def listed(self, value: Vector | Fixed, wanted: str, node: ast.AST) -> Vector:
        """A list of the language with these elements."""
        self.frame.iterated(value, node)
        frame, writer = self.frame, self.frame.run.writer
        if frame.run.is_own_list(value):
            return value
        variable = writer.fresh(wanted)
        if isinstance(value, Fixed):
            items = [frame.expressions.drawn(item, node) for item in value.items]
            writer.say(f"{variable} = [{', '.join(map(text_of, items))}]")
            kind = kind_of(items[0]) if items else None
            return self.variable(variable, Known(len(items)), kind)
        frame.use(value, node)
        length = frame.expressions.drawn(value.length, node)
        writer.say(f"{variable} = []")
        with frame.run.loop("i", length) as index:
            element = frame.expressions.drawn(value.element(index), node)
            element = stored(element, value.kind)
            writer.say(f"{variable}.append({text_of(element)})")
        found = self.variable(variable, value.length, kind_of(element))
        if writer.versions.speaks_of_changing(text_of(length)):
            writer.versions.growing.add(variable)
            self.refresh(found)
        found.array = value.array
        return found

    def variable(self, variable: str, length: Value, kind: Kind | None) -> Vector:
        """The list of the language that a variable holds."""
        self.frame.run.writer.versions.start(variable)
        found = Vector(length, self._reader(variable, kind), kind, listed=variable)
        return found

    def _reader(self, variable: str, kind: Kind | None) -> Callable[[Value], Value]:
        """What a list has at an index, as it is now."""
        now = self.frame.run.writer.versions.current(variable)

        def element(index: Value) -> Value:
            assert isinstance(index, Known | Term)
            return name(f"{now}[{text_of(index)}]", kind or "int")

        return element

    def refresh(self, vector: Vector) -> None:
        """A list of the language is what its variable holds now."""
        versions = self.frame.run.writer.versions
        if self.frame.run.is_own_list(vector):
            vector.element = self._reader(vector.listed, vector.kind)
            if vector.listed in versions.growing:
                vector.length = name(f"len({versions.current(vector.listed)})", "int")

    def pinned(self, vector: Vector) -> Vector:
        """A vector as it is now, by itself: what is stored later is not seen in it."""
        self.refresh(vector)
        listed = vector.listed if vector.listed in self.frame.run.inputs else ""
        return replace(vector, listed=listed, through=())

    def drawn_before(self, loop: list[ast.stmt], places: Callable[[str], bool]) -> set[str]:
        """Vectors with noise that rounds read are drawn into lists before the loop.

        Args:
            loop: its body.
            places: whether each round reads only its own place of the one of a name.

        Returns:
            the names of the others, which each round may read once, at its own place.
        """
        frame, own = self.frame, set[str]()
        for inner in (n for statement in loop for n in ast.walk(statement)):
            text = inner.id if isinstance(inner, ast.Name) else ""
            value = frame.names.get(text)
            if not isinstance(value, Vector) or not value.draws or value.once.used:
                continue
            if places(text):
                own.add(text)
            else:
                frame.names[text] = self.listed(value, text, inner)
        return own

    def may_change(self, vector: Vector, node: ast.AST) -> bool:
        """Whether elements that are not worked out yet are about what may change."""
        if not self.frame.run.writer.versions.now:
            return False
        try:
            return self.rehearse(vector, node)
        except Stale as error:
            raise self.frame.module.refuse(
                node, f"a list that changes {error.args[0]} when it is read"
            ) from None

    def rehearse(self, vector: Vector, node: ast.AST) -> bool:
        """Read an element that waits, and note whether it draws.

        Returns:
            whether it is about what may change.

        Raises:
            Stale: it changes something itself.
        """
        run = self.frame.run
        length = self.frame.expressions.drawn(vector.length, node)
        with run.rehearsed() as read, run.loop("i", length) as index:
            before = len(run.writer.lines)
            waiting = [vector.element(index)]
            while waiting:
                value = waiting.pop()
                if isinstance(value, Fixed):
                    waiting += value.items
                    continue
                scalar = self.frame.expressions.drawn(value, node)
                # What writes a line does it again whenever it is asked.
                vector.draws = vector.draws or len(run.writer.lines) > before
                run.writer.say(text_of(scalar))
                before += 1
        return bool(read)

    def total(self, value: Vector | Fixed, node: ast.AST) -> Value:
        """The sum of all."""
        value = self.frame.iterated(value, node)
        frame, writer = self.frame, self.frame.run.writer
        if isinstance(value, Fixed):
            found: Value = Known(0)
            for item in value.items:
                found = frame.expressions.binary(ast.Add(), found, item, node)
            return found
        frame.use(value, node)
        total = writer.fresh("total")
        slot = len(writer.lines)
        writer.say(f"{total} = 0")
        with frame.run.loop("i", frame.expressions.drawn(value.length, node)) as index:
            element = frame.expressions.drawn(value.element(index), node)
            added = arithmetic(ast.Add(), name(total, "int"), stored(element, value.kind))
            if added is None:
                raise frame.module.refuse(node, "a sum of something that is no number")
            kind = kind_of(added)
            assert kind is not None
            writer.say(f"{total} = {text_of(added)}")
        if kind == "float":
            writer.lines[slot].text = f"{total} = 0.0"
        return name(total, kind)
