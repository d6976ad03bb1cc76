"""Inputs are looked for: neighbours of declared spaces, and a climb to where a claim is broken."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas
import pytest

from shiftproof import AnswerSpace, BadInput, RecordSpace, audit
from shiftproof.mechanisms.laplace import laplace

RELATIONS = ["number", "number-falling", "all:3", "all-rising:4", "one:5", "one-falling:2"]
COLUMNS: Any = {"age": (0, 120), "income": (0.0, 1e5), "city": ["Kyiv", "Lviv"]}


def moved(left: Any, right: Any) -> Any:
    return np.atleast_1d(np.asarray(right, float)) - np.atleast_1d(np.asarray(left, float))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("whole", [False, True])
def test_answers_are_neighbours_in_range(relation: str, whole: bool) -> None:
    space = AnswerSpace(relation, -3, 8, sensitivity=2, whole=whole)
    rng = np.random.default_rng(1)
    pair, seen = space.pair(rng), set()
    for step in range(400):
        pair = space.pair(rng) if step % 20 == 0 else space.near(pair, rng)
        moves = moved(*pair)
        for side in pair:
            assert isinstance(side, tuple) != relation.startswith("number")
            values = np.atleast_1d(np.asarray(side))
            assert len(values) == len(moves) and (values >= -3).all() and (values <= 8).all()
            assert values.dtype.kind == ("i" if whole else "f")
        assert (abs(moves) <= 2 + 1e-9).all()
        assert not relation.startswith("one") or (moves != 0).sum() <= 1
        assert "falling" not in relation or (moves <= 0).all()
        assert "rising" not in relation or (moves >= 0).all()
        seen.add(repr(pair))
    assert len(seen) > 8


def differences(left: Any, right: Any) -> tuple[int, int]:
    """How many records stand in one side only, and in the other only."""
    more = [*map(repr, left)]
    only = 0
    for record in map(repr, right):
        if record in more:
            more.remove(record)
        else:
            only += 1
    return len(more), only


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        ("one more", {(0, 1)}),
        ("one less", {(1, 0)}),
        ("one more or less", {(0, 1), (1, 0)}),
        ("one changed", {(1, 1), (0, 0)}),
    ],
)
def test_records_are_neighbours(change: Any, allowed: set[tuple[int, int]]) -> None:
    space = RecordSpace(COLUMNS, rows=(0, 5), change=change)
    rng = np.random.default_rng(2)
    pair, seen = space.pair(rng), set()
    for step in range(400):
        pair = space.pair(rng) if step % 20 == 0 else space.near(pair, rng)
        seen.add(differences(*pair))
        for side in pair:
            assert 0 <= len(side) <= 5
            for record in side:
                assert [*record] == [*COLUMNS] and record["city"] in COLUMNS["city"]
                assert isinstance(record["age"], int) and 0 <= record["age"] <= 120
                assert isinstance(record["income"], float) and 0 <= record["income"] <= 1e5
    assert seen <= allowed and len(seen & allowed) == len(allowed - {(0, 0)}) + ((0, 0) in seen)


def careless(data: list[dict[str, Any]], rng: np.random.Generator) -> float:
    """The sum of ages below 100, clipped for one city only."""
    ages = [r["age"] if r["city"] == "Kyiv" else min(r["age"], 50) for r in data]
    return float(sum(ages) + rng.laplace(scale=50 / 0.5))


def late(x: float, rng: np.random.Generator, size: int) -> Any:
    """Right but for large answers."""
    return x + rng.laplace(scale=0.3 if x > 91 else 1.0, size=size)


def test_it_climbs_to_where_noise_is_too_small() -> None:
    space = AnswerSpace("number", 0, 100)
    found = audit(late, epsilon=1.0, space=space, samples=200_000, judge="ideal", seed=3)
    assert found.verdict == "violation found" and found.pairs > 8
    assert max(found.tested[0].left, found.tested[0].right) > 91
    again = audit(late, epsilon=1.0, space=space, samples=200_000, judge="ideal", seed=3)
    assert again.tested == found.tested and again.runs == found.runs


def test_it_climbs_among_records() -> None:
    space = RecordSpace(COLUMNS, rows=(0, 6))
    found = audit(careless, epsilon=0.5, space=space, samples=60_000, judge="ideal", seed=3)
    assert found.verdict == "violation found"
    left, right = found.tested[0].left, found.tested[0].right
    (only,) = [r for r in (*left, *right) if (r in left) != (r in right)] or [left[-1]]
    assert only["city"] == "Kyiv" and only["age"] > 50


def test_what_is_right_everywhere_is_no_violation() -> None:
    def right(x: tuple[float, ...], rng: np.random.Generator, size: int) -> Any:
        return np.asarray(x) + rng.laplace(scale=3, size=(size, 3))

    for seed in range(3):
        space = AnswerSpace("all:3", -5, 5)
        found = audit(right, epsilon=1.0, space=space, samples=30_000, judge="ideal", seed=seed)
        assert found.verdict == "no violation found"


def test_frames() -> None:
    space = RecordSpace(COLUMNS, rows=(1, 4), form="pandas")
    pair = space.pair(rng := np.random.default_rng(4))
    for _ in range(50):
        pair = space.near(pair, rng)
        assert all(isinstance(side, pandas.DataFrame) for side in pair)
        assert abs(len(pair[0]) - len(pair[1])) == 1
        assert all([*side.columns] == [*COLUMNS] for side in pair)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: AnswerSpace("most:3", 0, 1), "no such relation"),
        (lambda: AnswerSpace("number", 0, 0.5), "at least low + sensitivity"),
        (lambda: AnswerSpace("number", 0, float("nan")), "high: got nan"),
        (lambda: AnswerSpace("number", 0.5, 3, whole=True), "whole numbers"),
        (lambda: RecordSpace({}), "columns: got {}"),
        (lambda: RecordSpace({"age": (3, 1)}), "for 'age'"),
        (lambda: RecordSpace({"age": "abc"}), "for 'age'"),  # type: ignore[dict-item]
        (lambda: RecordSpace(COLUMNS, rows=(5, 2)), "rows: got (5, 2)"),
        (lambda: RecordSpace(COLUMNS, rows=(3, 3)), "another number of records"),
        (lambda: RecordSpace(COLUMNS, change="two"), "change: got 'two'"),  # type: ignore[arg-type]
        (lambda: RecordSpace(COLUMNS, form="csv"), "form: got 'csv'"),  # type: ignore[arg-type]
        (lambda: audit(late, space=3), "space: got 3"),  # type: ignore[arg-type]
        (lambda: audit(laplace, space=AnswerSpace("number", 0, 9)), "audit a function that calls"),
        (lambda: audit(late, space=AnswerSpace("number", 0, 9), relation="number"), "only one"),
    ],
)
def test_what_is_no_space(make: Any, text: str) -> None:
    with pytest.raises(BadInput, match=re.escape(text)):
        make()
