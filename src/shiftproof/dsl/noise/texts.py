"""What a distribution states in texts over its parameters, read and never executed.

Numbers, names, ``+ - * /``, functions that are given, comparisons and ``and``.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..errors import BadInput
from ..terms.formulas import TRUE, Formula, above, at_least, conjunction
from ..terms.linear import Linear, number
from ..terms.values import exact

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


@lru_cache(maxsize=1000)
def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadInput(f"{text[:80]!r} cannot be read") from None


def value_of(
    text: str,
    given: Mapping[str, Any],
    constant: Callable[[int | float], Any],
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> Any:
    """The value of a text, where names and functions mean what is given, of any kind of numbers.

    Raises:
        BadInput: it has none.
    """
    return _value(_parsed(text), given, constant, functions or {})


def _value(
    e: ast.expr,
    given: Mapping[str, Any],
    constant: Callable[[int | float], Any],
    functions: Mapping[str, Callable[..., Any]],
) -> Any:
    match e:
        case ast.Name(id=name) if name in given:
            return given[name]
        case ast.Constant(value=int() | float() as found) if not isinstance(found, bool):
            return constant(found)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            sides = (_value(side, given, constant, functions) for side in (left, right))
            return _OPERATORS[type(op)](*sides)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, given, constant, functions)
        case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in functions:
            return functions[name](_value(one, given, constant, functions))
    known = ", ".join((*given, *functions))
    raise BadInput(f"'{ast.unparse(e)}' means nothing; want numbers, + - * /, {known}")


def _number(value: int | float) -> Linear:
    return number(exact(value))


def term_of(text: str, given: Mapping[str, Linear]) -> Linear:
    """The term that a text means, where these names have these values.

    Raises:
        BadInput: it means none.
    """
    found = _value(_parsed(text), given, _number, {})
    assert isinstance(found, Linear)
    return found


def condition_of(text: str, given: Mapping[str, Linear]) -> Formula:
    """The condition that a text means: comparisons, joined by ``and``; an empty one holds.

    Raises:
        BadInput: it means none.
    """
    if not text:
        return TRUE
    e = _parsed(text)
    parts = e.values if isinstance(e, ast.BoolOp) and isinstance(e.op, ast.And) else [e]
    return conjunction([_compared(part, given) for part in parts])


def _compared(e: ast.expr, given: Mapping[str, Linear]) -> Formula:
    match e:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            one, two = (_value(side, given, _number, {}) for side in (left, right))
            match op:
                case ast.Gt():
                    return above(one, two)
                case ast.Lt():
                    return above(two, one)
                case ast.GtE():
                    return at_least(one, two)
                case ast.LtE():
                    return at_least(two, one)
    raise BadInput(f"'{ast.unparse(e)}' is no condition on {', '.join(given)}")


def substituted(text: str, given: Mapping[str, str]) -> str:
    """A text in which names stand for other texts."""
    return ast.unparse(_Substitute(given).visit(ast.parse(text, mode="eval")))


class _Substitute(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._given.get(node.id)
        return node if found is None else ast.parse(found, mode="eval").body
