"""Loops of a library's function: as loops of the language, or as vectors that they fill."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..terms.arithmetic import stored
from ..terms.values import (
    Cell,
    Fixed,
    Kind,
    Known,
    Lacking,
    Thing,
    Value,
    Vector,
    alike,
    may_raise,
    name,
    text_of,
)

if TYPE_CHECKING:
    from .frame import Frame

#: Loops of so few rounds are written out.
FEW = 8


class Loops:
    """What a frame does with loops."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

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
            self._check_iterated(node)
            for item in known:
                frame.bind(node.target, item, node)
                if frame.block(node.body):
                    return True
            return False
        vector = over if isinstance(over, Vector) else frame.as_vector(over, node)
        if self._fills(node, vector):
            return False
        self._check_iterated(node)
        self._written(node, vector)
        return False

    def _check_iterated(self, node: ast.For) -> None:
        """What a loop goes through is not changed in it."""
        names = self.frame.names
        through = [
            names[n.id]
            for n in ast.walk(node.iter)
            if isinstance(n, ast.Name) and isinstance(names.get(n.id), Vector | Fixed)
        ]
        changed = [names.get(text) for text in self._assigned(node.body)]
        if any(one is other for one in through for other in changed):
            raise self.frame.module.refuse(node, "a loop that changes the list it goes through")

    def _assigned(self, body: list[ast.stmt]) -> set[str]:
        """The local names that statements assign, or whose lists they change."""
        found = _appended(body)
        for statement in body:
            for inner in ast.walk(statement):
                match inner:
                    case ast.Name(id=text, ctx=ast.Store()):
                        found.add(text)
                    case ast.Subscript(value=ast.Name(id=text), ctx=ast.Store()):
                        found.add(text)
        return found

    def _fills(self, node: ast.For, over: Vector) -> bool:
        """Whether the loop only fills one list, a place a round; if so, it becomes that list."""
        frame = self.frame
        body = node.body
        if any(
            isinstance(n, ast.Return | ast.Break | ast.Continue | ast.Raise | ast.While | ast.For)
            for s in body
            for n in ast.walk(s)
        ):
            return False
        changed = self._assigned(body)
        outer = {t for t in changed if t in frame.names}
        filled = {
            n.value.id
            for s in body
            for n in ast.walk(s)
            if isinstance(n, ast.Subscript)
            and isinstance(n.ctx, ast.Store)
            and isinstance(n.value, ast.Name)
        }
        appended = _appended(body)
        local = {t for t in changed if t not in filled | appended}
        if len(filled | appended) != 1:
            return False
        others = outer - filled - appended - set(_targets(node.target))
        if any(frame.run.read_later(frame, t, node) for t in others):
            return False
        (text,) = filled | appended
        index = node.target.elts[0] if isinstance(node.target, ast.Tuple) else node.target
        if frame.run.names.changes(frame, node) or any(map(may_raise, body)):
            return False
        if any(ast.unparse(place) != ast.unparse(index) for place in _places(body, text)):
            return False
        holder = frame.names.get(text)
        if appended:
            if filled or not isinstance(holder, Fixed) or holder.items:
                return False
            if not self._appends_once(body, text):
                return False
            kind = None
        else:
            if not isinstance(holder, Vector) or (
                holder.listed and holder.listed not in (frame.run.inputs)
            ):
                return False
            if not alike(holder.length, over.length) or (holder.array and holder.kind is None):
                return False
            kind = holder.kind
        found = self._filled(node, over, text, holder, kind)
        for one in others | local:
            frame.names[one] = Lacking("it is assigned in a loop that may have no round")
        if isinstance(holder, Vector):  # whoever else has the list sees what is stored
            if holder.path is not frame.run.path and not frame.run.is_only(frame, text, holder):
                return False
            holder.element, holder.draws, holder.used = found.element, True, False
        elif frame.run.is_only(frame, text, holder):
            found.path = frame.run.path
            frame.names[text] = found
        else:
            return False
        return True

    def _appends_once(self, body: list[ast.stmt], text: str) -> bool:
        """Whether each round surely appends once, at its end."""
        last = body[-1]
        match last:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=own)))):
                once = own == text
            case ast.If(body=yes, orelse=no) if no:
                return self._appends_once(yes, text) and self._appends_once(no, text)
            case _:
                return False
        before = self._assigned(body[:-1])
        return once and text not in before

    def _filled(
        self, node: ast.For, over: Vector, text: str, holder: Value, kind: Kind | None
    ) -> Vector:
        frame = self.frame
        kept = frame.run.names.frozen(frame.names)
        first = holder.element if isinstance(holder, Vector) else over.element
        items = over.element

        def element(index: Value) -> Value:
            before, variables = frame.names, frame.variables
            frame.names, frame.variables = dict(kept), dict(variables)
            own = f"{text}[]"
            try:
                target = node.target
                if isinstance(holder, Vector):
                    old = frame.expressions.drawn(first(index), node)
                    frame.names[own] = stored(old, holder.kind)
                    frame.names[text] = Cell(index, own, holder.kind)
                else:
                    frame.names[text] = Cell(index, own, None)
                with frame.run.apart(), frame.run.another_round():
                    frame.bind(target, items(index), node)
                    frame.block(node.body)
                found = frame.names.get(own)
                if not isinstance(found, Known) and found is None:
                    raise frame.module.refuse(node, "a list that is not filled in each round")
                return frame.expressions.drawn(found, node)
            finally:
                frame.names, frame.variables = before, variables

        array = isinstance(holder, Vector) and holder.array
        return Vector(over.length, element, kind, draws=True, array=array)

    def _written(self, node: ast.For, over: Vector) -> None:
        """A loop of the language."""
        frame = self.frame
        if not frame.tail and any(isinstance(n, ast.Return) for n in ast.walk(node)):
            raise frame.module.refuse(node, "'return' in a loop of a function that is called")
        self._settle(node.body, node)
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
        self._settle(node.body, node)
        inside = dict(frame.names)
        frame.exits.append([])
        with self._round(), writer.aside() as block:
            test = frame.expressions.conditions.test(node.test)
            drawn = bool(block)  # the test draws, so that it stands in the loop
            if drawn:
                writer.say(f"if not ({text_of(test)}):")
                writer.depth += 1
                writer.say("break")
                writer.depth -= 1
            if not isinstance(test, Known) or test.value:
                frame.block(node.body)
        exits = frame.exits.pop()
        if isinstance(test, Known) and not test.value and not drawn:
            return
        ever = drawn or isinstance(test, Known)
        writer.take("while True:" if ever else f"while {text_of(test)}:", block)
        self._after(inside, node)
        if (
            isinstance(test, Known) and test.value and not drawn and exits
        ):  # it is left by 'break' alone
            first, *others = exits
            for text, value in first.items():
                if all(text in other and alike(other[text], value) for other in others):
                    frame.names[text] = value

    @contextmanager
    def _round(self) -> Iterator[None]:
        """Inside a loop of the language."""
        frame = self.frame
        safe = frame.safe
        if safe is None:
            frame.safe = {id(value) for value in frame.names.values()}
        try:
            with frame.run.apart(), frame.run.another_round():
                yield
        finally:
            frame.safe = safe

    def _settle(self, body: list[ast.stmt], node: ast.AST) -> None:
        """What a loop changes is held by variables and lists of the language from here on."""
        frame = self.frame
        for text in sorted(self._assigned(body)):
            value = frame.names.get(text)
            if isinstance(value, Vector | Fixed):
                found = frame.lists.listed(value, text, node)
                others = [t for t, v in frame.names.items() if v is value and t != text]
                if others or value.maker is not frame:
                    raise frame.module.refuse(
                        node,
                        "a list with several names, or of another loop or call, changed in a loop",
                    )
                if text in _appended(body):
                    found.length = name(f"len({found.listed})", "int")
                frame.names[text] = found
            elif value is not None and not isinstance(value, Thing):
                frame.variable(text, node)

    def _after(self, inside: dict[str, Value], node: ast.AST) -> None:
        """Names that only rounds bind are not known afterwards."""
        frame = self.frame
        for text in frame.names.keys() - inside.keys():
            frame.names[text] = Lacking("it is assigned in a loop that may have no round")
        for text, value in inside.items():
            if not alike(frame.names[text], value):
                frame.names[text] = Lacking("it is something else after a loop")


def _appended(body: list[ast.stmt]) -> set[str]:
    """The lists that statements append to."""
    found = set()
    for statement in body:
        for inner in ast.walk(statement):
            match inner:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=text), attr="append")):
                    found.add(text)
    return found


def _places(body: list[ast.stmt], text: str) -> list[ast.expr]:
    """The indices at which statements read or store a list."""
    return [
        n.slice
        for s in body
        for n in ast.walk(s)
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == text
    ]


def _targets(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
