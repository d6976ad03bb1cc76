"""Comprehensions: lists that are worked out at once, or vectors whose elements wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..terms.aliases import frozen
from ..terms.values import Fixed, Value, Vector
from ..versions import Stale
from .iterated import GoneThrough
from .rehearsal import idle

if TYPE_CHECKING:
    from .expressions import Expressions
    from .frame import Frame


def comprehension(
    expressions: Expressions, elt: ast.expr, one: ast.comprehension, node: ast.AST
) -> Value:
    """``[elt for target in iter]``."""
    frame = expressions.frame
    over = frame.iterated(expressions.value(one.iter), node)
    if isinstance(over, Fixed):
        if isinstance(node, ast.ListComp):
            return _at_once(expressions, over, elt, one, node)
        with idle(frame, node):  # whoever goes through a generator may stop early
            return _at_once(expressions, over, elt, one, node)
    frame.lists.drawn_before([ast.Expr(elt)], lambda _: False)
    kept, items = frozen(frame.names_now(), frame.lists.pinned), over.element

    def element(index: Value) -> Value:
        with _scope(frame, kept), frame.run.apart(), frame.run.another_round():
            frame.bind(one.target, items(index), node)
            return expressions.drawn(expressions.value(elt), elt)

    frame.use(over, node)
    late = Vector(over.length, element, draws=over.draws)
    try:
        frame.lists.rehearse(late, node)
    except Stale as error:
        raise expressions.refuse(
            node, f"a comprehension that changes {error.args[0]}", "write a loop"
        ) from None
    # What may raise an exception does so whether its value is used or not.
    raising = any(isinstance(n, ast.Subscript) for n in ast.walk(elt))
    return frame.lists.listed(late, "values", node) if raising else late


def _at_once(
    expressions: Expressions, over: Fixed, elt: ast.expr, one: ast.comprehension, node: ast.AST
) -> Fixed:
    """One value after the other."""
    frame, found = expressions.frame, list[Value]()
    with _scope(frame, frame.names_now()), GoneThrough(frame, over, node) as through:
        for item in over.items:
            frame.bind(one.target, item, node)
            found.append(expressions.drawn(expressions.value(elt), elt))
            through.check()
    return Fixed(found)


@contextmanager
def _scope(frame: Frame, names: dict[str, Value]) -> Iterator[None]:
    """Inside a comprehension, whose names are its own: none of them is a variable outside."""
    before, variables = frame.names, frame.variables
    frame.names, frame.variables = dict(names), {}
    try:
        yield
    finally:
        frame.names, frame.variables = before, variables
