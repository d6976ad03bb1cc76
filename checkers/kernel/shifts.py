"""Shifts as a certificate writes them: expressions of the language, read without running."""

from __future__ import annotations

import ast
from fractions import Fraction

from ...dsl.errors import BadInput
from ...dsl.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Length,
    Name,
    Negation,
    Other,
    Outcome,
    record_name,
)
from .constants import HORIZON
from .notation import DEEPEST, parsed, variable_name

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def shift_of(text: str) -> Expression:
    """Read a shift.

    Raises:
        BadInput: the text is no expression of the language.
    """
    return _expression(parsed(text), "", 0)


def _expression(node: ast.expr, data: str, depth: int) -> Expression:
    """An expression; inside a count over ``data``, ``record`` is one record of it."""
    if depth > DEEPEST:
        raise BadInput("a shift that nests too deep")

    def again(part: ast.expr) -> Expression:
        return _expression(part, data, depth + 1)

    name = variable_name(node)
    if name is not None:
        return Name(NOWHERE, name)
    match node:
        case ast.Constant(value=bool() as flag):
            return BooleanConstant(NOWHERE, flag)
        case ast.Constant(value=int() as whole):
            return Constant(NOWHERE, Fraction(whole), "int")
        case ast.Constant(value=float() as real):
            try:
                return Constant(NOWHERE, Fraction(repr(real)), "float")
            except ValueError:
                raise BadInput(f"a shift by {real}") from None
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            zero = Constant(NOWHERE, Fraction(0), "int")
            return Arithmetic(NOWHERE, "-", zero, again(inner))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return Negation(NOWHERE, again(inner))
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
            return Arithmetic(NOWHERE, _ARITHMETIC[type(op)], again(left), again(right))
        case ast.BoolOp(op=op, values=members):
            parts = tuple(map(again, members))
            return Connective(NOWHERE, "and" if isinstance(op, ast.And) else "or", parts)
        case ast.IfExp(test=test, body=yes, orelse=no):
            return Conditional(NOWHERE, again(test), again(yes), again(no))
        case ast.Compare(left=item, ops=[ast.In()], comparators=[ast.Call(func=f, args=[])]) if (
            isinstance(f, ast.Name) and f.id == "outcome"
        ):
            return Chosen(NOWHERE, again(item))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISON:
            return Comparison(NOWHERE, _COMPARISON[type(op)], again(left), again(right))
        case ast.Subscript(value=array, slice=index):
            held = variable_name(array)
            if held is not None:
                held = record_name(data) if held == "record" and data else held
                return Cell(NOWHERE, held, again(index))
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
            found = _call(function, arguments, data, depth + 1)
            if found is not None:
                return found
    raise BadInput(f"{ast.unparse(node)[:80]!r} is no part of a shift")


def _call(function: str, arguments: list[ast.expr], data: str, depth: int) -> Expression | None:
    match function, arguments:
        case "other", [inner]:
            return Other(NOWHERE, _expression(inner, data, depth))
        case "outcome", []:
            return Outcome(NOWHERE, 0)
        case "outcome", [ast.Constant(value=int() as which)] if 0 <= which < HORIZON:
            return Outcome(NOWHERE, which)
        case "len", [ast.Name(id=array)]:
            return Length(NOWHERE, array)
        case "count", [test, ast.Name(id=name)]:
            return Counted(NOWHERE, name, _expression(test, name, depth))
        case (("min" | "max"), [_, _, *_]):
            values = tuple(_expression(a, data, depth) for a in arguments)
            return Builtin(NOWHERE, function, values)
        case (("abs" | "int" | "round"), [inner]):
            return Builtin(NOWHERE, function, (_expression(inner, data, depth),))
    return None
