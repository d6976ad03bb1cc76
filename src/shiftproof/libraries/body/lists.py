"""Lists and arrays of a library's function: stores, appends, and lists of the language."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...dsl.errors import Unsupported
from ..terms.arithmetic import arithmetic, choice, put, stored
from ..terms.values import (
    Cell,
    Fixed,
    Flip,
    Kind,
    Known,
    Numbers,
    Term,
    Value,
    Vector,
    alike,
    kind_of,
    name,
    text_of,
)

if TYPE_CHECKING:
    from .expressions import Scalar
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
            kinds = {kind_of(item) for item in items}
            if len(kinds) > 1 and kinds != {"int", "float"}:
                raise frame.module.refuse(node, "a list of values of different types")
            kind = "float" if len(kinds) > 1 else kinds.pop() if kinds else None
            return self.variable(variable, Known(len(items)), kind, value)
        frame.use(value, node)
        writer.say(f"{variable} = []")
        with frame.run.loop("i", frame.expressions.drawn(value.length, node)) as index:
            element = frame.expressions.drawn(value.element(index), node)
            element = stored(element, value.kind)
            writer.say(f"{variable}.append({text_of(element)})")
        return self.variable(variable, value.length, kind_of(element), value)

    def variable(
        self, variable: str, length: Value, kind: Kind | None, of: Vector | Fixed
    ) -> Vector:
        """The list of the language that a variable holds; ``of``: the list that it was."""
        kinds = self.frame.run.kinds
        if kind is not None:
            kinds[variable] = kind

        def element(index: Value) -> Value:
            assert isinstance(index, Known | Term)
            if variable not in kinds:
                raise Unsupported(
                    "an element of a list before it is known what it holds",
                    None,
                    "append to the list before",
                )
            return name(f"{variable}[{text_of(index)}]", kinds[variable])

        return Vector(length, element, of.kind, listed=variable, array=of.array)

    def _own(self, holder: Vector, value: Scalar, node: ast.AST) -> Scalar:
        """A number as a list of the language holds it: all are of one kind."""
        if holder.kind is not None:
            return stored(value, holder.kind)
        kind = kind_of(value)
        if kind is None:
            raise self.frame.module.refuse(node, "None in a list")
        known = self.frame.run.kinds.setdefault(holder.listed, kind)
        if kind != known and (kind, known) != ("int", "float"):
            raise self.frame.module.refuse(node, "a list of values of different types")
        return value

    def store(self, inner: ast.expr, index: ast.expr, value: Value, node: ast.AST) -> None:
        """``inner[index] = value``."""
        frame = self.frame
        holder = frame.expressions.value(inner)
        if isinstance(index, ast.Slice):
            self._slice(holder, index, value, node)
            return
        where = frame.expressions.value(index)
        if isinstance(where, Vector):
            self._selected(holder, where, value, node)
            return
        if isinstance(holder, Cell):
            if not alike(holder.index, where):
                raise frame.module.refuse(node, "another place of a list than that of the round")
            scalar = frame.expressions.drawn(value, node)
            frame.assign(holder.name, stored(scalar, holder.kind), node)
            return
        if isinstance(holder, Fixed) and isinstance(where, Known) and type(where.value) is int:
            if not -len(holder.items) <= where.value < len(holder.items):
                raise frame.module.refuse(node, "an index out of range")
            if holder.path is not frame.run.path:
                raise frame.module.refuse(node, "a store that is made in one case only")
            new = frame.expressions.drawn(value, node) if holder.array else value
            holder.items[where.value] = put(new, holder) if isinstance(new, Known | Term) else new
            return
        if not isinstance(holder, Vector):
            raise frame.module.refuse(node, "a store into something that is no list")
        place = frame.place(holder, frame.expressions.drawn(where, node), node)
        if frame.run.is_own_list(holder):
            scalar = self._own(holder, frame.expressions.drawn(value, node), node)
            frame.run.writer.say(f"{holder.listed}[{text_of(place)}] = {text_of(scalar)}")
            return
        if holder.path is not frame.run.path:
            raise frame.module.refuse(node, "a store that is made in one case only")
        frame.in_range(holder, place, node)
        self.replace(holder, place, frame.expressions.drawn(value, node), node)

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

    def _selected(self, holder: Value, mask: Vector, value: Value, node: ast.AST) -> None:
        """``holder[mask] = value``: at the places that a condition selects."""
        frame = self.frame
        if isinstance(value, Vector) and value.mask is not mask:
            raise frame.module.refuse(node, "other places than those that are stored to")
        if not isinstance(holder, Vector) or holder.listed or holder.path is not frame.run.path:
            raise frame.module.refuse(node, "a store to selected places of such a list")
        self.check_mask(holder, mask, node)
        before, tests = holder.element, mask.element
        new = value.element if isinstance(value, Vector) else None
        frame.use(mask, node)

        def element(index: Value) -> Value:
            test = frame.expressions.conditions.condition(tests(index), node)
            stored_there = frame.expressions.drawn(new(index) if new else value, node)
            old = frame.expressions.drawn(before(index), node)
            sides = stored(stored_there, holder.kind), stored(old, holder.kind)
            if holder.kind is None and kind_of(sides[0]) not in (kind_of(sides[1]), "int"):
                raise frame.module.refuse(node, "a store into an array of another type")
            found = choice(test, *sides)
            if found is None:
                raise frame.module.refuse(node, "a list of values of different types")
            return found

        holder.element, holder.draws = element, holder.draws or mask.draws
        holder.used = False

    def _slice(self, holder: Value, index: ast.Slice, value: Value, node: ast.AST) -> None:
        """``holder[a:b] = value``, of lists of known length."""
        frame = self.frame
        bounds = [
            0 if b is None else frame.expressions.value(b) for b in (index.lower, index.upper)
        ]
        low, high = (b.value if isinstance(b, Known) else b for b in bounds)
        if not isinstance(holder, Fixed) or holder.path is not frame.run.path or index.step:
            raise frame.module.refuse(node, "a slice that is assigned")
        high = len(holder.items) if index.upper is None else high
        items = value.items if isinstance(value, Fixed) else None
        if not isinstance(low, int) or not isinstance(high, int) or items is None:
            raise frame.module.refuse(node, "a slice that is assigned")
        if len(items) != len(holder.items[low:high]):
            raise frame.module.refuse(node, "a slice of another length than what it is to hold")
        scalars = [frame.expressions.drawn(item, node) for item in items]
        holder.items[low:high] = [put(one, holder) for one in scalars]

    def replace(
        self,
        holder: Vector,
        place: Known | Term,
        value: Known | Term,
        node: ast.AST,
        coin: Flip | None = None,
    ) -> None:
        """Let the vector have another value at one place; with a coin, only if it says so."""
        frame, before = self.frame, holder.element
        new = stored(value, holder.kind)

        def element(index: Value) -> Value:
            there = frame.expressions.conditions.compare(ast.Eq(), index, place, node)
            test = frame.run.decided(frame.expressions.drawn(there, node))

            def old() -> Known | Term:
                kept = stored(frame.expressions.drawn(before(index), node), holder.kind)
                if holder.array and holder.kind is None and kind_of(kept) != kind_of(new):
                    raise frame.module.refuse(node, "a store into an array of another type")
                return kept

            def changed() -> Known | Term:
                if coin is None:
                    return new
                kept = old()
                # The place is in range, so that it is drawn once.
                coin.round = frame.run.round
                flip = frame.expressions.drawn(coin, node)
                found = choice(flip, new, kept)
                if found is None:
                    raise frame.module.refuse(node, "a list of values of different types")
                return found

            # What is overwritten is not drawn: nobody sees it.
            return frame.expressions.conditions.either(test, changed, old, node, "entry")

        holder.element = element
        holder.draws = holder.draws or coin is not None

    def by_coin(self, node: ast.If, coin: Flip) -> bool:
        """Whether an ``if`` only stores a constant where a coin says so; then that waits, too."""
        match node:
            case ast.If(
                body=[ast.Assign(targets=[ast.Subscript(value=inner, slice=index)], value=value)],
                orelse=[],
            ):
                holder, new = (
                    self.frame.expressions.value(inner),
                    self.frame.expressions.value(value),
                )
                place = self.frame.expressions.value(index)
            case _:
                return False
        if not isinstance(holder, Vector) or holder.listed or not isinstance(new, Known):
            return False
        if holder.path is not self.frame.run.path or not isinstance(place, Known | Term):
            return False
        self.replace(holder, self.frame.place(holder, place, node), new, node, coin)
        return True

    def augment(
        self, target: ast.expr, op: ast.operator, value: ast.expr, node: ast.AugAssign
    ) -> None:
        """``target op= value``."""
        frame = self.frame
        loaded = ast.parse(ast.unparse(target), mode="eval").body
        for inner in ast.walk(loaded):
            ast.copy_location(inner, target)
        old = frame.expressions.value(loaded)
        if isinstance(old, Vector) and old.mask is not None and isinstance(target, ast.Subscript):
            holder = frame.expressions.value(target.value)
            new = frame.expressions.binary(op, old, frame.expressions.value(value), node)
            old.mask.used = False
            self._selected(holder, old.mask, new, node)
            return
        new = frame.expressions.binary(op, old, frame.expressions.value(value), node)
        if isinstance(old, Vector | Fixed):
            self._in_place(old, new, node)
        else:
            frame.bind(target, new, node)

    def _in_place(self, old: Vector | Fixed, new: Value, node: ast.AST) -> None:
        """``a += b`` changes a list or an array itself, whatever names it has."""
        if old.path is not self.frame.run.path:
            raise self.frame.module.refuse(node, "a list that is changed in one case only")
        if old.kind != "float" and isinstance(old, Vector):
            raise self.frame.module.refuse(
                node, "a list, or an array of integers, changed in place"
            )
        if isinstance(old, Fixed) and isinstance(new, Fixed):
            values = [self.frame.expressions.drawn(item, node) for item in new.items]
            if old.array and old.kind != "float" and any(kind_of(v) != "int" for v in values):
                raise self.frame.module.refuse(
                    node, "an array that is to hold what it may not hold"
                )
            old.items[:] = [put(value, old) for value in values]
        elif isinstance(old, Vector) and isinstance(new, Vector) and not old.listed:
            old.element, old.draws, old.used = new.element, new.draws, False
        else:
            raise self.frame.module.refuse(node, "a list that is changed in place")

    def append(self, holder: Value, value: Value, node: ast.AST) -> None:
        """``holder.append(value)``."""
        frame = self.frame
        if isinstance(holder, Cell):
            frame.assign(holder.name, frame.expressions.drawn(value, node), node)
            return
        if isinstance(holder, Fixed):
            if holder.path is not frame.run.path:
                raise frame.module.refuse(node, "a list that grows in one case only")
            holder.items.append(value)
            return
        if isinstance(holder, Vector) and frame.run.is_own_list(holder):
            scalar = self._own(holder, frame.expressions.drawn(value, node), node)
            frame.run.writer.say(f"{holder.listed}.append({text_of(scalar)})")
            holder.length = name(f"len({holder.listed})", "int")
            return
        raise frame.module.refuse(node, "append to something that is no list of its own")

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
