"""One call, and its arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..terms.values import Fixed, Known, Value, Vector, is_fixed, name, text_of

if TYPE_CHECKING:
    from ..body.expressions import Expressions, Scalar


class Call:
    """One call: its arguments by place and by name."""

    def __init__(self, expressions: Expressions, node: ast.Call) -> None:
        self.expressions, self.node = expressions, node
        self._used: set[int | str] = set()
        self._places: list[Value] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                spread = expressions.value(argument.value)
                if not isinstance(spread, Fixed):
                    raise expressions.refuse(
                        argument, "a star before what is no list of known length"
                    )
                self._places += spread.items
            else:
                self._places.append(self._argument(argument))
        if any(keyword.arg is None for keyword in node.keywords):
            raise expressions.refuse(node, "arguments with two stars")
        self._keywords = {str(k.arg): self._argument(k.value) for k in node.keywords}

    def _argument(self, node: ast.expr) -> Value:
        match node:
            case ast.GeneratorExp(elt=elt, generators=[one]) if not one.ifs:
                return self.expressions.comprehension(elt, one, node)
        return self.expressions.value(node)

    @property
    def count(self) -> int:
        """How many arguments there are by place; they are not read by this."""
        return len(self._places)

    def handed(self) -> tuple[list[Value], dict[str, Value]]:
        """All arguments, to be handed on to a function of the library."""
        self._used |= {*range(len(self._places)), *self._keywords}
        return self._places, self._keywords

    def check_used(self) -> None:
        """Refuse what nobody asked for: each argument is read one by one."""
        unused = [n for n in self._keywords if n not in self._used]
        unused += [f"{k + 1}" for k in range(len(self._places)) if k not in self._used]
        if unused:
            raise self.refuse(f"argument {unused[0]} is not read")

    def get(self, place: int, *names: str) -> Value | None:
        """An argument, by its place or one of its names."""
        if 0 <= place < len(self._places):
            self._used.add(place)
            return self._places[place]
        self._used |= {*names}
        return next((self._keywords[n] for n in names if n in self._keywords), None)

    def need(self, place: int, *names: str) -> Value:
        """An argument that must be there."""
        found = self.get(place, *names)
        if found is None:
            raise self.refuse(f"no argument {names[0] if names else place + 1!r}")
        return found

    def scalar(self, place: int, *names: str, default: Value | None = None) -> Scalar:
        """An argument that is a number."""
        found = self.get(place, *names)
        found = self.need(place, *names) if found is None and default is None else found or default
        assert found is not None
        return self.expressions.drawn(found, self.node)

    def refuse(self, message: str) -> Exception:
        """An error at the call."""
        return self.expressions.refuse(self.node, f"{ast.unparse(self.node)[:70]!r}: {message}")


def counted(call: Call, size: Value) -> Scalar:
    """How many values an array is to have, of one dimension."""
    if isinstance(size, Fixed):
        if len(size.items) != 1:
            raise call.refuse("an array of several dimensions")
        size = size.items[0]
    return call.expressions.frame.counted(call.expressions.drawn(size, call.node), call.node)


def sized(
    call: Call, place: int, one: Callable[[], Value], asked: tuple[ast.cmpop, Value, Value] | None
) -> Value:
    """One draw, or a vector of as many as ``size`` says.

    ``asked``: what must hold of the parameters, or the call raises an exception; elements of
    vectors are drawn when they are used, and perhaps never.
    """
    size = call.get(place, "size")
    if size is None or size == Known(None):
        return one()
    if asked is not None:
        frame = call.expressions.frame
        op, left, right = asked
        scalars = [call.expressions.drawn(v, call.node) for v in (left, right)]
        if not (frame.run.at_the_start and all(map(is_fixed, scalars))):
            frame.surely(op, scalars[0], scalars[1], call.node, "a law that may be none")
    return Vector(counted(call, size), lambda _: one(), draws=True, array=True)


def between(call: Call, low: Scalar, high: Scalar) -> Value:
    """An integer from ``low`` to ``high``, both included."""
    law = f"DiscreteUniform({text_of(low)}, {text_of(high)})"
    drawn = call.expressions.writer.draw("pick", law)
    call.expressions.frame.run.said.between(drawn, text_of(low), text_of(high))
    return name(drawn, "int")


def less(call: Call, value: Value, by: Value) -> Scalar:
    """``value - by``."""
    return call.expressions.drawn(
        call.expressions.binary(ast.Sub(), value, by, call.node), call.node
    )
