"""What the language lacks is refused: at the right line and column, with a way out, never ignored.

In every snippet « and » stand around what the caret must mark.
"""

from __future__ import annotations

import ast
import sys

import pytest

from shiftproof import Unsupported, verify
from shiftproof.dsl.errors import Location
from tests.dsl.making import HEADER, body, made

NOT_YET, NEVER = "not yet", "never"
STATEMENTS = [
    (NOT_YET, "yield 1\n«assert c > 0»"),
    (NOT_YET, "«for i in range(3):\n    yield 1\nelse:\n    yield 2»"),
    (NOT_YET, "«while c > 0:\n    yield 1\nelse:\n    yield 2»"),
    (NOT_YET, "«y = z = 1»\nyield y"),
    (NOT_YET, "«y: int»\nyield 1"),
    (NOT_YET, "«f[0] += 1»\nyield 1"),
    (NOT_YET, "y = c\n«y **= 2»\nyield y"),
    (NOT_YET, "y = c\n«y <<= 2»\nyield y"),
    (NOT_YET, "«try:\n    y = 1\nfinally:\n    y = 2»\nyield y"),
    (NOT_YET, "«try:\n    yield 1\nexcept ZeroDivisionError:\n    yield 2»"),
    (NOT_YET, "«try:\n    yield 1\nexcept* ValueError:\n    yield 2»"),
    (NOT_YET, "«raise ValueError»"),
    (NOT_YET, "«global LEVEL»\nyield 1"),
    (NOT_YET, "«import math»\nyield 1"),
    (NOT_YET, "«from math import pi»\nyield 1"),
    (NOT_YET, "«with open(f'x'):\n    yield 1»"),
    (NOT_YET, "«match c:\n    case 1:\n        yield 1\n    case _:\n        yield 2»"),
    (NOT_YET, "«class A:\n    pass»\nyield 1"),
    (NOT_YET, "«async def g():\n    pass»\nyield 1"),
    (NOT_YET, "y = 1\n«del y»\nyield 1"),
    (NOT_YET, "«print(x)»\nyield 1"),
    (NOT_YET, "«x»\nyield 1"),
    (NOT_YET, "yield 1\n«...»"),
    (NOT_YET, "«sample(Laplace(1))»\nyield 1"),
    (NOT_YET, "«[v for v in f]»\nyield 1"),
    (NEVER, "yield 1\n«return 2»"),
    (NOT_YET, "for i in range(2):\n    «def h():\n        return 1»\n    yield h()"),
    (NOT_YET, "@staticmethod\n«def h():\n    return 1»\nyield h()"),
    (NEVER, "def h():\n    return 1\n«def h():\n    return 2»\nyield h()"),
    (NOT_YET, "«y, z = c»\nyield y"),
    (NOT_YET, "«y, z = 1, 2, 3»\nyield y"),
    (NEVER, "«y, y = 1, 2»\nyield y"),
    (NOT_YET, "«*y», z = 1, 2\nyield y"),
    (NOT_YET, "«f[0]» = 1\nyield 1"),
    (NOT_YET, "«x.y» = 1\nyield 1"),
    (NOT_YET, "«f» = 1\nyield 1"),
    (NOT_YET, "«f» += 1\nyield 1"),
    (NOT_YET, "def h():\n    return 1\n«h» = 1\nyield 1"),
    (NOT_YET, "for «f» in range(2):\n    yield 1"),
    (NOT_YET, "for «y.z» in range(2):\n    yield 1"),
    (NEVER, "for «i, j» in range(2):\n    yield 1"),
    (NEVER, "for «i» in enumerate(f):\n    yield 1"),
    (NEVER, "for «i, i» in enumerate(f):\n    yield 1"),
    (NOT_YET, "for v in «[1, 2]»:\n    yield v"),
    (NOT_YET, "for v in «c»:\n    yield v"),
    (NOT_YET, "for v in «sorted(f)»:\n    yield v"),
    (NOT_YET, "for i, v in «enumerate(f, start=1)»:\n    yield v"),
    (NOT_YET, "for i, v in enumerate(f, «1»):\n    yield v"),
    (NOT_YET, "for v, w in «zip(f, T, strict=True)»:\n    yield v"),
    (NOT_YET, "for i, v in enumerate(«f[1:]»):\n    yield v"),
    (NEVER, "for i in «range()»:\n    yield i"),
    (NOT_YET, "for i in «range(0, 9, c)»:\n    yield i"),
    (NOT_YET, "for i in «range(0, 9, 0)»:\n    yield i"),
    (NOT_YET, "for i in «range(0, 9, 1.0)»:\n    yield i"),
]
EXPRESSIONS = [
    (NOT_YET, "«c ** 2»"),
    (NOT_YET, "1 + «c & 2»"),
    (NOT_YET, "(«c << 2») * 3"),
    (NOT_YET, "«~c»"),
    (NOT_YET, "«c @ c»"),
    (NOT_YET, "«1j»"),
    (NOT_YET, "«b'x'»"),
    (NOT_YET, "«...»"),
    (NEVER, "«1e999»"),
    (NEVER, "«math.inf»"),
    (NOT_YET, "«[1, 2]»"),
    (NOT_YET, "«(1, 2)»"),
    (NOT_YET, "«{1, 2}»"),
    (NOT_YET, "«{1: 2}»"),
    (NOT_YET, "«[v for v in f]»"),
    (NOT_YET, "max(«(v for v in f)», 1)"),
    (NOT_YET, "«{v for v in f}»"),
    (NOT_YET, "«{v: v for v in f}»"),
    (NOT_YET, "(«y := 1») + 1"),
    (NOT_YET, "«lambda: 1»"),
    (NOT_YET, "(«yield») or 1"),
    (NOT_YET, "«f'{x}'»"),
    (NOT_YET, "min(«*f»)"),
    (NOT_YET, "«f»"),
    (NOT_YET, "«x in f»"),
    (NOT_YET, "«x not in f»"),
    (NOT_YET, "«f[1:2]»"),
    (NOT_YET, "«f[0, 1]»"),
    (NOT_YET, "«f[-1]»"),
    (NOT_YET, "«x[0]»"),
    (NOT_YET, "«f[0][0]»"),
    (NOT_YET, "«x.real»"),
    (NOT_YET, "«f.count(1)»"),
    (NOT_YET, "«(lambda: 1)()»"),
    (NOT_YET, "«sum(f)»"),
    (NOT_YET, "«min(f[0])»"),
    (NOT_YET, "«abs(1, 2)»"),
    (NOT_YET, "«round(1.5, 1)»"),
    (NOT_YET, "«min(1, 2, key=abs)»"),
    (NOT_YET, "«len(x)»"),
    (NOT_YET, "«len(f, f)»"),
    (NOT_YET, "«math.exp(1)»"),
    (NOT_YET, "«range(3)»"),
    (NOT_YET, "1 + «sample(Laplace(1))»"),
    (NOT_YET, "«Laplace(1)»"),
    (NOT_YET, "«align(x, 1)»"),
    (NOT_YET, "«m(x, f, T, c, eps)»"),
    (NOT_YET, "«c(1)»"),
    (NEVER, "«other(x)»"),
    (NEVER, "«undefined»"),
    (NEVER, "«undefined(1)»"),
    (NEVER, "«math»"),
    (NEVER, "«min»"),
    (NEVER, "«print»"),
]
NOISE = [
    (NOT_YET, "n = «sample(1)»"),
    (NOT_YET, "n = «sample(Laplace)»"),
    (NOT_YET, "n = «sample(Laplace(1), 2)»"),
    (NOT_YET, "n = sample(«min(1, 2)»)"),
    (NEVER, "n = sample(«Laplace()»)"),
    (NEVER, "n = sample(«Laplace(1, 2)»)"),
    (NEVER, "n = sample(«Laplace(1, scale=2)»)"),
    (NEVER, "n = sample(«Laplace(width=2)»)"),
    (NEVER, "n = sample(«Uniform(1)»)"),
    (NOT_YET, "n = sample(Laplace(«sample(Laplace(1))»))"),
    (NOT_YET, "n, k = «sample(Laplace(1))», 2"),
    (NOT_YET, "«n = k = sample(Laplace(1))»"),
    (NOT_YET, "n = «sample(Laplace(1))» + 1"),
    (NOT_YET, "n = 1\nn += «sample(Laplace(1))»"),
    (NOT_YET, "if «sample(Bernoulli(0.5))»:\n    pass"),
    (NEVER, "n = sample(Laplace(1))\n«align(n)»"),
    (NEVER, "n = sample(Laplace(1))\n«align(n, shift=1)»"),
    (NEVER, "n = sample(Laplace(1))\n«align(n + 0, 1)»"),
    (NEVER, "n = sample(Laplace(1))\nk = 1\n«align(n, k)»"),
    (NEVER, "n = sample(Laplace(1))\nalign(n, 1)\n«align(n, 1)»"),
    (NEVER, "n = sample(Laplace(1))\nk = sample(Laplace(1))\n«align(n, k)»"),
    (NEVER, "n = sample(Laplace(1))\n«align(n, other(n))»"),
    (NEVER, "n = sample(Laplace(1))\nalign(n, «other(x, x)»)"),
    (NEVER, "n = sample(Laplace(1))\nif c > 0:\n    «align(n, 1)»"),
]
NAMES = [
    (NOT_YET, "if c > 1:\n    y = 1\nreturn «y»"),
    (NOT_YET, "for i in range(c):\n    y = 1\nreturn «y»"),
    (NOT_YET, "for i in range(c):\n    pass\nreturn «i»"),
    (NOT_YET, "z = «y»\ny = 1"),
    (NOT_YET, "«y» += 1"),
    (NOT_YET, "while c > 2:\n    if c > 3:\n        y = 1\n        break\nreturn «y»"),
    (NOT_YET, "def h():\n    return «y»\nz = h()\ny = 1"),
    (NOT_YET, "def h(a):\n    if a > 1:\n        y = 2\n    return «y»\nreturn h(c)"),
    (NOT_YET, "def h(a):\n    return a\nreturn «h»"),
    (NOT_YET, "def h(a):\n    return «h(a)»\nreturn h(1)"),
    (NEVER, "def h(a):\n    return a\nreturn «h(1, 2)»"),
    (NOT_YET, "def h(a):\n    return a\nreturn «h(a=1)»"),
    (NOT_YET, "«def h(a=1):\n    return a»\nreturn h(1)"),
    (NOT_YET, "«def h(*a):\n    return 1»\nreturn h(1)"),
    (NOT_YET, "def h(a):\n    «for i in range(3):\n        a += i»\n    return a\nreturn h(1)"),
    (NOT_YET, "def h(a):\n    «x = y = 1»\n    return a\nreturn h(1)"),
    (NOT_YET, "def h(a):\n    return «sample(Laplace(1))»\nreturn h(1)"),
    (NOT_YET, "def h(a):\n    «a **= 2»\n    return a\nreturn h(1)"),
    (NEVER, "«assert x > 0»\nyield 1"),
    (NEVER, "«assert c > 0 and f[0] > 1»\nyield 1"),
    (NOT_YET, "assert «sum(T)» > 1\nyield 1"),
]
#: Refused by what the values are, when the program is verified.
MEANINGS = [
    "if «x»:\n    yield 1",
    "yield 1 if «len(f)» else 2",
    "while «c»:\n    yield 1",
    "yield not «c»",
    "yield c > 1 and «c»",
    "yield 1 + «(c > 1)»",
    "yield 1 + «None»",
    "yield abs(«'a'»)",
    "yield «x * x»",
    "yield «1 / x»",
    "yield «x // 2»",
    "yield «x % 2»",
    "yield «int(x / 2)»",
    "yield f[«c / 1»]",
    "yield «x is 3»",
    "yield «None < 1»",
    "yield «(c > 1) == 1»",
    "n = sample(Laplace(1))\nyield «n * n»",
    "«n = sample(Laplace(x + 1))»\nyield n",
    "y = 1\nfor i in range(c):\n    y += i\n    «n = sample(Laplace(y))»\n    yield n",
]


