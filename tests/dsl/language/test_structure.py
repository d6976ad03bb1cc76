"""Two texts are the same program whichever version of Python wrote them; comments are refused."""

from __future__ import annotations

import pytest

from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.language.unparse import structure


@pytest.mark.parametrize(
    "left, right",
    [
        ("yield_ = (1 + 2)", "yield_ = 1 + 2"),
        ("def f(x):\n    yield (x + 1)", "def f(x):\n    yield x + 1"),
        ("a: B[(int, str)]", "a: B[int, str]"),
        ("x = 'a'", 'x = "a"'),
    ],
)
def test_brackets_quotes_and_blanks_do_not_count(left: str, right: str) -> None:
    assert structure(left) == structure(right)


@pytest.mark.parametrize(
    "left, right",
    [
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = a - (b - c)", "x = a - b - c"),
        ("x = a < b", "x = a <= b"),
        ("f(a, b)", "f(b, a)"),
        ("x = None", "x = 'None'"),
        ("return_ = not a and b", "return_ = not (a and b)"),
    ],
)
def test_what_matters_counts(left: str, right: str) -> None:
    assert structure(left) != structure(right)


@pytest.mark.parametrize(
    "text", ["x = 1  # private", "# proved\nx = 1", "x = (", "x\0", "-" * 9999]
)
def test_comments_and_what_does_not_parse_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        structure(text)


def test_a_hash_in_a_string_is_no_comment() -> None:
    assert structure("x = '#'") == structure('x = "#"')
