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
from typing import Any, NamedTuple

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
    return _meaning(parsed(text))(Given(given, constant, functions or {}))


class Given(NamedTuple):
    """What names, constants and functions of a text stand for."""

    names: Mapping[str, Any]
    constant: Callable[[int | float], Any]
    functions: Mapping[str, Callable[..., Any]]


@lru_cache(maxsize=1000)
def _meaning(e: ast.expr) -> Callable[[Given], Any]:
    """What an expression is, once it is known what is given; found once, as it is asked often."""
    match e:
        case ast.Name(id=name):
            return lambda g: g.names[name] if name in g.names else _refused(g, e)
        case ast.Constant(value=int() | float() as value) if _is_number(value):
            return lambda g: g.constant(value)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            one, another, operation = _meaning(left), _meaning(right), _OPERATORS[type(op)]
            return lambda g: operation(one(g), another(g))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _meaning(operand)
            return lambda g: -inner(g)
        case ast.Call(func=ast.Name(id=function), args=[argument], keywords=[]):
            of = _meaning(argument)
            return lambda g: (
                g.functions[function](of(g)) if function in g.functions else _refused(g, e)
            )
    return lambda g: _refused(g, e)


def _is_number(value: int | float) -> bool:
    return not isinstance(value, bool) and math.isfinite(value)


def _refused(given: Given, e: ast.expr) -> Any:
    known = ", ".join((*given.names, *given.functions))
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
            one, two = (_meaning(side)(Given(given, constant, {})) for side in (left, right))
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
