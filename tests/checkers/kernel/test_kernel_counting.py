"""The kernel counts again: what it accepts holds by running it, and hostile inputs end."""

from __future__ import annotations

import ast
import copy
import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof.checkers.kernel import arithmetic
from shiftproof.checkers.kernel.arithmetic import (
    MOST_WORK,
    Wrong,
    below_power_of_e,
    constant,
    near_power_of_e,
    start_work,
    unknown,
)
from shiftproof.checkers.kernel.claim.policies import cases, kinds
from shiftproof.checkers.kernel.enumeration.counting import Counted, Counting, check_enumeration
from shiftproof.checkers.kernel.enumeration.quotients import Numbers, Unclear
from shiftproof.checkers.kernel.enumeration.signs import nowhere_negative
from shiftproof.checkers.kernel.language.text import read
from tests.checkers.kernel.counting_cases import (
    BIT,
    EXPONENTIAL,
    MANGAT,
    MARKS,
    PERMUTE,
    RIGHT,
    UTILITY,
    WARNER,
    excess,
    law,
    neighbours,
)
from tests.places import ROOT
from tests.sampling import every

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
PROGRAMS = 400 if FULL else 40
#: By default what is hostile ends after a tenth of the work that is allowed.
WORK = MOST_WORK if FULL else MOST_WORK // 10
#: How long a hostile input may take; by far most end sooner.
SECONDS = 60


def nobody(*question: object) -> str:
    return "-"


def counted(text: str, largest: int, ask: Any = nobody) -> Counted:
    start_work(WORK)
    mechanism = read(text)
    return Counting(mechanism, kinds(mechanism.header), cases(mechanism), ask).up_to(largest)


def checked(text: str, part: dict[str, Any], ask: Any = nobody) -> int:
    start_work(WORK)
    mechanism = read(text)
    return check_enumeration(mechanism, kinds(mechanism.header), cases(mechanism), part, ask)


def as_part(found: Counted, largest: int) -> dict[str, Any]:
    return {"largest": largest, "complete": found.complete, "settings": found.settings}


class TestProofs:
    @pytest.mark.parametrize("name", sorted(RIGHT))
    def test_what_is_right_is_accepted(self, name: str) -> None:
        text, largest = RIGHT[name]
        found = counted(text, largest)
        assert found.complete == (largest == 0 or name == "users")
        assert checked(text, as_part(found, largest)) == found.comparisons > 0

    def test_the_gallery_is_counted_with_little_work(self) -> None:
        for name, text in (("exponential_mechanism", EXPONENTIAL), ("permute_and_flip", PERMUTE)):
            path = ROOT / "src" / "shiftproof" / "proofs" / f"selection.{name}.json"
            part = json.loads(path.read_text("utf-8"))["enumeration"]
            assert checked(text, part) > 0
            assert part["settings"][-1]["pairs"] == 65_280
            assert arithmetic._METER.spent < arithmetic.MOST_WORK // 5

    def test_a_parameter_needs_trees(self) -> None:
        """Mangat's response: p <= 1 - exp(-eps) is a fact, so a solver is asked, or a tree."""
        with pytest.raises(Wrong):
            counted(MANGAT, 0)
        asked: list[list[Any]] = []

        def trees(unknowns: Any, conditions: list[Any]) -> str:
            asked.append(conditions)
            return TREES.get(len(asked), "-")

        assert counted(MANGAT, 0, trees).complete
        with pytest.raises(Wrong):
            counted(MANGAT, 0, lambda *question: "f 1 0 1")
        # Without the fact no tree of these does.
        asked.clear()
        with pytest.raises(Wrong):
            counted(MANGAT.replace("1 - exp(-eps)", "1"), 0, trees)

    def test_other_outputs_of_utility(self) -> None:
        for wrong in (
            UTILITY.replace("return coin", "return coin + 2"),
            UTILITY.replace("x <= 2\n\ndef", "x <= 3\n\ndef"),
            UTILITY.replace("z <= 2", "z <= 3"),
            UTILITY.replace("Bernoulli(exp(eps) /", "Bernoulli(exp(2 * eps) /"),
        ):
            assert wrong != UTILITY
            with pytest.raises(Wrong):
                counted(wrong, 0)


