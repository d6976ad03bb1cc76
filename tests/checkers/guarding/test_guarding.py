"""The guard: how the text is run, what comes of it, and what comes of nothing."""

from __future__ import annotations

import ast
import math
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shiftproof import (
    DP,
    Count,
    Epsilon,
    Laplace,
    Mechanism,
    Public,
    Verdict,
    ensure,
    mechanism,
    sample,
    verify,
)
from shiftproof.checkers.guarding import hold as guard
from shiftproof.checkers.guarding import live as process
from shiftproof.checkers.guarding.hold import Looked, guarded, held
from shiftproof.checkers.guarding.live import packed, worker
from shiftproof.checkers.guarding.worker.noise import NOISES, exp
from shiftproof.dsl import noise as language_noise
from shiftproof.dsl.normalise import read_normalised
from shiftproof.dsl.terms.formulas import TRUE
from shiftproof.dsl.terms.linear import number
from tests.mechanisms.test_gallery import GALLERY
from tests.programs.checkers import guarded_mechanisms


@mechanism(DP())
def says_too_much(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Laplace(1 / eps))
    if f + noise < T:
        ensure(f < T)
        return "below"
    return "above"


class TestHeld:
    def test_an_alarm_withdraws_the_proof(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(guard.Guard, "look", lambda self: Looked("runs differ"))
        report = verify(GALLERY["sparse_vector"])
        assert report.verdict is Verdict.UNKNOWN
        assert report.reasons[0] == "alarm: the guard: runs differ"
        assert report.certificate is None and report.epsilon_upper is None and not report.sizes

    def test_a_wrong_answer_withdraws_everything(self) -> None:
        report = verify(says_too_much)
        assert report.verdict is Verdict.PROVED
        broken = [c.outcome for c in report.one_sided]
        assert broken == ["broken"]
        assert held(report, says_too_much) is report
        believed = replace(
            report, one_sided=tuple(replace(c, outcome="proved") for c in report.one_sided)
        )
        withdrawn = held(believed, says_too_much)
        assert withdrawn.verdict is Verdict.UNKNOWN
        assert [c.outcome for c in withdrawn.one_sided] == ["unknown"]
        assert "wrong in a run: whenever line " in withdrawn.reasons[-1]

    def test_what_the_guard_could_not_do_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse() -> process.Process:
            raise process.Gone("there are no processes here")

        monkeypatch.setattr(guard, "worker", refuse)
        report = verify(GALLERY["laplace"])
        assert report.verdict is Verdict.PROVED
        said = "no run was held against the proof: there are no processes here"
        assert report.assumptions[-1] == said


#: A text of one mechanism, around a body.
TEXT = """from shiftproof import DP, Count, Epsilon, Laplace, Nat, Public, mechanism, sample
from math import exp

def half(x):
    return x / 2

@mechanism(DP())
def m(f: Count, n: Public[Nat], T: Public[float], eps: Epsilon):
    assert n < 5
    {}
"""
GIVEN = {"f": 3, "n": 2, "T": Fraction(1, 2), "eps": Fraction(1)}


CASE = {
    "draws": [], "moved": [], "laws": [], "released": [0], "ended": True, "heads": [],
    "budget": Fraction(1),
}  # fmt: skip


def run(body: str, **more: Any) -> Mapping[str, Any]:
    """What the worker says of a run of a body that is taken to release 0."""
    case = {**CASE, "left": GIVEN, "right": GIVEN, **more}
    text = TEXT.format(body.replace("\n", "\n    "))
    return worker().ask({"text": text, "name": "m", "do": "runs", "cases": [packed(case)]})


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return 1 / 2", Fraction(1, 2)),
        ("return 0.1 + 0.2", Fraction(3, 10)),
        ("return 7 // 2", 3),
        ("return -7 // 2", -4),
        ("return 7.5 // 2", Fraction(3)),
        ("return -7 % 3", 2),
        ("x = 3\nx /= 2\nreturn x", Fraction(3, 2)),
        ("a = [1, 2]\na[1] /= 4\nreturn a[1]", Fraction(1, 2)),
        ("return half(3)", Fraction(3, 2)),
        ("return f * 1.0", Fraction(3)),
        ("return f + 1", 4),
        ("return f == 3.0", True),
        ("return round(2.5)", 2),
        ("return int(-1.5)", -1),
        ("return max(1, 1.0)", 1),
        ("return exp(0)", Fraction(1)),
        ("größe = 1\nreturn größe", 1),
        ("return 'safe'", "safe"),
        ("return None", None),
        ("a = [3]\nfor x in a:\n    a = [0, 0]\nreturn len(a)", 2),
        ("for i in range(3):\n    pass\nreturn i", 2),
    ],
)
def test_the_text_runs_as_python_with_exact_numbers(body: str, wanted: object) -> None:
    assert run(body, released=[wanted])["broken"] == []
    other = Fraction(wanted) if type(wanted) is int else 0
    assert "Python releases" in run(body, released=[other])["broken"][0][1]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("while True:\n    n += 1", "Python releases (), …"),
        ("return f[0]", "raises TypeError"),
        ("return 1 / 0", "raises ZeroDivisionError"),
        ("x = sample(Laplace(0))\nreturn 0", "raises ValueError: there is no Laplace(0)"),
        ("x = sample(Laplace(2))\nreturn 0", "Python releases (), …, the language (0,)"),
    ],
)
def test_what_a_run_comes_to_is_said(body: str, says: str) -> None:
    assert says in run(body)["broken"][0][1]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return f.bit_length()", "bit_length"),
        ("return ().__class__", "__class__"),
        ("return exp(10 ** 9)", r"exp\(1000000000\)"),
    ],
)
def test_what_is_no_text_of_the_language_is_not_run(body: str, says: str) -> None:
    with pytest.raises(process.Gone, match=says):
        run(body)


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ("lambda eps: 0.5 * eps + eps / 2", ""),
        ("1.0", ""),
        ("lambda n, eps: n * eps", "the budget is 2.0 as Python reads it, and 1.0"),
    ],
)
def test_the_budget_is_read_by_itself(budget: str, says: str) -> None:
    text = TEXT.replace("DP()", f"DP(), budget={budget}").format("return 0")
    case = {**CASE, "left": GIVEN, "right": GIVEN}
    asked = {"text": text, "name": "m", "do": "runs", "cases": [packed(case)]}
    broken = worker().ask(asked)["broken"]
    assert (says in broken[0][1]) if says else not broken


