"""``assert_p_sensitivity``: queries that move too far are found and made small, others pass."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import shiftproof
from shiftproof import (
    ADP,
    DP,
    LDP,
    BadInput,
    Policy,
    SensitivityViolated,
    assert_p_sensitivity,
    monotonicity,
    p_sensitivity,
)
from shiftproof.strategies import neighbouring_data_sets

visited = Policy(sensitive={1})
grades = Policy(sensitive={2}, universe={0, 1, 2})
everything = Policy.everything(range(10))


def visits(data: Any) -> int:
    return sum(r[0] == 1 for r in data)


def total(data: Any) -> int:
    return sum(sum(r) for r in data)


def histogram(data: Any) -> list[int]:
    return [sum(r[0] == v for r in data) for v in range(3)]


def median(data: Any) -> int:
    ordered: list[int] = sorted(r[0] for r in data)
    return ordered[len(ordered) // 2]


def found(query: Any, *args: Any, **options: Any) -> SensitivityViolated:
    with pytest.raises(SensitivityViolated) as caught:
        assert_p_sensitivity(query, *args, **options)
    return caught.value


class TestHolds:
    @pytest.mark.parametrize(
        ("query", "policy", "sensitivity", "direction", "options"),
        [
            (visits, visited, 1, "decreasing", {}),
            (visits, ADP(visited), 1, "decreasing", {"attributes": 2}),
            (lambda d: -visits(d), visited, 1, "increasing", {}),
            (visits, DP(), 1, "both", {}),
            (len, DP(), 0, "both", {}),
            (len, DP("add-remove"), 1, "both", {}),
            (histogram, DP("add-remove"), 1, "both", {"universe": range(3)}),
            (total, visited, 1, "decreasing", {"attributes": 3, "one_hot": True}),
            (median, everything, 9, "both", {}),
            (lambda d: np.array(d).sum(axis=0), visited, 1, "decreasing", {"attributes": 3}),
            (lambda d: np.float64(visits(d)), visited, 1, "decreasing", {}),
            (lambda d: np.array(visits(d)), visited, 1, "decreasing", {}),
            (lambda d: any(r[0] == 1 for r in d), visited, 1, "decreasing", {}),
            (lambda d: Fraction(visits(d), 3), visited, Fraction(1, 3), "decreasing", {}),
            (lambda d: d[0][0], LDP(), 2, "both", {"universe": range(3)}),
            (lambda d: [], visited, 0, "both", {}),
        ],
    )
    def test_passes(
        self, query: Any, policy: Any, sensitivity: Any, direction: Any, options: Any
    ) -> None:
        options.setdefault("examples", 30)
        assert assert_p_sensitivity(query, policy, sensitivity, direction, **options) is None  # type: ignore[func-returns-value]

    @pytest.mark.parametrize("query", [visits, total, median, lambda d: -(d[0][0] ** 2)])
    def test_as_by_enumeration(self, query: Any) -> None:
        most = p_sensitivity(query, grades, 2, 1)
        way: Any = monotonicity(query, grades, 2, 1)
        assert most > 0
        options: dict[str, Any] = {"min_size": 2, "max_size": 2, "examples": 60}
        assert_p_sensitivity(query, grades, most, way or "both", **options)
        for direction in {"both", "increasing", "decreasing"} - {way, "both"}:
            found(query, grades, most, direction, **options)
        worst = found(query, grades, most - Fraction(1, 1000), **options)
        assert abs(Fraction(worst.answers[0]) - Fraction(worst.neighbour_answers[0])) == most


class TestFinds:
    def test_a_query_that_moves_by_two(self) -> None:
        error = found(total, visited, 1, "decreasing", attributes=2)
        assert (error.data, error.neighbour) == (((1, 1),), ((0, 0),))
        assert (error.answers, error.neighbour_answers, error.index) == ((2,), (0,), 0)
        assert str(error).splitlines() == [
            "the query falls by 2 from D to D′; each answer moves by at most 1, and none up",
            "  relation  Policy(sensitive={1})",
            "  D         ((1, 1),)",
            "  D′        ((0, 0),)",
            "  record 0  (1, 1) → (0, 0)",
            "  answers   2 on D, 0 on D′",
        ]

    def test_the_wrong_direction(self) -> None:
        error = found(lambda d: sum(r[0] == 0 for r in d), visited, 1, "decreasing")
        assert (error.data, error.neighbour) == (((1,),), ((0,),))
        assert "rises by 1 from D to D′" in str(error) and "none up" in str(error)
        assert found(visits, visited, 1, "increasing").data == ((1,),)

    def test_a_policy_that_protects_more(self) -> None:
        assert_p_sensitivity(visits, visited, 1, "decreasing", examples=60)
        error = found(visits, Policy.everything(), 1, "decreasing")
        assert (error.data, error.neighbour) == (((0,),), ((1,),))

    def test_a_rare_value(self) -> None:
        policy = Policy(range(100), range(100))
        error = found(lambda d: sum(3 if r[0] == 77 else 1 for r in d), policy, 1)
        assert {error.data, error.neighbour} == {((77,),), ((0,),)}
        assert "…" in str(error)  # a hundred values are not listed

    def test_a_record_among_others(self) -> None:
        def lonely(data: Any) -> int:
            return 5 if Counter(data)[(1,)] == 3 else 0

        error = found(lonely, visited, 1)
        assert sorted([error.data, error.neighbour]) == [((0,), (1,), (1,)), ((1,), (1,), (1,))]

    def test_a_median(self) -> None:
        error = found(median, Policy.everything(range(4)), 2, min_size=3)
        assert sorted([median(error.data), median(error.neighbour)]) == [0, 3]
        assert len(error.data) == 3

    def test_one_answer_of_several(self) -> None:
        error = found(lambda d: (visits(d), len(d), 3 * visits(d)), visited, 2)
        assert error.index == 2 and (error.answers, error.neighbour_answers) == (
            (1, 1, 3),
            (0, 1, 0),
        )
        assert str(error).startswith("answer 2 of the query falls by 3")
        assert "(1, 1, 3) on D, (0, 1, 0) on D′" in str(error)

    def test_records_that_come_and_go(self) -> None:
        error = found(len, DP("add-remove"), 0)
        assert (error.data, error.neighbour) == (((0,),), ())
        assert "record 0  (0,) is removed" in str(error)
        assert "record 0  (0,) is added" in str(found(len, DP("add-remove"), 1, "decreasing"))

    def test_records_of_the_users_own(self) -> None:
        ages = st.tuples(st.sampled_from("mf"), st.integers(0, 120))
        error = found(lambda d: max(a for _, a in d), DP(), 100, records=ages)
        assert len(error.data) == 1 and {error.data[0][1], error.neighbour[0][1]} == {0, 101}

    def test_pairs_of_the_users_own(self) -> None:
        pairs = neighbouring_data_sets(visited, 2, min_size=2, one_hot=True)
        assert_p_sensitivity(total, visited, 1, "decreasing", data_sets=pairs, examples=60)
        error = found(total, visited, 0, data_sets=pairs)
        assert (error.data, error.neighbour) == (((1, 0), (0, 0)), ((0, 0), (0, 0)))


class TestRounding:
    def tenths(self, data: Any) -> float:
        return sum(0.1 for r in data if r[0])

    def test_floats_may_round(self) -> None:
        assert_p_sensitivity(self.tenths, visited, 0.1, "decreasing", examples=200)
        error = found(self.tenths, visited, 0.1, "decreasing", tolerance=0)
        fall = Fraction(error.answers[0]) - Fraction(error.neighbour_answers[0])
        assert 0 < fall - Fraction(0.1) < Fraction(1, 10**16)
        assert "tolerance 0" in str(error)

    def test_more_than_rounding_is_found(self) -> None:
        found(lambda d: visits(d) * (1 + 2**-40), visited, 1)
        assert_p_sensitivity(
            lambda d: visits(d) * (1 + 2**-40), visited, 1, tolerance=1e-9, examples=60
        )
        found(lambda d: -1e-9 * visits(d), visited, 1, "decreasing")

    def test_exact_numbers_are_exact(self) -> None:
        found(lambda d: visits(d) * Fraction(2**60 + 1, 2**60), visited, 1)
        found(lambda d: 2**80 * visits(d), visited, 2**80 - 1)


class TestWrongQueries:
    @pytest.mark.parametrize(
        ("query", "message"),
        [
            (lambda d: 1 / len([r for r in d if r[0] == 1]), "raised ZeroDivisionError"),
            (lambda d: float("nan"), "answered nan"),
            (lambda d: float("inf"), "answered inf"),
            (lambda d: "many", "answered 'many'"),
            (lambda d: ["many"], "answered 'many'"),
            (lambda d: None, "answered None"),
            (lambda d: {1: 2}, r"answered \{1: 2\}"),
            (lambda d: np.array(d), "answered array"),
            (lambda d: [1] * visits(d), "has 1 answers on D"),
        ],
    )
    def test_one_message(self, query: Any, message: str) -> None:
        with pytest.raises(BadInput, match=message) as caught:
            assert_p_sensitivity(query, visited)
        assert "\n" not in str(caught.value) and ",),)" in str(caught.value)
        assert not getattr(caught.value, "__notes__", [])

    def test_what_it_raised_is_the_cause(self) -> None:
        with pytest.raises(BadInput) as caught:
            assert_p_sensitivity(lambda d: d[7], visited)
        assert isinstance(caught.value.__cause__, IndexError)

    def test_an_answer_that_varies(self) -> None:
        noise = np.random.default_rng(0)
        with pytest.raises(BadInput, match="not always give the same answer"):
            assert_p_sensitivity(lambda d: noise.choice([0, 1, 5]), visited)

    def test_a_violation_stays_one_while_it_is_made_small(self) -> None:
        simplest = ((1,), (0,), (0,))  # of all data sets with which it could go wrong

        def query(data: Any) -> int:
            if data == simplest:
                raise ValueError
            return 2 * visits(data) if len(data) > 2 else 0

        error = found(query, visited, 1, min_size=2)
        assert len(error.data) <= 4 and error.data != simplest

    def test_a_query_may_assume(self) -> None:
        def query(data: Any) -> int:
            assume(len(data) > 1)
            return 2 * visits(data)

        assert found(query, visited, 1).data == ((1,), (0,))
        assert_p_sensitivity(query, visited, 2, examples=30)


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sensitivity": -1}, "sensitivity: got -1"),
            ({"sensitivity": float("nan")}, "sensitivity: got nan"),
            ({"sensitivity": "1"}, "sensitivity: got '1'"),
            ({"direction": "down"}, "direction: got 'down'"),
            ({"tolerance": -1}, "tolerance: got -1"),
            ({"examples": 0}, "examples: got 0"),
            ({"policy": Policy(set())}, "no record has another one"),
            ({"policy": {1}}, "a policy, ADP"),
        ],
    )
    def test_message(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(BadInput, match=message):
            assert_p_sensitivity(visits, **({"policy": visited} | options))

    def test_pairs_that_are_no_neighbours(self) -> None:
        backwards = neighbouring_data_sets(visited).map(lambda p: p[::-1])
        with pytest.raises(BadInput, match="is not in N_P"):
            assert_p_sensitivity(visits, visited, data_sets=backwards)


class TestBehaviour:
    def asked(self, seed: int | None) -> list[Any]:
        seen: list[Any] = []

        def query(data: Any) -> int:
            seen.append(data)
            return 0

        assert_p_sensitivity(query, everything, 0, examples=40, seed=seed)
        assert 70 <= len(seen) <= 80  # two for each example
        return seen

    def test_the_same_pairs_each_time(self) -> None:
        assert self.asked(0) == self.asked(0)
        assert self.asked(0) != self.asked(1)
        assert self.asked(None) != self.asked(None)

    @settings(
        max_examples=3, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(st.integers(0, 3))
    def test_within_a_test_of_hypothesis(self, n: int) -> None:
        assert_p_sensitivity(lambda d: n * visits(d), visited, n, examples=8)
        error = found(lambda d: (n + 1) * visits(d), visited, n, examples=8)
        assert error.data == ((1,),)

    def test_in_a_test_of_the_users(self, tmp_path: Path) -> None:
        (tmp_path / "test_own.py").write_text(
            "from shiftproof import Policy, assert_p_sensitivity\n"
            "def test_right():\n"
            "    assert_p_sensitivity(lambda d: sum(r[0] for r in d), Policy({1}))\n"
            "def test_wrong():\n"
            "    assert_p_sensitivity(lambda d: 2 * sum(r[0] for r in d), Policy({1}))\n"
        )
        path = str(Path(shiftproof.__file__).parents[1])
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        assert "1 failed, 1 passed" in done.stdout, done.stdout
        violated = "shiftproof.checkers.strategies.sensitivity.SensitivityViolated"
        assert f"E   {violated}: the query falls by 2" in done.stdout
        assert "Falsifying" not in done.stdout
        assert os.listdir(tmp_path) == ["test_own.py"]

    def test_the_folder_of_hypothesis_is_as_before(self) -> None:
        from hypothesis.configuration import storage_directory

        def folder() -> Any:
            found: Any = storage_directory("x", intent_to_write=False)
            return getattr(found, "path", found)  # older ones give the path itself

        before = folder()
        found(total, visited, 1, attributes=2, examples=50)
        assert folder() == before


def test_strategies_are_an_attribute() -> None:
    assert shiftproof.strategies.neighbouring_data_sets is neighbouring_data_sets
    assert set(shiftproof.strategies.__all__) <= set(dir(shiftproof.strategies))
    assert {"strategies", "assert_p_sensitivity", "SensitivityViolated"} <= set(shiftproof.__all__)