#: Of what is asked about Mangat's response: 1 > p; p is within the budget; 1 - p is.
TREES = {2: "m 1 3 f 3 2 1 4 1 0 1", 3: "f 3 3 1 2 1 0 1", 4: "f 2 3 1 2 1"}


class TestTampering:
    @pytest.mark.parametrize("name", ["warner", "k_ary", "users", "permute"])
    def test_another_certificate_is_refused(self, name: str) -> None:
        text, largest = RIGHT[name]
        part = as_part(counted(text, largest), largest)
        first, *more = part["settings"]
        forged: list[dict[str, Any]] = [
            {**part, "complete": not part["complete"]},
            {**part, "complete": int(part["complete"])},
            {**part, "settings": part["settings"][:-1]},
            {**part, "settings": [*part["settings"], first]},
            {**part, "settings": [*part["settings"], 1]},
            {**part, "settings": []},
            {**part, "settings": None},
            {**part, "settings": [{**first, "inputs": first["inputs"] + 1}, *more]},
            {**part, "settings": [{**first, "outcomes": first["outcomes"] + 1}, *more]},
            {**part, "settings": [{**first, "pairs": first["pairs"] - 1}, *more]},
            {**part, "settings": [{**first, "sizes": {**first["sizes"], "m": 1}}, *more]},
            {**part, "settings": [{}, *more]},
            {**part, "largest": -1},
            {**part, "largest": 65},
            {**part, "largest": 10**30},
            {**part, "largest": "8"},
            {**part, "largest": True},
            {},
        ]
        if more:
            forged.append({**part, "largest": largest - 1})
            forged.append({**part, "settings": part["settings"][::-1]})
        for other in forged:
            with pytest.raises(Wrong):
                checked(text, other)

    def test_size_0_alone_is_no_bound(self) -> None:
        text = PERMUTE.replace("    assert len(q) >= 1\n", "")
        part = {"largest": 0, "complete": False, "settings": []}
        with pytest.raises(Wrong, match="no bound"):
            checked(text, part)

    def test_a_size_counts_as_complete_only_if_the_preconditions_say_so(self) -> None:
        text = PERMUTE.replace("len(q) >= 1", "{} and 0 < len(q)")
        for bound, complete in (
            ("len(q) <= 3", True), ("len(q) < 3.5", True), ("4 > len(q)", True),
            ("len(q) == 3", True), ("len(q) <= 4", False), ("len(q) != 4", False),
            ("not len(q) >= 4", False), ("len(q) < 4 or len(q) > 9", False),
            ("len(q) - 1 <= 2", False),
        ):  # fmt: skip
            assert counted(text.format(bound), 3).complete is complete, bound

    def test_preconditions_about_private_values_rule_out_nothing(self) -> None:
        for told in (
            "len(q) == 1 or q[0] == 1", "len(q) == 1 or q[0] == None",
            "len(q) == 1 or q[0] is None",
            "len(q) == 1 or q[0] > 1", "len(q) == 1 or not q[0] != None", "len(q) == 1 or q[0]",
            "len(q) == 1 or max(q[0], 5) == 1", "len(q) == 1 or (q[1] if True else 0) == 'a'",
        ):  # fmt: skip
            with pytest.raises(Wrong):
                counted(PERMUTE.replace("len(q) >= 1", f"len(q) >= 1 and ({told})"), 2)
        with pytest.raises(Wrong):
            counted(WARNER.replace("    keep", "    assert x == 1\n    keep", 1), 0)

    def test_a_size_is_ruled_out_by_what_is_read(self) -> None:
        """What a precondition raises or refuses for all parameters: there are no such inputs."""
        text = (
            "@mechanism(LDP())\n"
            f"def m(x: {BIT}, T: Public[Vector], p: Public[float], eps: Epsilon):\n"
            "    assert len(T) <= 2\n    assert {}\n    coin = sample(Bernoulli(1 / 2))\n"
            "    if len(T) == 1:\n        return x\n    return x if coin else 1 - x"
        )
        assert counted(text.format("T[1] > 0"), 2).settings[0]["sizes"] == {"len(T)": 2}
        for told in (
            "p > 0 or T[1] > 0",
            "T[1] > 0 if p > 0 else True",
            "not (p <= 0 and T[1] < 0)",
        ):
            with pytest.raises(Wrong):
                counted(text.format(told), 2)

    def test_nothing_is_compared(self) -> None:
        for text in (
            WARNER.replace("low=0, high=1", "low=0, high=0"),
            WARNER.replace("low=0, high=1", "low=1, high=0"),
            PERMUTE.replace("len(q) >= 1", "len(q) >= 1 and len(q) < 1"),
        ):
            with pytest.raises(Wrong, match="nothing is compared"):
                counted(text, 0 if "q" not in text else 3)

    def test_another_relation_does_not_pass(self) -> None:
        """More neighbours, or other places: what holds along the relation is not enough."""
        one_user, distance = RIGHT["users"][0], RIGHT["by_distance"][0]
        rule = EXPONENTIAL.split("@")[0]
        everyone = one_user.replace("LDP()", "Related(moves_by_one)")
        with pytest.raises(Wrong, match="not shown"):
            counted(rule + everyone, 3)
        with pytest.raises(Wrong, match="not shown"):
            counted(distance.replace("DPrivacy(distance)", "LDP()"), 0)
        mechanism = read(WARNER)
        (case,) = cases(mechanism)
        for other in (
            case._replace(inputs={"x": ("x - move(x) - 1", *case.inputs["x"][1:])}),
            case._replace(inputs={"x": ("x", *case.inputs["x"][1:])}),
            case._replace(inputs={"x": case.inputs["x"][:2]}),
            case._replace(inputs={"x": ("x - move(x)", "x >= 0", "other(x) <= 1")}),
            case._replace(facts=("x == other(x)",)),
            case._replace(facts=("place2(x) == 1",)),
            case._replace(inputs={}),
            case._replace(budget="eps / 2"),
            case._replace(budget="0 * eps"),
            case._replace(distance="x - other(x)"),
        ):
            with pytest.raises(Wrong):
                Counting(mechanism, kinds(mechanism.header), [other], nobody).up_to(0)


