"""From a decorated Python function to a program: the whole pipeline in one place.

In a program parameters are never assigned.  Where the source does that, a variable with a name of
its own starts as the parameter and is assigned in its place: what a name means depends on the
name alone, and never on which statements a run has passed.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from ..language.declaration import Declaration, source_of
from ..language.flow import build_flow
from ..language.scope import Scope
from ..language.source import span_of
from ..language.statements import Assign, If, MakeList, Pick, Return, Statement, Store, While
from ..language.syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Comparison,
    Connective,
    Constant,
    Expression,
    Label,
    Length,
    Name,
    Span,
    names_in,
    parts_of,
)
from ..parsing.helpers import Helpers
from ..parsing.lists import list_names, parse_pick
from ..parsing.rounding import REFUSED, rounded_comparisons
from ..privacy.inputs import DataSet, Stream, Value
from ..relations.moves import check_bounds
from ..relations.pairs import Pairing
from ..relations.program import Program
from .budget import budget_of, delta_of
from .composition import Recognise, check_prophecies, reading
from .rules import read_definition
from .statements import Statements
from .unrolling import lists_as_variables, written_out


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
    privacy = read_definition(mechanism.privacy)
    Pairing(privacy, mechanism.inputs)  # for its checks
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
    read = statements.block(body)
    parsed: tuple[Statement, ...] = (*starts, *statements.block(statements.sums.first), *read)
    if not generator:
        # Falling off the end of a function that returns a value returns None.
        parsed = (*parsed, Return(end, (Label(end, None),)))
    parsed = lists_as_variables(parsed)
    flow = build_flow(parsed, end)
    check_prophecies(source, flow)
    public = frozenset(n for n, kind in mechanism.inputs.items() if kind.public)
    for e in rounded_comparisons(flow, public):
        raise source.refuse(e.span, *REFUSED, "never")
    budget, delta = budget_of(mechanism), delta_of(mechanism)
    return Program(
        name=mechanism.function.__name__,
        source=source,
        privacy=privacy,
        inputs=mechanism.inputs,
        preconditions=tuple(preconditions),
        flow=flow,
        budget=budget.value,
        delta=delta.value,
        divisors=(*budget.divisors, *delta.divisors),
        frozen=tuple(scope.record),
        code=mechanism.function.__code__,
        function=mechanism.function,
        declared=mechanism,
        body=parsed,
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
    return any(isinstance(part, Cell) and part.array == name for part in parts_of(e))


# ``for`` loops as ``while`` loops over a hidden counter.
#
# Python evaluates the bounds once and keeps the counter to itself: assigning the loop
# variable in the body changes nothing, and after the loop it keeps its last value.


class Loops(Statements):
    """Parses statements with their ``for`` loops."""

    def for_loop(self, node: ast.For) -> tuple[Statement, ...]:
        """One ``for`` loop over ``range``, a sequence parameter, ``enumerate`` or ``zip``."""
        return _for_loop(self, node)


def _for_loop(parser: Statements, node: ast.For) -> tuple[Statement, ...]:
    span = span_of(node)
    hidden = parser.expressions.fresh(
        node.target.id if isinstance(node.target, ast.Name) else "index"
    )
    counter = Name(span, hidden)
    call = node.iter
    if isinstance(call, ast.Call):
        word, found, written = parser.expressions.called(call)
        if word == "top_k":
            return _over_picked(parser, node, call)
        if word != "iteration" or call.keywords:
            raise parser.expressions.refuse(
                call, f"a loop over {written}(…)", "loop over range, a sequence, enumerate or zip"
            )
        if found is range:
            return _range(parser, node, call, hidden)
    items, lengths = _items(parser, node.iter, counter, span)
    targets = _targets(parser, node.target, len(items), node)
    stop: Expression = lengths[0] if len(lengths) == 1 else Builtin(span, "min", tuple(lengths))
    bindings = tuple(Assign(span, (t,), (e,)) for t, e in zip(targets, items, strict=True))
    start = Constant(span, Fraction(0), "int")
    found, loop = _loop(parser, node, hidden, start, stop, 1, bindings)
    _check_kept(parser, loop.body, {length.array for length in lengths})
    return found, loop


def _check_kept(parser: Statements, body: tuple[Statement, ...], lists: set[str]) -> None:
    """A list that is looped over stays the same list, of the same length, until the loop ends.

    Python goes on with the old list, which has no name any more, and with what is appended.
    """
    refuse = parser.expressions.source.refuse
    for s in body:
        match s:
            case MakeList(target=name) | Pick(target=name) if name in lists:
                message = f"the list '{name}' is made again in a loop over it"
                raise refuse(s.span, message, "use a new name, or loop over range(len(…))")
            case Store(array=name, index=None) if name in lists:
                message = f"appending to '{name}' in a loop over it"
                raise refuse(s.span, message, "append to another list, or loop over range(len(…))")
            case If(yes=yes, no=no):
                _check_kept(parser, (*yes, *no), lists)
            case While(body=inner):
                _check_kept(parser, inner, lists)


def _range(parser: Statements, node: ast.For, call: ast.Call, hidden: str) -> tuple[Statement, ...]:
    span = span_of(node)
    bounds = [Builtin(span_of(a), "index", (parser.expressions.parse(a),)) for a in call.args]
    if not 1 <= len(bounds) <= 3:
        raise parser.expressions.refuse(
            call, f"range of {len(bounds)} arguments", "give one to three", "never"
        )
    start: Expression = bounds[0] if len(bounds) > 1 else Constant(span, Fraction(0), "int")
    stop = bounds[min(1, len(bounds) - 1)]
    step = bounds[2].arguments[0] if len(bounds) == 3 else Constant(span, Fraction(1), "int")
    if not isinstance(step, Constant) or step.kind != "int" or step.value == 0:
        raise parser.expressions.refuse(
            call, "a step that is no int constant", "use a constant step"
        )
    (target,) = _targets(parser, node.target, 1, node)
    fixed = parser.expressions.fresh("stop")
    binding = Assign(span, (target,), (Name(span, hidden),))
    first, loop = _loop(parser, node, hidden, start, Name(span, fixed), int(step.value), (binding,))
    ends = [e.arguments[0] if isinstance(e, Builtin) else e for e in (start, stop)]
    if all(isinstance(e, Constant) and e.kind == "int" for e in ends):
        low, high = (int(e.value) for e in ends if isinstance(e, Constant))
        rounds = written_out(span, target, range(low, high, int(step.value)), loop.body[1:])
        if rounds:
            return rounds
    return (Assign(span, (fixed,), (stop,)), first, loop)


def _loop(
    parser: Statements,
    node: ast.For,
    hidden: str,
    start: Expression,
    stop: Expression,
    step: int,
    bindings: tuple[Assign, ...],
) -> tuple[Assign, While]:
    span = span_of(node)
    counter = Name(span, hidden)
    before = parser.bound
    parser.bound = before | {t for b in bindings for t in b.targets}
    body = (*bindings, *parser.loop_body(node.body))
    parser.bound = before
    further = Arithmetic(span, "+", counter, Constant(span, Fraction(step), "int"))
    test = Comparison(span, "<" if step > 0 else ">", counter, stop)
    advance = (Assign(span, (hidden,), (further,)),)
    return Assign(span, (hidden,), (start,)), While(span, test, body, advance)


def _targets(parser: Statements, target: ast.expr, count: int, node: ast.For) -> list[str]:
    several = isinstance(target, ast.Tuple | ast.List)
    elements = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    if len(elements) != count or several != (count > 1):
        raise parser.expressions.refuse(
            node.target,
            f"{len(elements)} loop variables for {count} values",
            "name one for each",
            "never",
        )
    names = [parser.variable(e) for e in elements]
    if len(set(names)) < len(names):
        raise parser.expressions.refuse(
            node.target, "a loop variable named twice", "use two names", "never"
        )
    return names


def _items(
    parser: Statements, iterable: ast.expr, counter: Name, span: Span
) -> tuple[list[Expression], list[Length]]:
    """What each round binds, and the lengths that bound the number of rounds."""
    refuse = parser.expressions.refuse
    if isinstance(iterable, ast.Name) and iterable.id in parser.expressions.arrays:
        parser.expressions.check_list(iterable.id, iterable)
        _check_stream(parser, iterable)
        return [Cell(span_of(iterable), iterable.id, counter)], [Length(span, iterable.id)]
    if isinstance(iterable, ast.Call):
        _, found, _ = parser.expressions.called(iterable)
        plain = all(isinstance(a, ast.Name) for a in iterable.args) and not iterable.keywords
        parts = [_items(parser, a, counter, span) for a in iterable.args] if plain else []
        if found is enumerate and len(parts) == 1:
            return [counter, *parts[0][0]], parts[0][1]
        if found is zip and len(parts) >= 2:
            return [p[0][0] for p in parts], [p[1][0] for p in parts]
    raise refuse(
        iterable,
        "a loop over something that is neither range nor a sequence parameter",
        "loop over range(…), a sequence parameter, enumerate(xs) or zip(xs, ys)",
    )


def _check_stream(parser: Statements, iterable: ast.Name) -> None:
    """A stream is gone once it was read, so it stands in one loop, and that in no other."""
    expressions = parser.expressions
    if iterable.id in expressions.streams:
        if parser.nested or iterable.id in parser.read_streams:
            raise expressions.refuse(
                iterable,
                f"reading the stream '{iterable.id}' again",
                "read it in one loop that is inside no other",
                "never",
            )
        parser.read_streams.add(iterable.id)


def _over_picked(parser: Statements, node: ast.For, call: ast.Call) -> tuple[Statement, ...]:
    """``for j in top_k(a, k)``: the indices are picked first, under a name of their own."""
    expressions = parser.expressions
    name = expressions.fresh("picked")
    pick = parse_pick(expressions, name, call, node)
    expressions.lists.add(name)
    expressions.arrays = {*expressions.arrays, name}
    expressions.variables.add(name)
    parser.bound = parser.bound | {name}
    order = ast.copy_location(ast.Name(name, ast.Load()), call)
    loop = ast.copy_location(ast.For(node.target, order, node.body, []), node)
    return (pick, *_for_loop(parser, loop))