def marked(source: str) -> tuple[str, Location]:
    """The source as it is written to a file, and the place between its marks."""
    full = HEADER + source
    start, end = full.index("«"), full.index("»") - 1
    full = full.replace("«", "").replace("»", "")
    line = full.count("\n", 0, start) + 1
    column = start - full.rfind("\n", 0, start)
    text = full.splitlines()[line - 1]
    width = 1 if "\n" in full[start:end] else end - start
    return full.removeprefix(HEADER), Location("", line, column, text, width)


def check_refusal(source: str, outlook: str) -> None:
    clean, place = marked(source)
    with pytest.raises(Unsupported) as caught:
        made(clean).program
    error, found = caught.value, caught.value.location
    assert found is not None and error.outlook == outlook and error.advice and error.message
    got = (found.line, found.column, found.width, found.text)
    assert got == (place.line, place.column, place.width, place.text), str(error)
    caret = " " * (4 + place.column - 1) + "^" * place.width
    shown = [f"{found}: unsupported ({outlook}): {error.message}", f"    {place.text}", caret]
    assert str(error).splitlines() == [*shown, f"    instead: {error.advice}"]


def identity(pair: tuple[str, str]) -> str:
    return pair[1].replace("\n", "; ")


class TestRefused:
    @pytest.mark.parametrize("case", STATEMENTS, ids=identity)
    def test_statements(self, case: tuple[str, str]) -> None:
        check_refusal(body(case[1]), case[0])

    @pytest.mark.parametrize("case", EXPRESSIONS, ids=identity)
    def test_expressions(self, case: tuple[str, str]) -> None:
        check_refusal(body(f"y = {case[1]}\nreturn 1"), case[0])
        check_refusal(body(f"if c > 7:\n    return {case[1]}"), case[0])

    @pytest.mark.parametrize("case", NOISE, ids=identity)
    def test_noise(self, case: tuple[str, str]) -> None:
        check_refusal(body(f"{case[1]}\nyield 1"), case[0])

    @pytest.mark.parametrize("case", NAMES, ids=identity)
    def test_names(self, case: tuple[str, str]) -> None:
        check_refusal(body(case[1]), case[0])

    @pytest.mark.parametrize("snippet", MEANINGS)
    def test_meanings(self, snippet: str) -> None:
        clean, place = marked(body(snippet))
        report = verify(made(clean))
        assert report.verdict == "unsupported"
        (reason,) = report.reasons
        assert f".py:{place.line}:{place.column}: unsupported (not yet)" in reason
        assert f"\n{' ' * (place.column + 3)}{'^' * place.width}\n    instead: " in reason


