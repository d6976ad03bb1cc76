"""Outputs as Python has them become arrays in which nothing is lost that tells them apart."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shiftproof import audit
from shiftproof.checkers.auditing.boxes.packing import TEXTS, Raised, brief, packed
from shiftproof.checkers.auditing.samples import (
    FALSE,
    FLOAT,
    INT,
    NONE,
    OPEN,
    PLACES,
    TEXT,
    TRUE,
    Sample,
    text_hash,
)
from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.simulation.outcomes import Ending

Token = tuple[int, int]


def bits(value: float) -> int:
    return int(np.float64(value).view(np.int64))


def number(value: float) -> Token:
    return FLOAT, bits(value)


def text(value: str | bytes) -> Token:
    return TEXT, text_hash(value)


def rows(sample: Sample) -> list[list[Token]]:
    return [
        [
            (int(kind), int(bit))
            for kind, bit in zip(sample.kinds[k], sample.bits[k], strict=True)
        ][: sample.lengths[k]]
        for k in range(len(sample))
    ]  # fmt: skip


def tokens(output: Any) -> list[Token]:
    """Of one output among others that are unlike it, so that it is looked at by itself."""
    return rows(packed([output, "another", 1]))[0]


class Level(IntEnum):
    LOW = 3


Pair = namedtuple("Pair", "index value")


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (True, [(TRUE, 0)]),
        (np.False_, [(FALSE, 0)]),
        (7, [(INT, 7)]),
        (np.int8(-7), [(INT, -7)]),
        (np.uint64(2**63 - 1), [(INT, 2**63 - 1)]),
        (np.uint64(2**63), [text(str(2**63))]),
        (Level.LOW, [(INT, 3)]),
        (-(2**63), [(INT, -(2**63))]),
        (2**63, [text(str(2**63))]),
        (-(2**63) - 1, [text(str(-(2**63) - 1))]),
        (1.5, [number(1.5)]),
        (np.float32(0.1), [number(float(np.float32(0.1)))]),
        (-0.0, [number(-0.0)]),
        (math.inf, [number(math.inf)]),
        (math.nan, [number(math.nan)]),
        (np.array(2.5), [number(2.5)]),
        (Fraction(1, 3), [text("1/3")]),
        (Fraction(3), [text("3")]),
        (Decimal("0.10"), [text("0.10")]),
        (1 + 2j, [(OPEN, 2), number(1), number(2)]),
        (np.complex64(2j), [(OPEN, 2), number(0), number(2)]),
        (None, [(NONE, 0)]),
        ("yes", [text("yes")]),
        (np.str_("yes"), [text("yes")]),
        (b"yes", [text(b"yes")]),
        (bytearray(b"yes"), [text(b"yes")]),
        ("", [text("")]),
        ([], []),
        ((), []),
        ([1, 2.0, None], [(INT, 1), number(2), (NONE, 0)]),
        (Pair(1, 2.5), [(INT, 1), number(2.5)]),
        (np.array([[1, 2]]), [(OPEN, 2), (INT, 1), (INT, 2)]),
        ([[1], [[]]], [(OPEN, 1), (INT, 1), (OPEN, 1), (OPEN, 0)]),
        ({10, 9}, [(INT, 10), (INT, 9)]),
        ([frozenset("ba")], [(OPEN, 2), text("a"), text("b")]),
        ({"b": [1], "a": True}, [(OPEN, ~2), text("a"), (TRUE, 0), text("b"), (OPEN, 1), (INT, 1)]),
        ([{}], [(OPEN, ~0)]),
    ],
)
def test_tokens(output: Any, expected: list[Token]) -> None:
    assert tokens(output) == expected


def test_very_large_integers_differ() -> None:
    huge = 10**20_000
    one, other, again = rows(packed([huge, huge + 1, huge]))
    assert one == again != other
    assert rows(packed([Fraction(1, huge)])) != rows(packed([Fraction(1, huge + 1)]))


@pytest.mark.parametrize(
    "outputs",
    [
        [1.5, math.nan, -0.0],
        [np.float64(1.5), 2.5],
        [1, 2, -(2**63)],
        [1, 2**63],
        [2**63, 2**64],
        [True, False],
        [True, 1],
        [1, 1.0],
        [[1.0, 2.0], [3.0, 4.0]],
        [(1, 2.0), (3, 4.0)],
        [(True, 2**70), (False, 1)],
        [(1, 2.0), (3.0, 4)],
        [[1.0], [1.0, 2.0]],
        [(1, [2]), (3, [4])],
        [(), ()],
        [np.array([1.0, 2.0]), np.array([3.0, 4.0])],
        [np.array([1.0]), np.array([3.0, 4.0])],
        [np.array([1]), np.array([True])],
        [np.array([2**63], np.uint64), np.array([1], np.uint64)],
        [None, None],
    ],
)
def test_alike_or_not_is_the_same(outputs: list[Any]) -> None:
    """Outputs that are packed together become what each becomes by itself."""
    sample = packed(outputs)
    assert rows(sample) == [tokens(output) for output in outputs]
    assert sample.endings.tolist() == [Ending.END] * len(outputs)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, math.nan]),
        np.array([[1, 2], [3, 4]]),
        np.array([True, False]),
        np.array([2**63, 1], np.uint64),
        np.array([1 + 2j, 3j]),
        np.array(["a", "b"]),
        np.array([[[1.0]], [[2.0]]]),
        np.array([None, 1.5], object),
        np.zeros((3, 0)),
        np.array([0.1, 0.2], np.float32),
    ],
)
def test_an_array_is_its_rows(array: np.ndarray[Any, Any]) -> None:
    assert rows(packed(array)) == [tokens(row) for row in array]


def test_what_is_masked_does_not_count() -> None:
    array = np.ma.masked_array([1.5, 2.5], mask=[False, True])
    assert rows(packed(array)) == [[number(1.5)], [(NONE, 0)]]


def test_nothing() -> None:
    assert len(packed([])) == len(packed(np.array([]))) == 0
    assert packed([[], []]).lengths.tolist() == [0, 0]


def test_long_ones_count_by_their_beginning_and_length() -> None:
    for outputs in ([[0.0] * 1000] * 2, [[0.0] * 999 + ["x"]] * 2, [[[0.0] * 999]] * 2):
        sample = packed(outputs)
        assert sample.kinds.shape == (2, PLACES)
        assert sample.lengths.tolist() == [1000, 1000]


def test_raised() -> None:
    sample = packed([1.5, Raised("ValueError")])
    assert sample.endings.tolist() == [Ending.END, Ending.RAISED]
    assert rows(sample)[1] == [text("ValueError")]
    assert sample.shown(1) == "'ValueError', then it raises"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"k": 1, "j": [1, None]}, "{'j': [1, None], 'k': 1}"),
        ([[], {}], "([], {})"),
        ([[]], "[]"),
        ([1, {"a": {"b": (2, 3)}}, "x"], "(1, {'a': {'b': [2, 3]}}, 'x')"),
        ({"a": [0] * 50}, f"({{'a': [{'0, ' * 21}…]}}, … (53 in all))"),
        ((1, 2), "(1, 2)"),
        ([1], "1"),
    ],
)
def test_containers_are_shown_as_they_are_written(output: Any, expected: str) -> None:
    assert packed([output, "another"]).shown(0) == expected


def test_texts_are_kept_to_be_shown() -> None:
    sample = packed(["yes", ["a", b"b"], 2**70])
    assert [sample.shown(k) for k in range(3)] == ["'yes'", "('a', \"b'b'\")", repr(str(2**70))]
    many = packed([f"text {k}" for k in range(2 * TEXTS)])
    assert len(many.texts) == TEXTS
    assert len(packed(["x" * 10_000]).texts[text_hash("x" * 10_000)]) < 1000


@pytest.mark.parametrize(
    "output", [object(), [1, object()], {"a": Level}, {1: print}, [Raised("X")]]
)
def test_what_cannot_be_told_apart(output: Any) -> None:
    with pytest.raises(BadInput, match=r"of type \w+; an output is made of numbers"):
        packed([output])


def test_what_holds_itself() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(BadInput, match="nested too deeply, or holds itself"):
        packed([loop])


def test_sets_are_the_same_in_every_process() -> None:
    program = (
        "from shiftproof.checkers.auditing.boxes.packing import packed\n"
        "words = frozenset(['one', 'two', 'three', 'four'])\n"
        "print(packed([{words, (1, words), 'a'}, {words: 1}]).bits.tolist())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed},
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_brief() -> None:
    assert brief({"x": 3, "eps": 1.0}) == "{'eps': 1.0, 'x': 3}"
    assert len(brief([["a" * 1000] * 1000] * 1000)) < 300
    assert brief({"x": 10**20_000})
    assert "\n" not in brief(np.zeros((3, 3)))


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Answer:
    colour: Colour
    value: float


def test_enums_and_dataclasses() -> None:
    found = packed([Answer(Colour.RED, 1.5), Answer(Colour.BLUE, -2.0)])
    assert [found.shown(k) for k in range(2)] == [
        "('Answer', 'Colour.RED', 1.5)",
        "('Answer', 'Colour.BLUE', -2)",
    ]
    nested = packed([[Answer(Colour.RED, 1.5)], [Colour.RED, 1.5]])
    assert nested.shown(0) == "['Answer', 'Colour.RED', 1.5]"


def test_the_two_zeros_are_one_number_of_the_ideal_mechanism() -> None:
    """The sign of a zero is a matter of the code; whoever tells them apart tells bits."""

    def signed(x: float, rng: np.random.Generator, size: int) -> Any:
        return np.where(rng.random(size) < 0.5, 1.0, math.copysign(0.0, x))

    found = audit(signed, epsilon=0.1, pairs=[(1.0, -1.0)], samples=50_000, seed=1, stop=False)
    assert found.ideal.verdict == "no violation found"
    assert found.code is not None and found.code.verdict == "violation found"
