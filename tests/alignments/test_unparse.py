"""Expressions as text: Python reads the text as the same expression."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shiftproof.dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Other,
)
from shiftproof.dsl.language.unparse import unparse

ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
BUILTINS = {"min": min, "max": max, "abs": abs, "int": int, "round": round}
Point = dict[str, Any]


def value(e: Expression, at: Point) -> Any:
    """What an expression is worth, straight from its structure."""
    match e:
        case Constant(value=constant):
            return constant
        case BooleanConstant(value=flag):
            return flag
        case Name(name=name):
            return at[name]
        case Cell(array=array, index=index):
            return at[array][int(value(index, at)) % 3]
        case Length(array=array):
            return Fraction(len(at[array]))
        case Arithmetic(operator=op, left=left, right=right):
            return Fraction(ARITHMETIC[op](value(left, at), value(right, at)))
        case Comparison(operator=op, left=left, right=right):
            return COMPARISONS[op](value(left, at), value(right, at))
        case Connective(operator="and", members=members):
            return all(value(m, at) for m in members)
        case Connective(members=members):
            return any(value(m, at) for m in members)
        case Negation(inner=inner):
            return not value(inner, at)
        case Conditional(test=test, yes=yes, no=no):
            return value(yes if value(test, at) else no, at)
        case Builtin(function=function, arguments=arguments):
            return Fraction(BUILTINS[function](*(value(a, at) for a in arguments)))
        case Other(inner=inner):
            return value(inner, at) + 0
    raise AssertionError(e)


def read(text: str, at: Point) -> Any:
    """What Python makes of a text, in exact numbers."""
    import ast

    class Exact(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            if isinstance(node.value, bool):
                return node
            return ast.parse(f"Fraction('{node.value!r}')", mode="eval").body

        def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
            self.generic_visit(node)
            shown = ast.unparse(node.slice)
            return ast.parse(f"{ast.unparse(node.value)}[third({shown})]", mode="eval").body

    tree = ast.fix_missing_locations(Exact().visit(ast.parse(text, mode="eval")))
    known = {
        "third": lambda i: int(i) % 3,
        "Fraction": Fraction,
        "other": lambda x: x,
        "len": exactly(len),
        **at,
    }
    known |= {name: exactly(function) for name, function in BUILTINS.items()}
    return eval(compile(tree, "text", "eval"), known)


def exactly(function: Any) -> Any:
    """The function with a Fraction for its result: two ints would divide to a float."""
    return lambda *arguments: Fraction(function(*arguments))


def outcome(compute: Any, *arguments: Any) -> Any:
    try:
        return compute(*arguments)
    except ZeroDivisionError:
        return "undefined"


def a(kind: type[Expression], *parts: Any) -> Any:
    return st.builds(kind, st.just(NOWHERE), *parts)


ZERO = Constant(NOWHERE, Fraction(0), "int")
DECIMALS = st.sampled_from([Fraction(n, 4) for n in range(-8, 9)])
WHOLE = st.integers(-3, 3).map(Fraction)
LEAVES = st.one_of(
    a(Constant, WHOLE, st.just("int")),
    a(Constant, DECIMALS, st.just("float")),
    a(Name, st.sampled_from(["x", "y"])),
    a(Length, st.just("f")),
)


def tree(operators: str) -> st.SearchStrategy[Expression]:
    """Number expressions over these operators; conditions stand in their tests."""

    def larger(numbers: Any) -> Any:
        compared = a(Comparison, st.sampled_from(sorted(COMPARISONS)), numbers, numbers)
        flags = st.one_of(compared, a(BooleanConstant, st.booleans()))
        members = st.lists(flags | a(Negation, flags), min_size=2, max_size=3).map(tuple)
        joined = a(Connective, st.sampled_from(["and", "or"]), members)
        nested = a(Connective, st.sampled_from(["and", "or"]), st.tuples(joined, flags))
        tests = st.one_of(flags, joined, nested, a(Negation, joined))
        two = st.tuples(numbers, numbers)
        return st.one_of(
            a(Arithmetic, st.sampled_from(operators.split()), numbers, numbers),
            *(a(Arithmetic, st.just("-"), st.just(ZERO), numbers) for _ in range("-" in operators)),
            a(Conditional, tests, numbers, numbers),
            a(Builtin, st.sampled_from(["min", "max"]), two),
            a(Builtin, st.just("abs"), st.tuples(numbers)),
            a(Builtin, st.sampled_from(["int", "round"]), st.tuples(numbers)),
            a(Other, numbers),
        )

    return st.recursive(LEAVES, larger, max_leaves=12)


POINTS = st.fixed_dictionaries({"x": DECIMALS, "y": DECIMALS, "f": st.tuples(WHOLE, WHOLE, WHOLE)})


@settings(max_examples=400, deadline=None)
@given(tree("+ - * /"), POINTS)
def test_the_text_means_the_same(e: Expression, at: Point) -> None:
    assert outcome(read, unparse(e), at) == outcome(value, e, at), unparse(e)


@settings(max_examples=400, deadline=None)
@given(tree("+ * // %"), POINTS)
def test_whole_quotients_mean_the_same(e: Expression, at: Point) -> None:
    assert outcome(read, unparse(e), at) == outcome(value, e, at), unparse(e)


@pytest.mark.parametrize("op", ["//", "%"])
def test_a_negated_quotient_means_the_same(op: str) -> None:
    e = minus(ZERO, Arithmetic(NOWHERE, op, X, Y))
    at = {"x": Fraction(7), "y": Fraction(2)}
    assert outcome(read, unparse(e), at) == outcome(value, e, at)


def test_a_third_is_one_number() -> None:
    third = Constant(NOWHERE, Fraction(1, 3), "float")
    e = Arithmetic(NOWHERE, "/", Name(NOWHERE, "x"), third)
    at = {"x": Fraction(2)}
    assert outcome(read, unparse(e), at) == outcome(value, e, at) == 6


def minus(left: Expression, right: Expression) -> Expression:
    return Arithmetic(NOWHERE, "-", left, right)


X, Y = Name(NOWHERE, "x"), Name(NOWHERE, "y")


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (minus(X, minus(X, Y)), "x - (x - y)"),
        (minus(minus(X, X), Y), "x - x - y"),
        (minus(ZERO, minus(X, Y)), "-(x - y)"),
        (Arithmetic(NOWHERE, "*", minus(X, Y), Y), "(x - y) * y"),
        (Comparison(NOWHERE, "is", X, Label(NOWHERE, None)), "x is None"),
        (Label(NOWHERE, "it's"), '"it\'s"'),
        (Constant(NOWHERE, Fraction(1), "float"), "1.0"),
        (Constant(NOWHERE, Fraction(1, 10), "float"), "0.1"),
        (Name(NOWHERE, "x@3"), "x"),
        (Let(NOWHERE, ("x@3",), (Y,), Name(NOWHERE, "x@3")), "(x where x = y)"),
        (Builtin(NOWHERE, "index", (X,)), "x"),
        (Other(NOWHERE, minus(X, Y)), "other(x - y)"),
    ],
)
def test_texts(e: Expression, text: str) -> None:
    assert unparse(e) == text