class _Mutation(ast.NodeTransformer):
    """Changes the ``which``-th place that can be changed, in the ``way``-th way."""

    def __init__(self, which: int, way: int) -> None:
        self.left, self.way = which, way

    def _here(self) -> bool:
        self.left -= 1
        return self.left == -1

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(s) for s in node.body]
        decorator = node.decorator_list[0]
        assert isinstance(decorator, ast.Call)
        decorator.keywords = [self.visit(k) for k in decorator.keywords]
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool) and self._here():
            return ast.Constant(not node.value)
        if type(node.value) in (int, float) and self._here():
            return ast.Constant(max(node.value + (1 if self.way else -1), 0))  # type: ignore[operator]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        ways: dict[type[ast.operator], tuple[ast.operator, ast.operator]] = {
            ast.Add: (ast.Sub(), ast.Mult()), ast.Sub: (ast.Add(), ast.Mult()),
            ast.Mult: (ast.Div(), ast.Add()), ast.Div: (ast.Mult(), ast.FloorDiv()),
        }  # fmt: skip
        if type(node.op) in ways and self._here():
            node.op = ways[type(node.op)][self.way]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        ways: dict[type[ast.cmpop], tuple[ast.cmpop, ast.cmpop]] = {
            ast.Eq: (ast.NotEq(), ast.LtE()), ast.NotEq: (ast.Eq(), ast.Eq()),
            ast.GtE: (ast.Gt(), ast.Lt()), ast.LtE: (ast.Lt(), ast.Gt()),
        }  # fmt: skip
        if self._here():
            node.ops = [ways[type(node.ops[0])][self.way]]
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        others = {"max": "min", "eps": "0", "first": "second", "x": "1", "candidate": "r", "i": "0"}
        if node.id in others and isinstance(node.ctx, ast.Load) and self._here():
            return ast.parse(others[node.id], mode="eval").body
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self._here():
            return (
                node.body[0]
                if self.way
                else ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, [])
            )
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if self._here():
            return ast.Return(ast.Constant(None)) if self.way else ast.Pass()
        return node


