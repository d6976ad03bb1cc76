"""Calls of helper functions, written into the place of the call.

A helper computes: assignments, ``if`` and ``return`` only.  Its body becomes one
expression; its arguments are evaluated first, as Python does.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType

from ..language.declaration import source_of
from ..language.scope import Scope
from ..language.source import Source, span_of
from ..language.syntax import (
    Arithmetic,
    Conditional,
    Counted,
    Expression,
    Let,
    at_one_place,
    record_name,
)
from .calls import Calls
from .expressions import ARITHMETIC, UNBOUND, Expressions

#: How deep helper functions may call each other; recursion ends here too.
HELPER_DEPTH = 20
#: How many statements the helpers of a mechanism come to when all their calls are written out.
HELPER_STATEMENTS = 1_000

# before:  def clipped(x):                 after:  Let(x@1 = f[i],
#              if x > 5:                                5 if x@1 > 5 else x@1)
#                  return 5
#              return x
#          ... clipped(f[i])


class Helpers(Calls):
    """Parses expressions with their calls of helper functions."""

    def __init__(
        self, source: Source, scope: Scope, arrays: Collection[str], variables: set[str]
    ) -> None:
        super().__init__(source, scope, arrays, variables)
        self._depth = 0
        self._statements = 0
        self._sources: dict[FunctionType, Source] = {}

    def inlined(self, node: ast.Call, found: object, name: str) -> Expression:
        """The value of a helper call as one expression.

        Raises:
            Unsupported: the helper does more than compute, or is called in an unusual way.
        """
        if node.keywords:
            raise self.refuse(
                node, f"a keyword in the call of {name}", "give the arguments by position"
            )
        arguments = tuple(map(self.parse, node.args))
        names, body = self._body(node, found, name, len(arguments), None)
        return Let(span_of(node), names, arguments, body)

    def counted(self, node: ast.Call) -> Expression:
        """``count(predicate, data, …)``: the predicate's body over one record of the data.

        Raises:
            Unsupported: as :meth:`inlined`, or the data set is no parameter.
        """
        predicate, data = (*node.args[:2], None, None)[:2]
        if (
            not isinstance(predicate, ast.Name | ast.Attribute)
            or not isinstance(data, ast.Name)
            or data.id not in self.data_sets
            or node.keywords
        ):
            raise self.refuse(
                node,
                "count of something",
                "write count(predicate, data, …) with a DataSet",
                "never",
            )
        call = ast.copy_location(ast.Call(predicate, [], []), predicate)
        word, found, name = self.called(call)
        if word != "helper":
            raise self.refuse(predicate, f"'{name}' as a predicate", "define it with def")
        arguments = tuple(map(self.parse, node.args[2:]))
        names, body = self._body(node, found, name, len(arguments) + 1, record_name(data.id))
        span = span_of(node)
        return Let(span, names[1:], arguments, Counted(span, data.id, body))

    def _body(
        self, node: ast.Call, found: object, name: str, given: int, record: str | None
    ) -> tuple[tuple[str, ...], Expression]:
        """A helper's parameters under new names, and its body; the first may be a ``record``."""
        tree = found if isinstance(found, ast.FunctionDef) else _outside_helper(self, node, found)
        parameters = parameters_of(self, tree, node)
        if len(parameters) != given:
            raise self.refuse(
                node,
                f"{name} takes {len(parameters)} arguments, got {given}",
                "match its parameters",
                "never",
            )
        stored = (
            n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        )
        names = {p: self.fresh(p) for p in parameters}
        renamed = dict.fromkeys(stored, UNBOUND) | names
        kept, self.record = self.record, None
        with _surroundings(self, found), self.inside_helper(renamed, node, name):
            hidden = [n for n in renamed if n in self.arrays or n in self.helpers]
            if hidden:
                raise self.refuse(
                    node,
                    f"the helper '{name}' has a variable '{hidden[0]}' too",
                    "rename one of them",
                )
            if record is not None:
                renamed[parameters[0]] = UNBOUND
                self.record = parameters[0], record
            body = HelperBody(self, renamed, tree).value(tree.body)
            elsewhere = self.source.file
        self.record = kept
        if elsewhere != self.source.file:
            body = at_one_place(body, span_of(node))  # a line alone does not say of which file
        return tuple(names.values()), body

    def source_of(self, helper: FunctionType) -> Source:
        """The source of a helper from the file, read once."""
        if helper not in self._sources:
            self._sources[helper] = source_of(helper)
        return self._sources[helper]

    def written_out(self, node: ast.AST, name: str) -> None:
        """Count one more statement of a helper's body.

        Raises:
            Unsupported: there are too many.
        """
        self._statements += 1
        if self._statements > HELPER_STATEMENTS:
            raise self.refuse(
                node,
                f"calls of helpers that come to more than {HELPER_STATEMENTS:,} statements when "
                f"they are written out, '{name}' among them; after an if the rest counts twice",
                "call helpers less often, or store what they return in a variable",
            )

    @contextmanager
    def inside_helper(self, renamed: Mapping[str, str], node: ast.AST, name: str) -> Iterator[None]:
        """Parse a helper's body: its own names go by new ones, everything else is outside."""
        if self._depth >= HELPER_DEPTH:
            raise self.refuse(
                node, f"'{name}' calls itself, or helpers nest too deep", "use a loop"
            )
        kept, self.in_alignment = self.in_alignment, False
        self.renamed.append(renamed)
        self._depth += 1
        try:
            yield
        finally:
            self.renamed.pop()
            self._depth -= 1
            self.in_alignment = kept


