"""Which noise has formulas, and the command ``utility``: what it prints, and its page."""

from __future__ import annotations

import json
import math
import shlex
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner, Result

from shiftproof import BadInput, Bernoulli, Categorical, Distribution, Laplace
from shiftproof.commands.cli import CommandLine
from shiftproof.commands.utility import utility
from shiftproof.dsl import noise as every_noise
from shiftproof.estimators.noise_utility import noise_utility
from tests.docs.pages import commands_of, documented_keys
from tests.places import ROOT

PAGE = ROOT / "docs" / "utility.md"

# What has none.


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ("Laplace(1/eps", "want a distribution with its parameters"),
        ("1/eps", "want a distribution with its parameters"),
        ("math.Laplace(1)", "want a distribution with its parameters"),
        ("Lapace(1/eps)", "no distribution 'Lapace': did you mean Laplace"),
        ("Zzz(1)", "no distribution 'Zzz': want one of Bernoulli, "),
        ("Laplace()", r"want Laplace\(scale\)"),
        ("Laplace(scale=1)", r"want Laplace\(scale\)"),
        ("Laplace(eps ** 2)", r"'eps \*\* 2' is none of: numbers"),
        ("Laplace(exp(exp(eps)))", "is none of: numbers"),
        ("Laplace(open('x'))", "is none of: numbers"),
        ("Laplace(True)", "is none of: numbers"),
        ("Laplace(nan)", "'nan' is none of: numbers"),
        ("Laplace(1/Inf)", "'Inf' is none of: numbers"),
        ("Laplace(1e999)", "a number is not finite"),
        ("Laplace(1/(1 - 1))", "divided by zero"),
        ("Laplace(0)", r"^Laplace\(0\): the scale must be positive"),
        ("Laplace(-1/eps)", "the scale must be positive"),
        ("Staircase(1/eps, 1, 2)", "share strictly between 0 and 1"),
        ("DiscreteUniform(0, 1/2)", "must be whole numbers"),
        ("DiscreteUniform(1, 0)", "low at most high"),
        ("Categorical(1)", "a choice, and not added"),
        (Bernoulli(0.5), "no noise that is added to an answer; there are "),
        (Categorical([1, 2]), "no noise that is added to an answer"),
        (3, "noise: got 3; want a distribution"),
        ("OneSidedGeometric(alpha/eps)", "alpha is an abbreviation in its formulas; rename"),
        ("OneSidedGeometric(n)", "n is an abbreviation in its formulas; rename"),
        (f"Laplace({'*'.join(f'({a}+{a}{a})' for a in 'abcdefghijklmno')})", "too long"),
        (f"Laplace({'(' * 300})", "longer than 200 characters"),
        ("Laplace(" + "-" * 150 + "1)", None),
    ],
)  # fmt: skip
def test_what_is_no_noise(noise: Any, message: str | None) -> None:
    if message is None:
        assert noise_utility(noise).rmse == sympy.sqrt(2)
        return
    with pytest.raises(BadInput, match=message):
        noise_utility(noise)


def test_a_noise_of_ones_own() -> None:
    """A subclass may be distributed otherwise: no formula is taken from its parent."""

    class Own(Laplace):
        pass

    with pytest.raises(BadInput, match="no noise that is added"):
        noise_utility(Own(1))


