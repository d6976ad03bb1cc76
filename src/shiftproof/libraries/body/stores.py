"""Stores into lists and arrays of a library's function, and changes of them in place."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..terms.arithmetic import choice, fitting, stored
from ..terms.values import (
    Cell,
    Fixed,
    Flip,
    Kind,
    Known,
    Once,
    Term,
    Undrawn,
    Value,
    Vector,
    alike,
    kind_of,
    text_of,
)
from .keeping import kept

if TYPE_CHECKING:
    from .frame import Frame

#: What stands in expressions that may be worked out early: they do nothing.
_PLAIN = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip


class Stores:
    """What a frame does with lists that change."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def check_cell(self, cell: Cell, where: Value, node: ast.AST) -> None:
        """A round of a loop that fills a list sees its own place of it, and nobody else does."""
        frame = self.frame
        if cell.owner is not frame or cell.round is not frame.run.round:
            raise frame.module.refuse(node, "a list that is handed on while a loop fills it")
        if not alike(cell.index, where):
            raise frame.module.refuse(node, "another place of a list than that of the round")

    def store(self, inner: ast.expr, index: ast.expr, value: Value, node: ast.AST) -> None:
        """``inner[index] = value``."""
        holder = self.frame.expressions.value(inner)
        if isinstance(index, ast.Slice):
            self._slice(holder, index, value, node)
        else:
            self.put(holder, self.frame.expressions.value(index), value, node)

    def put(self, holder: Value, where: Value, value: Value, node: ast.AST) -> None:
        """Let a list have another value at an index."""
        frame = self.frame
        if isinstance(where, Vector):
            self._selected(holder, where, value, node)
            return
        if isinstance(holder, Cell):
            self.check_cell(holder, where, node)
            scalar = frame.expressions.drawn(value, node)
            frame.assign(holder.name, stored(scalar, holder.kind), node)
            return
        if isinstance(holder, Fixed) and isinstance(where, Known) and type(where.value) is int:
            self._check_own(holder, node)
            if not -len(holder.items) <= where.value < len(holder.items):
                raise frame.module.refuse(node, "an index out of range")
            new = kept(frame, value, "item", node)
            new = frame.expressions.drawn(new, node) if holder.array else new
            if isinstance(new, Known | Term):
                new = fitting(new, holder)
            holder.items[where.value] = new
            return
        if not isinstance(holder, Vector):
            raise frame.module.refuse(node, "a store into something that is no list")
        place = frame.place(holder, frame.expressions.drawn(where, node), node)
        if frame.run.is_own_list(holder):
            own = holder.listed
            scalar = frame.expressions.drawn(value, node)
            scalar = frame.lists.typed(own, scalar, holder.kind, node)
            frame.run.writer.change(own, f"{own}[{text_of(place)}] = {text_of(scalar)}")
            return
        if holder.path is not frame.run.path:
            raise frame.module.refuse(node, "a store that is made in one case only")
        frame.in_range(holder, place, node)
        self.replace(holder, place, frame.expressions.drawn(value, node), node)

    def _check_own(self, holder: Fixed, node: ast.AST) -> None:
        """A list that is changed is one, and it is changed in all cases in which it exists."""
        if holder.constant:
            raise self.frame.module.refuse(node, "a tuple that is changed")
        if holder.path is not self.frame.run.path:
            raise self.frame.module.refuse(node, "a list that is changed in one case only")

    def _check_type(
        self, holder: Vector, old: Kind | None, new: Kind | None, node: ast.AST
    ) -> None:
        """Refuse a store into an array that may change the number: its type is that of ``old``."""
        fits = old == new or (old, new) == ("float", "int")
        if holder.array and holder.kind is None and not fits:
            raise self.frame.module.refuse(
                node, "a store into an array of another type", "give the array a type with 'dtype'"
            )

    def filled(self, holder: Vector, element: Callable[[Value], Value], draws: bool) -> None:
        """Let a vector have other elements, made from those that it had."""
        holder.element, holder.draws = element, draws
        holder.once = Once(round=self.frame.run.round)

    def _selected(self, holder: Value, mask: Vector, value: Value, node: ast.AST) -> None:
        """``holder[mask] = value``: at the places that a condition selects."""
        frame = self.frame
        if isinstance(value, Vector) and value.mask is not mask:
            raise frame.module.refuse(node, "other places than those that are stored to")
        if not isinstance(holder, Vector) or holder.listed or holder.path is not frame.run.path:
            raise frame.module.refuse(node, "a store to selected places of such a list")
        frame.lists.check_mask(holder, mask, node)
        if not isinstance(value, Vector):
            value = frame.expressions.drawn(value, node)
        frame.use(holder, node)
        frame.use(mask, node)
        before, tests = holder.element, mask.element
        new = value.element if isinstance(value, Vector) else None

        def element(index: Value) -> Value:
            test = frame.expressions.conditions.condition(tests(index), node)
            stored_there = frame.expressions.drawn(new(index) if new else value, node)
            old = frame.expressions.drawn(before(index), node)
            sides = stored(stored_there, holder.kind), stored(old, holder.kind)
            self._check_type(holder, kind_of(sides[1]), kind_of(sides[0]), node)
            found = choice(test, *sides)
            if found is None:
                raise frame.module.refuse(node, "a list of values of different types")
            return found

        drawing = isinstance(value, Vector) and value.draws
        self.filled(holder, element, holder.draws or mask.draws or drawing)

    def _slice(self, holder: Value, index: ast.Slice, value: Value, node: ast.AST) -> None:
        """``holder[a:b] = value``, of lists of known length."""
        frame = self.frame
        bounds = [
            0 if b is None else frame.expressions.value(b) for b in (index.lower, index.upper)
        ]
        low, high = (b.value if isinstance(b, Known) else b for b in bounds)
        if not isinstance(holder, Fixed) or index.step:
            raise frame.module.refuse(node, "a slice that is assigned")
        self._check_own(holder, node)
        high = len(holder.items) if index.upper is None else high
        items = value.items if isinstance(value, Fixed) else None
        if not isinstance(low, int) or not isinstance(high, int) or items is None:
            raise frame.module.refuse(node, "a slice that is assigned")
        if len(items) != len(holder.items[low:high]):
            raise frame.module.refuse(node, "a slice of another length than what it is to hold")
        scalars = [frame.expressions.drawn(item, node) for item in items]
        holder.items[low:high] = [fitting(one, holder) for one in scalars]

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
        if holder.array and holder.kind is None:  # at once: nobody may ask for what was there
            self._check_type(holder, frame.lists.kind(holder, node), kind_of(value), node)
        new = stored(value, holder.kind)
        frame.use(holder, node)

        def element(index: Value) -> Value:
            there = frame.expressions.conditions.compare(ast.Eq(), index, place, node)
            test = frame.run.decided(frame.expressions.drawn(there, node))

            def old() -> Known | Term:
                return stored(frame.expressions.drawn(before(index), node), holder.kind)

            def changed() -> Known | Term:
                if coin is None:
                    return new
                kept = old()
                # The place is in range, so that one is drawn, by whoever asks for all places.
                flip = frame.expressions.drawn(Flip(coin.probability), node)
                found = choice(flip, new, kept)
                if found is None:
                    raise frame.module.refuse(node, "a list of values of different types")
                return found

            # What is overwritten is not drawn: nobody sees it.
            return frame.expressions.conditions.either(test, changed, old, node, "entry")

        self.filled(holder, element, holder.draws or coin is not None)

    def by_coin(self, node: ast.If, coin: Flip) -> bool:
        """Whether an ``if`` only stores a constant where a coin says so; then that waits, too."""
        match node:
            case ast.If(
                body=[ast.Assign(targets=[ast.Subscript(value=inner, slice=index)], value=value)],
                orelse=[],
            ) if all(isinstance(n, _PLAIN) for e in (inner, index, value) for n in ast.walk(e)):
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
        coin.spent = True
        self.replace(holder, self.frame.place(holder, place, node), new, node, coin)
        return True

    def augment(
        self, target: ast.expr, op: ast.operator, value: ast.expr, node: ast.AugAssign
    ) -> None:
        """``target op= value``."""
        frame, expressions = self.frame, self.frame.expressions
        if not isinstance(target, ast.Name) and ast.unparse(target) in frame.run.given:
            raise frame.module.refuse(node, "a change of what the reading gives")
        match target:
            case ast.Subscript(value=inner, slice=index) if not isinstance(index, ast.Slice):
                holder, where = expressions.value(inner), expressions.value(index)
                if isinstance(where, Vector):
                    self._augment_selected(holder, where, op, value, node)
                    return
                if isinstance(where, Flip | Undrawn):
                    where = expressions.drawn(where, node)
                old = expressions.at(holder, where, node)

                def put(new: Value) -> None:
                    self.put(holder, where, new, node)

            case ast.Attribute(value=inner, attr=attribute):
                thing = expressions.value(inner)
                old = expressions.attribute(thing, attribute, target)

                def put(new: Value) -> None:
                    frame.set(thing, attribute, new, node)

            case ast.Name(id=text):
                old = expressions.value(ast.copy_location(ast.Name(text, ast.Load()), target))

                def put(new: Value) -> None:
                    frame.assign(text, new, node)

            case _:
                raise frame.module.refuse(node, "an assignment to something that is no name")
        new = expressions.binary(op, old, expressions.value(value), node)
        if isinstance(old, Vector) or (isinstance(old, Fixed) and not old.constant):
            self._in_place(old, new, node)
        else:
            put(new)

    def _augment_selected(
        self, holder: Value, mask: Vector, op: ast.operator, value: ast.expr, node: ast.AugAssign
    ) -> None:
        """``holder[mask] op= value``: the places that a condition selects, each worked out once."""
        frame, expressions = self.frame, self.frame.expressions
        if not isinstance(holder, Vector) or holder.draws or holder.kind not in (None, "float"):
            raise frame.module.refuse(node, "selected places of such a list, changed in place")
        old = expressions.at(holder, mask, node)
        self._selected(
            holder, mask, expressions.binary(op, old, expressions.value(value), node), node
        )

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
            held = "bool" if old.kind == "bool" else "int"
            if old.array and old.kind != "float" and any(kind_of(v) != held for v in values):
                raise self.frame.module.refuse(
                    node, "an array that is to hold what it may not hold"
                )
            old.items[:] = [fitting(value, old) for value in values]
        elif isinstance(old, Vector) and isinstance(new, Vector) and not old.listed:
            self.filled(old, new.element, new.draws)
        else:
            raise self.frame.module.refuse(node, "a list that is changed in place")

    def append(self, holder: Value, value: Value, node: ast.AST) -> None:
        """``holder.append(value)``."""
        frame = self.frame
        if isinstance(holder, Cell):
            self.check_cell(holder, holder.index, node)
            if holder.name in frame.names:
                raise frame.module.refuse(node, "a list that grows twice in a round")
            frame.assign(holder.name, frame.expressions.drawn(value, node), node)
            return
        if isinstance(holder, Fixed):
            self._check_own(holder, node)
            holder.items.append(kept(frame, value, "item", node))
            return
        if isinstance(holder, Vector) and frame.run.is_own_list(holder):
            scalar = frame.expressions.drawn(value, node)
            scalar = frame.lists.typed(holder.listed, scalar, holder.kind, node)
            frame.run.writer.grow(holder.listed, text_of(scalar))
            return
        raise frame.module.refuse(node, "append to something that is no list of its own")
