"""``docs/language.md``: its grammar and its tables have what the language has, and nothing else."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import pytest

import shiftproof
from shiftproof import Distribution, Privacy, Unsupported, one_mechanism
from shiftproof.dsl.language import scope
from shiftproof.dsl.parsing.expressions import ARITHMETIC, COMPARISONS
from tests.places import ROOT

PAGE = ROOT / "docs" / "language.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")

#: A mechanism for each keyword of Python that the language has.
ALLOWED = {
    "False": "b = False", "None": "b = None if T > 0 else 1\n    if b is None:\n        pass",
    "True": "b = True", "and": "b = T > 0 and T < 1", "assert": "assert T > 0",
    "break": "while T > 0:\n        break", "continue": "for i in range(3):\n        continue",
    "def": "def half(x):\n        return x / 2\n    b = half(T)",
    "elif": "if T > 0:\n        b = 1\n    elif T < 0:\n        b = 2",
    "else": "b = 1 if T > 0 else 2", "for": "for i in range(3):\n        b = i",
    "from": "yield from laplace(x, eps)", "if": "if T > 0:\n        b = 1",
    "in": "for i, v in enumerate(f):\n        b = i",
    "is": "b = T if T > 0 else None\n    if b is not None:\n        pass", "not": "b = not T > 0",
    "or": "b = T > 0 or T < 1", "pass": "pass", "return": "return",
    "while": "b = 0\n    while b < 3:\n        b += 1", "yield": "yield 1",
}  # fmt: skip

#: And for each that it refuses.
REFUSED = {
    "as": "import math as m", "async": "async def g():\n        pass", "await": "b = await T",
    "class": "class B:\n        pass", "del": "b = 1\n    del b",
    "except": "try:\n        b = 1\n    except ValueError:\n        b = 2",
    "finally": "try:\n        b = 1\n    finally:\n        pass", "global": "global b",
    "import": "import math", "lambda": "b = (lambda: 1)()", "raise": "raise ValueError",
    "nonlocal": "def g():\n        nonlocal T",
    "try": "try:\n        b = 1\n    except ValueError:\n        b = 2",
    "with": "with T:\n        pass",
}  # fmt: skip

HEAD = """\
from math import exp
from shiftproof import (
    DP, Counts, Epsilon, Laplace, Public, Query, align, argmax, ensure, mechanism, other, outcome,
    sample, top_k,
)
from shiftproof.mechanisms.laplace import laplace
from typing import Annotated

