"""Arithmetic and comparisons of what is known: constants are folded, the rest is written down."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from ...dsl.errors import Unsupported
from .values import Fixed, Kind, Known, Term, alike, bare, is_fixed, kind_of, node_of

_FOLD: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}  # fmt: skip


def arithmetic(op: ast.operator, left: Known | Term, right: Known | Term) -> Known | Term | None:
    """What an operator gives; ``None`` if the language has no such thing."""
    found = _arithmetic(op, left, right)
    return None if found is None else bare(found)


def _arithmetic(op: ast.operator, left: Known | Term, right: Known | Term) -> Known | Term | None:
    if isinstance(left, Known) and isinstance(right, Known):
        return _folded(op, left, right)
    if kind_of(left) in (None, "text") or kind_of(right) in (None, "text"):
        return None
    if isinstance(op, ast.Add) and _is(left, 0) and kind_of(left) == kind_of(right):
        return right
    kept = kind_of(right) == "int" or kind_of(left) == "float"
    if isinstance(op, ast.Add | ast.Sub) and _is(right, 0) and kept:
        return left
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if _is(one, 1) and (kind_of(one) == "int" or kind_of(other) == "float"):
                return other
    if isinstance(op, ast.Div) and _is(right, 1) and kind_of(left) == "float":
        return left
    if isinstance(op, ast.Pow):
        return _power(left, right)
    gathered = _gathered(op, left, right)
    if gathered is not None:
        return gathered
    if not isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
        return None
    kinds = {_number(left), _number(right)}
    kind: Kind = "float" if "float" in kinds or isinstance(op, ast.Div) else "int"
    node = ast.BinOp(node_of(plain(left)), op, node_of(plain(right)))
    return Term(node, kind, is_fixed(left) and is_fixed(right))


def _gathered(op: ast.operator, left: Known | Term, right: Known | Term) -> Known | Term | None:
    """``a + (b + 1)`` as ``a + b + 1``, and ``a + 3 - 2`` as ``a + 1``: lengths are read so."""
    sign = {ast.Add: 1, ast.Sub: -1}.get(type(op))
    if sign is None or not isinstance(left, Term):
        return None
    if isinstance(right, Term):
        rest, moved = _split(right)
        if sign == 1 and moved:
            sum_ = arithmetic(op, left, rest)
            return None if sum_ is None else arithmetic(op, sum_, Known(moved))
        return None
    if type(right.value) is not int:
        return None
    rest, moved = _split(left)
    if not moved:
        return None
    total = moved + sign * right.value
    if total < 0:
        return arithmetic(ast.Sub(), rest, Known(-total))
    return rest if total == 0 else arithmetic(ast.Add(), rest, Known(total))


def _split(term: Term) -> tuple[Term, int]:
    """A sum without the integer that is added last, and that."""
    match term.node:
        case ast.BinOp(
            left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=int() as n)
        ):
            return Term(left, term.kind, term.fixed), n if isinstance(op, ast.Add) else -n
    return term, 0


def _folded(op: ast.operator, left: Known, right: Known) -> Known | None:
    fold = _FOLD.get(type(op))
    if fold is None or left.value is None or right.value is None:
        return None
    try:
        found = fold(left.value, right.value)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return Known(found) if isinstance(found, int | float | str | bool) else None


def _power(left: Known | Term, right: Known | Term) -> Known | Term | None:
    if _is(left, math.e):
        return function("exp", right)
    if isinstance(right, Known) and type(right.value) is int and 1 <= right.value <= 8:
        node = ast.BinOp(node_of(plain(left)), ast.Pow(), node_of(right))
        return Term(node, "float" if _number(left) == "float" else "int", is_fixed(left))
    return None


def function(name: str, argument: Known | Term) -> Known | Term:
    """``exp``, ``log``, ``sqrt``, ``floor``, ``ceil``, ``abs`` or ``round`` of a number."""
    if name == "log" and isinstance(argument, Known) and argument.value == 1:
        return Known(0.0)
    match argument:
        case Term(node=ast.Call(func=ast.Name(id=inner), args=[inside])) if {name, inner} == {
            "exp",
            "log",
        }:
            return Term(inside, "float", argument.fixed)
    node = ast.Call(ast.Name(name), [node_of(plain(argument))], [])
    kind: Kind = "float"
    if name in ("floor", "ceil", "round", "int") or (name == "abs" and _number(argument) == "int"):
        kind = "int"
    return Term(node, kind, is_fixed(argument))


def comparison(op: ast.cmpop, left: Known | Term, right: Known | Term) -> Known | Term | None:
    """What a comparison gives; ``None`` if the language has no such thing."""
    if isinstance(left, Known) and isinstance(right, Known):
        fold = _COMPARE.get(type(op))
        try:
            return None if fold is None else Known(fold(left.value, right.value))
        except TypeError:
            return None
    if isinstance(op, ast.Is | ast.IsNot):
        if kind_of(left) is not None and kind_of(right) is not None:
            return None
        # No parameter and nothing computed is None.
        return Known(isinstance(op, ast.IsNot))
    if kind_of(left) is None or kind_of(right) is None:
        return Known(isinstance(op, ast.NotEq)) if isinstance(op, ast.Eq | ast.NotEq) else None
    if type(op) not in _COMPARE:
        return None
    for one, other in ((left, right), (right, left)):
        found = _of_choice(op if one is left else _SWAPPED[type(op)](), one, other)
        if found is not None:
            return found
    if "bool" in (kind_of(left), kind_of(right)):
        left, right = plain(left), plain(right)
    node = ast.Compare(node_of(left), [op], [node_of(right)])
    return Term(node, "bool", is_fixed(left) and is_fixed(right))


def _of_choice(op: ast.cmpop, one: Known | Term, other: Known | Term) -> Known | Term | None:
    """``(1 if b else 0) == 1`` is b."""
    if not isinstance(one, Term) or not isinstance(other, Known):
        return None
    match one.node:
        case ast.IfExp(test=test, body=ast.Constant(value=yes), orelse=ast.Constant(value=no)):
            fold = _COMPARE[type(op)]
            where = fold(yes, other.value), fold(no, other.value)
            if where[0] == where[1]:
                return Known(where[0])
            found = Term(test, "bool", one.fixed)
            return found if where[0] else negated(found)
    return None


def negated(value: Known | Term) -> Known | Term:
    """``not value``."""
    if isinstance(value, Known):
        return Known(not value.value)
    if isinstance(value.node, ast.UnaryOp) and isinstance(value.node.op, ast.Not):
        return Term(value.node.operand, "bool", value.fixed)
    return Term(ast.UnaryOp(ast.Not(), node_of(value)), "bool", value.fixed)


def choice(test: Known | Term, yes: Known | Term, no: Known | Term) -> Known | Term | None:
    """``yes if test else no``."""
    if isinstance(test, Known):
        return yes if test.value else no
    if alike(yes, no):
        return yes if yes.own == no.own else bare(yes)
    kinds = {kind_of(yes), kind_of(no)}
    if len(kinds) > 1 and not kinds <= {"int", "float"}:
        return None
    if kinds == {"int", "float"}:
        yes, no = as_kind(yes, "float"), as_kind(no, "float")
    kind = kind_of(yes)
    if kind is None:
        return None
    node = ast.IfExp(node_of(test), node_of(yes), node_of(no))
    return Term(node, kind, is_fixed(test) and is_fixed(yes) and is_fixed(no))


def as_kind(value: Known | Term, kind: Kind | None) -> Known | Term:
    """A number as numpy stores it in an array of some kind."""
    own = kind_of(value)
    if kind is None or own == kind:
        return value
    if kind == "float":
        if isinstance(value, Known) and isinstance(value.value, int | float):
            return Known(float(value.value))
        value = plain(value)
        if isinstance(value, Term) and isinstance(value.node, ast.IfExp):
            yes, no = (Term(n, "int", value.fixed) for n in (value.node.body, value.node.orelse))
            made = choice(
                Term(value.node.test, "bool", value.fixed),
                *(as_kind(_constant(one), "float") for one in (yes, no)),
            )
            assert made is not None
            return made
        return Term(
            ast.BinOp(node_of(value), ast.Add(), ast.Constant(0.0)), "float", is_fixed(value)
        )
    if kind == "int":
        return plain(value) if own == "bool" else function("int", value)
    if kind == "bool" and own in ("int", "float"):
        found = comparison(ast.NotEq(), value, Known(0))
        return value if found is None else found
    return value


def stored(value: Known | Term, kind: Kind | None) -> Known | Term:
    """A number as an array holds it; a whole one is the same number there, as an int."""
    own = kind_of(value)
    if kind == "float" and own in ("int", "bool"):
        return bare(plain(value))
    if kind == "float" and isinstance(value, Known) and isinstance(value.value, float):
        return Known(int(value.value)) if value.value.is_integer() else bare(value)
    return bare(as_kind(value, kind))


def fitting(value: Known | Term, holder: Fixed) -> Known | Term:
    """A number as a list or an array of known length holds it.

    Raises:
        Unsupported: the array may hold whole numbers only; what was computed tells no type.
    """
    if not holder.array:
        return value
    if holder.kind is None:
        if kind_of(value) not in ("int", "bool"):
            raise Unsupported(
                "a fraction, stored into an array that may hold whole numbers only",
                None,
                "give the array a type with 'dtype'",
            )
        return bare(plain(value))
    return stored(value, holder.kind)


def array_kind(items: Iterable[Known | Term]) -> Kind | None:
    """The type of an array of these, if they tell it: whole numbers may be ints or floats."""
    kinds = {kind_of(item) for item in items}
    if "float" in kinds and kinds <= {"int", "float", "bool"}:
        return "float"
    return "bool" if kinds == {"bool"} else None


def _constant(term: Term) -> Known | Term:
    if isinstance(term.node, ast.Constant) and isinstance(term.node.value, int | float):
        return Known(term.node.value)
    return term


def plain(value: Known | Term) -> Known | Term:
    """A Boolean as the number that Python takes it for."""
    if kind_of(value) != "bool":
        return value
    if isinstance(value, Known):
        return Known(int(bool(value.value)))
    return Term(ast.IfExp(value.node, ast.Constant(1), ast.Constant(0)), "int", value.fixed)


def _number(value: Known | Term) -> Kind | None:
    return kind_of(plain(value))


def _is(value: Known | Term, number: float) -> bool:
    return isinstance(value, Known) and not isinstance(value.value, bool) and value.value == number


def is_positive(value: Known | Term, positive: frozenset[str]) -> bool:
    """Whether a number is surely above 0; ``positive``: the names of such parameters."""
    if isinstance(value, Known):
        return isinstance(value.value, int | float) and value.value > 0
    return _positive(value.node, positive)


def _positive(node: ast.expr, positive: frozenset[str]) -> bool:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number > 0
        case ast.Name(id=name):
            return name in positive
        case ast.Call(func=ast.Name(id="exp")):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Div(), right=right):
            return _positive(left, positive) and _positive(right, positive)
        case ast.BinOp(left=left, op=ast.Pow()):
            return _positive(left, positive)
    return False
