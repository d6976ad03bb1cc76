"""What a distribution states in texts over its parameters, read and never executed.

Numbers, names, ``+ - * /``, functions that are given, comparisons and ``and``.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..errors import BadInput
from ..terms.formulas import Formula, above, at_least, conjunction
from ..terms.linear import Linear, number
from ..terms.values import exact

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


@lru_cache(maxsize=1000)
def parsed(text: str) -> ast.expr:
    """A text as syntax; what it means is for others to say.

    Raises:
        BadInput: it has none.
    """
    try:
        found = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadInput(f"{text[:80]!r} cannot be read") from None
    for part in ast.walk(found):
        if isinstance(part, ast.Constant) and isinstance(part.value, float):
            written = ast.get_source_segment(text, part) or ""
            if math.isfinite(part.value) and Fraction(written) != Fraction(repr(part.value)):
                raise BadInput(f"{written} has more digits than a float holds; write a fraction")
    return found


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
    return _value(parsed(text), given, constant, functions or {})


def _value(
    e: ast.expr,
    given: Mapping[str, Any],
    constant: Callable[[int | float], Any],
    functions: Mapping[str, Callable[..., Any]],
) -> Any:
    match e:
        case ast.Name(id=name) if name in given:
            return given[name]
        case ast.Constant(value=int() as whole) if not isinstance(whole, bool):
            return constant(whole)
        case ast.Constant(value=float() as real) if math.isfinite(real):
            return constant(real)
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


def term_of(
    text: str,
    given: Mapping[str, Linear],
    functions: Mapping[str, Callable[[Linear], Linear]] | None = None,
) -> Linear:
    """The term that a text means, where these names and functions have these values.

    Raises:
        BadInput: it means none.
    """
    found = value_of(text, given, _number, functions)
    assert isinstance(found, Linear)
    return found


def condition_of(text: str, given: Mapping[str, Linear]) -> Formula:
    """The condition that a text means: comparisons, joined by ``and``; an empty one holds.

    Raises:
        BadInput: it means none.
    """
    return conjunction(
        [
            above(more, less) if strict else at_least(more, less)
            for strict, more, less in compared(text, given, _number)
        ]
    )


def compared(
    text: str, given: Mapping[str, Any], constant: Callable[[int | float], Any]
) -> list[tuple[bool, Any, Any]]:
    """The comparisons that a condition joins: whether strict, what is more, and what is less.

    Raises:
        BadInput: it is none.
    """
    e = parsed(text) if text else ast.BoolOp(ast.And(), [])
    parts = e.values if isinstance(e, ast.BoolOp) and isinstance(e.op, ast.And) else [e]
    return [_compared(part, given, constant) for part in parts]


def _compared(
    e: ast.expr, given: Mapping[str, Any], constant: Callable[[int | float], Any]
) -> tuple[bool, Any, Any]:
    match e:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            one, two = (_value(side, given, constant, {}) for side in (left, right))
            strict, swapped = _COMPARISONS[type(op)]
            return (strict, two, one) if swapped else (strict, one, two)
    raise BadInput(f"'{ast.unparse(e)}' is no condition on {', '.join(given)}")


#: Whether they are strict, and whether the right side is more.
_COMPARISONS: dict[type[ast.cmpop], tuple[bool, bool]] = {
    ast.Gt: (True, False), ast.GtE: (False, False), ast.Lt: (True, True), ast.LtE: (False, True),
}  # fmt: skip


def substituted(text: str, given: Mapping[str, str]) -> str:
    """A text in which names stand for other texts."""
    return ast.unparse(_Substitute(given).visit(ast.parse(text, mode="eval")))


class _Substitute(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._given.get(node.id)
        return node if found is None else ast.parse(found, mode="eval").body