@mechanism(DP())
def m(x: Annotated[float, Query(sensitivity=1)], f: Counts, T: Public[float], eps: Epsilon):
    """


def read(body: str, folder: Path) -> None:
    """Read a mechanism with this body.

    Raises:
        Unsupported: it is outside the language.
    """
    file = folder / "m.py"
    releases = "" if "yield" in body else "\n    yield 0"
    file.write_text(f"{HEAD}{body}{releases}\n", encoding="utf-8")
    assert one_mechanism(f"{file}::m").program


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def grammar() -> str:
    return page().partition("```ebnf\n")[2].partition("```")[0]


def rule(name: str) -> str:
    found = re.search(rf"^{name} *= (.*?) ;$", grammar(), re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def section(title: str) -> str:
    return page().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def named(text: str, wanted: set[str]) -> set[str]:
    """Which of these names stand in code."""
    return wanted & set(re.findall(r"\w+", " ".join(re.findall("`(.*?)`", text))))


def public_kinds(base: type) -> set[str]:
    names = {n: getattr(shiftproof, n) for n in shiftproof.__all__}
    found = {n: v for n, v in names.items() if isinstance(v, type)}
    return {n for n, v in found.items() if issubclass(v, base) and v is not base}


@pytest.mark.parametrize("word", ALLOWED)
def test_a_keyword_that_is_in_the_language(word: str, tmp_path: Path) -> None:
    assert re.search(rf"\b{word}\b", ALLOWED[word])
    read(ALLOWED[word], tmp_path)
    assert f'"{word}"' in grammar()


@pytest.mark.parametrize("word", [w for w in REFUSED if w != "await"])
def test_a_keyword_that_is_refused(word: str, tmp_path: Path) -> None:
    assert re.search(rf"\b{word}\b", REFUSED[word])
    with pytest.raises(Unsupported):
        read(REFUSED[word], tmp_path)


def test_the_grammar_has_all_keywords_and_no_others() -> None:
    assert ALLOWED.keys() | REFUSED.keys() == set(keyword.kwlist)
    body = grammar().replace(rule("function"), "")  # lambda stands in the decorator only
    assert set(re.findall('"([A-Za-z]+)"', body)) & set(keyword.kwlist) == ALLOWED.keys()


def test_operators() -> None:
    compared = set(re.findall('"(.*?)"', rule("comparison").replace('"is" "not"', '"is not"')))
    assert compared == set(COMPARISONS.values())
    operators = re.search(r'expression \(([^()]*"\*"[^()]*)\) expression', rule("expression"))
    assert operators and set(re.findall('"(.*?)"', operators[1])) == set(ARITHMETIC.values())
    assigned = set(re.findall('"([^"]+)="', rule("assignment")))
    assert assigned == set(ARITHMETIC.values())


def test_functions() -> None:
    assert set(re.findall(r'"(\w+)"', rule("arithmetic"))) == set(scope.ARITHMETIC.values())
    called = set(re.findall(r'"(\w+)" "\("', grammar())) - {"budget", "expect"}
    assert called == {*scope._OWN, "len", "sum", "append", *scope.ITERATION.values()}


def test_distributions() -> None:
    table = set(re.findall(r"`(\w+)\(", section("Noise").partition("\n\nScales")[0]))
    assert public_kinds(Distribution) <= table
    assert table - public_kinds(Distribution) <= {"Bernoulli", "exp"} | {"abs"}


def test_claims() -> None:
    table = set(re.findall(r"^\| `(\w+)\(", section("The claim"), re.MULTILINE))
    assert table == public_kinds(Privacy)


def test_inputs() -> None:
    public = set(shiftproof._HOMES["dsl.privacy.inputs"])
    text = section("Inputs")
    assert named(text, public) == public


@pytest.mark.parametrize(
    "body",
    [
        "b: float = T", "b, c = T, 1", "b = [1, 2]\n    b[0] += 1\n    c = b[1]",
        "b = []\n    b.append(T)",
        "b = [0.0] * 3\n    i = argmax(b)\n    for j in top_k(b, 2):\n        c = j",
        "for v, w in zip(f, f):\n        c = v - w",
        "b = 0 < T <= 1 != 2", "b = -T + 2 * T // 1 % 3 - abs(T) / 2",
        "b = min(1, max(T, 2), int(T), round(T)) + exp(1)",
        "n = sample(Laplace(1 / eps))\n    align(n, other(x) - x)\n    yield x + n",
        "b = len(f)\n    ensure(b >= 0)\n    yield b", "for i in range(0, 9, 2):\n        b = i",
        "b = sum(f)", "b = T ** 0.5",
    ],
)  # fmt: skip
def test_what_the_grammar_allows(body: str, tmp_path: Path) -> None:
    read(body, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        "b = T ** T", "b = [i for i in f]", "b = f[0:1]", "b = c = T", "b = f",
        "for i in range(3):\n        pass\n    else:\n        b = 1", "b = {1: 2}", "b = (c := T)",
        "b = f'{T}'", "b = T @ T", "b = sum(f, 1)", "b = sorted(f)", "b = T if f else 1 in f",
        "b = other(x)", "b = [sample(Laplace(1 / eps)) for x in f]", "T: float", "b = T & 1",
        "b = print(T)",
    ],
)  # fmt: skip
def test_what_it_does_not_allow_is_refused(body: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported):
        read(body, tmp_path)
