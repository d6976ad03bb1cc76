"""Functions of a claim, applied to the values on D and on D′."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Mapping
from itertools import product

from ..arithmetic import Wrong, spend
from ..language.syntax import expression, shown

_CALLED = ("abs", "exp", "index", "int", "log", "max", "min", "round", "sqrt")
_Names = Mapping[str, ast.expr]


def pieces_of(e: ast.expr) -> list[tuple[list[ast.expr], ast.expr]]:
    """A number without choices, piece by piece, with when it is the one."""
    spend(1_000)
    match e:
        case ast.IfExp(test=test, body=yes, orelse=no):
            if ast.unparse(yes) == ast.unparse(no):
                return pieces_of(yes)
            arms = [(test, yes), (ast.UnaryOp(ast.Not(), test), no)]
            return [([when, *tests], n) for when, arm in arms for tests, n in pieces_of(arm)]
        case ast.BinOp(left=left, op=op, right=right):
            ones, others = pieces_of(left), pieces_of(right)
            spend(1_000 * len(ones) * len(others))
            pairs = product(ones, others)
            return [([*s, *t], ast.BinOp(m, op, n)) for (s, m), (t, n) in pairs]
        case ast.UnaryOp(op=op, operand=operand):
            return [(tests, ast.UnaryOp(op, n)) for tests, n in pieces_of(operand)]
    return [([], e)]


def applied(
    function: ast.FunctionDef | None, here: Mapping[str, str], across: Mapping[str, str]
) -> tuple[ast.expr, list[str]]:
    """A function's value, and when it is defined; ``across`` is what ``other(…)`` speaks of."""
    assert function is not None
    a = function.args
    names = [p.arg for p in a.args]
    match function.body:
        case [ast.Return(value=ast.expr() as value)] if not (
            a.posonlyargs or a.vararg or a.kwonlyargs or a.kwarg or a.defaults
        ):
            left = {n: expression(here[n]) for n in names}
            right = {n: expression(across[n]) for n in names if n in across}
            found = Instance(left, right).put(copy.deepcopy(value))
            return found, [ast.unparse(d) for d in _divisors(found)]
    raise Wrong(f"{function.name} is no function of one expression")


class Instance(ast.NodeTransformer):
    """Puts values into an expression, in which helpers are written as lambdas that are called.

    ``sized`` are sequences of which it may read the length, and nothing else.
    """

    def __init__(self, here: _Names, across: _Names, sized: frozenset[str] = frozenset()) -> None:
        self.here, self.across, self.sized = here, across, sized

    def put(self, e: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(e)
        return found

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.here:
            raise Wrong(f"{node.id!r} stands for no number here")
        spend(200 * len(ast.unparse(self.here[node.id])))  # what is put into each other grows fast
        return self.here[node.id]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) != 1:
            raise Wrong(f"{shown(node)!r}: of what is compared at once, not all may be reached")
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="other"), args=[inner], keywords=[]):
                return Instance(self.across, {}).put(inner)
            case ast.Call(func=ast.Lambda(args=a, body=body), args=values, keywords=[]):
                given = dict(zip((p.arg for p in a.args), map(self.put, values), strict=True))
                across = {n: e for n, e in self.across.items() if n not in given}
                return Instance({**self.here, **given}, across).put(body)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
                if name in self.sized:
                    return node
            case ast.Call(func=ast.Name(id=word), args=values, keywords=[]) if word in _CALLED:
                return ast.Call(node.func, [self.put(v) for v in values], [])
        raise Wrong(f"{shown(node)!r} in a function of the claim")


def _divisors(e: ast.AST) -> list[ast.expr]:
    """That divisors are not zero, wherever Python comes to them."""

    def unless(test: ast.expr, parts: Iterable[ast.expr]) -> list[ast.expr]:
        return [ast.BoolOp(ast.Or(), [test, part]) for part in parts]

    own: list[ast.expr] = []
    match e:
        case ast.IfExp(test=test, body=yes, orelse=no):
            otherwise = ast.UnaryOp(ast.Not(), test)
            ways = [*unless(otherwise, _divisors(yes)), *unless(test, _divisors(no))]
            return [*_divisors(test), *ways]
        case ast.BoolOp(op=op, values=[first, *rest]) if rest:
            over = ast.UnaryOp(ast.Not(), first) if isinstance(op, ast.And) else first
            return [*_divisors(first), *unless(over, _divisors(ast.BoolOp(op, rest)))]
        case ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
            own = [ast.Compare(right, [ast.NotEq()], [ast.Constant(0)])]
    return [d for part in ast.iter_child_nodes(e) for d in _divisors(part)] + own
