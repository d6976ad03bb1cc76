"""A distribution that a file defines: what its class states is read, and how it draws is not."""

from __future__ import annotations

import ast
import sys
from typing import Any

from ..errors import BadInput
from ..language.readings import RefusedLaw
from ..noise import Distribution
from ..noise.own import STATED, own_law
from .running import bound_by, names_bound, own_scope, parameters_of
from .text import Text

#: What a draw is computed with: numbers and its own variables, so that it changes nothing else.
_DRAWING = (
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.keyword,
    ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.Tuple, ast.Return, ast.Assign, ast.AugAssign, ast.If, ast.While,
    ast.For, ast.Expr, ast.Pass, ast.Break, ast.Continue,
)  # fmt: skip
_FUNCTIONS = {"abs", "bool", "float", "int", "len", "max", "min", "range", "round", "sum"}
_PACKAGE = __name__.partition(".")[0]
#: What certificates write, beside the words that the package exports.
_WORDS = frozenset({
    "Annotated", "Fraction", "Iterable", "Sequence", "Query", "Queries", "Stream", "Value",
    "IntegerValue", "Values", "IntegerValues", "CountingQueries", "CountingQuery", "DataSet",
    "IntegerQuery", "IntegerQueries",
})  # fmt: skip


class _NotPlain(Exception):
    """A part of a class is more than what states a law, and why."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        self.node, self.reason = node, reason


def law_of(node: ast.ClassDef, bases: list[object], text: Text, maths: bool) -> object:
    """The law that a class below ``Distribution`` states, or why nothing is proved with it.

    Args:
        node: its definition.
        bases: what its bases are.
        text: what it stands in.
        maths: whether ``math`` is the module there.
    """
    try:
        return own_law(node.name, _stated(node, bases, _known(text, maths)))
    except _NotPlain as stop:
        return RefusedLaw(stop.reason, text.location(stop.node))
    except BadInput as error:
        return RefusedLaw(error.message, text.location(node))


def _stated(node: ast.ClassDef, bases: list[object], known: set[str]) -> dict[str, Any]:
    """Its attributes: texts, and tuples of texts, that are written out."""
    if len(bases) != 1 or bases[0] is not Distribution or node.keywords:
        raise _NotPlain(node, "its class has other bases, or options, beside Distribution")
    if node.decorator_list:
        raise _NotPlain(node.decorator_list[0], "its class has a decorator")
    if getattr(node, "type_params", ()):
        raise _NotPlain(node, "its class has type parameters")
    if node.name in _WORDS or node.name in sys.modules[_PACKAGE].__all__:
        raise _NotPlain(node, f"'{node.name}' is a word of the language")
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            raise _NotPlain(inner, "its class binds names in an expression")
    found: dict[str, Any] = {}
    for part in node.body:
        match part:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.FunctionDef(name=name):
                _check_method(part)
                _check_drawing(part, known)
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


def _known(text: Text, maths: bool) -> set[str]:
    """The names of functions, and ``math``, that surely mean what they say in this file."""
    nodes, scope = list(ast.walk(text.tree)), list(own_scope(text.tree.body))
    aliases = [node for node in scope if isinstance(node, ast.alias)]
    if any(alias.name == "*" for alias in aliases):
        return set()
    bound = {n for node in nodes if isinstance(node, ast.Global) for n in node.names}
    bound |= {n for node in scope if (n := bound_by(node)) is not None}
    bound |= {a.asname or a.name for a in aliases if a.asname or a.name != "math"}
    bound |= {a.name for n in scope if isinstance(n, ast.ImportFrom) for a in n.names}
    return _FUNCTIONS.union(["math"] * maths) - bound


def _check_drawing(part: ast.FunctionDef, known: set[str]) -> None:
    """A draw runs within a mechanism: it may change nothing that the mechanism is read with."""
    known = known | {a.arg for a in parameters_of(part.args)} | names_bound(part.body)
    for inner in (n for statement in part.body for n in ast.walk(statement)):
        if not isinstance(inner, _DRAWING):
            raise _NotPlain(inner, f"'{part.name}' does more than compute a number")
        match inner:
            case ast.Name(id=name) if name not in known:
                raise _NotPlain(inner, f"'{name}' could do more than compute a number")
            case ast.Attribute(attr=name, ctx=ctx):
                if name.startswith("_") or not isinstance(ctx, ast.Load):
                    raise _NotPlain(inner, f"'.{name}' could do more than compute a number")


def _literal(value: ast.expr, name: str) -> object:
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.Tuple(elts=items) if all(isinstance(i, ast.Constant) for i in items):
            return tuple(i.value for i in items if isinstance(i, ast.Constant))
    raise _NotPlain(value, f"'{name}' is no text, or tuple of texts, that is written out")
