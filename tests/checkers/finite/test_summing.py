"""Proofs by summation: right mechanisms for all parameters, wrong ones never, mutants neither."""

from __future__ import annotations

import ast
import copy
import inspect
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.finite.sums import Summed, summed
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.dsl.errors import ShiftproofError
from shiftproof.dsl.normalise.core import core_text
from tests.checkers.finite.summing_oracle import violation
from tests.loading import load, source
from tests.programs.checkers import summed_mechanisms as known
from tests.sampling import every

KNOWN = {n: m for n, m in vars(known).items() if isinstance(m, Mechanism)}
RIGHT = sorted(n for n in KNOWN if n.startswith("right"))
WRONG = sorted(n for n in KNOWN if n.startswith("wrong"))
FILE = Path(str(known.__file__))
#: How often ε stands in the budget.
BUDGETS = {"right_twice": 2}
#: Outside the oracle: 1 + ε is no number where e^ε is rational; pairs that it does not know.
UNTOLD = {"right_linear_odds", "right_context", "right_blowfish"}


def of(mechanism: Mechanism[..., Any]) -> Summed:
    return summed(mechanism.program)


def confirmed(mechanism: Mechanism[..., Any]) -> bool:
    """Whether the kernel takes the proof, with all trees that there are."""
    try:
        kernel = Confirming(core_text(mechanism.program))
        parts = [kernel.summed(case.name) for case in kernel.cases[:-1]]
    except Wrong:
        return False
    return any(part.trees for part in parts)


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_proved_for_all_parameters(name: str) -> None:
    found = of(KNOWN[name])
    assert found.outcome == "proved", found.reasons
    assert found.table is not None and not found.reasons
    assert confirmed(KNOWN[name])
    if name not in UNTOLD:
        assert not violation(KNOWN[name], BUDGETS.get(name, 1))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_not(name: str) -> None:
    found = of(KNOWN[name])
    assert found.outcome != "proved" and found.table is None and found.reasons
    assert violation(KNOWN[name])


def test_where_a_claim_may_fail_the_inputs_are_told() -> None:
    found = of(KNOWN["wrong_twice"])
    assert found.outcome == "open"
    left, right = found.starts[0]
    assert {left["x"], right["x"]} == {0, 1} and left["eps"] == right["eps"] > 0
    left, right = of(KNOWN["wrong_mangat"]).starts[0]
    assert (left["x"], right["x"]) == (1, 0) and 0 < left["p"] < 1
    assert all(isinstance(v, int | Fraction) for v in left.values())
    left, _ = of(KNOWN["wrong_shift"]).starts[0]
    assert left["k"] >= 2 and 1 <= left["x"] <= left["k"]


def test_contradictory_preconditions_prove_nothing(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    head = text[: text.index("@mechanism")]
    body = inspect.getsource(KNOWN["right_keep"].function)
    found = source(tmp_path, head + body.replace("k >= 1", "k >= 3 and k <= 2"))
    assert of(found["right_keep"]).outcome == "open"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("wrong_endless", "loop"),
        ("wrong_division", "not zero"),
        ("wrong_noise", "exists"),
    ],
)
def test_the_reasons_say_what_is_in_the_way(name: str, word: str) -> None:
    assert any(word in reason for reason in of(KNOWN[name]).reasons)


def test_the_table_can_be_read_by_a_person() -> None:
    table = of(KNOWN["right_one_sided"]).table
    assert table is not None
    rows = {(row.output, row.when, row.probability) for row in table.rows}
    assert (("0",), ("x == 0",), "-1/exp(eps) + 1") in rows
    assert (("None",), (), "1/exp(eps)") in rows


