"""Draws inside expressions: each becomes a statement of its own, right before.

before:  yield f + sample(Laplace(1 / eps)) if honest else None
after:   if honest:
             noise = sample(Laplace(1 / eps))
             yield f + noise
         else:
             yield None

An expression changes nothing, so what else is in it may as well be evaluated later.  Only draws
that Python surely comes to, and once, are taken out, in the order in which it does.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from itertools import chain, count

from ..language.scope import word_of
from ..parsing.calls import Calls
from ..parsing.expressions import dotted_name
from .summing import ONCE

#: What draws are called that have no name.
NAME = "noise"


class Draws:
    """Takes the draws out of the expressions of one function."""

    def __init__(self, expressions: Calls) -> None:
        self._expressions = expressions
        self._taken: set[str] = set()
        self._used: set[str] = set()

    def without(self, node: ast.stmt) -> Sequence[ast.stmt]:
        """The statement without draws inside expressions, after those draws."""
        part = _read(node)
        if part is None or not self.draws(part) or self._stands_alone(node, part):
            return (node,)
        if isinstance(part, ast.IfExp) and (self.draws(part.body) or self.draws(part.orelse)):
            yes, no = (_reading(node, arm) for arm in (part.body, part.orelse))
            return self.without(ast.copy_location(ast.If(part.test, [yes], [no]), node))
        taking = _Taking(self)
        made = _reading(node, taking.visit(copy.deepcopy(part)))
        return (*taking.draws, made)

    def _stands_alone(self, node: ast.stmt, part: ast.expr) -> bool:
        """Whether it binds a draw as such, or is a word of the language."""
        if isinstance(node, ast.Expr):
            return isinstance(part, ast.Call) and node.value is part and not self._appends(part)
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        bound = isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name)
        return bound and self.is_draw(part)

    def _appends(self, call: ast.Call) -> bool:
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        return isinstance(owner, ast.Name) and owner.id in self._expressions.lists

    def draws(self, e: ast.expr) -> bool:
        """Whether there is a draw somewhere in an expression."""
        return any(isinstance(n, ast.Call) and self.is_draw(n) for n in ast.walk(e))

    def is_draw(self, e: ast.expr) -> bool:
        """Whether it is a call of ``sample``."""
        own = self._expressions
        name = dotted_name(e.func) if isinstance(e, ast.Call) else None
        if name is None or own.is_local(name.partition(".")[0]):
            return False
        return word_of(own.scope.lookup(name)) == "sample"

    def name(self, node: ast.expr) -> str:
        """One that no variable of the function and no draw before has.

        Raises:
            Unsupported: it means something around the function, which it uses.
        """
        own = self._expressions
        if not self._taken:
            parts = list(ast.walk(own.source.tree))
            names = [n for n in parts if isinstance(n, ast.Name)]
            self._used = {n.id for n in names}
            self._taken = {n.id for n in names if not isinstance(n.ctx, ast.Load)}
            self._taken |= {n.arg for n in parts if isinstance(n, ast.arg)}
            self._taken |= {n.name for n in parts if isinstance(n, ast.FunctionDef)}
        free = chain([NAME], (f"{NAME}_{k}" for k in count(2)))
        found = next(name for name in free if name not in self._taken)
        if found in self._used:
            raise own.refuse(
                node,
                f"a draw inside an expression beside the name '{found}', which it gets",
                f"give the draw a name: x = sample(…), or call '{found}' otherwise",
            )
        self._taken.add(found)
        own.variables.add(found)
        return found


class _Taking(ast.NodeTransformer):
    """Replaces draws by names, from left to right."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self.draws: list[ast.stmt] = []

    def _drawn(self, node: ast.expr) -> ast.expr:
        name = self._draws.name(node)
        made = ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), node)], node)
        self.draws += self._draws.without(ast.copy_location(made, node))
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A draw; of its parameters none is drawn."""
        return self._drawn(node) if self._draws.is_draw(node) else self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """One of two draws is a draw, as the case may be."""
        if self._draws.draws(node.body) or self._draws.draws(node.orelse):
            return self._drawn(node)
        node.test = self.visit(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """The first member is surely evaluated."""
        node.values[0] = self.visit(node.values[0])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Of a chain, the first comparison."""
        node.left = self.visit(node.left)
        node.comparators[0] = self.visit(node.comparators[0])
        return node

    def _closed(self, node: ast.AST) -> ast.AST:
        return node

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _closed


def _read(node: ast.stmt) -> ast.expr | None:
    """What a statement evaluates once, before all else."""
    field = ONCE.get(type(node))
    part: ast.expr | None = None if field is None else getattr(node, field)
    return part.value if isinstance(part, ast.Yield) else part


def _reading(node: ast.stmt, e: ast.expr) -> ast.stmt:
    """The statement with another expression in its place."""
    made = copy.copy(node)
    field = ONCE[type(node)]
    whole = getattr(node, field)
    setattr(
        made, field, ast.copy_location(ast.Yield(e), whole) if isinstance(whole, ast.Yield) else e
    )
    return made
