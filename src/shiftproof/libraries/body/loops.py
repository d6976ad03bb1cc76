"""Loops of a library's function: as loops of the language, or as vectors that they fill."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ..terms.aliases import frozen, gone_through
from ..terms.arithmetic import stored
from ..terms.values import (
    Cell,
    Fixed,
    Flip,
    Kind,
    Known,
    Lacking,
    Once,
    Term,
    Undrawn,
    Value,
    Vector,
    alike,
    may_raise,
    text_of,
)
from ..versions import Stale
from .iterated import GoneThrough

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
            with GoneThrough(frame, over, node) as through:
                for item in known:
                    frame.bind(node.target, item, node)
                    ended = frame.block(node.body)
                    through.check()
                    if ended:
                        return True
            return False
        vector = over if isinstance(over, Vector) else frame.as_vector(over, node)
        if not self._fills(node, vector):
            self._written(node, vector, gone_through(over))
        return False

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
        filled = {
            n.value.id
            for s in body
            for n in ast.walk(s)
            if isinstance(n, ast.Subscript)
            and isinstance(n.ctx, ast.Store)
            and isinstance(n.value, ast.Name)
        }
        appended = _appended(body)
        if len(filled | appended) != 1:
            return False
        local = changed - filled - appended
        others = {t for t in local if t in frame.names} - set(_targets(node.target))
        if any(frame.run.read_later(frame, t, node) for t in others):
            return False
        if not all(isinstance(frame.names[t], Lacking) for t in others):
            return False  # a round may read what the one before has left
        (text,) = filled | appended
        index = node.target.elts[0] if isinstance(node.target, ast.Tuple) else node.target
        if any(map(may_raise, body)) or any(
            ast.unparse(place) != ast.unparse(index) for place in _places(body, text)
        ):
            return False
        holder = frame.names.get(text)
        if not isinstance(holder, Vector | Fixed) or frame.run.is_shared(holder):
            return False  # a round may read the list by its other name
        if holder.path is not frame.run.path:
            return False
        if appended:
            if filled or not isinstance(holder, Fixed) or holder.items:
                return False
            if not self._appends_once(body, text):
                return False
            kind = None
        else:
            if not isinstance(holder, Vector) or holder.listed:
                return False
            if not alike(holder.length, over.length):
                return False
            kind = holder.kind
        unknown = dict.fromkeys(
            local | {*_targets(node.target)},
            Lacking("it is assigned in a loop that may have no round"),
        )

        def own_place(other: str) -> bool:
            places = _places(body, other)
            reads = [n for s in body for n in ast.walk(s) if _is_name(n, other)]
            own = all(ast.unparse(place) == ast.unparse(index) for place in places)
            return other == text or (own and len(places) == len(reads) == 1)

        handed = frame.lists.drawn_before(body, own_place) - {text}
        found = self._filled(node, over, text, holder, kind, unknown, handed)
        try:
            frame.lists.rehearse(found, node)
        except Stale:
            return False  # a round changes something else
        frame.use(over, node)
        for other in handed:
            vector = frame.names[other]
            assert isinstance(vector, Vector)
            frame.use(vector, node)
        frame.names |= unknown
        if isinstance(holder, Vector):
            frame.use(holder, node)
            frame.stores.filled(holder, found.element, found.draws)
        else:
            found.path, found.once.round = frame.run.path, frame.run.round
            frame.names[text] = found
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
        self,
        node: ast.For,
        over: Vector,
        text: str,
        holder: Value,
        kind: Kind | None,
        unknown: Mapping[str, Value],
        handed: Iterable[str],
    ) -> Vector:
        """The list that the loop fills; a round knows nothing of the others."""
        frame = self.frame
        kept = frozen({**frame.names_now(), **unknown}, frame.lists.pinned)
        first = holder.element if isinstance(holder, Vector) else over.element
        items = over.element

        def element(index: Value) -> Value:
            before, variables = frame.names, frame.variables
            frame.names, frame.variables = dict(kept), {}
            own = f"{text}[]"
            try:
                if isinstance(holder, Vector):
                    old = frame.expressions.drawn(first(index), node)
                    frame.names[own] = stored(old, holder.kind)
                with frame.run.apart(), frame.run.another_round():
                    frame.names |= {t: self._place_of(kept[t], index, node) for t in handed}
                    frame.names[text] = Cell(index, own, kind, frame, frame.run.round)
                    frame.bind(node.target, items(index), node)
                    frame.block(node.body)
                found = frame.names.get(own)
                if not isinstance(found, Known) and found is None:
                    raise frame.module.refuse(node, "a list that is not filled in each round")
                return frame.expressions.drawn(found, node)
            finally:
                frame.names, frame.variables = before, variables

        array = isinstance(holder, Vector) and holder.array
        draws = over.draws or (isinstance(holder, Vector) and holder.draws)
        return Vector(over.length, element, kind, draws=draws, array=array)

    def _place_of(self, value: Value, index: Value, node: ast.AST) -> Vector:
        """A vector with noise as a round has it that takes over one place of it."""
        assert isinstance(value, Vector)

        def element(where: Value) -> Value:
            if not alike(where, index):
                raise self.frame.module.refuse(node, "another place than that of the round")
            return value.element(where)

        return replace(value, element=element, once=Once(round=self.frame.run.round))

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
        bound = _bound(body)
        for text in sorted(self._assigned(body)):
            value = frame.names.get(text)
            if text in bound and not isinstance(value, Known | Term | Flip | Undrawn | None):
                frame.names[text] = Lacking("it is something else in other rounds of a loop")
            elif isinstance(value, Vector | Fixed):
                found = self._settled_list(text, value, node, through)
                frame.names[text] = found
                if text in _appended(body):
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


def _bound(body: list[ast.stmt]) -> set[str]:
    """The names that statements bind; those of comprehensions are their own."""
    found, waiting = set(), list[ast.AST](body)
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
        if isinstance(inner, ast.FunctionDef):
            found.add(inner.name)
        waiting += [
            child
            for field, children in ast.iter_fields(inner)
            for child in (children if isinstance(children, list) else [children])
            if isinstance(child, ast.AST)
            and not (isinstance(inner, ast.comprehension) and field == "target")
        ]
    return found


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


def _is_name(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.Name) and node.id == text


def _targets(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
