"""Loops of a library's function: as loops of the language, or as vectors that they fill."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..terms.aliases import gone_through
from ..terms.values import (
    Fixed,
    Flip,
    Known,
    Lacking,
    Term,
    Undrawn,
    Value,
    Vector,
    alike,
    text_of,
)
from .bodies import appended, assigned, bound
from .fills import Fills
from .iterated import GoneThrough

if TYPE_CHECKING:
    from .frame import Frame

#: Loops of so few rounds are written out.
FEW = 8


class Loops:
    """What a frame does with loops."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.fills = Fills(frame)

    def over(self, node: ast.For) -> bool:
        """Write ``for target in iter``; whether a run surely leaves the function in it."""
        frame = self.frame
        if node.orelse:
            raise frame.module.refuse(node, "a loop with 'else'")
        over = frame.iterated(frame.expressions.value(node.iter), node)
        known = over.items if isinstance(over, Fixed) else None
        if isinstance(over, Vector) and isinstance(over.length, Known) and not over.draws:
            count = over.length.value
            if isinstance(count, int) and count <= FEW:
                known = [over.element(Known(k)) for k in range(count)]
        leaving = [n for n in ast.walk(node) if isinstance(n, ast.Break | ast.Continue)]
        if not frame.tail and any(isinstance(n, ast.Return) for n in ast.walk(node)):
            raise frame.module.refuse(node, "'return' in a loop of a function that is called")
        if known is not None and not leaving:
            with GoneThrough(frame, over, node) as through:
                for item in known:
                    frame.bind(node.target, item, node)
                    ended = frame.block(node.body)
                    through.check()
                    if ended:
                        return True
            return False
        vector = over if isinstance(over, Vector) else frame.as_vector(over, node)
        if not self.fills.done(node, vector):
            self._written(node, vector, gone_through(over))
        return False

    def _written(self, node: ast.For, over: Vector, through: Sequence[Vector | Fixed]) -> None:
        """A loop of the language."""
        frame = self.frame
        if not frame.tail and any(isinstance(n, ast.Return) for n in ast.walk(node)):
            raise frame.module.refuse(node, "'return' in a loop of a function that is called")
        self._settle(node.body, node, through)
        frame.lists.drawn_before(node.body, lambda _: False)
        wanted = node.target.id if isinstance(node.target, ast.Name) else "i"
        length = frame.expressions.drawn(over.length, node)
        frame.use(over, node)
        inside = dict(frame.names)
        frame.exits.append([])
        with self._round(), frame.run.loop(wanted, length) as index:
            frame.bind(node.target, over.element(index), node)
            frame.block(node.body)
        frame.exits.pop()
        self._after(inside, node)

    def repeat(self, node: ast.While) -> None:
        """Write ``while test``."""
        frame, writer = self.frame, self.frame.run.writer
        if node.orelse:
            raise frame.module.refuse(node, "a loop with 'else'")
        if not frame.tail and any(isinstance(n, ast.Return) for n in ast.walk(node)):
            raise frame.module.refuse(node, "'return' in a loop of a function that is called")
        self._settle(node.body, node, ())
        frame.lists.drawn_before([ast.Expr(node.test), *node.body], lambda _: False)
        inside = dict(frame.names)
        frame.exits.append([])
        with self._round(), writer.aside() as block, writer.rounds():
            test = frame.expressions.conditions.test(node.test)
            shown = writer.checked(text_of(test))
            drawn = bool(block)  # the test draws, so that it stands in the loop
            if drawn:
                writer.say(f"if not ({shown}):")
                writer.depth += 1
                writer.say("break")
                writer.depth -= 1
            if not isinstance(test, Known) or test.value:
                frame.block(node.body)
        exits = frame.exits.pop()
        if isinstance(test, Known) and not test.value and not drawn:
            return
        ever = drawn or isinstance(test, Known)
        writer.take("while True:" if ever else f"while {shown}:", block)
        self._after(inside, node)
        if (
            isinstance(test, Known) and test.value and not drawn and exits
        ):  # it is left by 'break' alone
            first, *others = exits
            for text, value in first.items():
                if all(text in other and self._alike(text, other[text], value) for other in others):
                    frame.names[text] = value

    @contextmanager
    def _round(self) -> Iterator[None]:
        """Inside a loop of the language."""
        with self.frame.run.apart(), self.frame.run.another_round():
            yield

    def _settle(
        self, body: list[ast.stmt], node: ast.AST, through: Sequence[Vector | Fixed]
    ) -> None:
        """What a loop changes is held by variables and lists of the language from here on."""
        frame = self.frame
        rebound = bound(body)
        for text in sorted(assigned(body) | rebound):
            value = frame.names.get(text)
            if text in rebound and not isinstance(value, Known | Term | Flip | Undrawn | None):
                frame.names[text] = Lacking("it is something else in other rounds of a loop")
            elif isinstance(value, Vector | Fixed):
                found = self._settled_list(text, value, node, through)
                frame.names[text] = found
                if text in appended(body):
                    frame.run.writer.versions.growing.add(found.listed)
            elif value is not None:
                frame.variable(text, node)

    def _settled_list(
        self, text: str, value: Vector | Fixed, node: ast.AST, through: Sequence[Vector | Fixed]
    ) -> Vector:
        """A list of the language in place of a list that a loop changes; it has no other name."""
        frame = self.frame
        if frame.run.is_own_list(value):
            return value
        if any(value is one for one in through):
            raise frame.module.refuse(
                node, "a loop that changes the list it goes through", "go through a copy"
            )
        shared = frame.run.is_shared(value) or value.maker is not frame
        found = frame.lists.listed(value, text, node)
        if shared and found is not value:
            raise frame.module.refuse(node, "a list with several names, changed in a loop")
        return found

    def _after(self, inside: dict[str, Value], node: ast.AST) -> None:
        """Names that only rounds bind are not known afterwards."""
        frame = self.frame
        for text in frame.names.keys() - inside.keys():
            frame.names[text] = Lacking("it is assigned in a loop that may have no round")
        for text, value in inside.items():
            if not self._alike(text, frame.names[text], value):
                frame.names[text] = Lacking("it is something else after a loop")

    def _alike(self, text: str, one: Value, other: Value) -> bool:
        """Whether a name stands for the same in two places: if for its variable, for that."""
        now = self.frame.variable_now
        return alike(now(text, one), now(text, other))
