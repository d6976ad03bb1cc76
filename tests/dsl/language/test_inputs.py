"""Inputs on entry: converted to Python's own numbers, exactly, or refused by name."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, Mechanism
from tests.dsl.making import body, made

ECHO = """
@mechanism(LDP())
def m(f: Counts, g: Annotated[Sequence[float], Queries()], x: Count,
      v: Annotated[float, Value(0, 1)], T: Public[Vector], c: Public[Nat], n: Public[int],
      t: Public[float], eps: Epsilon):
    for a in f:
        yield a
    for a in g:
        yield a
    for a in T:
        yield a
    return_values = 0
    yield x
    yield v
    yield c
    yield n
    yield t
    yield eps
"""
GOOD = {"f": [1], "g": [0.5], "x": 2, "v": 0.5, "T": [], "c": 0, "n": -3, "t": 1.5, "eps": 1.0}


@pytest.fixture(scope="module")
def echo() -> Mechanism[..., Any]:
    return made(ECHO)


def told(echo: Mechanism[..., Any], **changed: Any) -> tuple[Any, ...]:
    return echo(**GOOD | changed)


class TestConversion:
    @pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint64, np.int16])
    def test_whole_arrays(self, echo: Mechanism[..., Any], kind: type) -> None:
        found = told(echo, f=np.array([100, 27], dtype=kind), x=kind(100), n=kind(3))
        assert found[:2] == (100, 27) and {type(v) for v in found[:2]} == {int}

    def test_small_integers_do_not_wrap(self) -> None:
        add = made(body("y = f[0] + f[1] + x\nyield y\nyield y * 300", "f: Counts, x: Count"))
        largest = np.array([255, 255], dtype=np.uint8)
        assert add(largest, np.uint8(255), 1.0) == (765, 229500)
        minus = made(body("yield f[0] - f[1]", "f: Counts"))
        assert minus(np.array([1, 2], dtype=np.uint8), np.float32(1)) == (-1,)

    @pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
    def test_real_arrays(self, echo: Mechanism[..., Any], kind: type) -> None:
        found = told(echo, g=np.array([0.5, -2], dtype=kind), t=kind(0.25), eps=kind(2))
        assert found[1:3] == (0.5, -2.0) and found[-2:] == (0.25, 2.0)
        assert {type(v) for v in (*found[1:3], *found[-2:])} == {float}

    @pytest.mark.parametrize("make", [list, tuple, np.array, lambda v: range(3, 6)])
    def test_sequences(self, echo: Mechanism[..., Any], make: Any) -> None:
        found = told(echo, f=make([3, 4, 5]), g=make([3, 4, 5]), T=make([3, 4, 5]))
        assert found[:9] == (3, 4, 5) * 3
        assert [type(v) for v in found[:9]] == [int] * 3 + [float] * 6

    def test_numbers(self, echo: Mechanism[..., Any]) -> None:
        found = told(echo, v=1, t=Fraction(1, 3), eps=7, g=[Fraction(1, 7), 1], T=np.array([]))
        assert found == (1, Fraction(1, 7), 1.0, 2, 1.0, 0, -3, Fraction(1, 3), 7.0)
        assert type(found[-1]) is float and type(found[-2]) is Fraction
        assert type(told(echo, f=[np.int32(4)])[0]) is int

    def test_empty(self, echo: Mechanism[..., Any]) -> None:
        assert told(echo, f=[], g=(), T=np.array([])) == (2, 0.5, 0, -3, 1.5, 1.0)

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"f": [1, -1]}, r"f\[1\]: got int -1; it must be at least 0"),
            ({"x": -1}, "x: got int -1; it must be at least 0"),
            ({"c": -1}, "c: got int -1; it must be at least 0"),
            ({"f": [1, 2, 3.0]}, r"f\[2\]: got float 3.0; an int is needed"),
            ({"f": np.array([1.0])}, r"f\[0\]: got float 1.0; an int is needed"),
            ({"x": np.float64(2)}, "x: got float 2.0; an int is needed"),
            ({"f": [True]}, r"f\[0\]: got bool True; an int is needed"),
            ({"f": np.array([True])}, r"f\[0\]: got bool True; an int is needed"),
            ({"x": True}, "x: got bool True; an int is needed"),
            ({"x": np.bool_(True)}, "x: got bool True; an int is needed"),
            ({"t": False}, "t: got bool False; a finite number is needed"),
            ({"n": Fraction(1, 2)}, r"n: got Fraction Fraction\(1, 2\); an int is needed"),
            ({"f": ["1"]}, r"f\[0\]: got str '1'; an int is needed"),
            ({"f": "12"}, "f: got str '12'; a sequence of numbers is needed"),
            ({"f": b"12"}, "f: got bytes b'12'; a sequence of numbers is needed"),
            ({"x": "1"}, "x: got str '1'; an int is needed"),
            ({"x": None}, "x: got NoneType None; an int is needed"),
            ({"f": [None]}, r"f\[0\]: got NoneType None; an int is needed"),
            ({"f": None}, "f: got NoneType None; a sequence of numbers is needed"),
            ({"f": 3}, "f: got int 3; a sequence of numbers is needed"),
            ({"f": {1, 2}}, r"f: got set \{1, 2\}; a sequence of numbers is needed"),
            ({"f": {1: 2}}, r"f: got dict \{1: 2\}; a sequence of numbers is needed"),
            ({"f": (i for i in "a")}, "f: got generator .*; a sequence of numbers is needed"),
            ({"f": [[1], [2]]}, r"f\[0\]: got list \[1\]; an int is needed"),
            ({"f": np.zeros((2, 2), int)}, "f: got an array of 2 dimensions; one is needed"),
            ({"f": np.array(3)}, "f: got an array of 0 dimensions; one is needed"),
            ({"x": [1]}, r"x: got list \[1\]; an int is needed"),
            ({"g": [0, math.nan]}, r"g\[1\]: got float nan; a finite number is needed"),
            ({"g": np.array([math.inf])}, r"g\[0\]: got float inf; a finite number is needed"),
            ({"T": [-math.inf]}, r"T\[0\]: got float -inf; a finite number is needed"),
            ({"t": math.nan}, "t: got float nan; a finite number is needed"),
            ({"t": np.float32("inf")}, "t: got float inf; a finite number is needed"),
            ({"t": 1j}, "t: got complex 1j; a finite number is needed"),
            ({"t": Decimal(1)}, r"t: got Decimal Decimal\('1'\); a finite number is needed"),
            ({"eps": 0}, "eps: got int 0; it must be positive"),
            ({"eps": -0.5}, "eps: got float -0.5; it must be positive"),
            ({"v": 1.5}, r"v: got 1.5; it must lie in \[0, 1\]"),
            ({"v": -1}, r"v: got -1.0; it must lie in \[0, 1\]"),
            ({"f": [0] * 99 + [-1]}, r"f\[99\]: got int -1"),
        ],
    )
    def test_bad_inputs(self, echo: Mechanism[..., Any], bad: Any, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            told(echo, **bad)

    @pytest.mark.parametrize(
        "bad", [{"f": [10**400]}, {"t": 10**400}, {"t": np.array([1.0, 2.0])}, {"t": np.array([1])}]
    )
    def test_other_bad_inputs(self, echo: Mechanism[..., Any], bad: dict[str, Any]) -> None:
        if "f" in bad:
            assert told(echo, **bad)[0] == 10**400
            return
        with pytest.raises(BadInput, match="t: got "):
            told(echo, **bad)

    def test_long_values_are_cut_in_messages(self, echo: Mechanism[..., Any]) -> None:
        with pytest.raises(BadInput) as caught:
            told(echo, f="1" * 500)
        assert len(str(caught.value)) < 130 and "..." in str(caught.value)

    def test_arguments(self, echo: Mechanism[..., Any]) -> None:
        assert echo(*GOOD.values()) == echo(**GOOD)
        for call in (lambda: echo(), lambda: echo(**GOOD, more=1), lambda: echo([1], **GOOD)):
            with pytest.raises(BadInput, match=r"m: .*argument"):
                call()