def mutants(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    for way, which in itertools.product(range(2), range(200)):
        changed = copy.deepcopy(tree)
        mutation = _Mutation(which, way)
        changed.body[-1] = mutation.visit(changed.body[-1])
        if mutation.left >= 0:
            continue
        yield ast.unparse(ast.fix_missing_locations(changed))


def broken(name: str, text: str, largest: int) -> float | str:
    """How far a claim is exceeded at some parameters and sizes, by running it; or how it raises."""
    header = read(text).header
    worst = -1e9
    for eps, size in itertools.product((0.05, 0.9, 3.0), range(largest + 1)):
        parameters: dict[str, Any] = {"eps": eps, "first": eps, "second": eps / 3, "k": size}
        given = {n: v for n, v in parameters.items() if n in header.inputs}
        budget = eps
        if header.budget is not None:
            said = eval(compile(ast.Expression(header.budget), "<budget>", "eval"))
            budget = (
                said(*(given[p.arg] for p in header.budget.args.args)) if callable(said) else said
            )  # type: ignore[attr-defined]
        laws: dict[str, Any] = {}
        for pair in neighbours(name, size):
            for one in pair:
                if str(one) in laws:
                    continue
                try:
                    laws[str(one)] = law(text, {**given, **one})
                except AssertionError:
                    laws[str(one)] = None  # no such input
                except Exception as error:
                    return f"{type(error).__name__} {error}"
            left, right = (laws[str(one)] for one in pair)
            if left is not None and right is not None:
                far = abs(pair[0]["x"] - pair[1]["x"]) if name == "by_distance" else 1
                worst = max(worst, excess(left, right) - far * budget)
    return worst


@pytest.mark.parametrize("name", every(3, sorted(set(RIGHT) - {"utility"})))
def test_mutants_are_accepted_only_if_runs_agree(name: str) -> None:
    text, largest = RIGHT[name]
    assert isinstance(found := broken(name, text, largest), float) and found < 1e-9
    killed = 0
    for mutant in mutants(text):
        try:
            counted(mutant, largest)
        except Wrong:
            killed += 1
            continue
        gap = broken(name, mutant, largest)
        assert isinstance(gap, float) and gap < 1e-9, (gap, mutant)
    assert killed > 3


# Random programs, against running them.


class Random:
    """Random core texts over a sequence ``q``, or numbers ``x`` and ``y``."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.draws, self.loops = rng, 0, 0
        self.array = rng.random() < 0.5

    def text(self) -> str:
        rng = self.rng
        inputs = f"q: {MARKS}" if self.array else f"x: {BIT}, y: {BIT}"
        related = self.array and rng.random() < 0.5
        lines = ["assert 1 <= len(q) and len(q) <= 2"] if self.array else []
        lines += ["acc = 0", "cells = [1] * 2"]
        body = [*lines, *self.block(0, ""), rng.choice(["yield 7", "yield acc > 1", "yield 0.5"])]
        rule = EXPONENTIAL.split("@")[0] if related else ""
        return (
            f"{rule}@mechanism({'Related(moves_by_one)' if related else 'LDP()'}, "
            f"budget=lambda eps: {rng.choice(['eps', '2 * eps', 'eps / 2'])})\n"
            f"def m({inputs}, eps: Epsilon):\n" + "\n".join(f"    {line}" for line in body)
        )

    def number(self, index: str) -> str:
        own = [f"q[{index or 0}]"] * 3 + ["len(q)"] if self.array else ["x", "y", "x"]
        return self.rng.choice(["acc", "1", *own])

    def block(self, depth: int, index: str) -> Iterator[str]:
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            v, w = self.number(index), self.number(index)
            match rng.randint(0, 9):
                case 0 | 1 | 8 | 9 if self.draws < 3:
                    self.draws += 1
                    draw = rng.choice([
                        f"Bernoulli(exp(-eps * abs({v}) / 2) / 2)", "Categorical(cells)",
                        f"Bernoulli(1 / (1 + exp(eps * {v})))", f"DiscreteUniform(0, 1 + abs({v}))",
                        f"Categorical([1, exp(eps * {v} / 2), exp(eps / 2)])",
                        f"Bernoulli(exp(eps / 2) / (exp(eps / 2) + exp(eps * {v})))",
                    ])  # fmt: skip
                    name = f"z{self.draws}"
                    yield f"{name} = sample({draw})"
                    value = f"(1 if {name} else 0)" if "Bernoulli" in draw else name
                    yield rng.choice([f"yield {name}", f"acc = acc + {value}"])
                case 2 if depth < 2:
                    yield f"if {v} {rng.choice(['>', '==', '!='])} {w}:"
                    yield from (f"    {line}" for line in self.block(depth + 1, index))
                case 3 if self.array and not index:
                    self.loops += 1
                    i = f"i_{self.loops}"
                    yield f"for {i} in range(0, len(q), 1):"
                    yield from (f"    {line}" for line in self.block(depth + 1, i))
                case 4:
                    yield f"cells[{rng.randint(0, 1)}] = 1 + abs({v})"
                case 5:
                    yield f"acc = max(acc, {v})"
                case 6:
                    yield f"yield {rng.choice(['None', 'True', '1.0', f'{v} % 1', f'{v} == {v}'])}"
                case _:
                    yield f"acc = acc + {v}"


def test_random_programs_are_accepted_only_if_runs_agree() -> None:
    rng = random.Random(int(os.environ.get("SHIFTPROOF_SEED", "11")))
    accepted = refused = 0
    for _ in range(PROGRAMS):
        program = Random(rng)
        text = program.text()
        budget = {"eps": 1, "2 * eps": 2, "eps / 2": 0.5}[
            text.split("lambda eps: ")[1].split(")")[0]
        ]
        gap = -1e9
        for eps, size in itertools.product((0.2, 1.0, 3.0), (1, 2) if program.array else (0,)):
            name = (
                "two_inputs" if not program.array else "permute" if "Related" in text else "users"
            )
            laws: dict[str, Any] = {}
            for pair in neighbours(name, size):
                for one in pair:
                    if str(one) not in laws:
                        laws[str(one)] = law(text, {**one, "eps": eps})
                gap = max(gap, excess(*(laws[str(one)] for one in pair)) - budget * eps)
        try:
            counted(text, 2 if program.array else 0)
        except Wrong:
            refused += gap > 1e-9
            continue
        assert gap < 1e-9, text
        accepted += 1
    assert min(accepted, refused) > PROGRAMS // 10


# Signs.


def test_signs_as_by_roots_of_numpy() -> None:
    rng = random.Random(5)
    decided = 0
    for _ in range(1_500):
        row = [rng.randint(-9, 9) for _ in range(rng.randint(1, 7))]
        if rng.random() < 0.4:
            row = [int(c) for c in np.polymul(row, row)]
        if not any(row):
            continue
        low, high = rng.choice([(1, None), (0, None), (1, 2), (0, 1)])
        roots = np.roots(row[::-1])
        real = roots.real[abs(roots.imag) < 1e-4]
        inside = [r for r in real if low < r and (high is None or r < high)]
        ends = [low, *([] if high is None else [high])]
        if any(abs(r - e) < 1e-3 for r in real for e in ends):
            continue  # too near to be told by floats
        points = [low + 1e-2 * k for k in range(1, 2_000 if high is None else 100)]
        points += [p for r in inside for p in (r - 1e-3, r + 1e-3)] + (
            [1e3] if high is None else []
        )
        values = np.polyval(row[::-1], np.array(points))
        size = max(map(abs, row))
        if abs(values).min() < 1e-8 * size:
            continue
        top = None if high is None else Fraction(high)
        assert nowhere_negative(row, Fraction(low), top, False) == bool(values.min() > 0), row
        if not inside:
            assert nowhere_negative(row, Fraction(low), top, True) == bool(values.min() > 0), row
        decided += 1
    assert decided > 800


def test_signs_of_polynomials_with_known_roots() -> None:
    rng = random.Random(6)
    for _ in range(150):
        roots = [
            Fraction(rng.randint(-3, 8), rng.choice([1, 2, 3])) for _ in range(rng.randint(0, 5))
        ]
        row = [Fraction(rng.choice([-2, 1, 3]))]
        for r in roots:
            row = [a - r * b for a, b in zip([0, *row], [*row, 0], strict=True)]
        if rng.random() < 0.3:
            row = [a + b for a, b in zip([*row, 0, 0], [0, 0, *row], strict=True)]  # 1 + t²
        for low, high in ((1, None), (0, None), (0, 2), (1, Fraction(5, 3))):
            inside = [r for r in roots if low < r and (high is None or r < high)]
            at = [Fraction(low) + Fraction(k, 97) for k in range(1, 12)]
            values = [
                sum(c * p**k for k, c in enumerate(row)) for p in at if high is None or p < high
            ]
            odd = any(inside.count(r) % 2 for r in inside)
            sample = next(v for v in values if v)
            top = None if high is None else Fraction(high)
            strict = sample > 0 and not inside
            assert nowhere_negative(row, Fraction(low), top, False) == (sample > 0 and not odd)
            assert nowhere_negative(row, Fraction(low), top, True) == strict


def test_powers_of_e_are_between_their_bounds() -> None:
    import decimal

    with decimal.localcontext() as context:
        context.prec = 400
        for n in (1, 2, 10, 1000):
            low, high = near_power_of_e(Fraction(1, n))
            exact = Fraction((decimal.Decimal(1) / n).exp())
            assert low < high < low + Fraction(1, 10**40)
            assert low < exact < high


def test_budgets_with_many_digits_have_a_factor_just_below() -> None:
    import decimal

    with decimal.localcontext() as context:
        context.prec = 60
        for said in ("1.0987", "0.000123", "7.654321", "12.5000001", "101/3"):
            power = Fraction(said)
            (((), low),) = below_power_of_e(constant(power))
            exact = Fraction((decimal.Decimal(power.numerator) / power.denominator).exp())
            assert exact - Fraction(2, 10**15) - exact / 10**30 < low < exact
    for exact_power in (constant(2), constant(Fraction(3, 2)), constant(-3), (), unknown("eps")):
        assert below_power_of_e(exact_power) is None


def test_numbers_as_in_floats() -> None:
    rng = random.Random(7)
    for _ in range(150):
        q = Numbers(2, nobody)
        for name in ("eps", "p"):
            q.assume(">", q.real(name).top)
        at = {"eps": rng.uniform(0.1, 2), "p": rng.uniform(0.1, 2)}
        known = [(q.real(n), v) for n, v in at.items()]
        known.append(
            (
                q.exponential(q.by(q.plain(Fraction(-1, 2)), q.real("eps"))),
                float(np.exp(-at["eps"] / 2)),
            )
        )
        known.append((q.exponential(q.by(q.plain(2), q.real("p"))), float(np.exp(2 * at["p"]))))
        known.append((q.plain(3), 3.0))
        for _ in range(6):
            (a, x), (b, y) = rng.choice(known), rng.choice(known)
            match rng.randint(0, 3):
                case 0:
                    known.append((q.plus(a, b), x + y))
                case 1:
                    known.append((q.minus(a, b), x - y))
                case 2:
                    known.append((q.by(a, b), x * y))
                case 3:
                    try:
                        known.append((q.inverse(b), 1 / y))
                    except (Unclear, ZeroDivisionError):
                        continue
        values = {
            "eps": at["eps"],
            "p": at["p"],
            "exp eps": np.exp(at["eps"] / 2),
            "exp p": np.exp(at["p"] / 2),
        }
        values |= {"/" + n: 1 / v for n, v in values.items()}

        def of(p: Any, values: Any = values) -> float:
            return float(sum(float(c) * np.prod([values[n] for n in m]) for m, c in p))

        for number, x in known:
            bottoms = [of(factor) for factor in number.bottom]
            assert all(b > 0 for b in bottoms)
            assert of(number.top) / np.prod(bottoms) == pytest.approx(x, rel=1e-6, abs=1e-6)
        for (a, x), (b, y) in itertools.product(known, repeat=2):
            if q.holds(q.minus(a, b).top, False):
                assert x >= y - 1e-6
            if q.holds(q.minus(a, b).top, True):
                assert x > y - 1e-6


# What is hostile.

HEAD = f"@mechanism(LDP())\ndef m(x: {BIT}, eps: Epsilon):\n    "
A, B = "\n    ", "\n        "
#: A draw that is added to ``z``, times what it is put into the place of a digit.
MORE = f"a = sample(DiscreteUniform(0, 4000)){B}z = "
HOSTILE = {
    "endless": f"while x == 1:{B}pass{A}return 0",
    "draws without end": f"z = True{A}while z:{B}z = sample(Bernoulli(1 / 2)){A}return 0",
    "a state that grows": f"z = 0{A}while z < 1000:{B}{MORE}z + a{A}return z",
    "many states": f"z = 0{A}for i in range(0, 200, 1):{B}{MORE}z * 4001 + a{A}return z",
    "an enormous number": f"z = 3{A}for i in range(0, 10000, 1):{B}z = z * z{A}return z",
    "an enormous fraction": f"z = 1.1{A}for i in range(0, 10000, 1):{B}z = z * z{A}return z",
    "an enormous exponent": f"z = sample(Bernoulli(exp(-eps * 1000000000))){A}return z",
    "a fine exponent": f"z = sample(Bernoulli(exp(-eps / 1000003))){A}return z",
    "a long list": f"a = [0] * 1000000000{A}return 0",
    "a list that grows": f"a = []{A}while x >= 0:{B}a.append(1){A}return 0",
    "a large draw": f"z = sample(DiscreteUniform(0, 1000000000)){A}return z",
    "many terms": f"z = 1{A}for i in range(0, 200, 1):{B}z = z / (1 + exp(eps * i / 7)) + 1"
    f"{A}c = sample(Bernoulli(1 / (1 + z))){A}return c",
    "deep": "return " + "-" * 3000 + "1",
    "no draw": "z = sample(Bernoulli(2))\n    return z",
    "another draw": "z = sample(Laplace(1 / eps))\n    return z",
    "raises": "return 1 // x",
    "raises on one side": "return 1 if x == 0 else 1 / (x - 1)",
    "no index": "a = [1] * 1\n    return a[x]",
    "from behind": "a = [1] * 2\n    return a[-1]",
    "no value": "if x == 1:\n        y = 1\n    return y",
    "a list": "a = [1] * 2\n    return a",
    "a sign of zero": "return 0.0 * (x - 1)",
    "another zero": "return -0.0",
    "a truth of numbers": "return 1 if x else 0",
    "a sum of truths": "return (x == 1) + 1",
    "nothing": "return unheard",
    "two names of a list": f"a = [0] * 2{A}b = a{A}b[0] = x{A}return a[0]",
    "two names, as the case may be": f"a = [0] * 2{A}b = a if x < 2 else a{A}b.append(x){A}"
    "return len(a)",
    "a list in a list": f"a = []{A}b = [a] * 2{A}a.append(x){A}c = b[0]{A}return len(c)",
    "a list that is stored": f"a = []{A}b = []{A}b.append(a){A}a.append(x){A}c = b[0]{A}"
    "return len(c)",
    "two names of what is picked": f"a = [1] * 2{A}t = top_k(a, 2){A}u = t{A}u[0] = x{A}"
    "return t[0]",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_what_is_hostile_ends(name: str) -> None:
    started = time.process_time()
    with pytest.raises(Wrong):
        counted(HEAD + HOSTILE[name], 0)
    assert time.process_time() - started < SECONDS


def test_results_are_those_of_the_head() -> None:
    """A caller goes by the head: of an int it knows that twice it is not 1."""
    text = HEAD.replace("):", ") -> ({},):") + "return {}"
    for kind, value in (("int", "1"), ("float", "0.5"), ("bool", "x < 2"), ("'a'", "'a'")):
        assert counted(text.format(kind, value), 0)
        for other in ("1", "0.5", "x < 2", "'a'", "'b'", "None", "(1, 1)"):
            if other != value:
                with pytest.raises(Wrong):
                    counted(text.format(kind, other), 0)


def test_places_are_counted_where_there_are_many() -> None:
    """65⁴ choices of where sequences differ, with 2,048 inputs each, took an hour."""
    long = "Annotated[Sequence[int], IntegerValues(low=0, high=0)]"
    inputs = f"q: {MARKS}, a: {long}, b: {long}, c: {long}"
    sizes = "".join(f"\n    assert len({n}) == {k}" for n, k in zip("qabc", (11, 64, 64, 64)))
    started = time.process_time()
    with pytest.raises(Wrong, match="steps of work"):
        counted(f"@mechanism(DP())\ndef m({inputs}, eps: Epsilon):{sizes}\n    return 0", 64)
    assert time.process_time() - started < SECONDS


def test_huge_sizes_end() -> None:
    many = "@mechanism(LDP())\ndef m({}, eps: Epsilon):\n    return 0"
    sizes = ", ".join(f"k{i}: Public[Nat]" for i in range(12))
    texts = [
        many.format(f"x: {BIT}, {sizes}"),
        many.format("x: Annotated[int, IntegerValue(low=0, high=1000000000000)]"),
        many.format("x: Annotated[int, IntegerValue(low=0, high=2000)]"),
        many.format("q: Annotated[Sequence[int], IntegerValues(low=0, high=1)]"),
    ]
    for text, largest in zip(texts, (64, 0, 0, 64), strict=True):
        started = time.process_time()
        with pytest.raises(Wrong):
            counted(text, largest)
        assert time.process_time() - started < SECONDS


def test_two_zeros_are_not_taken_for_one() -> None:
    text = HEAD + "if x == 1:\n        return 0.0\n    return {}"
    assert counted(text.format("0.0"), 0)
    for other in ("-0.0", "0.0 * 2", "0", "False", "None", "-1 * 0.0"):
        with pytest.raises(Wrong):
            counted(text.format(other), 0)


# The files of the kernel.


def test_it_is_loaded_without_the_product() -> None:
    code = (
        "import importlib.util, sys, types\n"
        "package = types.ModuleType('kernel')\n"
        f"package.__path__ = [{str(ROOT / 'src/shiftproof/checkers/kernel')!r}]\n"
        "sys.modules['kernel'] = package\n"
        "import kernel.enumeration.counting\n"
        "others = {'shiftproof', 'z3', 'flint', 'numpy'}\n"
        "print(*others & {m.split('.')[0] for m in sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
