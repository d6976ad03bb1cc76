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

    def value(e: ast.expr) -> Any:
        match e:
            case ast.Constant(value=int() | float() as found) if not isinstance(found, bool):
                return constant(found)
            case ast.Name(id=name) if name in given:
                return given[name]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in known:
                return known[name](*map(value, args))
        raise BadInput(f"'{ast.unparse(e)}' in '{text}' means nothing; want numbers, "
                       f"{', '.join((*given, *known))}, + - * /")  # fmt: skip

    known = functions or {}
    return value(_parsed(text))


def term_of(text: str, given: Mapping[str, Linear]) -> Linear:
    """The term that a text means, where these names have these values.

    Raises:
        BadInput: it means none.
    """
    found = value_of(text, given, lambda value: number(exact(value)))
    assert isinstance(found, Linear)
    return found


def condition_of(text: str, given: Mapping[str, Linear]) -> Formula:
    """The condition that a text means: comparisons, joined by ``and``; an empty one holds.

    Raises:
        BadInput: it means none.
    """
    return conjunction([_compared(part, given) for part in text.split(" and ")]) if text else TRUE


def _compared(text: str, given: Mapping[str, Linear]) -> Formula:
    match _parsed(text):
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            one, two = (term_of(ast.unparse(e), given) for e in (left, right))
            match op:
                case ast.Gt():
                    return above(one, two)
                case ast.Lt():
                    return above(two, one)
                case ast.GtE():
                    return at_least(one, two)
                case ast.LtE():
                    return at_least(two, one)
    raise BadInput(f"'{text}' is no condition on {', '.join(given)}")


def substituted(text: str, given: Mapping[str, str]) -> str:
    """A text in which names stand for other texts."""
    tree = ast.parse(text, mode="eval")
    return ast.unparse(_Substitute(given).visit(tree))


class _Substitute(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._given.get(node.id)
        return node if found is None else ast.parse(found, mode="eval").body