def test_what_is_no_debias() -> None:
    with pytest.raises(BadInput, match="debias: got 'mode'; want None, 'mean' or 'median'"):
        noise_utility(Laplace(1), "mode")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("noise", "values", "message"),
    [
        ("Laplace(c/eps)", {"eps": 1}, "c is missing; want values of: c, eps"),
        ("Laplace(2)", {"eps": 1}, "eps is not a parameter of it; want values of: none"),
        ("Laplace(1/eps)", {"eps": 0}, "eps = 0: want a positive number"),
        ("Laplace(1/eps)", {"eps": math.inf}, "eps = inf: want a positive number"),
        ("Laplace(1/eps)", {"eps": True}, "eps = True: want a positive number"),
        ("Laplace(1/eps)", {"eps": "1"}, "eps = '1': want a positive number"),
        ("Laplace(1/eps)", {"eps": 10**400}, "want a positive number that floats can hold"),
        ("Laplace(1/eps)", {"eps": 1e-300}, "at eps = 1e-300: a number is beyond the floats"),
        (
            "Uniform(a, b)",
            {"a": 2, "b": 1},
            "at a = 2, b = 1: there is no such noise: low must be below",
        ),
        ("Laplace(a - b)", {"a": 1, "b": 1}, "there is no such noise"),
        (
            "OneSidedGeometric(exp(800))",
            {},
            r"^OneSidedGeometric\(exp\(800\)\): a number is beyond",
        ),
        ("Laplace(1/(a - b))", {"a": 1, "b": 1}, "at a = 1, b = 1: something is divided by zero"),
        ("DiscreteUniform(0, n)", {"n": 1.5}, "n = 3/2: a whole number is needed"),
    ],
)
def test_what_are_no_values(noise: str, values: dict[str, Any], message: str) -> None:
    found = noise_utility(noise)
    with pytest.raises(BadInput, match=message):
        found.at(**values)


def test_values_of_numpy() -> None:
    found = noise_utility("Laplace(c/eps)")
    values: dict[str, Any] = {"c": np.int64(2), "eps": np.float32(0.5)}
    assert found.at(**values) == found.at(c=2, eps=0.5)


# The command.

SHIFTPROOF = CommandLine("shiftproof", commands=[utility])


def printed(*arguments: str) -> Result:
    return CliRunner().invoke(SHIFTPROOF, ["utility", *arguments])


def test_the_command_without_arguments() -> None:
    result = printed()
    assert result.exit_code == 0
    assert "  mean 1/eps         0                 1/eps  " in result.stdout
    assert "  with alpha = exp(-eps), n = floor(1/(1 - alpha)), m = ceil" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_json_is_what_the_formulas_are() -> None:
    result = printed("Exponential(c/eps)", "Laplace(2)", "--set", "c=3", "--eps", "1/2", "--json")
    rows = json.loads(result.stdout)
    assert [(row["noise"], row["debias"]) for row in rows] == [
        ("Exponential(c/eps)", None), ("Exponential(c/eps)", "mean"),
        ("Exponential(c/eps)", "median"), ("Laplace(2)", None),
    ]  # fmt: skip
    assert rows[1]["parameters"] == {"c": 3, "eps": "1/2"} and rows[3]["parameters"] == {}
    assert rows[1]["rmse"] == "c/eps" and rows[1]["numbers"]["rmse"] == 6
    bare = json.loads(printed("OneSidedGeometric(1/eps)", "--json").stdout)
    assert bare[1]["numbers"] is None and list(bare[1]["where"]) == ["alpha", "n"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Lapace(1)"], "did you mean Laplace?"),
        (["Laplace(1/eps)", "--eps", "-1"], "eps = -1: want a positive number"),
        (["Laplace(1/eps)", "--eps", "x"], "'x' is no finite number"),
        (["Laplace(c/eps)", "--eps", "1"], "c is missing"),
        (["Laplace(1/eps)", "--set", "c=1"], "unknown name 'c'"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    result = printed(*arguments)
    assert result.exit_code == 3 and result.stdout == ""
    assert message in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
def test_the_page() -> None:
    found = commands_of(PAGE, "utility")
    assert len(found) == 4
    for command, shown in found:
        assert printed(*shlex.split(command)[1:]).stdout == shown
    rows = json.loads(printed("Laplace(1/eps)", "--eps", "1", "--json").stdout)
    assert documented_keys(PAGE) == {*rows[0]}
    text = PAGE.read_text(encoding="utf-8")
    code, shown = text.split("```python\n")[1].split("```\n\n```text\n")
    lines: list[str] = []
    exec(code, {"print": lambda *values: lines.append(" ".join(map(str, values)))})
    assert "\n".join(lines) + "\n" == shown.partition("```")[0]


def test_help_names_the_noise_that_has_formulas() -> None:
    shown = " ".join(printed("--help").stdout.split())
    kinds = [
        k for k in vars(every_noise).values() if isinstance(k, type) and issubclass(k, Distribution)
    ]
    added = {k.__name__ for k in kinds if k.moments or k.shape in ("falling", "flat", "stairs")}
    assert len(added) == 12 and all(name in shown for name in added)
