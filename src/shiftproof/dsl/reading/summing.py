"""``sum(a)``: a loop, as one would write it.

before:  noise = sample(Laplace(1 / eps))
         return sum(f) + noise
after:   total = 0
         for x in f:
             total = total + x
         noise = sample(Laplace(1 / eps))
         return total + noise

An expression changes no list, so that of a list may be computed before the statement.  A parameter
never changes: its sum is computed first of all, where the noise that hides it can be seen with it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from ..parsing.calls import Calls
from ..parsing.expressions import dotted_name

#: The part of a statement that may hold a sum: what is evaluated once, before all else.
ONCE: dict[type[ast.stmt], str] = {
    ast.Assign: "value",
    ast.AnnAssign: "value",
    ast.AugAssign: "value",
    ast.Expr: "value",
    ast.Return: "value",
    ast.If: "test",
}


class Sums:
    """Replaces the sums of one function; ``first`` are the loops over its parameters."""

    def __init__(self, expressions: Calls) -> None:
        self._expressions = expressions
        self._of: dict[str, str] = {}
        self.first: list[ast.stmt] = []

    def without(self, node: ast.stmt) -> Sequence[ast.stmt]:
        """The statement without sums, after loops over lists that compute them."""
        field = ONCE.get(type(node))
        part: ast.expr | None = None if field is None else getattr(node, field)
        calls = [] if part is None else [n for n in ast.walk(part) if self._is_sum(n)]
        if field is None or part is None or not calls:
            return (node,)
        replacing = _Replacing(self)
        made = copy.copy(node)
        setattr(made, field, replacing.visit(copy.deepcopy(part)))
        return (*replacing.loops, made)

    def _is_sum(self, node: ast.AST) -> bool:
        name = dotted_name(node.func) if isinstance(node, ast.Call) else None
        if name is None or name.rpartition(".")[2] != "sum":
            return False
        assert isinstance(node, ast.Call)
        return self._expressions.called(node)[0] == "sum"

    def replaced(self, node: ast.expr, loops: list[ast.stmt]) -> ast.expr:
        """What stands for an expression: for a sum, the variable that holds it."""
        if not self._is_sum(node):
            return node
        assert isinstance(node, ast.Call)
        of, own = node.args[0] if node.args else None, self._expressions
        named = isinstance(of, ast.Name) and of.id in own.arrays and of.id not in own.streams
        if not named or len(node.args) > 1 or node.keywords:
            raise own.refuse(
                node, "a sum of something that is no sequence", "sum a parameter or a list by name"
            )
        assert isinstance(of, ast.Name)
        if of.id not in self._of or of.id in own.lists:
            self._of[of.id], each = own.fresh(f"sum_of_{of.id}"), own.fresh("summand")
            own.variables |= {self._of[of.id], each}
            if of.id in own.lists:
                loops += _loop(self._of[of.id], each, of, node)
            else:
                self.first += _loop(self._of[of.id], each, of, self._at_the_beginning())
        own.bound = own.bound | {self._of[of.id]}
        return ast.copy_location(ast.Name(self._of[of.id], ast.Load()), node)

    def _at_the_beginning(self) -> ast.expr:
        """A place in front of all statements, behind those of earlier sums: loops go by place."""
        head, column = self._expressions.source.tree, len(self.first)
        line = head.lineno
        return ast.Constant(
            0, lineno=line, col_offset=column, end_lineno=line, end_col_offset=column + 1
        )


def _loop(total: str, each: str, of: ast.Name, at: ast.expr) -> list[ast.stmt]:
    more = ast.BinOp(ast.Name(total, ast.Load()), ast.Add(), ast.Name(each, ast.Load()))
    made = [
        ast.Assign([ast.Name(total, ast.Store())], ast.Constant(0)),
        ast.For(
            ast.Name(each, ast.Store()),
            ast.Name(of.id, ast.Load()),
            [ast.Assign([ast.Name(total, ast.Store())], more)],
            [],
        ),
    ]
    for part in made:
        for inner in ast.walk(part):
            ast.copy_location(inner, at)
    return made


class _Replacing(ast.NodeTransformer):
    def __init__(self, sums: Sums) -> None:
        self._sums = sums
        self.loops: list[ast.stmt] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The call, or what stands for it."""
        found = self._sums.replaced(node, self.loops)
        return self.generic_visit(node) if found is node else found