def test_nothing_is_imported() -> None:
    assert "raises ImportError" in run("import os\nreturn 0")["broken"][0][1]


@pytest.mark.parametrize("name", ["open", "eval", "__import__", "getattr", "print", "type"])
def test_no_other_builtin_is_there(name: str) -> None:
    assert f"raises NameError: name '{name}'" in run(f"return {name}('x')")["broken"][0][1]


def test_the_process_gives_up_files_and_has_nothing_of_the_library() -> None:
    """Windows has no such limits."""
    if sys.platform == "win32":
        return
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import worker.main as m; m.confined()\n"
        "try:\n    open(sys.argv[2]); sys.exit('opened')\nexcept OSError:\n    pass\n"
        "print(sorted({k.partition('.')[0] for k in sys.modules}))"
    )
    folder = Path(process.__file__).parent
    command = [sys.executable, "-I", "-S", "-E", "-c", code, str(folder), __file__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(ast.literal_eval(done.stdout))
    assert loaded - {"worker", "__main__"} <= sys.stdlib_module_names


def test_a_worker_that_ends_is_replaced() -> None:
    first = worker()
    first._child.kill()
    first._child.wait()
    assert run("return 0")["broken"] == []
    assert worker() is not first


def test_what_is_beyond_the_process_is_no_disagreement() -> None:
    program = read_normalised(TEXT.format("return n")).program
    found = guarded(program, TEXT.format("return exp(10 ** 9)"), [{}])
    assert not found.alarm and "exp(1000000000)" in found.why


#: Distributions with parameters and values of their support, and one outside.
LAWS = {
    "Laplace": ((Fraction(3, 2),), (Fraction(0), Fraction(-5, 2), Fraction(7)), None),
    "TwoSidedGeometric": ((Fraction(3, 2),), (0, -2, 5), Fraction(1, 2)),
    "Exponential": ((Fraction(2),), (Fraction(0), Fraction(1, 3)), Fraction(-1)),
    "NegativeExponential": ((Fraction(2),), (Fraction(0), Fraction(-1, 3)), Fraction(1)),
    "OneSidedGeometric": ((Fraction(2),), (0, 3), -1),
    "NegativeOneSidedGeometric": ((Fraction(2),), (0, -3), 1),
    "Uniform": ((Fraction(-1), Fraction(2)), (Fraction(-1), Fraction(2)), Fraction(5, 2)),
    "DiscreteUniform": ((-1, 2), (-1, 2), 3),
    "Staircase": ((Fraction(1), Fraction(1), Fraction(1, 2)), (Fraction(0), Fraction(3, 4)), None),
    "Categorical": (([Fraction(1), Fraction(0), Fraction(3)],), (0, 2), 1),
}


@pytest.mark.parametrize("name", LAWS)
def test_supports_are_those_of_the_language(name: str) -> None:
    parameters, inside, outside = LAWS[name]
    own = NOISES[name](*parameters)  # type: ignore[arg-type]
    theirs = getattr(language_noise, name)(*parameters)
    for value in inside:
        assert own.has(value) and theirs.support(number(value)) == TRUE
    if outside is not None:
        assert not own.has(outside)


@pytest.mark.parametrize("name", sorted(set(LAWS) - {"Categorical"}))
def test_what_a_shift_costs_is_at_most_what_the_language_charges(name: str) -> None:
    parameters, inside, _ = LAWS[name]
    own = NOISES[name](*parameters)  # type: ignore[arg-type]
    theirs = getattr(language_noise, name)(*parameters)
    for value in inside:
        for moved in inside:
            charges = theirs.charges(number(moved - value))
            (due,) = {c.amount * c.rate for c in charges if c.when == TRUE}
            assert own.gain(value, moved) <= due.constant


@pytest.mark.parametrize("name", ["TwoSidedGeometric", "OneSidedGeometric", "DiscreteUniform",
                                  "Categorical", "NegativeOneSidedGeometric"])  # fmt: skip
def test_weights_are_likelihoods_and_add_up_to_one(name: str) -> None:
    law = NOISES[name](*LAWS[name][0])  # type: ignore[arg-type]
    weights = dict(pair for pair, _ in zip(law.weights(), range(200), strict=False))
    assert math.isclose(math.fsum(weights.values()), 1)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)
    for one, p in list(weights.items())[:5]:
        for two, q in list(weights.items())[:5]:
            assert math.isclose(float(law.gain(one, two)), math.log(p / q), abs_tol=1e-9)


def test_a_coin_costs_its_log_odds() -> None:
    coin = NOISES["Bernoulli"](exp(1) / (1 + exp(1)))
    assert abs(coin.gain(True, False) - 1) < Fraction(1, 10**30)
    assert coin.gain(False, True) == -coin.gain(True, False)
    assert coin.gain(True, True) == 0


def test_a_live_mechanism_runs_on_exact_numbers() -> None:
    report = verify(guarded_mechanisms.with_floats, replays=60)
    assert report.verdict is Verdict.PROVED, report.reasons


def test_a_quotient_that_is_rounded_down_is_a_float() -> None:
    report = verify(guarded_mechanisms.halved_downwards, replays=20)
    assert report.verdict is Verdict.PROVED, report.reasons


def test_a_live_mechanism_is_itself_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(guard, "disagreement", lambda live, runs: asked.append(runs) or "")
    assert verify(GALLERY["sparse_vector"]).verdict is Verdict.PROVED
    assert len(asked[0]) == guard.LIVE
    assert isinstance(GALLERY["sparse_vector"], Mechanism)
