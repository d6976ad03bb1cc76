"""What a loop goes through: it is as it was until the loop has ended."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..terms.aliases import gone_through
from ..terms.values import Fixed, Value, Vector

if TYPE_CHECKING:
    from .frame import Frame


class GoneThrough:
    """The lists that a loop goes through, while it is written round by round."""

    def __init__(self, frame: Frame, over: Vector | Fixed, node: ast.AST) -> None:
        self.frame, self.node = frame, node
        self.lists = gone_through(over)
        self.before = [self._content(one) for one in self.lists]

    def __enter__(self) -> GoneThrough:
        self.frame.iterated_now += self.lists
        return self

    def __exit__(self, *_: object) -> None:
        del self.frame.iterated_now[len(self.frame.iterated_now) - len(self.lists) :]

    def check(self) -> None:
        """Refuse a round that has changed one of them."""
        for one, before in zip(self.lists, self.before, strict=True):
            now = self._content(one)
            if len(now) != len(before) or any(a is not b for a, b in zip(now, before, strict=True)):
                raise self.frame.module.refuse(
                    self.node, "a loop that changes the list it goes through", "go through a copy"
                )

    def _content(self, value: Vector | Fixed) -> list[Value | object]:
        if isinstance(value, Fixed):
            return list(value.items)
        if self.frame.run.is_own_list(value):
            return [self.frame.run.writer.versions.now.get(value.listed)]
        return [value.element]
