"""Noise as it is written in a program, ``Laplace(2/eps)``, read from text; nothing is executed.

Names are positive parameters.  There are numbers, ``+ - * /``, and ``exp`` of an expression
without another ``exp``.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NoReturn

from ..dsl import noise as language
from ..dsl.errors import BadInput
from ..dsl.noise import Distribution
from ..dsl.terms import DivisionByZero, Linear, Symbol, exponential, number, term
from ..dsl.values import exact

_OPERATORS: dict[type[ast.operator], Callable[[Linear, Linear], Linear]] = {
    ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
#: Longer texts are refused, and products of sums that multiply out to more.
LONGEST, LONGEST_SUM = 200, 200
#: Who writes these means no parameter.
_NO_NAMES = ("nan", "inf", "infinity")
_KINDS = {
    name: kind
    for name, kind in vars(language).items()
    if isinstance(kind, type) and issubclass(kind, Distribution) and kind is not Distribution
}


def noise_of_text(text: str) -> Distribution:
    """The distribution that a text describes, with terms for its parameters.

    Args:
        text: a call of a distribution of the language, such as ``Exponential(c/eps)``.  Names in
            it stand for positive numbers; in ``DiscreteUniform`` for positive whole numbers.

    Raises:
        BadInput: it is nothing of the kind, or the distribution takes other parameters.
    """
    if len(text) > LONGEST:
        raise BadInput(f"noise {text[:40]!r}…: longer than {LONGEST} characters; simplify it")
    return _Reader(text).noise()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._whole = False

    def _refuse(self, problem: str) -> NoReturn:
        raise BadInput(f"noise {self._text!r}: {problem}")

    def noise(self) -> Distribution:
        try:
            call = ast.parse(self._text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            call = None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            self._refuse("want a distribution with its parameters, as in Laplace(1/eps)")
        kind = _KINDS.get(call.func.id)
        if kind is None:
            nearest = get_close_matches(call.func.id, _KINDS, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"want one of {', '.join(_KINDS)}"
            self._refuse(f"no distribution {call.func.id!r}: {hint}")
        if kind.listed:
            self._refuse(f"{call.func.id} is a choice, and not added to an answer")
        if call.keywords or len(call.args) != len(kind.parameters):
            self._refuse(f"want {call.func.id}({', '.join(kind.parameters)})")
        self._whole = kind is language.DiscreteUniform
        return kind.of(*(self._term(argument) for argument in call.args))

    def _term(self, node: ast.expr, inside: bool = False) -> Linear:
        """The term of an expression; ``inside`` the power of e."""
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return number(self._number(value))
            case ast.Name(id=name) if name.lower() not in _NO_NAMES:
                return term(Symbol(name, integral=self._whole, fixed=True))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._term(inner, inside)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                one, two = self._term(left, inside), self._term(right, inside)
                if len(one.parts) * len(two.parts) > LONGEST_SUM:
                    self._refuse("a product of sums that is too long")
                try:
                    return _OPERATORS[type(op)](one, two)
                except DivisionByZero:
                    self._refuse("something is divided by zero")
            case ast.Call(func=ast.Name(id="exp"), args=[power], keywords=[]) if not inside:
                return exponential(self._term(power, inside=True))
        self._refuse(
            f"'{ast.unparse(node)}' is none of: numbers, names, + - * /, exp without another exp"
        )

    def _number(self, value: int | float) -> Any:
        try:
            return exact(value)
        except (ValueError, OverflowError):
            self._refuse("a number is not finite")
