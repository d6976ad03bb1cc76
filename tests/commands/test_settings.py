"""``--set name=value``: each form of value, and one clear error for each wrong item."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shiftproof.commands.common.settings import Setting, parse_settings
from shiftproof.dsl.errors import BadInput

KNOWN = ("eps", "c", "T", "threshold")


def message(*items: str) -> str:
    with pytest.raises(BadInput) as caught:
        parse_settings(items, KNOWN)
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("007", 7),
        ("0.5", 0.5),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e-3", 0.001),
        ("1/3", Fraction(1, 3)),
        ("-6/3", Fraction(-2)),
        ("true", True),
        ("False", False),
        ("1,2,3", (1, 2, 3)),
        ("1, 1/2 ,-.5", (1, Fraction(1, 2), -0.5)),
        ("1,", (1,)),
        (" 4 ", 4),
    ],
)
def test_values(text: str, value: Setting) -> None:
    (found,) = parse_settings([f"T={text}"], KNOWN).values()
    assert found == value
    assert repr(found) == repr(value)  # 2 and 2.0, 1 and True differ


def test_several_settings_keep_their_order() -> None:
    found = parse_settings(["c=2", " eps = 1/2"], KNOWN)
    assert list(found.items()) == [("c", 2), ("eps", 0.5)]
    assert parse_settings([], KNOWN) == {}


NO_NUMBERS = (
    *("x", "1_0", "0x10", "nan", "inf", "-Infinity", "1e999", "1/0", "1/-3", "1/2/3", "0.5/2"),
    *("1 2", "\u0663", "9" * 400, "9" * 5000, "9" * 400 + "/1", "[1]", "=1", "1j", ".", "e5"),
)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_no_finite_number(text: str) -> None:
    assert "is no finite number: want a number" in message(f"eps={text}")
    assert "is no finite number: want a number" in message(f"T=1,{text}")


@pytest.mark.parametrize("text", ["", " ", ",", ",1", "1,,2", "1,,"])
def test_missing_value(text: str) -> None:
    assert "a value is missing" in message(f"T={text}")


def test_booleans_make_no_list() -> None:
    assert "'true' is no finite number" in message("T=1,true")


def test_malformed_items() -> None:
    assert message("eps") == "--set 'eps': no '=': want name=value"
    assert "no '='" in message("")
    assert message("=1") == "--set '=1': no name before '=': want name=value"


def test_unknown_names() -> None:
    assert message("epss=1").endswith("unknown name 'epss': did you mean 'eps'?")
    assert message("treshold=1").endswith("did you mean 'threshold'?")
    assert message("zzz=1").endswith("unknown name 'zzz': want one of T, c, eps, threshold")
    with pytest.raises(BadInput, match="there is nothing to set"):
        parse_settings(["eps=1"], [])


def test_repeated_name() -> None:
    assert message("eps=1", "c=1", "eps=1") == "--set 'eps=1': 'eps' is set already"


def test_long_items_give_short_messages() -> None:
    assert len(message("eps=" + "x" * 10_000)) < 250
    assert len(message("x" * 10_000 + "=1")) < 250


numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)


@given(numbers | st.booleans() | st.lists(numbers, min_size=1).map(tuple))
def test_roundtrip(value: Setting) -> None:
    text = "".join(f"{part!r}," for part in value) if isinstance(value, tuple) else repr(value)
    assert repr(parse_settings([f"T={text}"], KNOWN)) == repr({"T": value})


@given(st.text() | st.text("0123456789+-./,eE =tru").map("eps={}".format))
def test_garbage_parses_or_is_bad_input(item: str) -> None:
    try:
        found = parse_settings([item], KNOWN)
    except BadInput:
        return
    (value,) = found.values()
    assert all(map(math.isfinite, value if isinstance(value, tuple) else (value,)))
