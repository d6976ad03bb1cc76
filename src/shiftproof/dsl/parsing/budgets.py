"""A budget function as it is written: one expression of its parameters, read and not called."""

from __future__ import annotations

import ast
import linecache
import math
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

from ..errors import BadInput, Unsupported
from ..language.declaration import same_code, source_of
from ..language.readings import Unreadable, namespace_of
from ..language.scope import Scope
from ..language.source import Source, span_of
from .expressions import dotted_name

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_WORDS = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt}
#: Longer sums are not multiplied out.
LONGEST_SUM = 1000
_ADVICE = (
    "write one expression in + - * /, exp, log and sqrt of public parameters, len(f) and constants"
)


@dataclass(frozen=True, slots=True)
class Sized:
    """A sequence, of which a budget may read the length only."""

    length: Any


class NotArithmetic(Exception):
    """A budget does more than add, subtract, multiply and divide."""

    def __init__(self, node: ast.AST, message: str) -> None:
        self.node = node
        self.message = message


@dataclass(frozen=True, slots=True)
class BudgetText:
    """The one expression that a lambda, or a function with one ``return``, gives."""

    function: FunctionType
    source: Source
    parameters: tuple[str, ...]
    body: ast.expr

    def refuse(self, stop: NotArithmetic) -> Unsupported:
        """The error for a budget that is more than an expression."""
        return self.source.refuse(span_of(stop.node), f"{stop.message} in a budget", _ADVICE)

    def value(
        self,
        given: Mapping[str, Any],
        number: Callable[[int | float | Fraction], Any],
        size: Callable[[Any], int],
    ) -> Any:
        """The expression on these values.

        Args:
            given: a value for each parameter; all values know ``+ - * /`` and ``function``.
            number: makes a value of a number, so that one third is one third.
            size: how long a sum a value is.

        Raises:
            NotArithmetic: it is more than an expression.
            Unsupported: a name in it is not known without executing the file.
        """
        return _Evaluation(self, given, number, size).of(self.body)

    def word(self, node: ast.expr) -> str:
        """``exp``, ``log`` or ``sqrt``, if a name stands for that of ``math``; else nothing."""
        name = dotted_name(node)
        if name is None or name.partition(".")[0] in self.parameters:
            return ""
        function: Any = self.function
        found = Scope(function).lookup(name)
        return next((word for word, known in _WORDS.items() if known is found), "")

    def constant(self, node: ast.expr) -> int | float | Fraction | None:
        """The number that a literal, an outside name or ``Fraction(1, 3)`` stands for, if any.

        Raises:
            Unsupported: the name is not known without executing the file.
        """
        found: object = None
        # pyright takes a function in a dataclass for a bound method.
        function: Any = self.function
        scope = Scope(function)
        if isinstance(node, ast.Constant):
            found = node.value
        elif isinstance(node, ast.Call) and not node.keywords:
            name = dotted_name(node.func)
            parts = [self.constant(_unsigned(a)) for a in node.args]
            if name and scope.lookup(name) is Fraction and all(type(p) is int for p in parts):
                signs = [-1 if isinstance(a, ast.UnaryOp) else 1 for a in node.args]
                found = Fraction(*(s * p for s, p in zip(signs, parts, strict=True)))  # type: ignore[arg-type, operator]
        elif (name := dotted_name(node)) and name.partition(".")[0] not in self.parameters:
            found = scope.lookup(name)
            if isinstance(found, Unreadable):
                raise found.error(name)
        return found if type(found) in (int, float, Fraction) else None  # type: ignore[return-value]


def _unsigned(node: ast.expr) -> ast.expr:
    is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return node.operand if is_negative else node  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Evaluation:
    _text: BudgetText
    _given: Mapping[str, Any]
    _number: Callable[[int | float | Fraction], Any]
    _size: Callable[[Any], int]

    def of(self, node: ast.expr) -> Any:
        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                both = self.of(left), self.of(right)
                length = self._size(both[0]) * self._size(both[1])
                if isinstance(op, ast.Mult | ast.Div) and length > LONGEST_SUM:
                    raise NotArithmetic(node, "a product of sums that is too long")
                return _OPERATORS[type(op)](*both)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self.of(inner)
            case ast.Name(id=name) if name in self._given:
                return self._given[name]
            case ast.Call(func=ast.Name(id=name)) if name in self._given:
                # Python would call the parameter, whatever else is called like it.
                raise self._text.source.refuse(
                    span_of(node),
                    f"a call of '{name}', which is a parameter of this function",
                    "give the parameter another name, in the mechanism too",
                )
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
                if isinstance(of := self._given.get(name), Sized):
                    return of.length
            case ast.Call(args=[inner], keywords=[]) if name := self._text.word(node.func):
                return self.of(inner).function(name)
        found = self._text.constant(node)
        if found is None:
            raise NotArithmetic(node, f"'{ast.unparse(node)[:60]}'")
        return self._number(found)


def budget_text(function: object) -> BudgetText | None:
    """The text of a budget function; ``None`` if it is more than one expression, or not found."""
    if not isinstance(function, FunctionType):
        return None
    try:
        is_lambda = function.__code__.co_name == "<lambda>" and namespace_of(function) is None
        source = _lambda_source(function) if is_lambda else source_of(function)
    except BadInput:
        return None
    if source is None or source.tree.decorator_list:
        return None
    body = source.tree.body
    if len(body) == 2 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    only = body[0] if len(body) == 1 else None
    a = source.tree.args
    if not isinstance(only, ast.Return) or only.value is None:
        return None
    if a.vararg or a.kwarg or a.posonlyargs:
        return None
    names = tuple(p.arg for p in (*a.args, *a.kwonlyargs))
    return BudgetText(function, source, names, only.value)


def _lambda_source(function: FunctionType) -> Source | None:
    """The lambda in its file, if exactly one there, or several alike, is the code that runs."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse("".join(lines))
            found = [
                node
                for node in ast.walk(module)
                if isinstance(node, ast.Lambda)
                and node.lineno == code.co_firstlineno
                and any(same_code(c, code) for c in _codes(node))
            ]
    except (SyntaxError, ValueError):
        return None
    if len({ast.dump(node) for node in found}) != 1:
        return None
    node = found[0]
    body = ast.copy_location(ast.Return(node.body), node.body)
    tree = ast.FunctionDef(name="<lambda>", args=node.args, body=[body], decorator_list=[])
    return Source(code.co_filename, lines, ast.copy_location(tree, node))


def _codes(node: ast.Lambda) -> Iterator[CodeType]:
    code = compile(ast.Expression(node), "<lambda>", "eval", dont_inherit=True)
    return (c for c in code.co_consts if isinstance(c, CodeType))
