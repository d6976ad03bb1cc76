"""Proofs by counting: finite mechanisms and their wrong siblings, against running them.

By default 30 random programs of each kind; SHIFTPROOF_FULL=1 takes 400 of them.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import math
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.finite import counting
from shiftproof.checkers.finite.counting import counted
from shiftproof.checkers.proving.attempts import Failure
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.checkers.walking.certificate import EnumerationPart
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.normalise.core import core_text
from shiftproof.dsl.relations.program import Program
from tests.checkers.finite.runs import Programs, excess, law
from tests.loading import source
from tests.programs.checkers import counted_mechanisms

#: How many random programs of each kind.
FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
PROGRAMS = 400 if FULL else 30
ALL = {n: m for n, m in vars(counted_mechanisms).items() if isinstance(m, Mechanism)}
COMPLETE = {
    "warner", "warner_of_numbers", "mangat", "offset", "two_rounds", "by_distance", "utility",
}  # fmt: skip
#: What a released zero is, 0.0 or -0.0, is not followed.
DECLINED = {"leak_by_type"}
BOUNDED = {
    "k_ary": "k", "exponential_mechanism": "len(q)", "permute_and_flip": "len(q)",
    "rappor": "k", "optimised_unary": "k",
}  # fmt: skip
WRONG = sorted(set(ALL) - COMPLETE - DECLINED - set(BOUNDED))
HEAD = """
from collections.abc import Iterator
from math import exp
from typing import Annotated
from shiftproof import (
    ADP, DP, LDP, Bernoulli, Categorical, DiscreteUniform, Epsilon, Laplace, Nat, Policy, Public,
    mechanism, other, sample,
)
from shiftproof.dsl.privacy.inputs import IntegerValue, IntegerValues
from shiftproof.dsl.privacy.definitions import Blowfish, DPrivacy, Related, UtilityOptimizedLDP
Bit = Annotated[int, IntegerValue(0, 1)]
Trit = Annotated[int, IntegerValue(0, 2)]
Marks = Annotated[list[int], IntegerValues(0, 1)]
"""


@dataclass(frozen=True)
class Enumerated:
    """What came of counting, in one word: proved, bounded, open or declined."""

    outcome: str
    sizes: str = ""
    reasons: tuple[str, ...] = ()
    part: EnumerationPart | None = None
    starts: tuple[Instance, ...] = ()


def enumerated(program: Program) -> Enumerated:
    found = counted(program)
    if isinstance(found, Failure):
        outcome = "declined" if found.declined else "open"
        return Enumerated(outcome, reasons=found.reasons, starts=found.starts)
    if found.complete:
        return Enumerated("proved", "", found.reasons, found.enumeration)
    return Enumerated("bounded", found.sizes, found.reasons, found.enumeration)


def of(tmp_path: Path, text: str) -> Enumerated:
    """What comes of the last mechanism of a text; a proof is counted again."""
    *_, found = source(tmp_path, HEAD + text).values()
    said = enumerated(found.program)
    if said.part is not None:
        Confirming(core_text(found.program)).enumerated(said.part)
    return said


class TestMechanisms:
    @pytest.mark.parametrize("name", sorted(COMPLETE))
    def test_without_sizes_the_proof_is_complete(self, name: str) -> None:
        found = enumerated(ALL[name].program)
        assert (found.outcome, found.sizes, found.reasons) == ("proved", "", ())
        assert found.part is not None and found.part.complete

    @pytest.mark.parametrize("name", sorted(BOUNDED))
    def test_with_sizes_it_goes_up_to_a_bound(self, name: str) -> None:
        found = enumerated(ALL[name].program)
        assert (found.outcome, found.sizes) == ("bounded", f"{BOUNDED[name]} up to 8")
        assert found.part is not None and found.part.largest == 8 and not found.part.complete

    @pytest.mark.parametrize("name", WRONG)
    def test_a_wrong_sibling_is_open(self, name: str) -> None:
        found = enumerated(ALL[name].program)
        assert found.outcome == "open" and found.part is None and found.reasons

    @pytest.mark.parametrize("name", WRONG)
    def test_a_start_is_a_pair_that_breaks_the_claim(self, name: str) -> None:
        mechanism, (start,) = ALL[name], enumerated(ALL[name].program).starts
        public = {n: float(v) if type(v) is not int else v for n, v in start.public.items()}  # type: ignore[arg-type]
        for n, kind in mechanism.inputs.items():
            if kind.public and kind.positive:
                public[n] = public[n] * math.log(2)
        claimed = {"two_rounds_for_one": "first"}.get(name, "eps")
        budget = 1.09 if name == "wrong_warner_of_numbers" else public[claimed]
        left, right = (law(mechanism, {**public, **s}) for s in (start.left, start.right))
        if not name.startswith("utility"):  # it makes other promises, too
            assert excess(left, right) > budget

    def test_the_table_is_there_for_review(self) -> None:
        part = enumerated(ALL["warner"].program).part
        assert part is not None
        assert part.settings[0].laws == (
            "x = 0: False with probability exp(eps)/(exp(eps) + 1)",
            "x = 0: True with probability 1/(exp(eps) + 1)",
            "x = 1: False with probability 1/(exp(eps) + 1)",
            "x = 1: True with probability exp(eps)/(exp(eps) + 1)",
        )


class TestLimits:
    def test_noise_on_the_reals_is_declined(self, tmp_path: Path) -> None:
        found = of(
            tmp_path,
            """
