"""Loops that only fill a list, a place a round: they become that list, whose places wait."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..terms.aliases import frozen
from ..terms.arithmetic import stored
from ..terms.values import (
    Cell,
    Fixed,
    Kind,
    Lacking,
    Once,
    Value,
    Vector,
    alike,
)
from ..versions import Stale
from .bodies import appended, assigned, places, reads, stored_into, targets

if TYPE_CHECKING:
    from .frame import Frame

#: Statements that a round of such a loop does not have.
_OTHERS = ast.Return | ast.Break | ast.Continue | ast.Raise | ast.While | ast.For


@dataclass(frozen=True, slots=True)
class _Fill:
    """A loop over ``over`` that fills the list ``text``, which is ``holder`` before it.

    ``unknown`` are the names that rounds bind: what one leaves in them is not known to another.
    """

    node: ast.For
    over: Vector
    text: str
    holder: Vector | Fixed
    unknown: dict[str, Value]

    @property
    def index(self) -> str:
        """The counter of the loop, as its body writes it."""
        target = self.node.target
        return ast.unparse(target.elts[0] if isinstance(target, ast.Tuple) else target)

    @property
    def kind(self) -> Kind | None:
        """What the list gives to its values."""
        return self.holder.kind if isinstance(self.holder, Vector) else None

    def is_own_place(self, other: str) -> bool:
        """Whether each round reads a list once at most, at its own place."""
        body = self.node.body
        found = [ast.unparse(place) for place in places(body, other)]
        return other == self.text or (found == [self.index] and reads(body, other) == 1)


class Fills:
    """What a frame does with loops that fill a list."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def done(self, node: ast.For, over: Vector) -> bool:
        """Whether the loop only fills one list; if so, it becomes that list."""
        frame, fill = self.frame, self._fill(node, over)
        if fill is None:
            return False
        handed = frame.lists.drawn_before(node.body, fill.is_own_place) - {fill.text}
        found = self._filled(fill, handed)
        try:
            frame.lists.rehearse(found, node)
        except Stale:
            return False  # a round changes something else
        for vector in (over, *(frame.names[other] for other in sorted(handed))):
            assert isinstance(vector, Vector)
            frame.use(vector, node)
        frame.names |= fill.unknown
        if isinstance(fill.holder, Vector):
            frame.use(fill.holder, node)
            frame.stores.filled(fill.holder, found.element, found.draws)
        else:
            found.path, found.once.round = frame.run.path, frame.run.round
            frame.names[fill.text] = found
        filled = frame.names[fill.text]
        again = frame.run.read_later(frame, fill.text, node) > 1
        if again and isinstance(filled, Vector) and filled.draws:
            frame.names[fill.text] = frame.lists.listed(filled, fill.text, node)
        return True

    def _fill(self, node: ast.For, over: Vector) -> _Fill | None:
        """What the loop fills, if it does nothing else."""
        frame, body = self.frame, node.body
        filled = stored_into(body) | appended(body)
        if len(filled) != 1 or any(isinstance(n, _OTHERS) for s in body for n in ast.walk(s)):
            return None
        (text,) = filled
        local = assigned(body) - filled
        if not self._are_its_own(local - {*targets(node.target)}, node):
            return None
        holder = frame.names.get(text)
        if not isinstance(holder, Vector | Fixed) or frame.run.is_shared(holder):
            return None  # a round may read the list by its other name
        why: Value = Lacking("it is assigned in a loop that may have no round")
        unknown: dict[str, Value] = dict.fromkeys(local | {*targets(node.target)}, why)
        found = _Fill(node, over, text, holder, unknown)
        if any(ast.unparse(place) != found.index for place in places(body, text)):
            return None
        here = holder.path is frame.run.path
        return found if here and self._is_filled(found) else None

    def _are_its_own(self, local: set[str], node: ast.For) -> bool:
        """Whether names that rounds bind are read by nobody else, nor by the next round."""
        frame = self.frame
        others = [t for t in local if t in frame.names]
        return all(
            isinstance(frame.names[t], Lacking) and not frame.run.read_later(frame, t, node)
            for t in others
        )

    def _is_filled(self, fill: _Fill) -> bool:
        """Whether each round gives its place of the list a value."""
        body = fill.node.body
        if fill.text not in appended(body):
            holder = fill.holder
            if not isinstance(holder, Vector) or holder.listed:
                return False
            if holder.array and holder.kind is None:  # it may make the values others
                return False
            return alike(holder.length, fill.over.length)
        empty = isinstance(fill.holder, Fixed) and not fill.holder.items
        return empty and fill.text not in stored_into(body) and _appends_once(body, fill.text)

    def _filled(self, fill: _Fill, handed: Iterable[str]) -> Vector:
        """The list that the loop fills; a round knows nothing of the others."""
        frame, node, holder, over = self.frame, fill.node, fill.holder, fill.over
        kept = frozen({**frame.names_now(), **fill.unknown}, frame.lists.pinned)
        first = holder.element if isinstance(holder, Vector) else None
        items, own = over.element, f"{fill.text}[]"

        def element(index: Value) -> Value:
            before, variables = frame.names, frame.variables
            frame.names, frame.variables = dict(kept), {}
            try:
                if first is not None:
                    old = frame.expressions.drawn(first(index), node)
                    frame.names[own] = stored(old, fill.kind)
                with frame.run.apart(), frame.run.another_round():
                    frame.names |= {t: self._place_of(kept[t], index, node) for t in handed}
                    frame.names[fill.text] = Cell(index, own, fill.kind, frame, frame.run.round)
                    frame.bind(node.target, items(index), node)
                    frame.block(node.body)
                found = frame.names.get(own)
                if found is None:
                    raise frame.module.refuse(node, "a list that is not filled in each round")
                return frame.expressions.drawn(found, node)
            finally:
                frame.names, frame.variables = before, variables

        array = isinstance(holder, Vector) and holder.array
        draws = over.draws or (isinstance(holder, Vector) and holder.draws)
        return Vector(over.length, element, fill.kind, draws=draws, array=array)

    def _place_of(self, value: Value, index: Value, node: ast.AST) -> Vector:
        """A vector with noise as a round has it that takes over one place of it."""
        assert isinstance(value, Vector)

        def element(where: Value) -> Value:
            if not alike(where, index):
                raise self.frame.module.refuse(node, "another place than that of the round")
            return value.element(where)

        return replace(value, element=element, once=Once(round=self.frame.run.round))


def _appends_once(body: list[ast.stmt], text: str) -> bool:
    """Whether each round surely appends once, at its end."""
    last = body[-1]
    match last:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=own)))):
            once = own == text
        case ast.If(body=yes, orelse=no) if no:
            return _appends_once(yes, text) and _appends_once(no, text)
        case _:
            return False
    return once and text not in assigned(body[:-1])
