"""Small faults, planted one at a time in the source of a mechanism.

An operator finds its places in a function and says what to put there; :func:`mutants`
turns each place into the source of a file with one mechanism.  Most mutants are not
private, some are: the operators do not know, the table in ``test_mutants`` does.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

#: What to put in the place of which nodes, with a few words that say so.
Edit = tuple[str, Mapping[ast.AST, "ast.AST | list[ast.stmt]"]]
Operator = Callable[[ast.FunctionDef], Iterator[Edit]]

NOISES = (
    "Laplace", "Exponential", "NegativeExponential",
    "TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric",
)  # fmt: skip
#: Draws that have no scale.
SCALELESS = ("Bernoulli", "Categorical", "DiscreteUniform")
PRIVACIES = (
    "ADP(Policy.everything())", "ADP(Policy({0}))", "ADP(Policy({1}))", "DP()", "DP('add-remove')",
)  # fmt: skip
#: The same for one value: other secrets, more or fewer of them.
LOCAL_PRIVACIES = {
    "ADP(ones)": ("ADP(Policy({0}))", "LDP()"),
    "LDP()": (),
    "OneSidedDP(last_three)": (
        "OneSidedDP(Policy({7, 8}, universe=range(10)))",
        "OneSidedDP(Policy({6, 7, 8, 9}, universe=range(10)))",
        "OneSidedDP(Policy({0}, universe=range(10)))",
        "OneSidedDP(Policy(set(range(7)), universe=range(10)))",
        "ADP(last_three)",
        "LDP()",
    ),
    "UtilityOptimizedLDP(sensitive, protected=sensitive)": ("LDP()",),
    "DPrivacy(distance)": ("LDP()", "Blowfish(distance)"),
    "DPrivacy(distance_in_the_plane)": ("LDP()",),
    "Blowfish(close)": ("LDP()", "DPrivacy(close)"),
    "ContextAwareLDP(budget_of_pair)": ("LDP()", "InputDiscriminativeLDP(budget_of_pair)"),
    "InputDiscriminativeLDP(budget_of_value)": ("LDP()", "ContextAwareLDP(budget_of_value)"),
    "Related(moves_by_one)": ("LDP()",),
}
NAMES = (
    "ADP", "DP", "LDP", "Blowfish", "ContextAwareLDP", "DPrivacy", "InputDiscriminativeLDP",
    "OneSidedDP", "Policy", "Count", "Counts", "CountingQueries", "CountingQuery", "DataSet",
    "IntegerValue", "IntegerValues", "Private", "Queries", "Query", "Stream", "Value", "Values",
    "WindowCounts", *NOISES,
)  # fmt: skip
#: Private inputs as they are written, and others that move more, less, or the other way.
INPUTS = {
    "Count": ("Annotated[int, CountingQuery({0})]", "Annotated[float, Query(sensitivity=1)]"),
    "Annotated[int, CountingQuery({0})]": ("Count", "Annotated[int, CountingQuery({0, 1})]"),
    "Annotated[float, Query(sensitivity=1)]": ("Annotated[float, Query(sensitivity=2)]", "Count"),
    "Counts": (
        "Annotated[Sequence[int], CountingQueries({0})]",
        "Annotated[Sequence[float], Queries(sensitivity=1)]",
        "Annotated[Sequence[float], Queries(sensitivity=2)]",
    ),
    "Histogram": ("Counts",),
    "Answers": ("Counts", "Annotated[Sequence[float], Queries(sensitivity=2)]"),
    "OneMoves": ("AllMove",),
    "AllMove": ("OneMoves",),
    "Annotated[Sequence[int], LocationCounts(by='place')]": ("Counts",),
    "Annotated[Sequence[int], WindowCounts('W')]": ("Counts",),
    "Annotated[Sequence[int], WindowCounts(WINDOW)]": (
        "Annotated[Sequence[int], WindowCounts(WINDOW + 1)]",
        "Annotated[Sequence[int], WindowCounts(WINDOW - 1)]",
        "Counts",
    ),
    "Annotated[Iterable[float], Stream(direction='decreasing')]": (
        "Annotated[Iterable[float], Stream(direction='increasing')]",
        "Annotated[Iterable[float], Stream()]",
    ),
    "Visits": ("Annotated[Sequence[Sequence[int]], DataSet(3)]",),
    "Ages": ("Annotated[Sequence[Sequence[int]], DataSet(2)]",),
    "Annotated[Sequence[Sequence[int]], DataSet(1)]": (
        "Annotated[Sequence[Sequence[int]], DataSet(2)]",
    ),
    "Annotated[float, Query(sensitivity='step')]": (
        "Annotated[float, Query(sensitivity=1)]",
        "Annotated[float, Query(sensitivity='share')]",
        "Annotated[float, Query(sensitivity='eps')]",
        "Count",
    ),
    "Annotated[int, IntegerValue(0, 1)]": (
        "Annotated[int, IntegerValue(0, 2)]",
        "Annotated[int, IntegerValue(-1, 1)]",
        "Annotated[int, IntegerValue(0, 0)]",
        "Annotated[float, Value(0, 1)]",
        "Private[int]",
    ),
    "Annotated[int, IntegerValue(1, 'k')]": (
        "Annotated[int, IntegerValue(0, 'k')]",
        "Annotated[int, IntegerValue(2, 'k')]",
        "Annotated[int, IntegerValue(1, 3)]",
        "Annotated[int, IntegerValue(1, 'eps')]",
        "Annotated[float, Value(1, 'k')]",
        "Private[int]",
    ),
    "Annotated[int, IntegerValue(0, 'n')]": (
        "Annotated[int, IntegerValue(-1, 'n')]",
        "Annotated[int, IntegerValue(1, 'n')]",
        "Annotated[int, IntegerValue(0, 3)]",
        "Annotated[float, Value(0, 'n')]",
        "Private[int]",
    ),
    "Annotated[int, IntegerValue(0, 9)]": (
        "Annotated[int, IntegerValue(0, 10)]",
        "Annotated[int, IntegerValue(0, 8)]",
        "Annotated[int, IntegerValue(-1, 9)]",
        "Annotated[float, Value(0, 9)]",
    ),
    "Annotated[Sequence[int], IntegerValues(0, 9)]": (
        "Annotated[Sequence[int], IntegerValues(0, 10)]",
        "Annotated[Sequence[int], IntegerValues(0, 8)]",
        "Annotated[Sequence[int], IntegerValues(-1, 9)]",
    ),
    "Annotated[float, Value(-1, 1)]": (
        "Annotated[float, Value(-2, 1)]",
        "Annotated[float, Value(-1, 2)]",
        "Annotated[float, Value(0, 1)]",
        "Annotated[float, Value(-1, 'eps')]",
        "Annotated[int, IntegerValue(-1, 1)]",
        "Annotated[int, IntegerValue(-1, 2)]",
        "Private[float]",
    ),
    "Private[int]": (
        "Private[float]",
        "Annotated[int, IntegerValue(0, 9)]",
        "Annotated[int, IntegerValue(0, 'eps')]",
    ),
    "Private[float]": (
        "Private[int]",
        "Annotated[float, Value(0, 9)]",
        "Annotated[float, Query(sensitivity=1)]",
    ),
    "Scores": (
        "Annotated[Sequence[int], IntegerValues(0, 2)]",
        "Annotated[Sequence[int], IntegerValues(1, 1)]",
        "Annotated[Sequence[int], IntegerValues(-1, 0)]",
        "Annotated[Sequence[float], Values(0, 1)]",
    ),
    "Users": (
        "Annotated[Sequence[float], Values(-1, 2)]",
        "Annotated[Sequence[float], Values(0, 'eps')]",
        "Annotated[Sequence[int], IntegerValues(-1, 1)]",
        "Annotated[Sequence[float], Queries(sensitivity=2)]",
    ),
}
FLIPPED = {ast.GtE: ast.Lt, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt}
MIRRORED = {ast.GtE: ast.LtE, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.Lt: ast.Gt}
STRICT = {ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.Lt: ast.LtE}


@dataclass(frozen=True)
class Mutant:
    """A mechanism with one change: which operator made it, and where."""

    mechanism: str
    operator: str
    place: str
    _whole: ast.Module = field(repr=False, compare=False)
    _edits: Mapping[ast.AST, ast.AST | list[ast.stmt]] = field(repr=False, compare=False)

    @cached_property
    def source(self) -> str:
        """The whole file; of most mutants nobody asks for it."""
        changed = Replace(self._whole, self._edits).result()
        return ast.unparse(ast.fix_missing_locations(changed)) + "\n"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.mechanism, self.operator, self.place


class Replace(ast.NodeTransformer):
    """Puts other nodes where some nodes of a tree are, and leaves the tree as it was."""

    def __init__(self, tree: ast.AST, edits: Mapping[ast.AST, ast.AST | list[ast.stmt]]) -> None:
        known: dict[int, ast.AST] = {}
        self.tree = copy.deepcopy(tree, known)
        self.edits = {id(known[id(node)]): copy.deepcopy(new) for node, new in edits.items()}

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        return self.edits[id(node)] if id(node) in self.edits else self.generic_visit(node)

    def result(self) -> Any:
        return self.visit(self.tree)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of every mechanism in a file of the gallery."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    mechanisms = [node for node in functions if node.decorator_list]
    made = {node.name: node for node in mechanisms}
    outside = [node for node in module.body if node not in mechanisms]
    needed = ast.parse(
        "from collections.abc import Iterable, Sequence\nfrom typing import Annotated\n"
        f"from shiftproof import {', '.join(NAMES)}"
    ).body
    for function in functions:
        if ast.get_docstring(function):
            del function.body[0]
    for function in mechanisms:
        called = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        helpers = [node for node in functions if node not in mechanisms and node.name in called]
        others = [*outside, *(m for name, m in made.items() if name in called)]
        for operator, find in OPERATORS.items():
            places: Counter[str] = Counter()
            for place, edits in [*find(function), *_in_helpers(find, helpers)]:
                places[place] += 1
                if places[place] > 1:
                    place = f"{place} #{places[place]}"
                whole = ast.Module([*needed, *others, function], [])
                yield Mutant(function.name, operator, place, whole, edits)


def _in_helpers(find: Operator, helpers: list[ast.FunctionDef]) -> Iterator[Edit]:
    if find in (other_predicate, other_edge, other_distance):
        for helper in helpers:
            yield from find(helper)


def _text(node: ast.AST) -> str:
    """The first line of a statement, or an expression, in a few words."""
    line = ast.unparse(node).partition("\n")[0].rstrip(":")
    return re.sub(r"^\((yield .*)\)$", r"\1", line)


def _edit(node: ast.AST, new: ast.AST | str) -> Edit:
    new = _expression(new) if isinstance(new, str) else new
    return f"{_text(node)} → {_text(new)}", {node: new}


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _all(kind: type | tuple[type, ...], function: ast.AST) -> list[ast.AST]:
    """The nodes of some kind in the body, from top to bottom."""
    found = [n for s in function.body for n in ast.walk(s) if isinstance(n, kind)]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def _used(kind: type, function: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The expressions of some kind, each with the statement that it stands in."""
    for statement in _all(ast.stmt, function):
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                yield from ((statement, n) for n in ast.walk(child) if isinstance(n, kind))


