"""How a certificate writes terms and conditions.

Numbers and fractions, names, ``+ - * / // %``, comparisons, ``and or not``, ``x if c else y``,
and calls.  What a name or a call means is for the reader's surroundings to say.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from ...dsl.errors import BadInput
from ...dsl.language.unparse import MARK
from ...dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    negation,
)
from ...dsl.terms.linear import DivisionByZero, Linear, number
from ...dsl.terms.substitution import apply_operation
from ...dsl.terms.values import Num, Value

#: The longest text of one term or condition, and how deep it may nest.
LONGEST, DEEPEST = 20_000, 60

#: What a name, a call or a subscript stands for; ``None`` if it stands for nothing here.
Meaning = Callable[[ast.expr], Value | None]


def term_of(text: str, meaning: Meaning) -> Linear:
    """Read a number.

    Raises:
        BadInput: the text is none, or speaks of what is unknown here.
    """
    value = _value(parsed(text), meaning)
    if isinstance(value, Num):
        return value.term
    raise BadInput(f"{_shown(text)} is no number")


def formula_of(text: str, meaning: Meaning) -> Formula:
    """Read a condition.

    Raises:
        BadInput: the text is none, or speaks of what is unknown here.
    """
    value = _value(parsed(text), meaning)
    if isinstance(value, Formula):
        return value
    raise BadInput(f"{_shown(text)} is no condition")


def variable_name(node: ast.expr) -> str | None:
    """The name of a variable: ``i``, or ``i·1`` for one that the program does not name."""
    return node.id.replace(MARK, "@") if isinstance(node, ast.Name) else None


@lru_cache(maxsize=4096)
def parsed(text: str) -> ast.expr:
    """The syntax of a text, of limited size.

    Raises:
        BadInput: it has none.
    """
    if len(text) > LONGEST:
        raise BadInput(f"a text of {len(text)} characters; at most {LONGEST} are read")
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth > DEEPEST:
            raise BadInput(f"{_shown(text)} nests too deep")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadInput(f"{_shown(text)} cannot be read") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _value(node: ast.expr, meaning: Meaning) -> Value:
    try:
        return _Reader(meaning).value(node, 0)
    except DivisionByZero as error:
        raise BadInput(f"{_shown(ast.unparse(node))}: {error}") from None


class _Reader:
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def value(self, node: ast.expr, depth: int) -> Value:
        if depth > DEEPEST:
            raise BadInput("an expression that nests too deep")
        deeper = depth + 1
        match node:
            case ast.Constant(value=bool() as flag):
                return TRUE if flag else FALSE
            case ast.Constant(value=int() as whole):
                return Num(number(whole), "int")
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return Num(-self.number(inner, deeper), "float")
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return negation(self.condition(inner, deeper))
            case ast.BinOp(op=op, left=left, right=right):
                x, y = self.number(left, deeper), self.number(right, deeper)
                return Num(_combined(op, x, y), "float")
            case ast.BoolOp(op=op, values=members):
                join = conjunction if isinstance(op, ast.And) else disjunction
                return join([self.condition(m, deeper) for m in members])
            case ast.IfExp(test=test, body=yes, orelse=no):
                arms = self.number(yes, deeper), self.number(no, deeper)
                return Num(choice(self.condition(test, deeper), *arms), "float")
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _compared(op, self.value(left, deeper), self.value(right, deeper))
            case ast.Call(func=ast.Name(id=function), args=[inner], keywords=[]) if function in (
                "int",
                "round",
                "log_odds",
                "given_up",
                "exp",
                "log",
                "sqrt",
            ):
                return Num(apply_operation(function, (self.number(inner, deeper),)), "float")
        found = self._meaning(node)
        if found is None:
            raise BadInput(f"{_shown(ast.unparse(node))} means nothing here")
        return found

    def number(self, node: ast.expr, depth: int) -> Linear:
        value = self.value(node, depth)
        if isinstance(value, Num):
            return value.term
        raise BadInput(f"{_shown(ast.unparse(node))} is no number")

    def condition(self, node: ast.expr, depth: int) -> Formula:
        value = self.value(node, depth)
        if isinstance(value, Formula):
            return value
        raise BadInput(f"{_shown(ast.unparse(node))} is no condition")


def _combined(op: ast.operator, x: Linear, y: Linear) -> Linear:
    match op:
        case ast.Add():
            return x + y
        case ast.Sub():
            return x - y
        case ast.Mult():
            return x * y
        case ast.Div():
            return x / y
        case ast.FloorDiv() | ast.Mod():
            if y == number(0):
                raise DivisionByZero(f"{x} divided by zero")
            return apply_operation("//" if isinstance(op, ast.FloorDiv) else "%", (x, y))
    raise BadInput(f"the operator {type(op).__name__}")


def _compared(op: ast.cmpop, left: Value, right: Value) -> Formula:
    if isinstance(left, Formula) and isinstance(right, Formula) and isinstance(op, ast.Eq):
        return iff(left, right)
    if isinstance(left, Num) and isinstance(right, Num):
        x, y = left.term, right.term
        match op:
            case ast.GtE():
                return at_least(x, y)
            case ast.Gt():
                return above(x, y)
            case ast.LtE():
                return at_least(y, x)
            case ast.Lt():
                return above(y, x)
            case ast.Eq():
                return equal(x, y)
            case ast.NotEq():
                return negation(equal(x, y))
    raise BadInput("a comparison of what cannot be compared")


def fraction(text: str) -> Fraction:
    """A plain rational number.

    Raises:
        BadInput: the text is none.
    """
    constant = term_of(text, lambda node: None)
    if not constant.is_constant:
        raise BadInput(f"{_shown(text)} is no plain number")
    return Fraction(constant.constant)
