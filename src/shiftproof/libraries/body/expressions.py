"""Expressions of a library's function, worked out as far as they are known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ...dsl.errors import Unsupported
from ..terms.arithmetic import arithmetic, array_kind, negated
from ..terms.identity import called
from ..terms.values import (
    Bound,
    Cell,
    Class,
    External,
    Fixed,
    Flip,
    IsNot,
    Known,
    Lacking,
    Numbers,
    Origin,
    Parent,
    Term,
    Thing,
    Undrawn,
    Value,
    Vector,
    alike,
    bare,
    kind_of,
    name,
    text_of,
)
from .conditions import Conditions
from .keeping import kept

if TYPE_CHECKING:
    from .frame import Frame

Scalar: TypeAlias = Known | Term


class Expressions:
    """What expressions are in a frame; draws that they need are written."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.writer = frame.run.writer
        self.conditions = Conditions(self)

    def refuse(self, node: ast.AST, message: str, advice: str = "") -> Unsupported:
        """An error with the place in the library."""
        return self.frame.module.refuse(node, message, advice)

    def value(self, node: ast.expr) -> Value:
        """What an expression is."""
        found = self._value(node)
        if isinstance(found, Flip) and found.round is None:
            found.round = self.frame.run.round
        if isinstance(found, Undrawn) and found.origin.round is None:
            found.origin.round = self.frame.run.round
        if isinstance(found, Vector | Fixed) and found.path is None:
            found.path, found.maker = self.frame.run.path, self.frame
        if isinstance(found, Vector):
            found.once.round = found.once.round or self.frame.run.round
            self.frame.lists.refresh(found)
        return found

    def _value(self, node: ast.expr) -> Value:
        if not isinstance(node, ast.Name):
            given = self.frame.run.given.get(ast.unparse(node))
            if given is not None:
                return given
        match node:
            case ast.Constant(value=constant):
                if constant is None or isinstance(constant, int | float | str):
                    return Known(constant, own=True)
                return Lacking("a constant that is no number and no text")
            case ast.Name(id=named):
                return self.frame.named(named, node)
            case ast.Attribute(value=inner, attr=attribute):
                return self.attribute(self.value(inner), attribute, node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left), self.value(right), node)
            case ast.UnaryOp(op=op, operand=inner):
                return self.unary(op, self.value(inner), node)
            case ast.BoolOp(op=op, values=values):
                return self.conditions.logic(op, values, node)
            case ast.Compare():
                return self.conditions.compared(node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.conditions.chosen(test, yes, no, node)
            case ast.Call():
                from ..calls.dispatch import called as call

                return call(self, node)
            case ast.Subscript(value=inner, slice=index):
                return self.element(self.value(inner), index, node)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                held = [kept(self.frame, self.value(item), "item", item) for item in items]
                return Fixed(held, constant=isinstance(node, ast.Tuple))
            case ast.ListComp(elt=elt, generators=[one]) if not one.ifs:
                return self.comprehension(elt, one, node)
            case ast.Lambda():
                return self.frame.run.names.nested(self.frame, node)
        does = (ast.Call, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
        if any(isinstance(inner, does) for inner in ast.walk(node)):
            raise self.refuse(node, f"{ast.unparse(node)[:60]!r} is not read")
        return Lacking(f"{ast.unparse(node)[:60]!r} is not read")

    def scalar(self, node: ast.expr) -> Scalar:
        """An expression that is a number, a Boolean or a text; what is not drawn yet is."""
        return self.drawn(self.value(node), node)

    def drawn(self, value: Value, node: ast.AST, wanted: str = "noise") -> Scalar:
        """A value as a scalar."""
        match value:
            case Known() | Term():
                return value
            case Flip(round=made) if made not in (None, self.frame.run.round):
                raise self.refuse(node, "the flip of a coin from outside of a loop")
            case Undrawn(origin=Origin(round=made, drawn="")) if made not in (
                None,
                self.frame.run.round,
            ):
                raise self.refuse(node, "a uniform number from outside of a loop")
            case Flip():
                return self._tossed(value, node)
            case Undrawn(start=start, factor=factor, origin=origin):
                if origin.compared or origin.path not in (None, self.frame.run.path):
                    raise self.refuse(node, "a uniform number that is compared and used besides")
                if not origin.drawn:
                    origin.drawn = self.writer.draw("u", "Uniform(0, 1)")
                    origin.path = self.frame.run.path
                drawn = name(origin.drawn, "float")
                scaled = self.binary(ast.Mult(), factor, drawn, node)
                return self.drawn(self.binary(ast.Add(), start, scaled, node), node)
            case Lacking(why=why):
                raise self.refuse(node, why)
        raise self.refuse(node, f"{called(value)} where a number is needed")

    def _tossed(self, coin: Flip, node: ast.AST) -> Scalar:
        """What a coin shows: it is tossed once."""
        if coin.spent or (coin.drawn is not None and coin.path is not self.frame.run.path):
            raise self.refuse(node, "a coin that is tossed again", "give it a name first")
        if coin.drawn is not None:
            return coin.drawn
        probability = self.conditions.chance(coin.probability, node)
        if isinstance(probability, Known) and probability.value in (0, 1):
            return Known(bool(probability.value))
        law = f"Bernoulli({text_of(probability)})"
        coin.drawn, coin.path = name(self.writer.draw("flip", law), "bool"), self.frame.run.path
        return coin.drawn

    # Numbers and vectors of them, elementwise.

    def elementwise(
        self,
        function: Callable[[Scalar, Scalar], Value],
        left: Value,
        right: Value,
        node: ast.AST,
        again: Callable[[Value, Value], Value] | None = None,
    ) -> Value:
        """A function of two values; of vectors element by element, as numpy does it.

        ``again`` is for elements that may not be drawn yet.
        """

        def each(one: Value, other: Value) -> Value:
            if again is not None:
                return again(one, other)
            return function(self.drawn(one, node), self.drawn(other, node))

        rows = [len(v.items) for v in (left, right) if isinstance(v, Fixed)]
        if rows and not any(isinstance(v, Vector) for v in (left, right)) and len(set(rows)) == 1:
            pairs = [
                v.items if isinstance(v, Fixed) else [self.drawn(v, node)] * rows[0]
                for v in (left, right)
            ]
            results = [
                function(self.drawn(a, node), self.drawn(b, node))
                for a, b in zip(*pairs, strict=True)
            ]
            kinds = array_kind(v for v in results if isinstance(v, Known | Term))
            return Fixed(results, kind=kinds, array=True)
        one, other = self._broadcast(left, node), self._broadcast(right, node)
        if one is None and other is None:
            return function(self.drawn(left, node), self.drawn(right, node))
        vectors = [v for v in (one, other) if v is not None]
        if len(vectors) == 2 and not alike(vectors[0].length, vectors[1].length):
            raise self.refuse(node, "two vectors whose lengths may differ")

        # As they are now: a store into one of them changes nothing here.
        first, second = (v and v.element for v in (one, other))

        def element(index: Value) -> Value:
            return each(first(index) if first else left, second(index) if second else right)

        for v in vectors:
            self.frame.use(v, node)
        if any(
            one is None and not isinstance(side, Known | Term)
            for one, side in ((one, left), (other, right))
        ):
            scalar = self.drawn(left if one is None else right, node)
            return self.elementwise(
                function, scalar if one is None else vectors[0],
                vectors[0] if one is None else scalar, node,
            )  # fmt: skip
        masks = {id(v.mask): v.mask for v in vectors}
        if len(masks) > 1:
            raise self.refuse(node, "places that a condition selects, beside others")
        draws = any(v.draws for v in vectors)
        return Vector(vectors[0].length, element, draws=draws, mask=vectors[0].mask, array=True)

    def _broadcast(self, value: Value, node: ast.AST) -> Vector | None:
        if isinstance(value, Vector):
            return value
        if isinstance(value, Fixed):
            return self.frame.as_vector(value, node)
        return None

    def binary(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """``left op right``."""
        for one, other, swapped in ((left, right, False), (right, left, True)):
            if isinstance(one, Undrawn) and isinstance(other, Known | Term):
                moved = self._moved(op, one, other, swapped, node)
                if moved is not None:
                    return moved
        sides = [side for side in (left, right) if isinstance(side, Fixed | Vector)]
        if sides and not any(side.array for side in sides):
            return self._of_lists(op, left, right, node)
        if isinstance(left, Lacking) or isinstance(right, Lacking):
            return left if isinstance(left, Lacking) else right
        natural = isinstance(right, Known) and right.value in range(9)
        if sides and isinstance(op, ast.Pow) and not natural:
            raise self.refuse(node, "a power that numpy gives for some types of arrays only")

        def combined(one: Scalar, other: Scalar) -> Value:
            both = kind_of(one) == kind_of(other) == "bool"
            found = None if both else arithmetic(op, one, other)
            if found is None:
                raise self.refuse(node, f"{ast.unparse(node)[:60]!r}: arithmetic that is not read")
            if self.frame.run.may_divide_by_zero(op, other):  # numpy goes on then, Python raises
                raise self.refuse(
                    node,
                    f"{ast.unparse(node)[:60]!r}: a division that may be by zero",
                    "test for it, or state a precondition with 'assume'",
                )
            return found

        return self.elementwise(
            combined, left, right, node, lambda one, other: self.binary(op, one, other, node)
        )

    def _of_lists(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """What an operator does with lists of Python."""
        if (
            isinstance(op, ast.Add)
            and isinstance(left, Fixed)
            and isinstance(right, Fixed)
            and left.constant == right.constant
        ):
            return Fixed([*left.items, *right.items], constant=left.constant)
        if isinstance(op, ast.Mult):
            one, times = (left, right) if isinstance(left, Fixed) else (right, left)
            if isinstance(one, Fixed) and isinstance(times, Known) and type(times.value) is int:
                return Fixed(one.items * times.value, constant=one.constant)
            if isinstance(one, Fixed) and len(one.items) == 1 and isinstance(times, Term):
                return self._repeated(one.items[0], times, node)
        raise self.refuse(node, "arithmetic of lists")

    def _repeated(self, item: Value, times: Value, node: ast.AST) -> Value:
        length = self.frame.counted(self.drawn(times, node), node)
        scalar = self.drawn(item, node)
        return Vector(length, lambda _: scalar)

    def _moved(
        self, op: ast.operator, one: Undrawn, other: Scalar, swapped: bool, node: ast.AST
    ) -> Value | None:
        """A uniform number, moved or scaled by something."""
        if isinstance(op, ast.Mult) or (isinstance(op, ast.Div) and not swapped):
            start = self.binary(op, one.start, other, node)
            return Undrawn(start, self.binary(op, one.factor, other, node), one.origin)
        if isinstance(op, ast.Add) or (isinstance(op, ast.Sub) and not swapped):
            return Undrawn(self.binary(op, one.start, other, node), one.factor, one.origin)
        if isinstance(op, ast.Sub):
            factor = self.binary(ast.Mult(), Known(-1), one.factor, node)
            return Undrawn(self.binary(ast.Sub(), other, one.start, node), factor, one.origin)
        return None

    def _number(self, value: Value, node: ast.AST) -> Value:
        if isinstance(value, Known | Term) and kind_of(value) == "bool":
            raise self.refuse(node, "the sign of a Boolean")
        return value

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """``op value``."""
        if isinstance(op, ast.USub | ast.UAdd):
            negative = isinstance(op, ast.USub)
            sign = Known(-1 if negative else 1)
            if isinstance(value, Known) and isinstance(value.value, int | float):
                return Known(-value.value if negative else +value.value)
            if isinstance(value, Fixed | Vector):
                return self.elementwise(
                    lambda one, _: self.binary(ast.Mult(), sign, self._number(one, node), node),
                    value, sign, node,
                )  # fmt: skip
            return self.binary(ast.Mult(), sign, self._number(value, node), node)
        if isinstance(op, ast.Not):
            if isinstance(value, Flip) and value.drawn is None and not value.spent:
                value.spent = True  # the coin that shows the opposite stands for it
                return Flip(self.binary(ast.Sub(), Known(1), value.probability, node))
            return negated(self.conditions.condition(value, node))
        raise self.refuse(node, "an operator on bits")

    # Lists, objects, modules.

    def element(self, value: Value, index: ast.expr, node: ast.AST) -> Value:
        """``value[index]``."""
        return value if isinstance(value, Lacking) else self.at(value, self.value(index), node)

    def at(self, value: Value, where: Value, node: ast.AST) -> Value:
        """What a list has at an index."""
        if isinstance(value, Fixed) and isinstance(where, Known) and type(where.value) is int:
            if -len(value.items) <= where.value < len(value.items):
                found = value.items[where.value]
                return bare(found) if value.array and isinstance(found, Known | Term) else found
            raise self.refuse(node, "an index out of range")
        if (
            isinstance(value, Numbers)
            and isinstance(where, IsNot)
            and value.without is None
            and alike(value.start, where.numbers.start)
            and alike(value.stop, where.numbers.stop)
        ):
            return Numbers(value.start, value.stop, where.value, True)
        if isinstance(value, Cell):
            self.frame.stores.check_cell(value, where, node)
            return self.frame.names[value.name]
        if isinstance(value, Numbers) and value.without is None and not isinstance(where, IsNot):
            if isinstance(where, Known | Term):
                over = self.frame.iterated(value, node)
                assert isinstance(over, Vector)
                where = self.frame.place(over, where, node)
                return self.binary(ast.Add(), value.start, where, node)
            return self.frame.lists.picked(value, where, node)
        if isinstance(value, Vector) and isinstance(where, Vector):
            self.frame.lists.check_mask(value, where, node)
            self.frame.use(value, node)
            return Vector(
                value.length, value.element, value.kind, value.draws, mask=where, array=True
            )
        if isinstance(value, Vector) and value.mask is not None:
            raise self.refuse(node, "a place among those that a condition selects")
        if isinstance(value, Vector) and isinstance(where, Known | Term):
            where = self.frame.place(value, where, node)
            self.frame.use(value, node)
            found = value.element(where)
            if isinstance(found, Term) and value.listed and not self.frame.has(value, where, node):
                return self.frame.held(found, "entry")
            return found
        if isinstance(value, Fixed) and isinstance(where, Term):
            vector = self.frame.as_vector(value, node)
            return vector.element(self.frame.place(vector, where, node))
        raise self.refuse(node, f"{ast.unparse(node)[:60]!r}: an index that is not read")

    def comprehension(self, elt: ast.expr, one: ast.comprehension, node: ast.AST) -> Value:
        """``[elt for target in iter]``."""
        from .comprehensions import comprehension

        return comprehension(self, elt, one, node)

    def attribute(self, value: Value, attribute: str, node: ast.AST) -> Value:
        """``value.attribute``."""
        if attribute.startswith("__") and not attribute.endswith("__"):
            raise self.refuse(node, "a private attribute of a class, with two underscores")
        match value:
            case Thing():
                if attribute in value.attributes:
                    return value.attributes[attribute]
                return self.frame.run.names.member(value, attribute)
            case Parent(this=this, behind=behind):
                return self.frame.run.names.member(this, attribute, behind)
            case Class():
                return self.frame.run.names.member(value, attribute)
            case External(name=full):
                from ..calls.dispatch import constant_of

                if self.frame.run.names.is_patched(attribute):
                    raise self.refuse(node, f"{attribute!r}, which a module of the library may set")
                return constant_of(f"{full}.{attribute}")
            case Vector() | Fixed() if attribute in ("shape", "size"):
                length = self.frame.length(value, node)
                return length if attribute == "size" else Fixed([length])
            case Lacking():
                return value
        return Bound(value, attribute)
