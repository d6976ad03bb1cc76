"""The texts of a relation: core texts that have one, and what it says, as conditions of Z3."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

import z3

from shiftproof.checkers.kernel.claim.policies import Kind
from shiftproof.dsl.language.unparse import exact_text
from shiftproof.dsl.normalise.claims import Claims
from shiftproof.dsl.parsing.rewriting import Names
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.dsl.privacy.inputs import InputKind
from shiftproof.dsl.reading.rules import rule_of


def _plain(e: ast.expr) -> str:
    """A declaration as the core text writes it: fractions as divisions."""
    return re.sub(r"Fraction\((-?\d+), (\d+)\)", r"(\1 / \2)", ast.unparse(e))


def core(privacy: Privacy, inputs: Mapping[str, InputKind], budget: str = "") -> str:
    """The text of a mechanism that does nothing, with this claim, less its δ, and these inputs."""
    privacy = privacy.exactly
    rules = {id(f): f"rule_{k}" for k, f in enumerate(privacy.functions)}
    claims = Claims(Names("m", {*rules.values(), *inputs}))
    lines = []
    for function in privacy.functions:
        rule = rule_of(function)
        lines.append(f"def {rules[id(function)]}({', '.join(rule.parameters)}):")
        lines.append(f"    return {exact_text(rule.condition)}")
    claim = _plain(claims.privacy(privacy, lambda f: rules[id(f)]))
    said = ", ".join(f"{n}: {_plain(claims.annotation(k))}" for n, k in inputs.items())
    budget = f", budget={budget}" if budget else ""
    name = f"m{'_' * max(len(n) for n in ['', *inputs])}"  # no input has it
    return "\n".join(
        [*lines, f"@mechanism({claim}{budget})", f"def {name}({said}):", "    return 0"]
    )


_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: _real(a) / _real(b),
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}


def _real(x: Any) -> Any:
    return z3.ToReal(x) if z3.is_int(x) else x


class Meaning:
    """What texts mean at one index: all that is not arithmetic is a symbol, by what is written."""

    def __init__(self, kinds: Mapping[str, Kind], index: object, known: Mapping[str, Any]) -> None:
        self._kinds, self._index = kinds, index
        self.known = dict(known)

    def here(self, text: str) -> str:
        """A text with the index put in where it stands in brackets."""
        return text.replace("[any]", f"[{self._index}]")

    def of(self, text: str) -> Any:
        """The meaning of a text."""
        return self._of(ast.parse(self.here(text), mode="eval").body)

    def _of(self, e: ast.expr) -> Any:
        match e:
            case ast.Constant(value=bool() as flag):
                return z3.BoolVal(flag)
            case ast.Constant(value=int() as number):
                return z3.IntVal(number)
            case ast.Constant(value=float() as number):
                return z3.RealVal(repr(number))
            case ast.Name(id="any" | "i"):
                return z3.Int("i") if self._index == "i" else z3.IntVal(cast(int, self._index))
            case (
                ast.BinOp(left=left, op=op, right=right)
                | ast.Compare(left=left, ops=[op], comparators=[right])
            ):
                return _OPERATIONS[type(op)](self._of(left), self._of(right))
            case ast.BoolOp(op=op, values=values):
                join = z3.And if isinstance(op, ast.And) else z3.Or
                return join([self._of(v) for v in values])
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return z3.Not(self._of(inner))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self._of(inner)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return z3.If(self._of(test), self._of(yes), self._of(no))
            case ast.Call(func=ast.Name(id="abs"), args=[inner]):
                x = self._of(inner)
                return z3.If(x >= 0, x, -x)
            case ast.Call(func=ast.Name(id="min" | "max" as word), args=parts):
                found, *others = map(self._of, parts)
                for x in others:
                    found = z3.If(x < found if word == "min" else x > found, x, found)
                return found
        return self._symbol(ast.unparse(e))

    def _symbol(self, key: str) -> Any:
        if key not in self.known:
            assert not key.startswith("other("), key
            self.known[key] = self.new(key, key)
        return self.known[key]

    def new(self, key: str, name: str) -> Any:
        """A fresh symbol for what is written so."""
        found = re.fullmatch(
            r"(?:(place[12]|before|after|len|change[12]|value1|move2?)\()?(\w+)\W*.*", key
        )
        assert found is not None, key
        whole = found[1] in ("place1", "place2", "before", "after", "len")
        return (z3.Int if whole or self._kinds[found[2]].whole else z3.Real)(name)


def number(value: object) -> Any:
    """A known number, or a Boolean."""
    exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(cast(int, value))
    whole = exact.denominator == 1
    return z3.IntVal(exact.numerator) if whole else z3.Q(exact.numerator, exact.denominator)


def all_of(conditions: Sequence[Any]) -> Any:
    """The conditions together."""
    return z3.And([c if z3.is_expr(c) else z3.BoolVal(c) for c in conditions])
