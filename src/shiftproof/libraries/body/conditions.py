"""Conditions in a function of a library: what is not reached is not worked out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..terms.arithmetic import as_kind, choice, comparison, is_positive, negated
from ..terms.identity import called, is_same
from ..terms.values import (
    Class,
    Fixed,
    Flip,
    Function,
    Generator,
    IsNot,
    Kind,
    Known,
    Numbers,
    Term,
    Thing,
    Undrawn,
    Value,
    Vector,
    kind_of,
    name,
    node_of,
    text_of,
)
from ..versions import shown
from .rehearsal import idle

if TYPE_CHECKING:
    from .expressions import Expressions, Scalar


class Conditions:
    """What conditions are in a frame; draws that they need are written."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def condition(self, value: Value, node: ast.AST) -> Scalar:
        """A value as a condition, as Python takes it for one; decided where the inputs tell."""
        return self.expressions.frame.run.decided(self._condition(value, node))

    def test(self, node: ast.expr) -> Scalar:
        """An expression as a condition; of ``and`` and ``or`` only whether they are true counts."""
        if isinstance(node, ast.BoolOp):
            return self.condition(self.logic(node.op, node.values, node, True), node)
        return self.condition(self.expressions.value(node), node)

    def chance(self, value: Value, node: ast.AST) -> Scalar:
        """A probability: what is below 0 or above 1 is 0 or 1."""
        found = self.expressions.drawn(value, node)
        if isinstance(found, Known) and isinstance(found.value, int | float):
            return Known(min(1, max(0, found.value))) if not 0 < found.value < 1 else found
        if isinstance(found, Term) and not self.expressions.frame.run.said.is_chance(
            found.node, strictly=not found.fixed
        ):
            lacking = "no probability" if found.fixed else "0 or 1, or no probability"
            raise self.expressions.refuse(node, f"{shown(text_of(found))[:160]} may be {lacking}")
        return found

    def _condition(self, value: Value, node: ast.AST) -> Scalar:
        if isinstance(value, Fixed) and not value.array:
            return Known(bool(value.items))
        if isinstance(value, Fixed | Vector):
            raise self.expressions.refuse(node, f"{called(value)} as a condition")
        found = self.expressions.drawn(value, node)
        if isinstance(found, Known):
            return Known(bool(found.value))
        kind = kind_of(found)
        if kind == "bool":
            return found
        if kind in ("int", "float"):
            tested = comparison(ast.NotEq(), found, Known(0))
            assert tested is not None
            return tested
        raise self.expressions.refuse(node, "a text as a condition")

    def compared(self, node: ast.Compare) -> Value:
        """A comparison, a chain of them as Python reads it."""
        items = [node.left, *node.comparators]
        found: Value = Known(True)
        values = [self.expressions.value(item) for item in items[:2]]
        with idle(self.expressions.frame, node):
            values += [self.expressions.value(item) for item in items[2:]]
        for k, op in enumerate(node.ops):
            one = self.compare(op, values[k], values[k + 1], node)
            if isinstance(found, Known):
                found = one if found.value else found
                continue
            if isinstance(one, Known):
                found = found if one.value else one
                continue
            parts = [node_of(self.expressions.drawn(v, node)) for v in (found, one)]
            fixed = isinstance(found, Term) and isinstance(one, Term) and found.fixed and one.fixed
            found = Term(ast.BoolOp(ast.And(), parts), "bool", fixed)
        return found

    def compare(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        """``left op right``."""
        if isinstance(op, ast.In | ast.NotIn):
            return self._membership(op, left, right, node)
        if isinstance(op, ast.Is | ast.IsNot):
            return self._identity(op, left, right, node)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Undrawn) and isinstance(other, Known | Term):
                return self._below(op, one, other, one is right, node)
        if isinstance(left, Numbers) and left.array and isinstance(op, ast.NotEq):
            return IsNot(left, right)

        sides = [side for side in (left, right) if isinstance(side, Fixed | Vector)]
        if sides and not any(side.array for side in sides):
            raise self.expressions.refuse(node, "a comparison of lists")

        def combined(one: Scalar, other: Scalar) -> Value:
            found = comparison(op, one, other)
            if found is None:
                raise self.expressions.refuse(
                    node, f"{ast.unparse(node)[:60]!r}: a comparison that is not read"
                )
            return found

        tested = self.expressions.elementwise(
            combined, left, right, node, lambda one, other: self.compare(op, one, other, node)
        )
        if isinstance(tested, Vector):
            tested.kind = "bool"
        return tested

    def _identity(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        """``is``: which other objects are one and the same is not known, but ``None`` is one."""
        found = is_same(left, right)
        if found is None:
            raise self.expressions.refuse(node, "'is' of what may be one object or two")
        return Known(found == isinstance(op, ast.Is))

    def _membership(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
        if not isinstance(right, Fixed):
            raise self.expressions.refuse(node, "'in' of something that is no list of known values")
        tests = [self.compare(ast.Eq(), left, item, node) for item in right.items]
        if any(isinstance(test, Known) and test.value for test in tests):
            return Known(isinstance(op, ast.In))
        left_over = [test for test in tests if isinstance(test, Term)]
        if not left_over:
            return Known(isinstance(op, ast.NotIn))
        found: Scalar = left_over[0]
        if len(left_over) > 1:
            fixed = all(test.fixed for test in left_over)
            found = Term(ast.BoolOp(ast.Or(), [test.node for test in left_over]), "bool", fixed)
        return found if isinstance(op, ast.In) else negated(found)

    def _below(
        self, op: ast.cmpop, one: Undrawn, other: Scalar, swapped: bool, node: ast.AST
    ) -> Value:
        """Whether a uniform number is below something: a flip of a coin."""
        run = self.expressions.frame.run
        if not one.origin.drawn and one.origin.round not in (None, run.round):
            raise self.expressions.refuse(node, "a uniform number from outside of a loop")
        if isinstance(op, ast.Eq | ast.NotEq):
            return Known(isinstance(op, ast.NotEq))
        factor = self.expressions.drawn(one.factor, node)
        positive = is_positive(factor, run.positive)
        if not positive:
            turned = self.expressions.drawn(self.expressions.unary(ast.USub(), factor, node), node)
            if not is_positive(turned, run.positive):
                raise self.expressions.refuse(
                    node, "a uniform number times something that may be negative"
                )
        if one.origin.drawn:
            drawn = self.expressions.drawn(one, node)
            sides = (other, drawn) if swapped else (drawn, other)
            return self.compare(op, *sides, node)
        for before in one.origin.compared:
            here = run.facts
            if not any(key in here and here[key] != fact for key, fact in before.items()):
                raise self.expressions.refuse(node, "a uniform number that is compared twice")
        one.origin.compared.append(dict(run.facts))
        gap = self.expressions.binary(ast.Sub(), other, one.start, node)
        share = self.expressions.binary(ast.Div(), gap, factor, node)
        below = isinstance(op, ast.Lt | ast.LtE) != swapped
        if below != positive:
            share = self.expressions.binary(ast.Sub(), Known(1), share, node)
        return Flip(share, run.round)

    def logic(
        self, op: ast.boolop, values: list[ast.expr], node: ast.AST, test: bool = False
    ) -> Value:
        """``and`` or ``or``: what is not reached is not worked out.

        ``test``: only whether it is true counts; otherwise it is one of the values, which are
        Booleans then, or known.
        """
        ends = isinstance(op, ast.Or)
        nested = test and isinstance(values[0], ast.BoolOp)
        first = self.test(values[0]) if nested else self.expressions.value(values[0])
        told = self._told(first)
        if told is not None:  # as Python has it, the value itself and no Boolean
            if told == ends or len(values) == 1:
                return first
            if len(values) == 2:
                return self.expressions.value(values[1])
            return self.logic(op, values[1:], node, test)

        def part(value: Value, of: ast.expr) -> Scalar:
            drawn = self.expressions.drawn(value, of)
            if not test and kind_of(drawn) != "bool":
                raise self.expressions.refuse(of, "'and' and 'or' of values that are no Booleans")
            return self.condition(drawn, of)

        def later(of: ast.expr) -> Scalar:
            if test:
                return self.test(of)
            return part(self.expressions.value(of), of)

        found = part(first, values[0])
        for k in range(1, len(values)):
            if isinstance(found, Known):
                if bool(found.value) == ends:
                    return found
                found = later(values[k])
                continue
            going = negated(found) if ends else found
            with (
                self.expressions.frame.run.apart(),
                self.expressions.writer.aside() as block,
                self.expressions.frame.run.knowing(going),
            ):
                other = later(values[k])
            if isinstance(other, Known):
                if block:  # it does something
                    self.expressions.writer.take(f"if {text_of(going)}:", block)
                found = found if bool(other.value) != ends else other
            elif not block:
                fixed = found.fixed and other.fixed
                found = Term(ast.BoolOp(op, [found.node, other.node]), "bool", fixed)
            else:
                result = self.expressions.writer.fresh("met")
                self.expressions.writer.say(f"{result} = {ends}")
                with self.expressions.writer.more(block):
                    self.expressions.writer.say(f"{result} = {text_of(other)}")
                self.expressions.writer.take(f"if {text_of(going)}:", block)
                found = name(result, "bool")
        return found

    def chosen(self, test: ast.expr, yes: ast.expr, no: ast.expr, node: ast.AST) -> Value:
        """``yes if test else no``."""
        condition = self.test(test)
        if isinstance(condition, Known):
            return self.expressions.value(yes if condition.value else no)
        scalar = self.expressions.scalar
        return self.either(condition, lambda: scalar(yes), lambda: scalar(no), node)

    def either(
        self,
        condition: Scalar,
        yes: Callable[[], Scalar],
        no: Callable[[], Scalar],
        node: ast.AST,
        wanted: str = "chosen",
    ) -> Scalar:
        """The value of one of two cases; what each of them draws is drawn in its case only."""
        if isinstance(condition, Known):
            return yes() if condition.value else no()
        run, writer = self.expressions.frame.run, self.expressions.writer
        blocks, values = [], []
        for known, value in ((condition, yes), (negated(condition), no)):
            with run.apart(), writer.aside() as block, run.knowing(known):
                values.append(value())
            blocks.append(block)
        if not any(blocks):
            made = choice(condition, *values)
            if made is None:
                raise self.expressions.refuse(node, "a choice between values of different types")
            return made
        kinds = {kind_of(value) for value in values}
        if None in kinds or (len(kinds) > 1 and not kinds <= {"int", "float"}):
            raise self.expressions.refuse(node, "a choice between values of different types")
        kind: Kind | None = kind_of(values[0]) if len(kinds) == 1 else "float"
        assert kind is not None
        result = writer.fresh(wanted)
        for block, found in zip(blocks, values, strict=True):
            with writer.more(block):
                writer.say(f"{result} = {text_of(as_kind(found, kind))}")
        run.split(condition, *blocks)
        return name(result, kind)

    def _told(self, value: Value) -> bool | None:
        """What Python takes a value for in a condition, if it is no number that is not known."""
        if isinstance(value, Known):
            return bool(value.value)
        if isinstance(value, Thing):
            return self.expressions.frame.run.names.is_true(value)
        return True if isinstance(value, Generator | Function | Class) else None