def _outside_helper(caller: Helpers, node: ast.Call, found: object) -> ast.FunctionDef:
    assert isinstance(found, FunctionType)
    if found.__name__ == "<lambda>":
        raise caller.refuse(node, "a lambda", "define a helper function with def")
    tree = caller.source_of(found).tree
    if tree.decorator_list:
        raise caller.refuse(node, f"the decorated helper '{tree.name}'", "call a plain function")
    return tree


@contextmanager
def _surroundings(caller: Helpers, found: object) -> Iterator[None]:
    """Names of a helper from the file are looked up around the helper, not around the caller."""
    if not isinstance(found, FunctionType):
        yield
        return
    kept = caller.source, caller.scope, caller.arrays, caller.variables, caller.helpers
    data_sets, caller.data_sets = caller.data_sets, set()
    caller.source = caller.source_of(found)
    caller.scope = Scope(found, caller.scope.record)
    caller.arrays, caller.variables, caller.helpers = (), set(), {}
    try:
        yield
    finally:
        caller.source, caller.scope, caller.arrays, caller.variables, caller.helpers = kept
        caller.data_sets = data_sets


def parameters_of(caller: Expressions, tree: ast.FunctionDef, node: ast.AST) -> list[str]:
    """The parameters of a helper that only computes; ``node`` is where to point otherwise."""
    a = tree.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults:
        raise caller.refuse(
            node, f"the helper '{tree.name}' has unusual parameters", "use plain ones"
        )
    for part in ast.walk(tree):
        strange = isinstance(part, ast.stmt) and part is not tree and not isinstance(part, _PLAIN)
        if strange or isinstance(part, _HIDDEN):
            # Even where it is never reached it can change what the function is.
            raise caller.refuse(
                node,
                f"the helper '{tree.name}' does more than compute",
                "use assignments, if and return in a helper",
            )
    return [parameter.arg for parameter in a.args]


#: Statements that a helper may hold, and expressions that it may not, wherever they stand.
_PLAIN = (ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.Expr, ast.Pass)
_HIDDEN = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Lambda)


class HelperBody:
    """Turns a body that assigns, branches and returns into one expression."""

    def __init__(self, parser: Helpers, renamed: dict[str, str], tree: ast.FunctionDef) -> None:
        self._parser = parser
        self._where = tree.body[-1]
        self._renamed = renamed
        self._name = tree.name

    def value(self, body: Sequence[ast.stmt]) -> Expression:
        """The value that a block returns; every path must return."""
        if not body:
            raise self._parser.refuse(
                self._where,
                f"a path of '{self._name}' returns nothing",
                "return a value",
            )
        first, rest = body[0], body[1:]
        self._parser.written_out(first, self._name)
        span = span_of(first)
        match first:
            case ast.Return(value=ast.expr() as value):
                return self._parser.parse(value)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return self.value(rest)
            case ast.If(test=test, body=yes, orelse=no):
                condition = self._parser.parse(test)
                kept = dict(self._renamed)
                arms = []
                for arm in (yes, no):
                    arms.append(self.value([*arm, *rest]))
                    self._renamed.clear()
                    self._renamed.update(kept)
                return Conditional(span, condition, arms[0], arms[1])
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                return self._bind(target, self._parser.parse(value), rest, first)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                return self._bind(target, self._parser.parse(value), rest, first)
            case ast.AugAssign(target=ast.Name(id=target) as old, op=op, value=value) if (
                type(op) in ARITHMETIC
            ):
                left = self._parser.parse(ast.copy_location(ast.Name(old.id, ast.Load()), old))
                total = Arithmetic(span, ARITHMETIC[type(op)], left, self._parser.parse(value))
                return self._bind(target, total, rest, first)
        raise self._parser.refuse(
            first,
            f"this statement in the helper '{self._name}'",
            "a helper assigns, branches and returns",
        )

    def _bind(
        self, target: str, value: Expression, rest: Sequence[ast.stmt], node: ast.stmt
    ) -> Expression:
        new = self._parser.fresh(target)
        self._renamed[target] = new
        return Let(span_of(node), (new,), (value,), self.value(rest))
