"""What the kernel has read, executed in exact fractions on given draws."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from shiftproof import argmax, top_k
from shiftproof.checkers.kernel.language.steps import (
    Assign,
    Branch,
    Called,
    Draw,
    End,
    Ensure,
    Head,
    Make,
    Mechanism,
    Pick,
    Release,
    Store,
)
from shiftproof.dsl import noise
from shiftproof.dsl.noise import Distribution

MOST_STEPS = 5_000


class TooLong(Exception):
    """A run that does not end."""


class _Exact(ast.NodeTransformer):
    """Numbers as fractions, and conditions on records as functions."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, float):
            return _call("_fraction", ast.Constant(repr(node.value)))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = _call("_fraction", node.left)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="count"), args=[test, data]):
                of_record = ast.arguments([], [ast.arg("record")], None, [], [], None, [])
                return _call("_count", ast.Lambda(of_record, test), data)
        return node


def _call(word: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def _index(value: Any) -> int:
    assert type(value) is int
    return value


WORDS = {
    "_fraction": Fraction,
    "_count": lambda test, data: sum(map(test, data)),
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "index": _index,
}


class Running:
    """One run: its variables, and who draws."""

    def __init__(
        self, mechanism: Mechanism, values: Mapping[str, Any], draw: Callable[[Distribution], Any]
    ) -> None:
        self.mechanism = mechanism
        self.draw = draw
        self.variables = dict(values)

    def value(self, e: ast.expr) -> Any:
        """What an expression is here."""
        copy = ast.parse(ast.unparse(e), mode="eval")
        exact = ast.fix_missing_locations(_Exact().visit(copy))
        code = compile(exact, "<core>", "eval")
        return eval(code, {**WORDS, **self.variables})

    def values(self, expressions: Sequence[ast.expr]) -> list[Any]:
        """What expressions are here."""
        return [self.value(e) for e in expressions]

    def releases(self) -> Iterator[Any]:
        """Everything that comes out."""
        at = self.mechanism.start
        for _ in range(MOST_STEPS):
            match self.mechanism.nodes[at]:
                case End():
                    return
                case Assign(targets=targets, values=values, after=at):
                    self.variables |= dict(zip(targets, self.values(values), strict=True))
                case Draw(target=target, law=law, arguments=arguments, after=at):
                    distribution = getattr(noise, law)(*self.values(arguments))
                    self.variables[target] = self.draw(distribution)
                case Make(target=target, fill=fill, length=length, after=at):
                    one = [] if fill is None else [self.value(fill)]
                    self.variables[target] = one * self.value(length)
                case Store(array=array, place=None, value=value, after=at):
                    self.variables[array].append(self.value(value))
                case Store(array=array, place=ast.expr() as index, value=value, after=at):
                    self.variables[array][self.value(index)] = self.value(value)
                case Pick(target=target, array=array, size=None, after=at):
                    self.variables[target] = argmax(self.variables[array])
                case Pick(target=target, array=array, size=ast.expr() as count, after=at):
                    self.variables[target] = list(top_k(self.variables[array], self.value(count)))
                case Called(targets=targets, callee=callee, arguments=arguments, after=at):
                    whole = self.mechanism.whole[callee]
                    given = dict(zip(whole.header.inputs, self.values(arguments), strict=True))
                    found = list(Running(whole, given, self.draw).releases())
                    if targets is None:
                        yield from found
                    else:
                        self.variables |= dict(zip(targets, found, strict=True))
                case Branch(test=test, yes=yes, no=no):
                    at = yes if self.value(test) else no
                case Head(test=test, body=body, exit=after):
                    at = body if self.value(test) else after
                case Release(values=values, after=at):
                    yield from self.values(values)
                case Ensure(claim=claim, after=at):
                    self.value(claim)
        raise TooLong
