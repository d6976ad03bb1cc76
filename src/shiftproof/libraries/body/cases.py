"""``if`` in a function of a library, and what names stand for afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ..terms.arithmetic import as_kind, choice, negated
from ..terms.values import (
    Fixed,
    Flip,
    Kind,
    Known,
    Lacking,
    Term,
    Undrawn,
    Value,
    Vector,
    alike,
    is_fixed,
    kind_of,
    name,
    text_of,
)
from ..writer import Block

if TYPE_CHECKING:
    from .expressions import Scalar
    from .frame import Frame


class Cases:
    """What a frame does with ``if``."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def branch(self, node: ast.If, rest: list[ast.stmt]) -> bool | None:
        """Write an ``if``; with ``rest`` if a case returns a value from an inner function.

        Returns:
            whether a run surely leaves, if ``rest`` was written too or cannot be reached;
            otherwise ``None``.
        """
        if isinstance(node.test, ast.BoolOp):
            test = self.frame.expressions.conditions.test(node.test)
        else:
            value = self.frame.expressions.value(node.test)
            if isinstance(value, Flip) and self.frame.stores.by_coin(node, value):
                return None
            test = self.frame.expressions.conditions.condition(value, node.test)
        if isinstance(test, Known):
            return True if self.frame.block(node.body if test.value else node.orelse) else None
        if self.frame.run.is_refusal(node.body):
            if is_fixed(test) and self.frame.run.at_the_start:
                self.frame.run.require(negated(test))
                return True if self.frame.block(node.orelse) else None
        elif (
            self.frame.run.is_refusal(node.orelse)
            and is_fixed(test)
            and self.frame.run.at_the_start
        ):
            self.frame.run.require(test)
            return True if self.frame.block(node.body) else None
        leaves = any(
            isinstance(n, ast.Return)
            for part in (node.body, node.orelse)
            for s in part
            for n in ast.walk(s)
        )
        if not leaves or self.frame.tail:
            ended = self._cases(node, test, [])
            if self.frame.run.is_refusal(node.body):
                self.frame.run.learn(negated(test))
            return ended
        if not self._cases(node, test, rest):
            raise self.frame.module.refuse(node, "a function that returns in one case only")
        return True

    def _cases(self, node: ast.If, test: Scalar, carried: list[ast.stmt]) -> bool | None:
        before, at = dict(self.frame.names), self.frame.run.writer.at
        variables = dict(self.frame.variables)
        blocks, ends, after = [], [], []
        for body, known in ((node.body, test), (node.orelse, negated(test))):
            self.frame.names, self.frame.variables = dict(before), dict(variables)
            with (
                self.frame.run.apart(),
                self._own_lists(),
                self.frame.run.writer.aside() as block,
                self.frame.run.knowing(known),
            ):
                ends.append(self.frame.block([*body, *carried]))
                self.frame.names.update(self.frame.names_now())
            after.append(self.frame.names)
            blocks.append(block)
        self.frame.variables = variables
        if any(ends):
            self.frame.run.path = object()  # what comes now is in one case only
        if not any(ends) and not any(blocks):
            merged = self._chosen(test, before, after, node)
            if merged is not None:
                self.frame.names = merged
                return None
        self.frame.run.writer.at = at
        self.frame.names = self._merged(before, blocks, ends, after, node)
        self.frame.run.split(test, *blocks)
        if ends[0] != ends[1]:  # what comes now follows one of them
            self.frame.run.writer.versions.now = blocks[ends[0]].versions
        return True if all(ends) else None

    def _chosen(
        self, test: Scalar, before: dict[str, Value], after: list[dict[str, Value]], node: ast.stmt
    ) -> dict[str, Value] | None:
        """The names after two cases that wrote nothing: ``one if test else other``."""
        found, chosen = dict[str, Value](), dict[str, Value]()
        for text in after[0].keys() | after[1].keys():
            one, other = (names.get(text) for names in after)
            old = before.get(text)
            if one is None or other is None:
                found[text] = Lacking("it is assigned in one case only")
            elif alike(one, other):
                found[text] = one
            elif (
                isinstance(old, Vector | Fixed) and _unchanged(old, one) and _unchanged(old, other)
            ):
                found[text] = old
            elif isinstance(one, Known | Term) and isinstance(other, Known | Term):
                made = choice(test, one, other)
                if made is None or text in self.frame.variables:
                    return None
                chosen[text] = made
            else:
                return None
        for text, value in chosen.items():
            found[text] = self.frame.settled(value, text.rstrip("[]"))
        return found

    @contextmanager
    def _own_lists(self) -> Iterator[None]:
        """In a case, lists that this call has made, under one name each, are changed apart."""
        for text, value in list(self.frame.names.items()):
            if (
                not isinstance(value, Vector | Fixed)
                or value.maker is not self.frame
                or self.frame.run.is_own_list(value)
                or self.frame.run.is_shared(value)
            ):
                continue
            copied = replace(value, path=self.frame.run.path, of=value)
            if isinstance(copied, Fixed):
                copied.items = list(copied.items)
            self.frame.names[text] = copied
        yield

    def _merged(
        self,
        before: dict[str, Value],
        blocks: list[Block],
        ends: list[bool],
        after: list[dict[str, Value]],
        node: ast.stmt,
    ) -> dict[str, Value]:
        """The names after two cases: those that differ become variables."""
        if ends[0] or ends[1]:
            return after[1] if ends[0] else after[0]
        found = dict(after[0])
        for text in sorted(after[0].keys() | after[1].keys()):
            sides = [names.get(text) for names in after]
            one, other = sides
            if one is None or other is None:
                found[text] = Lacking("it is assigned in one case only")
                continue
            if alike(one, other):
                continue
            if all(self.frame.is_variable(text, v) for v in sides) and _of_one_kind(one, other):
                continue
            old = before.get(text)
            if isinstance(old, Vector | Fixed) and all(_unchanged(old, v) for v in sides):
                found[text] = old
            elif self._are_shared(after, sides):
                found[text] = Lacking("it is a list that has another name in one case")
            elif isinstance(one, Fixed) and isinstance(other, Fixed):
                found[text] = self._lists(text, one, other, blocks, node)
            elif text.endswith("[]") or self.frame.run.read_later(self.frame, text, node):
                found[text] = self._either(text, one, other, blocks, node)
            else:
                found[text] = Lacking("it is something else in another case")
        return found

    def _are_shared(self, after: list[dict[str, Value]], sides: Sequence[Value | None]) -> bool:
        """Whether a list has another name at the end of a case: it would be another list then."""
        kept, shared = self.frame.names, False
        for names, value in zip(after, sides, strict=True):
            self.frame.names = names
            shared |= isinstance(value, Fixed) and self.frame.run.is_shared(value)
        self.frame.names = kept
        return shared

    def _lists(
        self, text: str, one: Fixed, other: Fixed, blocks: list[Block], node: ast.stmt
    ) -> Value:
        """Two lists of known length, place by place."""
        if len(one.items) != len(other.items) or one.maker is not other.maker:
            return Lacking("it is of another length in another case")
        if (one.kind, one.array, one.constant) != (other.kind, other.array, other.constant):
            return Lacking("it is another kind of list in another case")
        items: list[Value] = []
        for k, (left, right) in enumerate(zip(one.items, other.items, strict=True)):
            same = left is right or alike(left, right)
            items.append(left if same else self._either(f"{text}_{k}", left, right, blocks, node))
        return replace(one, items=items, path=self.frame.run.path, through=(), of=None)

    def _either(
        self, text: str, one: Value, other: Value, blocks: list[Block], node: ast.stmt
    ) -> Value:
        if not all(isinstance(v, Known | Term | Flip | Undrawn) for v in (one, other)):
            return Lacking("it is something else in another case")
        if any(isinstance(v, Undrawn) and v.origin.compared for v in (one, other)):
            return Lacking("it is a uniform number that was compared in one case")
        writer = self.frame.run.writer
        variable = self.frame.variables.get(text) or writer.fresh(text.rstrip("[]"))
        self.frame.run.mutable.add(variable)
        scalars: list[Scalar] = []
        for block, value in zip(blocks, (one, other), strict=True):
            with writer.more(block):
                scalars.append(self.frame.expressions.drawn(value, node, text))
        kinds = {kind_of(s) for s in scalars}
        if None in kinds or (len(kinds) > 1 and not kinds <= {"int", "float"}):
            return Lacking("it is of another type in another case")
        kind: Kind | None = kind_of(scalars[0]) if len(kinds) == 1 else "float"
        assert kind is not None
        if text in self.frame.variables:
            self.frame.typed(text, kind, node)
        for block, scalar in zip(blocks, scalars, strict=True):
            with writer.more(block):
                line = f"{variable} = {text_of(as_kind(scalar, kind))}"
                writer.change(variable, line) if text in self.frame.variables else writer.say(line)
        return name(variable, kind)


def _of_one_kind(one: Value, other: Value) -> bool:
    return isinstance(one, Term) and isinstance(other, Term) and one.kind == other.kind


def _unchanged(old: Vector | Fixed, new: Value | None) -> bool:
    """Whether a list is the one that there was before a case, and as it was."""
    if new is not old and (not isinstance(new, Vector | Fixed) or new.of is not old):
        return False
    if isinstance(old, Fixed) and isinstance(new, Fixed):
        same = len(old.items) == len(new.items)
        return same and all(
            a is b or alike(a, b) for a, b in zip(old.items, new.items, strict=True)
        )
    return isinstance(old, Vector) and isinstance(new, Vector) and old.element is new.element