def _draws(function: ast.FunctionDef) -> list[ast.Call]:
    return [call.args[0] for call in _all(ast.Call, function) if _text(call.func) == "sample"]


def _noises(function: ast.FunctionDef) -> list[ast.Call]:
    """The draws that have a scale."""
    return [draw for draw in _draws(function) if _text(draw.func) not in SCALELESS]


def _scales(function: ast.FunctionDef) -> list[ast.expr]:
    return [draw.args[0] for draw in _noises(function)]


def _drawn(name: str, function: ast.FunctionDef) -> list[ast.Call]:
    return [draw for draw in _draws(function) if _text(draw.func) == name]


def scale_times(factor: str) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for scale in _scales(function):
            yield _edit(scale, f"({_text(scale)}) * {factor}")

    return find


def scales_swapped(function: ast.FunctionDef) -> Iterator[Edit]:
    for one, two in combinations(_scales(function), 2):
        if _text(one) != _text(two):
            yield f"{_text(one)} ↔ {_text(two)}", {one: two, two: one}


def part_of_scale_is_one(function: ast.FunctionDef) -> Iterator[Edit]:
    for scale in _scales(function):
        for node in ast.walk(scale):
            if isinstance(node, ast.Name | ast.Constant) and _text(node) != "1":
                new = Replace(scale, {node: _expression("1")}).result()
                yield f"{_text(scale)} → {_text(new)}", {node: _expression("1")}


