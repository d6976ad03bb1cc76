"""Expressions of the language as JavaScript: functions of the two runs.

before:  f[i] - other(f[i]) if f[i] + noise >= T[i] else 0
after:   (le(s.cell("T", s.get("i")), …) ? sub(s.cell("f", …), o.cell("f", …)) : q(0n, 1n, true))
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from ...dsl.records import RECORD
from ...dsl.syntax import (
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
    Label,
    Length,
    Let,
    Name,
    Negation,
    Other,
    Outcome,
    Whole,
)
from .terms import number_of, quoted

_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_SAME = {"==": "same({}, {})", "is": "same({}, {})", "!=": "!same({}, {})",
         "is not": "!same({}, {})"}  # fmt: skip
_ORDERS = {"<": "lt({0}, {1})", "<=": "le({0}, {1})", ">": "lt({1}, {0})", ">=": "le({1}, {0})"}


def expression(e: Expression, bound: Mapping[str, str] | None = None) -> str:
    """An expression over ``s``, the run that evaluates it, and ``o``, the other one.

    Args:
        e: the expression.
        bound: names that are variables of JavaScript.
    """
    return _Writer().of(e, bound or {}, "s", "o")


def function_of(*members: Expression) -> str:
    """A function of both runs that gives the values of several expressions."""
    return f"(s, o) => [{', '.join(map(expression, members))}]"


class _Writer:
    def __init__(self) -> None:
        self._fresh = itertools.count(1)

    def of(self, e: Expression, bound: Mapping[str, str], own: str, other: str) -> str:
        def part(inner: Expression) -> str:
            return self.of(inner, bound, own, other)

        match e:
            case Constant(value=value, kind=kind):
                return number_of(value, whole=kind == "int")
            case BooleanConstant(value=flag):
                return str(flag).lower()
            case Label(value=label):
                return "null" if label is None else quoted(label)
            case Name(name=name):
                return bound.get(name) or f"{own}.get({quoted(name)})"
            case Cell(array=array, index=index) if array.startswith(RECORD):
                return f"at({bound[array]}, {part(index)})"
            case Cell(array=array, index=index):
                return f"{own}.cell({quoted(array)}, {part(index)})"
            case Length(array=array):
                return f"{own}.length({quoted(array)})"
            case Whole(array=array):
                return f"...{own}.get({quoted(array)})"
            case Arithmetic(operator=operator, left=left, right=right):
                name = _OPERATIONS.get(operator) or f"operations[{quoted(operator)}]"
                return f"{name}({part(left)}, {part(right)})"
            case Comparison(operator=operator, left=left, right=right):
                form = _ORDERS.get(operator) or _SAME[operator]
                return form.format(part(left), part(right))
            case Connective(operator=word, members=members):
                join = " && " if word == "and" else " || "
                return f"({join.join(map(part, members))})"
            case Negation(inner=inner):
                return f"!({part(inner)})"
            case Conditional(test=test, yes=yes, no=no):
                return f"({part(test)} ? {part(yes)} : {part(no)})"
            case Builtin(function=function, arguments=arguments):
                called = ", ".join(map(part, arguments))
                return f"operations[{quoted(function)}]({called})"
            case Let(names=names, values=values, body=body):
                letters = {name: f"b{next(self._fresh)}" for name in names}
                given = ", ".join(map(part, values))
                shown = self.of(body, {**bound, **letters}, own, other)
                return f"(({', '.join(letters.values())}) => {shown})({given})"
            case Other(inner=inner):
                return self.of(inner, bound, other, own)
            case Counted(data=data, test=test):
                record = f"r{next(self._fresh)}"
                shown = self.of(test, {**bound, f"{RECORD}{data}": record}, own, other)
                return f"{own}.count({quoted(data)}, ({record}) => {shown})"
            case Outcome(which=which):
                return f"{own}.outcome({which})"
            case Chosen(item=item):
                return f"{own}.chosen({part(item)})"
        raise AssertionError(e)
