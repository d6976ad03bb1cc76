"""From a decorated Python function to a program: the whole pipeline in one place.

In a program parameters are never assigned.  Where the source does that, a variable with a name of
its own starts as the parameter and is assigned in its place: what a name means depends on the
name alone, and never on which statements a run has passed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .declaration import Declaration
from .finding import source_of
from .flow import build_flow
from .inputs import DataSet, Stream, Value
from .named import check_bounds
from .pairs import Pairing
from .parse_callees import Recognise, reading
from .parse_composition import check_prophecies
from .parse_helpers import Helpers
from .parse_lists import list_names
from .parse_loops import Loops
from .program import Program
from .quantity import budget_of
from .scope import Scope
from .source import span_of
from .syntax import (
    Assign,
    Cell,
    Connective,
    Expression,
    Label,
    Name,
    Return,
    Statement,
    children,
    names_in,
)


def parse(mechanism: Declaration, recognise: Recognise) -> Program:
    """Read a mechanism's source; ``recognise`` tells the mechanisms that it may call.

    Raises:
        Unsupported: it uses something outside the language; with the place and a way out.
        BadInput: its source cannot be found, or its budget or inputs are not usable.
    """
    with reading(mechanism, recognise):
        return _parsed(mechanism)


def _parsed(mechanism: Declaration) -> Program:
    source = source_of(mechanism.function)
    for name, kind in mechanism.inputs.items():
        if isinstance(kind, Value):
            check_bounds(name, kind, mechanism.inputs)
    Pairing(mechanism.privacy, mechanism.inputs).check()
    scope = Scope(mechanism.function)
    arrays = {name for name, kind in mechanism.inputs.items() if kind.array}
    scalars = set(mechanism.inputs) - arrays
    body = _without_docstring(source.tree.body)
    own = _own_nodes(source.tree)
    generator = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own)

    expressions = Helpers(source, scope, arrays, scalars | _assigned(own))
    expressions.mechanism = mechanism
    expressions.data_sets = {n for n, k in mechanism.inputs.items() if isinstance(k, DataSet)}
    expressions.streams = {n for n, k in mechanism.inputs.items() if isinstance(k, Stream)}
    expressions.bound = set(scalars)
    expressions.lists = list_names(own, expressions) - arrays
    expressions.arrays = arrays | expressions.lists
    statements = Loops(expressions, generator)

    preconditions: list[Expression] = []
    while body and isinstance(first := body[0], ast.Assert):
        preconditions += _precondition(mechanism, expressions, first)
        del body[0]
    end = span_of(source.tree)
    expressions.variable_of = {n: expressions.fresh(n) for n in sorted(scalars & _assigned(own))}
    starts = (Assign(end, (v,), (Name(end, p),)) for p, v in expressions.variable_of.items())
    parsed: tuple[Statement, ...] = (*starts, *statements.block(body))
    if not generator:
        # Falling off the end of a function that returns a value returns None.
        parsed = (*parsed, Return(end, (Label(end, None),)))
    flow = build_flow(parsed, end)
    check_prophecies(source, flow)
    budget = budget_of(mechanism)
    return Program(
        name=mechanism.function.__name__,
        source=source,
        privacy=mechanism.privacy,
        inputs=mechanism.inputs,
        preconditions=tuple(preconditions),
        flow=flow,
        budget=budget.value,
        divisors=budget.divisors,
        frozen=tuple(scope.record),
        code=mechanism.function.__code__,
        function=mechanism.function,
    )


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return list(body[1:] if is_text else body)


def _assigned(own: Sequence[ast.AST]) -> set[str]:
    """Every name that belongs to the function, functions inside it included."""
    variables = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return variables | {n.name for n in own if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def _own_nodes(tree: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function's body without those of the functions inside it."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _precondition(
    mechanism: Declaration, expressions: Helpers, node: ast.Assert
) -> list[Expression]:
    """The conjuncts of a leading assert; each speaks of public parameters and lengths only."""
    parsed = expressions.parse(node.test)
    conjuncts = (
        parsed.members if isinstance(parsed, Connective) and parsed.operator == "and" else (parsed,)
    )
    for e in conjuncts:
        private = sorted(
            n for n in names_in(e) if n in mechanism.inputs and not _is_public(mechanism, n, e)
        )
        if private:
            raise expressions.refuse(
                node,
                f"a precondition about the private input '{private[0]}'",
                "state it over public inputs",
                "never",
            )
    return list(conjuncts)


def _is_public(mechanism: Declaration, name: str, e: Expression) -> bool:
    return mechanism.inputs[name].public or (
        mechanism.inputs[name].array and not _reads_cell(name, e)
    )


def _reads_cell(name: str, e: Expression) -> bool:
    return (isinstance(e, Cell) and e.array == name) or any(
        _reads_cell(name, c) for c in children(e)
    )