def dropped(*kinds: type) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for node in _all(kinds, function):
            yield _text(node), {node: ast.Pass()}

    return find


def store_left_out(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all(ast.Assign, function):
        if isinstance(node.targets[0], ast.Subscript):
            yield _text(node), {node: ast.Pass()}


def other_number(kind: type, *numbers: str) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for node in _all(kind, function):
            if isinstance(node.value, ast.Constant):
                value = node.value.value
                for text in (str(not value),) if isinstance(value, bool) else numbers:
                    if text != _text(node.value):
                        yield f"{_text(node)} → {text}", {node.value: _expression(text)}

    return find


def comparison(table: Mapping[type, type]) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for node in _all(ast.Compare, function):
            if type(node.ops[0]) in table:
                operators = [table[type(node.ops[0])](), *node.ops[1:]]
                yield _edit(node, ast.Compare(node.left, operators, node.comparators))

    return find


def operand_alone(function: ast.FunctionDef) -> Iterator[Edit]:
    """``a + b`` becomes ``a``, and ``b``: raw values come out, noise is not used."""
    for statement, node in _used(ast.BinOp, function):
        if isinstance(node.op, ast.Add | ast.Sub):
            for part in (node.left, node.right):
                yield f"{_text(node)} → {_text(part)} in {_text(statement)}", {node: part}


def other_noise(function: ast.FunctionDef) -> Iterator[Edit]:
    for draw in _noises(function):
        for name in NOISES:
            if name != _text(draw.func):
                new = ast.Call(_expression(name), draw.args[:1], [])
                yield f"{_text(draw)} → {name}", {draw: new}


def other_privacy(function: ast.FunctionDef) -> Iterator[Edit]:
    decorator = function.decorator_list[0]
    assert isinstance(decorator, ast.Call)
    now = decorator.args[0]
    same = {"ADP(visited)": "ADP(Policy({1}))", "ADP(unvisited)": "ADP(Policy({0}))"}
    for text in LOCAL_PRIVACIES.get(_text(now), PRIVACIES):
        if text != same.get(_text(now), _text(now)):
            yield _edit(now, text)


def less_budget(function: ast.FunctionDef) -> Iterator[Edit]:
    """A part of what is claimed, or one of its terms."""
    decorator = function.decorator_list[0]
    assert isinstance(decorator, ast.Call)
    now = next((k.value for k in decorator.keywords if k.arg == "budget"), None)
    claim = now if isinstance(now, ast.Lambda) else _expression("lambda eps: eps")
    whole, single = claim.body, isinstance(claim.body, ast.Name)
    text = _text(whole) if single else f"({_text(whole)})"
    bodies = [_expression(f"{text} / 2"), _expression(f"{text} * 9 / 10")]
    if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Add):
        bodies += [whole.left, whole.right]
    for body in bodies:
        new = copy.copy(decorator)
        new.keywords = [k for k in decorator.keywords if k.arg != "budget"]
        new.keywords.append(ast.keyword("budget", ast.Lambda(claim.args, body)))
        yield _text(body), {decorator: new}