class TestComplete:
    """Every kind of syntax that Python has is either read or refused above."""

    READ = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Break,
            ast.Continue, ast.Pass, ast.Expr, ast.Return, ast.FunctionDef, ast.Assert)  # fmt: skip

    def seen(self) -> set[type[ast.AST]]:
        tables = STATEMENTS + [(a, f"y = {b}") for a, b in EXPRESSIONS] + NOISE + NAMES
        trees = [ast.parse(marked(body(snippet))[0]) for _, snippet in tables]
        return {type(node) for tree in trees for node in ast.walk(tree)}

    @pytest.mark.parametrize("base", [ast.stmt, ast.expr, ast.operator, ast.cmpop, ast.unaryop])
    def test_kinds(self, base: type[ast.AST]) -> None:
        kinds = {kind for kind in base.__subclasses__() if kind.__module__ == "ast"}
        only_in_async = {ast.AsyncFor, ast.AsyncWith, ast.Await}
        inside_others = {ast.YieldFrom, ast.Nonlocal, ast.FormattedValue, ast.BitOr, ast.BitXor,
                         ast.RShift}  # fmt: skip
        newer = {k for k in kinds if k.__name__ in ("TypeAlias", "TemplateStr", "Interpolation")}
        assert kinds - self.seen() - only_in_async - inside_others - newer <= {
            ast.LtE, ast.NotEq, ast.IsNot, ast.FloorDiv, ast.UAdd, ast.Not, ast.Eq,
            ast.Continue, ast.Pass, ast.BoolOp, ast.GtE, ast.Is, ast.Sub,
        }  # fmt: skip

    @pytest.mark.parametrize("operator", ["|", "^", ">>", "&", "<<", "@", "**"])
    def test_operators(self, operator: str) -> None:
        check_refusal(body(f"yield 1 + («c {operator} 2»)"), NOT_YET)
        check_refusal(body(f"y = c\n«y {operator}= 2»\nyield 1"), NOT_YET)

    def test_the_rest(self) -> None:
        check_refusal(body("yield 1\n«yield from f»"), NOT_YET)
        if sys.version_info >= (3, 12):
            check_refusal(body("«type A = int»\nyield 1"), NOT_YET)
        nonlocal_ = "def outer():\n    y = 1\n" + "\n".join(
            f"    {line}" for line in body("«nonlocal y»\nyield 1").splitlines()
        )
        check_refusal(f"{nonlocal_}\n    return m\nm = outer()", NOT_YET)