class _Edit(ast.NodeTransformer):
    """Changes the node at one place in one way; counts the ways that there are."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.seen = wanted, 0

    def ways(self, node: ast.AST) -> Iterator[Any]:
        match node:
            case ast.Constant(value=bool()):
                return
            case ast.Constant(value=int() as whole):
                yield from (lambda v=v: ast.Constant(v) for v in (whole + 1, whole - 1))
            case ast.BinOp(left=a, op=op, right=b):
                if isinstance(op, ast.Add | ast.Sub):
                    other = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
                    yield lambda: ast.BinOp(a, other, b)
                if not isinstance(op, ast.Add | ast.Mult):
                    yield lambda: ast.BinOp(b, op, a)
                yield lambda: a
            case ast.Compare(left=a, ops=[op], comparators=[b]):
                for new in (ast.Lt(), ast.LtE(), ast.Gt(), ast.GtE(), ast.Eq()):
                    if type(new) is not type(op):
                        yield lambda new=new: ast.Compare(a, [new], [b])
            case ast.IfExp(test=test, body=yes, orelse=no):
                yield lambda: ast.IfExp(test, no, yes)
                yield lambda: yes
                yield lambda: no
            case ast.If(test=test, body=yes, orelse=no):
                if no:
                    yield lambda: ast.If(test, no, yes)
                yield lambda: yes
            case ast.Call(func=ast.Name(id="exp"), args=[a]):
                for f in (2, -1):
                    new = ast.BinOp(ast.Constant(f), ast.Mult(), a)
                    yield lambda new=new: ast.Call(ast.Name("exp", ast.Load()), [new], [])
            case ast.Name(id=name, ctx=ast.Load()) if name in ("x", "u", "v", "k", "n", "s"):
                for new in ("x", "u", "k", "n", "s"):
                    if new != name:
                        yield lambda new=new: ast.Name(new, ast.Load())

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Assert):
            return node
        for way in self.ways(node):
            self.seen += 1
            if self.seen - 1 == self.wanted:
                return way()
        return self.generic_visit(node)


def mutants(name: str) -> Iterator[str]:
    """A mechanism's text with one thing changed, in all ways."""
    tree = ast.parse(inspect.getsource(KNOWN[name].function))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    count = _Edit(-1)
    for statement in function.body:
        count.visit(statement)
    for wanted in range(count.seen):
        edited, edit = copy.deepcopy(function), _Edit(wanted)
        body: list[Any] = []
        for statement in edited.body:
            new = edit.visit(statement)
            body += new if isinstance(new, list) else [new]
        edited.body, edited.name = body, f"mutant_{wanted}"
        yield ast.unparse(ast.fix_missing_locations(edited))


def mutated(name: str, tmp_path: Path, share: float = 1) -> dict[str, Mechanism[..., Any]]:
    """The mutants of a mechanism, or a share of them."""
    text = FILE.read_text(encoding="utf-8")
    head = text[: text.index("@mechanism")]
    found = [m for m in mutants(name) if random.Random(m).random() < share]
    path = tmp_path / f"{name}.py"
    path.write_text(head + "\n\n".join(found), encoding="utf-8")
    return load(path)


def judged(found: dict[str, Mechanism[..., Any]], times: int) -> tuple[int, int]:
    """How many mutants are proved, and of how many of them the kernel lacks a tree."""
    proved = missed = 0
    for mechanism in found.values():
        try:
            result = of(mechanism)
        except ShiftproofError:
            continue  # not even a program
        if result.outcome == "proved":
            wrong = violation(mechanism, times)
            assert not wrong, f"{inspect.getsource(mechanism.function)}\n{wrong}"
            proved += 1
            missed += not confirmed(mechanism)
    return proved, missed


@pytest.mark.parametrize(
    "name", ["right_truth", "right_mangat", "right_one_sided", "right_mean_bit"]
)
def test_no_wrong_mutant_is_proved(name: str, tmp_path: Path) -> None:
    assert judged(mutated(name, tmp_path, 0.05), BUDGETS.get(name, 1))[1] == 0


@pytest.mark.parametrize("name", every(24, sorted(set(RIGHT) - UNTOLD)))
def test_no_wrong_mutant_of_all_is_proved(name: str, tmp_path: Path) -> None:
    proved, missed = judged(mutated(name, tmp_path), BUDGETS.get(name, 1))
    assert missed <= proved // 8