def less_asserted(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all(ast.Assert, function):
        yield _text(node), {node: ast.Pass()}
        parts = getattr(node.test, "values", ())
        if isinstance(node.test, ast.Compare) and len(node.test.ops) == 2:
            first, last = node.test.ops
            middle, right = node.test.comparators
            parts = (
                ast.Compare(node.test.left, [first], [middle]),
                ast.Compare(middle, [last], [right]),
            )
        for part in parts:
            yield _edit(node.test, part)


def other_index(function: ast.FunctionDef) -> Iterator[Edit]:
    """Of a sequence parameter."""
    lists = _lists(function)
    for statement, node in _used(ast.Subscript, function):
        if _text(node.value) not in lists:
            yield from _indexed_otherwise(statement, node)


def index_shifted(function: ast.FunctionDef) -> Iterator[Edit]:
    """Of a list that is stored to or read, of a range, of an index that is kept or released."""
    lists = _lists(function)
    for statement, node in _used(ast.Subscript, function):
        if _text(node.value) in lists:
            yield from _indexed_otherwise(statement, node)
    for call in _all(ast.Call, function):
        if _text(call.func) == "range" and len(call.args) == 1:
            end = _text(call.args[0])
            for text in (f"range(1, {end})", f"range({end} - 1)", f"range({end} + 1)"):
                yield _edit(call, text)
    for node in _all((ast.Assign, ast.Yield), function):
        if isinstance(node.value, ast.Name) and node.value.id in _loop_variables(function):
            yield (
                f"{_text(node)} → {node.value.id} + 1",
                {node.value: _expression(f"{node.value.id} + 1")},
            )


def _indexed_otherwise(statement: ast.AST, node: ast.Subscript) -> Iterator[Edit]:
    now = _text(node.slice)
    for index in (f"{now} - 1", "0", f"{now} + 1"):
        if index != now:
            text = f"{_text(node.value)}[{index}]"
            yield f"{_text(node)} → {text} in {_text(statement)}", {node: _expression(text)}


def _lists(function: ast.FunctionDef) -> list[str]:
    """Names of lists that the function makes itself."""
    return [
        target.id
        for node in _all(ast.Assign, function)
        for target in node.targets
        if isinstance(target, ast.Name)
        and (any(isinstance(n, ast.List) for n in ast.walk(node.value)) or "top_k(" in _text(node))
    ]


def _loop_variables(function: ast.FunctionDef) -> set[str]:
    return {node.target.id for node in _all(ast.For, function)}


def branch_emptied(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all((ast.If, ast.For), function):
        for name in ("body", "orelse"):
            if getattr(node, name):
                new = copy.copy(node)
                setattr(new, name, [ast.Pass()])
                yield f"{name} of {_text(node)}", {node: new}


def other_release(function: ast.FunctionDef) -> Iterator[Edit]:
    drawn = [target.id for target in _targets(function)]
    counters = _counters(function)
    for node in _all((ast.Yield, ast.Return), function):
        if node.value is not None:
            raw = _raw(function, node)
            for text in (raw, *(f"{raw} + {name}" for name in drawn), *drawn, *counters, "None"):
                if text != _text(node.value):
                    yield f"{_text(node)} → {text}", {node.value: _expression(text)}


def _private(function: ast.FunctionDef) -> ast.arg:
    """The first parameter that is not public."""
    public = ("Public", "Epsilon")
    return next(a for a in function.args.args if not _text(a.annotation).startswith(public))


def _raw(function: ast.FunctionDef, place: ast.AST) -> str:
    """A private answer as it can be read at some place."""
    parameter = _private(function)
    kind = _text(parameter.annotation)
    counted = [c for c in _all(ast.Call, function) if _text(c.func) == "count"]
    if counted:
        return _text(counted[0])
    plain = ("Count", "Annotated[int", "Annotated[float", "Private[")
    if kind.startswith(plain) and kind != "Counts":
        return parameter.arg
    around = [node for node in _all(ast.For, function) if place in ast.walk(node)]
    if not around:
        return f"{parameter.arg}[0]"
    target, source = _text(around[-1].target), _text(around[-1].iter)
    return target if source == parameter.arg else f"{parameter.arg}[{target}]"


def _counters(function: ast.FunctionDef) -> list[str]:
    """Variables that are counted or summed up in."""
    targets = (node.target for node in _all(ast.AugAssign, function))
    return list(dict.fromkeys(t.id for t in targets if isinstance(t, ast.Name)))


def _targets(function: ast.FunctionDef) -> list[ast.Name]:
    return [n.targets[0] for n in _all(ast.Assign, function) if "sample(" in _text(n)]


def other_end(function: ast.FunctionDef) -> Iterator[Edit]:
    """A counter is compared with less, or with more."""
    counters = _counters(function)
    for node in _all(ast.Compare, function):
        if _text(node.left) in counters:
            limit = _text(node.comparators[0])
            whole = limit if limit.isidentifier() else f"({limit})"
            more = () if limit == "0" else (f"2 * {whole}",)
            for text in (f"{limit} - 1", f"{limit} + 1", *more):
                yield _edit(node, ast.Compare(node.left, node.ops, [_expression(text)]))


def other_name(function: ast.FunctionDef) -> Iterator[Edit]:
    """One noisy value is used in the place of another."""
    drawn = [target.id for target in _targets(function)]
    for statement, node in _used(ast.Name, function):
        if isinstance(node.ctx, ast.Load) and node.id in (*drawn, "noisy_threshold"):
            for name in (*drawn, "T"):
                if name != node.id and (name != "T" or node.id == "noisy_threshold"):
                    yield f"{node.id} → {name} in {_text(statement)}", {node: _expression(name)}


def sample_moved_out(function: ast.FunctionDef) -> Iterator[Edit]:
    """A sample of the loop is drawn once before it, or before the branch that it stands in."""
    for around in _all((ast.For, ast.If), function):
        for node in ast.walk(around):
            if isinstance(node, ast.Assign) and "sample(" in _text(node):
                rest = Replace(around, {node: ast.Pass()}).result()
                yield f"{_text(node)} before {_text(around)}", {around: [node, rest]}


def said_twice(function: ast.FunctionDef) -> Iterator[Edit]:
    """A statement stands there twice: a second pass, a second sample, a second release."""
    for node in _all((ast.For, ast.If, ast.Assign, ast.Expr), function):
        yield _text(node), {node: [node, node]}


def direction_changed(function: ast.FunctionDef) -> Iterator[Edit]:
    """The noise is taken away, the least is taken, or the largest of another list."""
    drawn = {target.id for target in _targets(function)}
    for statement, node in _used(ast.BinOp, function):
        if isinstance(node.right, ast.Name) and node.right.id in drawn:
            new = copy.copy(node)
            new.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield f"{_text(node)} → {_text(new)} in {_text(statement)}", {node: new}
    other = {"min": "max", "max": "min"}
    sources = [*_lists(function), _private(function).arg]
    for call in _all(ast.Call, function):
        if (name := _text(call.func)) in other:
            yield f"{_text(call)} → {other[name]}", {call.func: _expression(other[name])}
        if name in ("argmax", "top_k"):
            for source in sources:
                if source != _text(call.args[0]):
                    yield f"{_text(call)} → {source}", {call.args[0]: _expression(source)}


def other_input(function: ast.FunctionDef) -> Iterator[Edit]:
    """Private answers that move in another way."""
    now = _private(function).annotation
    assert now is not None
    for text in INPUTS[_text(now)]:
        yield _edit(now, text)


def other_predicate(function: ast.FunctionDef) -> Iterator[Edit]:
    """Of a helper, what it tells."""
    if function.decorator_list:
        return
    for node in _all(ast.Compare, function):
        yield _edit(node, ast.Compare(node.left, [ast.NotEq()], node.comparators))
        if isinstance(node.comparators[0], ast.Constant):
            yield _edit(node, f"{_text(node.left)} == {1 - node.comparators[0].value}")
    for node in _all(ast.BoolOp, function):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _edit(node, ast.BoolOp(other, node.values))
        for part in node.values:
            yield _edit(node, part)


def other_edge(function: ast.FunctionDef) -> Iterator[Edit]:
    """Of a rule, or of a comparison of a value of a user, where it changes."""
    kinds = ("Value(", "Values(", "Private[")
    if function.decorator_list and not any(k in _kind(function) for k in kinds):
        return
    for node in _compared(function):
        for side in (node.left, *node.comparators):
            if (value := _number(side)) is not None:
                for text in (str(value - 1), str(value + 1), str(2 * value + 2)):
                    yield f"{_text(node)}: {_text(side)} → {text}", {side: _expression(text)}
    if not function.decorator_list and function.returns and _text(function.returns) == "bool":
        for node in _all(ast.Return, function):
            yield _edit(node.value, "True")
            for name in [a.arg for a in function.args.args if a.arg in ("s", "v")]:
                places = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name]
                more = _expression(f"{name} + 1")
                yield f"{_text(node.value)}: {name} → {name} + 1", dict.fromkeys(places, more)


def _kind(function: ast.FunctionDef) -> str:
    annotation = _private(function).annotation
    assert annotation is not None
    return _text(annotation)


def _compared(function: ast.FunctionDef) -> list[ast.AST]:
    """Comparisons that are no preconditions."""
    assumed = {id(n) for a in _all(ast.Assert, function) for n in ast.walk(a)}
    return [node for node in _all(ast.Compare, function) if id(node) not in assumed]


def _number(node: ast.AST) -> int | float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def other_distance(function: ast.FunctionDef) -> Iterator[Edit]:
    """Of a helper that tells a distance or a budget, how much it tells."""
    if function.decorator_list or not function.returns or _text(function.returns) == "bool":
        return
    names = [a.arg for a in function.args.args if a.arg.startswith("eps")]
    for node in _all(ast.Return, function):
        text = _text(node.value)
        for change in (f"2 * ({text})", f"({text}) / 2", f"({text}) + 1", "0", "1", *names):
            if change != text:
                yield _edit(node.value, change)
    for _, node in _used(ast.IfExp, function):
        yield from _exchanged(node)
        for name in names:
            for side in (node.body, node.orelse):
                if _text(side) != name:
                    yield f"{_text(node)}: {_text(side)} → {name}", {side: _expression(name)}
    for _, node in _used(ast.BinOp, function):
        if isinstance(node.op, ast.Add):
            for part in (node.left, node.right):
                yield _edit(node, part)
            yield _edit(node, f"max({_text(node.left)}, {_text(node.right)})")
            yield _edit(node, f"min({_text(node.left)}, {_text(node.right)})")
    for _, node in _used(ast.Call, function):
        if _text(node.func) == "abs":
            yield _edit(node, node.args[0])
            yield _edit(node, f"max(0, {_text(node.args[0])})")
            yield _edit(node, f"max(1, {_text(node)})")
            yield _edit(node, f"min(5, {_text(node)})")


def _exchanged(node: ast.IfExp) -> Iterator[Edit]:
    yield _edit(node, ast.IfExp(node.test, node.orelse, node.body))


def branches(function: ast.FunctionDef) -> Iterator[Edit]:
    """What is said in the one case is said in the other one, or always, or the truth is."""
    raw = _private(function).arg
    for _, node in _used(ast.IfExp, function):
        yield from _exchanged(node)
        for side in (node.body, node.orelse):
            yield _edit(node, side)
            for text in (raw, "0", "1", "2", "None"):
                if text != _text(side):
                    yield f"{_text(node)}: {_text(side)} → {text}", {side: _expression(text)}
        if isinstance(node.test, ast.Name):
            yield _edit(node.test, f"not {_text(node.test)}")
        if isinstance(node.test, ast.BoolOp):
            yield _edit(node.test, ast.BoolOp(ast.Or(), node.test.values))
            for part in node.test.values:
                yield _edit(node.test, part)
    for node in _compared(function):
        if isinstance(node.ops[0], ast.Eq):
            yield _edit(node, ast.Compare(node.left, [ast.NotEq()], node.comparators))
            for part in (node.left, *node.comparators):
                yield _edit(node, part)
    for node in _all(ast.If, function):
        if isinstance(node.test, ast.Name):
            yield _edit(node.test, f"not {_text(node.test)}")


def exponents(function: ast.FunctionDef) -> Iterator[Edit]:
    """One exponent of a statement is another one, or each of them is."""
    for statement in _all((ast.Assign, ast.Expr, ast.Assert), function):
        found = [
            n for n in ast.walk(statement) if isinstance(n, ast.Call) and _text(n.func) == "exp"
        ]
        inside = [call.args[0] for call in found]
        groups = [[node] for node in inside] + ([inside] if len(inside) > 1 else [])
        for group in groups:
            where = "each" if len(group) > 1 else _text(group[0])
            for text in ("2 * ({})", "({}) / 2", "-({})", "9 * ({}) / 10", "11 * ({}) / 10"):
                edits = {node: _expression(text.format(_text(node))) for node in group}
                yield f"{where} → {text.format('…')} in {_text(statement)}", edits
        ones = [n for n in ast.walk(statement) if isinstance(n, ast.Constant) and n.value == 1]
        for call in found:
            yield f"{_text(call)} → 1 in {_text(statement)}", {call: _expression("1")}
        if found and ones:
            for one in ones:
                yield f"1 → {_text(found[0])} in {_text(statement)}", {one: found[0]}
            edits = {**dict.fromkeys(found, _expression("1")), **dict.fromkeys(ones, found[0])}
            yield f"1 ↔ {_text(found[0])} in {_text(statement)}", edits


def probabilities(function: ast.FunctionDef) -> Iterator[Edit]:
    """Another probability, or a part of it that is 1 wherever it stands."""
    for draw in _drawn("Bernoulli", function):
        p = draw.args[0]
        for text, words in (
            ("1 - ({0})", "1 less it"),
            ("({0}) / 2", "half of it"),
            ("({0}) * ({0})", "its square"),
            ("(1 + ({0})) / 2", "half of what is missing more"),
        ):
            yield f"{_text(p)} → {words}", {p: _expression(text.format(_text(p)))}
        yield _edit(p, "1 / 2")
        called = {id(n.func) for n in ast.walk(p) if isinstance(n, ast.Call)}
        names: dict[str, list[ast.AST]] = {}
        for node in ast.walk(p):
            if isinstance(node, ast.Name) and id(node) not in called:
                names.setdefault(node.id, []).append(node)
        for name, places in names.items():
            for text in ("1", f"({name} + 1)", f"({name} - 1)"):
                if not (name == "eps" and text != "1"):
                    edits = dict.fromkeys(places, _expression(text))
                    yield f"{name} → {text} in {_text(p)}", edits
        for node in ast.walk(p):
            if isinstance(node, ast.Constant):
                for number in (node.value - 1, node.value + 1):
                    yield f"{_text(p)}: {_text(node)} → {number}", {node: ast.Constant(number)}
    for node in _all(ast.Call, function):
        if _text(node.func).endswith(".append"):
            weight = _text(node.args[0])
            for text in (f"1 + {weight}", f"{weight} * {weight}", f"1 / {weight}", f"2 * {weight}"):
                yield _edit(node.args[0], text)


def ranges_of_draws(function: ast.FunctionDef) -> Iterator[Edit]:
    """A uniform draw has one value more or less; the stairs are wider, or fall elsewhere."""
    for draw in _drawn("DiscreteUniform", function):
        for bound in draw.args:
            for text in (f"{_text(bound)} - 1", f"{_text(bound)} + 1"):
                yield f"{_text(draw)}: {_text(bound)} → {text}", {bound: _expression(text)}
        for other in ("s", "k"):
            if other in [a.arg for a in function.args.args] and other != _text(draw.args[1]):
                yield f"{_text(draw)}: … → {other}", {draw.args[1]: _expression(other)}
    for draw in _drawn("Staircase", function):
        _, step, share = draw.args
        for node, texts in (
            (step, ("step / 2", "2 * step", "step + 1", "step * share", "1", "eps")),
            (share, ("share / 2", "1 - share", "1 / 2", "1", "0", "step", "2 * share")),
        ):
            for text in texts:
                yield f"{_text(draw)}: {_text(node)} → {text}", {node: _expression(text)}


OPERATORS: dict[str, Operator] = {
    "scale halved": scale_times("1 / 2"),
    "scale doubled": scale_times("2"),
    "scales swapped": scales_swapped,
    "part of scale is 1": part_of_scale_is_one,
    "count left out": dropped(ast.AugAssign),
    "store left out": store_left_out,
    "other step": other_number(ast.AugAssign, "2", "-1"),
    "flipped": comparison(FLIPPED),
    "mirrored": comparison(MIRRORED),
    "strictness": comparison(STRICT),
    "no return": dropped(ast.Return, ast.Break),
    "operand alone": operand_alone,
    "other noise": other_noise,
    "other privacy": other_privacy,
    "less budget": less_budget,
    "less asserted": less_asserted,
    "other index": other_index,
    "index shifted": index_shifted,
    "direction changed": direction_changed,
    "other input": other_input,
    "other predicate": other_predicate,
    "branch emptied": branch_emptied,
    "other release": other_release,
    "other start": other_number(ast.Assign, "-1", "1"),
    "other end": other_end,
    "other name": other_name,
    "sample moved out": sample_moved_out,
    "said twice": said_twice,
    "other edge": other_edge,
    "other distance": other_distance,
    "branches exchanged": branches,
    "other exponent": exponents,
    "other probability": probabilities,
    "other range": ranges_of_draws,
}
