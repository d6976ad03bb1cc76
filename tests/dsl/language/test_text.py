"""Expressions and terms as text: what is shown means what it says."""

from __future__ import annotations

import ast
from fractions import Fraction

import pytest
from hypothesis import assume, given

from shiftproof.dsl.language.flow import AssignNode
from shiftproof.dsl.language.syntax import Expression
from shiftproof.dsl.language.unparse import unparse
from shiftproof.dsl.relations.program import Program
from shiftproof.dsl.terms.formulas import above, at_least, equal
from shiftproof.dsl.terms.linear import number
from shiftproof.dsl.terms.pretty import pretty, pretty_formula
from tests.dsl.making import Given, body, interpret, made
from tests.dsl.terms import drawing
from tests.dsl.terms.drawing import Point, T, points, value_at
from tests.programs.dsl import snippets_read

EXACT = {"Fraction": Fraction}


def evaluated(text: str, point: Point) -> object:
    """The text as Python, with exact numbers."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            node.left = ast.Call(ast.Name("Fraction", ast.Load()), [node.left], [])
    code = compile(ast.fix_missing_locations(tree), "text", "eval")
    return eval(code, EXACT | dict(point))


class TestPretty:
    @given(drawing.polynomials(), drawing.polynomials(), drawing.monomials(), points)
    def test_terms(self, a: T, b: T, m: T, point: Point) -> None:
        found = drawing.plus(drawing.times(drawing.over(a, m), b), drawing.symbol("x"))
        wanted = value_at(found, point)
        assert evaluated(pretty(found.term), point) == wanted

    @given(drawing.polynomials(), drawing.polynomials(), points)
    def test_quotients_by_sums(self, a: T, b: T, point: Point) -> None:
        assume(b.term != number(0))
        found = drawing.over(a, b)
        wanted = value_at(found, point)
        assert evaluated(pretty(found.term), point) == wanted

    @given(drawing.polynomials(), drawing.polynomials(), points)
    def test_comparisons(self, a: T, b: T, point: Point) -> None:
        for build, truth in (
            (at_least, value_at(a, point) >= value_at(b, point)),
            (above, value_at(a, point) > value_at(b, point)),
            (equal, value_at(a, point) == value_at(b, point)),
        ):
            found = build(a.term, b.term)
            if found.key not in ("true", "false"):
                assert evaluated(pretty_formula(found), point) is truth
            else:
                assert pretty_formula(found) == found.key == str(truth).lower()

    def test_examples(self) -> None:
        c, eps = (drawing.symbol(n).term for n in ("c", "eps"))
        two = number(2)
        assert pretty(two * c / eps) == "2*c/eps" and pretty(number(0)) == "0"
        assert pretty(number(1) / (two * c * eps)) == "1/(2*c*eps)"
        assert pretty(eps / (c + number(1)) - c) == "eps/(c + 1) - c"


def assigned(program: Program) -> Expression:
    """What the one assignment assigns."""
    steps = (node.step for node in program.flow.nodes if isinstance(node, AssignNode))
    ((value,),) = (step.values for step in steps)
    return value


class TestUnparse:
    @pytest.mark.parametrize("text", snippets_read.EXPRESSIONS)
    def test_reading_it_again_gives_the_same(self, text: str) -> None:
        values = snippets_read.VALUES
        programs = [made(body(f"y = {text}\nreturn y")).program]
        programs.append(made(body(f"y = {unparse(assigned(programs[0]))}\nreturn y")).program)
        first, again = (interpret(p, Given(values, ())).outputs for p in programs)
        assert first == again

    @pytest.mark.parametrize(
        "text",
        ["x - (c - 1)", "(x + 1) * 2", "-(x + 1)", "x / (c / 2)", "(x if c > 1 else 2) + 1",
         "not (x > 1 and c > 1)", "(x > 1 or c > 1) and x > 2", "f[x + 1]", "min(x, -c)",
         "x if c > 1 else (2 if c > 2 else 3)", "(x > 1) == (c > 1)", "0.5 * x", "x - 1.0",
         "len(f) - 1", "'it'", "None"],
    )  # fmt: skip
    def test_brackets(self, text: str) -> None:
        program = made(body(f"y = {text}\nreturn 1")).program
        shown = unparse(assigned(program))
        assert ast.dump(ast.parse(shown)) == ast.dump(ast.parse(text))

    def test_helpers_and_other(self) -> None:
        text = """
            def h(a):
                return a + 1
            n = sample(Laplace(1))
            align(n, other(x) - x)
            y = h(x)
        """
        program = made(body(text)).program
        (site,) = program.flow.sites
        assert site.step.shift is not None and unparse(site.step.shift) == "other(x) - x"
        assert unparse(assigned(program)) == "(a + 1 where a = x)"