@mechanism(LDP())
def m(x: Bit, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
""",
        )
        assert found.outcome == "declined" and "Laplace" in found.reasons[0]

    def test_a_size_without_a_least_value_is_declined(self, tmp_path: Path) -> None:
        text = """
@mechanism(LDP())
def m(x: Bit, k: Public[int], eps: Epsilon) -> int:
    {}
    z = sample(DiscreteUniform(0, k * k))
    return z
"""
        assert of(tmp_path, text.format("assert eps > 1")).outcome == "declined"
        assert of(tmp_path, text.format("assert k >= -2")).sizes == "k up to 8"
        assert of(tmp_path, text.format("assert k >= -2 and k < 3")).outcome == "proved"
        assert of(tmp_path, text.format("assert k >= 9")).outcome == "declined"
        assert of(tmp_path, text.format("assert k >= 3 and k < 3")).outcome == "declined"

    def test_drawing_until_it_fits_is_declined(self, tmp_path: Path) -> None:
        found = of(
            tmp_path,
            """
@mechanism(LDP())
def m(x: Bit, eps: Epsilon) -> int:
    z = sample(DiscreteUniform(0, 2))
    while z == 2:
        z = sample(DiscreteUniform(0, 2))
    return z
""",
        )
        assert found.outcome == "declined" and "more than 300 times" in found.reasons[0]

    def test_an_endless_loop_is_declined(self, tmp_path: Path) -> None:
        found = of(
            tmp_path,
            """
@mechanism(LDP())
def m(x: Bit, eps: Epsilon) -> int:
    while x == 1:
        pass
    return 0
""",
        )
        assert found.outcome == "declined" and "steps" in found.reasons[0]

    def test_what_raises_is_open(self, tmp_path: Path) -> None:
        text = """
@mechanism(LDP())
def m(x: Bit, eps: Epsilon) -> float:
    y = {}
    z = sample(Bernoulli({}))
    return 0.5 if z else 1.0
"""
        for value, p in (("1 / x", "0.5"), ("0", "eps"), ("0", "1 / eps"), ("0", "x"),
                         ("0", "exp(eps) / 2"), ("0", "1 - exp(-eps * x)")):  # fmt: skip
            assert of(tmp_path, text.format(value, p)).outcome == "open", (value, p)
        assert of(tmp_path, text.format("0", "exp(-eps)")).outcome == "proved"

    def test_a_parameter_that_is_compared_is_declined(self, tmp_path: Path) -> None:
        text = """
@mechanism(LDP())
def m(x: Bit, p: Public[float], eps: Epsilon) -> int:
    assert p > 2
    if p > {}:
        return 0
    return x
"""
        assert of(tmp_path, text.format(3)).outcome == "declined"
        assert of(tmp_path, text.format(2)).outcome == "proved"
        assert of(tmp_path, text.format(1)).outcome == "proved"

    def test_contradictions_prove_nothing(self, tmp_path: Path) -> None:
        found = of(
            tmp_path,
            """
@mechanism(LDP())
def m(x: Bit, p: Public[float], eps: Epsilon) -> int:
    assert p > 2 and p < 1
    return x
""",
        )
        assert found.outcome == "declined"

    def test_steps_end_it_at_the_last_complete_size(self, monkeypatch: pytest.MonkeyPatch) -> None:
        program = ALL["rappor"].program
        monkeypatch.setattr(counting, "WORK", 100_000)
        found = enumerated(program)
        assert found.outcome == "bounded" and found.part is not None
        assert 1 < found.part.largest < 8 and f"up to {found.part.largest}" in found.sizes
        assert "steps" in found.reasons[0]
        Confirming(core_text(program)).enumerated(found.part)

    def test_a_signed_zero_is_no_output(self, tmp_path: Path) -> None:
        found = of(
            tmp_path,
            """
@mechanism(LDP())
def m(x: Annotated[int, IntegerValue(-1, 1)], eps: Epsilon) -> float:
    return 0.0 * x
""",
        )
        assert found.outcome == "declined" and "may have a sign" in found.reasons[0]


class TestRelations:
    def test_policies_have_a_direction(self, tmp_path: Path) -> None:
        text = """
@mechanism(ADP(Policy({{{}}})))
def m(x: Bit, eps: Epsilon) -> bool:
    if x == 1:
        return True
    lie = sample(Bernoulli(exp(-eps)))
    return lie
"""
        assert of(tmp_path, text.format(1)).outcome == "proved"
        assert of(tmp_path, text.format(0)).outcome == "open"
        assert of(tmp_path, text.format("0, 1")).outcome == "open"

    def test_graphs_of_secrets(self, tmp_path: Path) -> None:
        text = """
def close(x: int) -> bool:
    return x - other(x) == {}

@mechanism(Blowfish(close), budget=lambda eps: 3 * eps / 4)
def m(x: Trit, eps: Epsilon) -> int:
    z = sample(
        Categorical([exp(-eps * x / 2), exp(-eps * abs(x - 1) / 2), exp(-eps * (2 - x) / 2)])
    )
    return z
"""
        assert of(tmp_path, text.format(1)).outcome == "proved"
        assert of(tmp_path, text.format(2)).outcome == "open"
        assert of(tmp_path, text.format(3)).outcome == "declined"

    def test_one_of_many_users(self, tmp_path: Path) -> None:
        text = """
@mechanism(LDP())
def m(q: Marks, eps: Epsilon) -> Iterator[bool]:
    assert len(q) <= 4
    for x in q:
        flip = sample(Bernoulli(1 / (1 + exp({}))))
        yield (x == 1) != flip
"""
        assert of(tmp_path, text.format("eps")).outcome == "proved"
        assert of(tmp_path, text.format("2 * eps")).outcome == "open"

    def test_two_private_inputs_change_together(self, tmp_path: Path) -> None:
        text = """
@mechanism(LDP())
def m(x: Bit, y: Bit, eps: Epsilon) -> Iterator[bool]:
    for v in range(2):
        flip = sample(Bernoulli(1 / (1 + exp({}))))
        yield (x == 1 if v == 0 else y == 1) != flip
"""
        assert of(tmp_path, text.format("eps / 2")).outcome == "proved"
        assert of(tmp_path, text.format("eps")).outcome == "open"


def kinds_of_draws(rng: random.Random) -> str:
    p = rng.choice([
        "exp(eps) / (1 + exp(eps))", "1 / (1 + exp(eps))", "exp(eps / 2) / (1 + exp(eps / 2))",
        "1 / (1 + exp(eps / 2))", "exp(-eps * x) / 2", "exp(-eps * x / 2) / 2", "0.5", "0.25",
        "exp(eps * x) / (1 + exp(eps * x))", "1 / (1 + exp(2 * eps))",
    ])  # fmt: skip
    low = rng.choice(["0", "0", "x"])
    weights = rng.choice([
        "[1, exp(eps * x / 2), exp(eps / 2)]", "[exp(eps * x), 2]",
        "[1, 1, exp(eps * x / 4)]", "[exp(-eps * x / 4), exp(-eps * abs(x - 1) / 4), 1]",
        "[exp(eps), 1, x]",
    ])  # fmt: skip
    return rng.choice([
        f"Bernoulli({p})", f"Bernoulli({p})", f"DiscreteUniform({low}, 2)",
        f"Categorical({weights})",
    ])  # fmt: skip


def random_block(rng: random.Random, drawn: list[str], depth: int, pad: str) -> Iterator[str]:
    for _ in range(rng.randint(1, 2)):
        match rng.randint(0, 5):
            case 0 | 1 if len(drawn) < 4:
                name = f"z{len(drawn)}"
                yield f"{pad}{name} = sample({kinds_of_draws(rng)})"
                drawn.append(name)
                yield f"{pad}yield {rng.choice([name, name, 'None', f'{name} == (x == 1)'])}"
            case 2 if depth < 2:
                tests = ["x == 1", "x >= 1", *(f"{d} == 1" for d in drawn[:1])]
                test = rng.choice(tests) if rng.random() < 0.7 else "x == 5"
                test = test if "z" not in test else "x == 2"
                yield f"{pad}if {test}:"
                yield from random_block(rng, list(drawn), depth + 1, pad + "    ")
            case 3 if depth == 0 and rng.random() < 0.4:
                yield f"{pad}yield {rng.choice(['x % 1', '1.0', '1', 'True', '(x + 1) % 1'])}"
            case _ if len(drawn) < 4:
                name = f"z{len(drawn)}"
                yield f"{pad}{name} = sample({kinds_of_draws(rng)})"
                drawn.append(name)
                yield f"{pad}yield {name}"
            case _:
                yield f"{pad}yield None"


def random_text(rng: random.Random, name: str) -> str:
    budget = rng.choice(["eps", "eps", "2 * eps", "eps / 2"])
    kind = rng.choice(["Bit", "Trit"])
    lines = "\n".join(_comparable(random_block(rng, [], 0, "    ")))
    return (
        f"@mechanism(LDP(), budget=lambda eps: {budget})\n"
        f"def {name}(x: {kind}, eps: Epsilon) -> Iterator[object]:\n{lines}\n"
    )


def _comparable(lines: Iterator[str]) -> Iterator[str]:
    """A coin is compared with a Boolean; a number is not."""
    coins: set[str] = set()
    for line in lines:
        name = line.split("=")[0].strip()
        if "= sample(Bernoulli" in line:
            coins.add(name)
        if "== (x == 1)" in line:
            drawn = line.split("yield ")[1].split(" ==")[0]
            if drawn not in coins:
                line = line.split(" ==")[0]
        yield line


def worst(mechanism: Mechanism[..., Any], budget: str, values: range) -> float:
    """How far the largest ratio is above the budget, at several ε."""
    found = -math.inf
    for eps in (0.01, 0.3, 1.0, 2.5, 8.0):
        laws = [law(mechanism, {"x": x, "eps": eps}) for x in values]
        allowed = eval(budget, {"eps": eps})
        found = max([found, *(excess(a, b) - allowed for a, b in itertools.permutations(laws, 2))])
    return found


def test_random_programs_are_never_proved_where_runs_say_otherwise(tmp_path: Path) -> None:
    rng = random.Random(20)
    texts = (HEAD + random_text(rng, "m") for _ in range(PROGRAMS))
    proved = wrong = 0
    for found in (m for text in texts for m in source(tmp_path, text).values()):
        said = enumerated(found.program)
        if said.outcome == "declined":
            continue
        lines = inspect.getsource(found.function)
        budget = lines.split("lambda eps: ")[1].split(")\n")[0]
        values = range(2 if "Bit" in lines else 3)
        try:
            gap = worst(found, budget, values)
        except Exception:
            assert said.outcome == "open", lines
            continue
        if said.outcome == "proved":
            assert gap < 1e-9, lines
            assert said.part is not None
            Confirming(core_text(found.program)).enumerated(said.part)
            proved += 1
        else:
            wrong += gap > 1e-6
    assert min(proved, wrong) > PROGRAMS // 8


def neighbours(names: tuple[str, ...], related: bool, n: int) -> Iterator[tuple[Any, Any]]:
    """All pairs of inputs of one size, by the definition."""
    columns = {"q": list(itertools.product((0, 1), repeat=n)), "x": [0, 1, 2], "y": [0, 1]}
    every = [
        dict(zip(names, row, strict=True))
        for row in itertools.product(*(columns[c] for c in names))
    ]
    for one, two in itertools.permutations(every, 2):
        changed = sum(a != b for a, b in zip(one.get("q", ()), two.get("q", ()), strict=True))
        if related or changed <= 1:
            yield one, two


def test_random_programs_over_several_inputs(tmp_path: Path) -> None:
    rng = random.Random(int(os.environ.get("SHIFTPROOF_SEED", "3")))
    proved = wrong = 0
    for _ in range(PROGRAMS):
        programs = Programs(rng)
        text = programs.text()
        found = source(tmp_path, HEAD + text)["m"]
        said = enumerated(found.program)
        if said.part is not None:
            Confirming(core_text(found.program)).enumerated(said.part)
        allowed = {"eps": 1, "2 * eps": 2, "eps / 2": 0.5}[text.split("eps: ")[1].split(")")[0]]
        gap = -math.inf
        for eps in (0.2, 3.0) if FULL else (1.0,):
            for n in (1, 2) if "q" in programs.names else (0,):
                laws: dict[str, Any] = {}
                for one, two in neighbours(programs.names, "Related" in text, n):
                    for side in (one, two):
                        if str(side) not in laws:
                            laws[str(side)] = law(found, {**side, "eps": eps})
                    gap = max(gap, excess(laws[str(one)], laws[str(two)]) - allowed * eps)
        if said.outcome == "proved":
            assert gap < 1e-9, text
            proved += 1
        else:
            wrong += gap > 1e-9
    assert min(proved, wrong) > PROGRAMS // 10


class _Mutation(ast.NodeTransformer):
    """Changes the ``which``-th place that can be changed."""

    def __init__(self, which: int) -> None:
        self.left = which

    def _here(self) -> bool:
        self.left -= 1
        return self.left == -1

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, int | float) and type(value) is not bool and self._here():
            return ast.copy_location(ast.Constant(value + 1), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        others: dict[type[ast.operator], ast.operator] = {
            ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.Div(), ast.Div: ast.Mult(),
        }  # fmt: skip
        if type(node.op) in others and self._here():
            node.op = others[type(node.op)]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ops[0], ast.Eq) and self._here():
            node.ops = [ast.NotEq()]
        return node


def mutants(name: str) -> Iterator[str]:
    tree = ast.parse(inspect.getsource(ALL[name].function))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    for which in range(30):
        changed = copy.deepcopy(function)
        mutation = _Mutation(which)
        changed.body = [mutation.visit(s) for s in changed.body]
        if mutation.left >= 0:
            return
        yield ast.unparse(ast.fix_missing_locations(changed))


@pytest.mark.parametrize("name", ["warner", "k_ary", "rappor", "optimised_unary", "two_rounds"])
def test_mutants_are_proved_only_if_runs_agree(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "LARGEST", 3)
    head = HEAD + "Category = Annotated[int, IntegerValue(1, 'k')]\n"
    killed = 0
    for text in mutants(name):
        try:
            (found,) = source(tmp_path, head + text).values()
            said = enumerated(found.program)
        except Exception:
            continue  # not a program of the language
        if said.outcome not in ("proved", "bounded"):
            killed += 1
            continue
        for eps, k in itertools.product((0.1, 1.0, 3.0), (2, 3)):
            named = {"eps": eps, "first": eps, "second": eps / 2, "k": k}
            given = {n: v for n, v in named.items() if n in found.inputs}
            most = 1.5 * eps if "first" in given else eps
            try:
                laws = [
                    law(found, {**given, "x": x})
                    for x in (range(1, k + 1) if "k" in given else range(2))
                ]
            except BadInput as error:
                assert "precondition" in str(error)
                continue
            for one, two in itertools.permutations(laws, 2):
                assert excess(one, two) < most + 1e-9, text
    assert killed > 2
