"""What the language lacks is refused: at the right line and column, with a way out, never ignored.

In every snippet « and » stand around what the caret must mark.
"""

from __future__ import annotations

import ast
import sys
import textwrap

import pytest

from shiftproof import Unsupported, verify
from shiftproof.dsl.errors import Location
from tests.dsl.making import HEADER, body, made
from tests.programs.dsl import snippets_read
from tests.programs.dsl.snippets_refused import (
    EXPRESSIONS,
    MEANINGS,
    NAMES,
    NEVER,
    NOISE,
    NOT_YET,
    STATEMENTS,
)


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
        assert report.verdict.value == "unsupported"
        (reason,) = report.reasons
        assert f".py:{place.line}:{place.column}: unsupported (not yet)" in reason
        assert f"\n{' ' * (place.column + 3)}{'^' * place.width}\n    instead: " in reason


class TestComplete:
    """Every kind of syntax that Python has is in a table: read, or refused."""

    @pytest.mark.parametrize(
        "base", [ast.stmt, ast.expr, ast.operator, ast.cmpop, ast.unaryop, ast.boolop]
    )
    def test_kinds(self, base: type[ast.AST]) -> None:
        read = [text for text, _ in snippets_read.STATEMENTS.values()]
        read += [f"return {text}" for text in snippets_read.EXPRESSIONS]
        refused = [text for _, text in STATEMENTS + NOISE + NAMES]
        refused += [f"y = {text}" for _, text in EXPRESSIONS]
        trees = [ast.parse(body(t)) for t in read] + [
            ast.parse(marked(body(t))[0]) for t in refused
        ]
        seen = {type(node) for tree in trees for node in ast.walk(tree)}
        elsewhere = {
            *(ast.Nonlocal, ast.BitOr, ast.BitXor, ast.RShift),  # below
            *(ast.AsyncFor, ast.AsyncWith, ast.Await),  # in asynchronous functions only
        }
        newer = ("TypeAlias", "TemplateStr", "Interpolation")
        kinds = {k for k in base.__subclasses__() if k.__name__ not in newer}
        deprecated = {k for k in kinds if k.__module__ != "ast" or k.__doc__ == "Deprecated"}
        assert kinds - deprecated <= seen | elsewhere

    @pytest.mark.parametrize("operator", ["|", "^", ">>", "&", "<<", "@"])
    def test_operators(self, operator: str) -> None:
        check_refusal(body(f"yield 1 + («c {operator} 2»)"), NOT_YET)
        check_refusal(body(f"y = c\n«y {operator}= 2»\nyield 1"), NOT_YET)

    @pytest.mark.parametrize("power", ["c", "-1", "0", "9", "1 / 2", "2.0", "True"])
    def test_powers(self, power: str) -> None:
        check_refusal(body(f"yield 1 + («c ** ({power})»)"), NOT_YET)

    def test_nonlocal(self) -> None:
        inner = textwrap.indent(body("«nonlocal y»\nyield 1"), "    ")
        check_refusal(f"def outer():\n    y = 1\n{inner}\n    return m\nm = outer()", NOT_YET)

    @pytest.mark.skipif(sys.version_info < (3, 12), reason="new syntax")
    def test_type_alias(self) -> None:
        check_refusal(body("«type A = int»\nyield 1"), NOT_YET)

    def test_tabs(self) -> None:
        with pytest.raises(Unsupported) as caught:
            made("@mechanism(DP())\ndef m(x: Count, eps: Epsilon):\n\treturn 1 + (x ** x)").program
        assert str(caught.value).splitlines()[1:3] == [
            "        return 1 + (x ** x)",
            "                    ^^^^^^",
        ]


@pytest.mark.parametrize(
    "text",
    ["yield x + «other(x)»", "yield «other»", "«other(x)»", "z = sample(«Laplace(1)»)\nyield z"],
)
def test_what_was_not_imported_is_named(text: str) -> None:
    source = "del other, Laplace\n" + body(text)
    check_refusal(source, NEVER)
    with pytest.raises(Unsupported, match="import it: from shiftproof import"):
        made(marked(source)[0]).program
