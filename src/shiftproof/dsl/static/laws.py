"""A distribution that a file defines: what its class states is read, and how it draws is not."""

from __future__ import annotations

import ast
import sys
from typing import Any

from ..errors import BadInput
from ..language.readings import RefusedLaw
from ..noise import Distribution
from ..noise.own import STATED, own_law
from .text import Text

_PACKAGE = __name__.partition(".")[0]
#: What certificates write, beside the words that the package exports.
_WORDS = frozenset({
    "Annotated", "Fraction", "Iterable", "Sequence", "Query", "Queries", "Stream", "Value",
    "IntegerValue", "Values", "IntegerValues", "CountingQueries", "CountingQuery", "DataSet",
})  # fmt: skip


class _NotPlain(Exception):
    """A part of a class is more than what states a law, and why."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        self.node, self.reason = node, reason


def law_of(node: ast.ClassDef, bases: list[object], text: Text) -> object:
    """The law that a class below ``Distribution`` states, or why nothing is proved with it.

    Args:
        node: its definition.
        bases: what its bases are.
        text: what it stands in.
    """
    try:
        return own_law(node.name, _stated(node, bases))
    except _NotPlain as stop:
        return RefusedLaw(stop.reason, text.location(stop.node))
    except BadInput as error:
        return RefusedLaw(error.message, text.location(node))


def _stated(node: ast.ClassDef, bases: list[object]) -> dict[str, Any]:
    """Its attributes: texts, and tuples of texts, that are written out."""
    if len(bases) != 1 or bases[0] is not Distribution or node.keywords:
        raise _NotPlain(node, "its class has other bases, or options, beside Distribution")
    if node.decorator_list:
        raise _NotPlain(node.decorator_list[0], "its class has a decorator")
    if getattr(node, "type_params", ()):
        raise _NotPlain(node, "its class has type parameters")
    if node.name in _WORDS or node.name in sys.modules[_PACKAGE].__all__:
        raise _NotPlain(node, f"'{node.name}' is a word of the language")
    found: dict[str, Any] = {}
    for part in node.body:
        match part:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.FunctionDef(name=name):
                _check_method(part)
                if name in found:
                    raise _NotPlain(part, f"'{name}' is bound twice in its class")
                found[name] = None
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name not in STATED or name in found:
                    twice = "is bound twice" if name in found else "is nothing to be stated"
                    raise _NotPlain(part, f"'{name}' {twice} in its class")
                found[name] = _literal(value, name)
            case _:
                raise _NotPlain(part, "its class does more than state texts and define how to draw")
    return {name: value for name, value in found.items() if name in STATED}


def _check_method(part: ast.FunctionDef) -> None:
    """How values are drawn may be written, and what helps with that; nothing of the law."""
    own = part.name in ("draw", "draw_many") or not hasattr(Distribution, part.name)
    if not own or part.name.startswith("__") or part.name in STATED or part.name == "values":
        raise _NotPlain(part, f"'{part.name}' is defined, which could say otherwise what it states")
    if part.decorator_list:
        raise _NotPlain(part.decorator_list[0], f"'{part.name}' has a decorator")
    if part.args.defaults or any(part.args.kw_defaults):
        raise _NotPlain(part, f"'{part.name}' has defaults")


def _literal(value: ast.expr, name: str) -> object:
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.Tuple(elts=items) if all(isinstance(i, ast.Constant) for i in items):
            return tuple(i.value for i in items if isinstance(i, ast.Constant))
    raise _NotPlain(value, f"'{name}' is no text, or tuple of texts, that is written out")
