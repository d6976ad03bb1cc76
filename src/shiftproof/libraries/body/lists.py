"""Lists and arrays of a library's function: those that wait, and lists of the language."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..terms.arithmetic import arithmetic, as_kind, stored
from ..terms.values import (
    Fixed,
    Kind,
    Known,
    Lacking,
    Numbers,
    Once,
    Term,
    Value,
    Vector,
    alike,
    kind_of,
    name,
    text_of,
)
from ..versions import Stale
from .rehearsal import rehearsed

if TYPE_CHECKING:
    from .expressions import Scalar
    from .frame import Frame


class Lists:
    """What a frame does with lists."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def listed(self, value: Vector | Fixed, wanted: str, node: ast.AST) -> Vector:
        """A list of the language with these elements; a vector of this case becomes that list."""
        self.frame.iterated(value, node)
        frame, writer = self.frame, self.frame.run.writer
        if frame.run.is_own_list(value):
            return value
        variable = writer.fresh(wanted)
        if isinstance(value, Fixed):
            drawn = [frame.expressions.drawn(item, node) for item in value.items]
            items = [self.typed(variable, item, value.kind, node) for item in drawn]
            writer.say(f"{variable} = [{', '.join(map(text_of, items))}]")
            found = Vector(Known(len(items)), self._reader(variable), array=value.array)
        else:
            found = self._drawn(value, variable, node)
        found.kind, found.listed = value.kind, variable
        writer.versions.start(variable)
        self.refresh(found)
        return found

    def _drawn(self, value: Vector, variable: str, node: ast.AST) -> Vector:
        """The elements of a vector, one after the other."""
        frame, writer = self.frame, self.frame.run.writer
        frame.use(value, node)
        length = frame.expressions.drawn(value.length, node)
        writer.say(f"{variable} = []")
        with frame.run.loop("i", length) as index:
            element = frame.expressions.drawn(value.element(index), node)
            element = self.typed(variable, element, value.kind, node)
            writer.say(f"{variable}.append({text_of(element)})")
        if writer.versions.speaks_of_changing(text_of(length)):
            writer.versions.growing.add(variable)
        own = value.path is frame.run.path and value.listed not in frame.run.inputs
        found = value if own else replace(value, path=frame.run.path)
        found.draws, found.once, found.through = False, Once(round=frame.run.round), ()
        return found

    def typed(self, variable: str, value: Scalar, kind: Kind | None, node: ast.AST) -> Scalar:
        """A value as a list of the language holds it: all of one type, an array's own if it has.

        Args:
            variable: that holds the list.
            value: what it is to hold.
            kind: that an array gives to its values.
            node: where.
        """
        value, kinds = as_kind(value, kind), self.frame.run.kinds
        own = kind_of(value)
        if own is None or kinds.setdefault(variable, own) != own:
            raise self.frame.module.refuse(
                node, "a list of values of different types", "let it hold numbers of one type"
            )
        return value

    def _reader(self, variable: str) -> Callable[[Value], Value]:
        """What a list has at an index, as it is now."""
        run = self.frame.run
        now, kind = run.writer.versions.current(variable), run.kinds.get(variable)

        def element(index: Value) -> Value:
            assert isinstance(index, Known | Term)
            if kind is None:
                return Lacking("a value of a list to which nothing was appended before")
            return name(f"{now}[{text_of(index)}]", kind)

        return element

    def refresh(self, vector: Vector) -> None:
        """A list of the language is what its variable holds now."""
        versions = self.frame.run.writer.versions
        if self.frame.run.is_own_list(vector):
            vector.element = self._reader(vector.listed)
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

    def kind(self, vector: Vector, node: ast.AST) -> Kind | None:
        """What the elements are that it has now; none of them is drawn by this."""
        run = self.frame.run
        length = self.frame.expressions.drawn(vector.length, node)
        with rehearsed(run), run.loop("i", length) as index:
            return kind_of(self.frame.expressions.drawn(vector.element(index), node))

    def rehearse(self, vector: Vector, node: ast.AST) -> bool:
        """Read an element that waits, and note whether it draws.

        Returns:
            whether it is about what may change.

        Raises:
            Stale: it changes something itself.
        """
        run = self.frame.run
        length = self.frame.expressions.drawn(vector.length, node)
        with rehearsed(run) as read, run.loop("i", length) as index:
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

    def picked(self, numbers: Numbers, where: Value, node: ast.AST) -> Value:
        """``numbers[indices]``: an array, each of its indices surely in range."""
        frame = self.frame
        if not isinstance(where, Vector) or where.kind == "bool" or not where.array:
            raise frame.module.refuse(node, "an index that is not read")
        over = frame.iterated(numbers, node)
        assert isinstance(over, Vector)
        frame.use(where, node)
        indices = where.element

        def element(index: Value) -> Value:
            place = frame.place(over, frame.expressions.drawn(indices(index), node), node)
            return frame.expressions.binary(ast.Add(), numbers.start, place, node)

        return Vector(where.length, element, draws=where.draws, array=True)

    def check_mask(self, holder: Vector, mask: Vector, node: ast.AST) -> None:
        """Refuse what selects no places: a condition for each one does; numbers are indices."""
        module = self.frame.module
        if mask.kind != "bool" or not mask.array or not holder.array:
            raise module.refuse(node, "an index that is a list, and no array of conditions")
        if mask.mask is not None or not alike(holder.length, mask.length):
            raise module.refuse(node, "as many conditions as may not be as there are places")

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
