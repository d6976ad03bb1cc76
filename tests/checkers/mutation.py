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
from dataclasses import dataclass
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
PRIVACIES = (
    "ADP(Policy.everything())", "ADP(Policy({0}))", "ADP(Policy({1}))", "DP()", "DP('add-remove')",
)  # fmt: skip
NAMES = ("ADP", "DP", "Policy", *NOISES)
FLIPPED = {ast.GtE: ast.Lt, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt}
MIRRORED = {ast.GtE: ast.LtE, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.Lt: ast.Gt}
STRICT = {ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.Lt: ast.LtE}


@dataclass(frozen=True)
class Mutant:
    """A mechanism with one change: which operator made it, where, and the whole file."""

    mechanism: str
    operator: str
    place: str
    source: str

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
    others = [node for node in module.body if node not in functions]
    needed = ast.parse(f"from shiftproof import {', '.join(NAMES)}").body
    for function in functions:
        if ast.get_docstring(function):
            del function.body[0]
        for operator, find in OPERATORS.items():
            places: Counter[str] = Counter()
            for place, edits in find(function):
                places[place] += 1
                if places[place] > 1:
                    place = f"{place} #{places[place]}"
                changed = Replace(function, edits).result()
                tree = ast.Module([*others, *needed, changed], [])
                source = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
                yield Mutant(function.name, operator, place, source)


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


def _scales(function: ast.FunctionDef) -> list[ast.expr]:
    return [draw.args[0] for draw in _draws(function)]


def scale_times(factor: str) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for scale in _scales(function):
            yield _edit(scale, f"({_text(scale)}) * {factor}")

    return find


def scales_swapped(function: ast.FunctionDef) -> Iterator[Edit]:
    for one, two in combinations(_scales(function), 2):
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


def other_number(kind: type, *numbers: str) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for node in _all(kind, function):
            if isinstance(node.value, ast.Constant):
                for text in numbers:
                    yield f"{_text(node)} → {text}", {node.value: _expression(text)}

    return find


def comparison(table: Mapping[type, type]) -> Operator:
    def find(function: ast.FunctionDef) -> Iterator[Edit]:
        for node in _all(ast.Compare, function):
            if type(node.ops[0]) in table:
                operators = [table[type(node.ops[0])]()]
                yield _edit(node, ast.Compare(node.left, operators, node.comparators))

    return find


def operand_alone(function: ast.FunctionDef) -> Iterator[Edit]:
    """``a + b`` becomes ``a``, and ``b``: raw values come out, noise is not used."""
    for statement, node in _used(ast.BinOp, function):
        if isinstance(node.op, ast.Add | ast.Sub):
            for part in (node.left, node.right):
                yield f"{_text(node)} → {_text(part)} in {_text(statement)}", {node: part}


def other_noise(function: ast.FunctionDef) -> Iterator[Edit]:
    for draw in _draws(function):
        for name in NOISES:
            if name != _text(draw.func):
                yield f"{_text(draw)} → {name}", {draw.func: _expression(name)}


def other_privacy(function: ast.FunctionDef) -> Iterator[Edit]:
    decorator = function.decorator_list[0]
    assert isinstance(decorator, ast.Call)
    now = decorator.args[0]
    for text in PRIVACIES:
        if text != _text(now).replace("visited", "Policy({1})"):
            yield _edit(now, text)


def less_budget(function: ast.FunctionDef) -> Iterator[Edit]:
    decorator = function.decorator_list[0]
    for text in ("eps / 2", "eps * 9 / 10"):
        new = copy.deepcopy(decorator)
        new.keywords.append(ast.keyword("budget", _expression(f"lambda eps: {text}")))
        yield text, {decorator: new}


def less_asserted(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all(ast.Assert, function):
        yield _text(node), {node: ast.Pass()}
        for part in getattr(node.test, "values", ()):
            yield _edit(node.test, part)


def other_index(function: ast.FunctionDef) -> Iterator[Edit]:
    for statement, node in _used(ast.Subscript, function):
        for index in ("i - 1", "0", "i + 1"):
            text = f"{_text(node.value)}[{index}]"
            yield f"{_text(node)} → {text} in {_text(statement)}", {node: _expression(text)}


def branch_emptied(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all((ast.If, ast.For), function):
        for name in ("body", "orelse"):
            if getattr(node, name):
                new = copy.copy(node)
                setattr(new, name, [ast.Pass()])
                yield f"{name} of {_text(node)}", {node: new}


def other_release(function: ast.FunctionDef) -> Iterator[Edit]:
    drawn = [target.id for target in _targets(function)]
    for node in _all((ast.Yield, ast.Return), function):
        if node.value is not None:
            f = "f[i]" if isinstance(node, ast.Yield) else "f"
            for text in (f, *(f"{f} + {name}" for name in drawn), *drawn, "answered", "None"):
                if text != _text(node.value) and (text != "answered" or f == "f[i]"):
                    yield f"{_text(node)} → {text}", {node.value: _expression(text)}


def _targets(function: ast.FunctionDef) -> list[ast.Name]:
    return [n.targets[0] for n in _all(ast.Assign, function) if "sample(" in _text(n)]


def other_end(function: ast.FunctionDef) -> Iterator[Edit]:
    for node in _all(ast.Compare, function):
        if _text(node.left) == "answered":
            for text in ("c - 1", "c + 1", "2 * c"):
                yield _edit(node, f"answered >= {text}")


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


OPERATORS: dict[str, Operator] = {
    "scale halved": scale_times("1 / 2"),
    "scale doubled": scale_times("2"),
    "scales swapped": scales_swapped,
    "part of scale is 1": part_of_scale_is_one,
    "count left out": dropped(ast.AugAssign),
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
    "branch emptied": branch_emptied,
    "other release": other_release,
    "other start": other_number(ast.Assign, "-1", "1"),
    "other end": other_end,
    "other name": other_name,
    "sample moved out": sample_moved_out,
    "said twice": said_twice,
}
