"""Strategies for users' values: neighbours by each definition, and all kinds of them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from shiftproof import (
    ADP,
    DP,
    LDP,
    BadInput,
    Blowfish,
    ContextAwareLDP,
    Counts,
    DataSet,
    DPrivacy,
    IntegerValue,
    IntegerValues,
    Mechanism,
    OneSidedDP,
    Policy,
    Private,
    Queries,
    Related,
    SensitivityViolated,
    UtilityOptimizedLDP,
    Value,
    Values,
    assert_p_sensitivity,
)
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.refuting.relation import Relation
from shiftproof.mechanisms import metric_privacy, randomized_response
from shiftproof.strategies import neighbouring_data_sets, neighbouring_inputs, query_answers
from tests.checkers.strategies.cases import drawn, exactly
from tests.programs.checkers import strategy_local_mechanisms as local

grades = Policy(sensitive={2, 3}, universe=range(4))
one_of_three = Policy(sensitive={1}, universe=range(3))


class _Two(float):
    """A value in D that carries its value in D'."""

    there: float


def said(function: Callable[..., Any], left: Mapping[str, Any], right: Mapping[str, Any]) -> Any:
    """What a function of a definition says, simply run."""
    scope = {**function.__globals__, "other": lambda value: value.there}
    run = types.FunctionType(function.__code__, scope)
    given = {}
    for name in function.__code__.co_varnames[: function.__code__.co_argcount]:
        given[name] = _Two(left[name])
        given[name].there = right[name]
    return run(**given)


def one_differs(one: Sequence[Any], two: Sequence[Any]) -> int | None:
    """At which place two rows differ, if it is one."""
    places = [i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
    return places[0] if len(places) == 1 else None


class TestOneUser:
    def test_any_two_integers(self) -> None:
        pairs = set(drawn(query_answers(IntegerValue(0, 3), LDP()), 120))
        assert pairs == {(a, b) for a, b in product(range(4), repeat=2) if a != b}

    def test_numbers_and_the_ends(self) -> None:
        pairs = drawn(query_answers(Value(-1, Fraction(1, 3)), DPrivacy(local.apart)), 80)
        assert all(-1 <= v <= Fraction(1, 3) for pair in pairs for v in pair)
        assert all(type(v) is float for pair in pairs for v in pair)
        top = max(v for pair in pairs for v in pair)
        assert {(-1.0, top), (top, -1.0)} <= set(pairs) and top > 0.333
        assert all(a != b for a, b in pairs)

    @pytest.mark.parametrize("privacy", [LDP(), DPrivacy(local.apart)], ids=str)
    def test_any_number(self, privacy: LDP) -> None:
        for kind, number in ((Private[int], int), (Private[float], float)):
            pairs = drawn(query_answers(kind, privacy), 60)
            assert all(a != b and type(a) is type(b) is number for a, b in pairs)
            assert min(map(min, pairs)) < -5 and max(map(max, pairs)) > 5

    @pytest.mark.parametrize("privacy", [ADP(grades), OneSidedDP(grades)], ids=str)
    def test_policies(self, privacy: ADP | OneSidedDP) -> None:
        pairs = set(drawn(query_answers(IntegerValue(1, 3), privacy), 100))
        assert pairs == {(a, b) for a in (2, 3) for b in (1, 2, 3) if a != b}

    def test_a_named_bound(self) -> None:
        pairs = drawn(query_answers(IntegerValue(1, "k"), LDP(), public={"k": 3}), 80)
        assert {v for pair in pairs for v in pair} == {1, 2, 3}
        with pytest.raises(BadInput, match=r"'k' is needed: public=.'k'"):
            query_answers(IntegerValue(1, "k"), LDP())

    def test_protected_outputs_limit_nobody(self) -> None:
        privacy = UtilityOptimizedLDP(randomized_response.sensitive, randomized_response.sensitive)
        assert len(set(drawn(query_answers(IntegerValue(1, 3), privacy), 60))) == 6


class TestManyUsers:
    def test_one_of_them_differs(self) -> None:
        pairs = drawn(query_answers(IntegerValues(0, 2), LDP(), 4), 80)
        assert {one_differs(*pair) for pair in pairs} == {0, 1, 2, 3}
        assert {v for one, two in pairs for v in (*one, *two)} == {0, 1, 2}
        others = [one[:1] for one, two in pairs if one[0] == two[0]]
        assert len(others) > 15

    def test_others_stand_together_at_the_ends(self) -> None:
        pairs = drawn(query_answers(Values(-1, 1), LDP(), 4), 80)
        rows = [{*one[:i], *one[i + 1 :]} for one, two in pairs if (i := one_differs(one, two)) + 1]
        assert len(rows) == 80 and {-1.0} in rows and {1.0} in rows
        assert any(len(row) == 3 for row in rows)

    @pytest.mark.parametrize("privacy", [ADP(grades), OneSidedDP(grades)], ids=str)
    def test_policies(self, privacy: ADP | OneSidedDP) -> None:
        for one, two in drawn(query_answers(IntegerValues(0, 3), privacy, 3), 60):
            at = one_differs(one, two)
            assert at is not None and one[at] in (2, 3)
        assert drawn(query_answers(IntegerValues(0, 3), privacy, 0), 3) == [((), ())]


class TestGraphs:
    def test_both_ways_and_nobody_else(self) -> None:
        pairs = drawn(query_answers(Private[int], Blowfish(local.close)), 60)
        assert {5} <= {abs(a - b) for a, b in pairs} <= {1, 2, 3, 4, 5}
        assert {a < b for a, b in pairs} == {True, False}

    def test_a_few_edges_are_found(self) -> None:
        for kind in (Private[int], IntegerValue(0, 9), IntegerValue(-1000, 1000)):
            assert set(drawn(query_answers(kind, Blowfish(local.two_only)), 12)) == {(3, 7), (7, 3)}
        pairs = drawn(query_answers(IntegerValues(0, 9), Blowfish(local.two_only), 3), 20)
        assert {(one[i], two[i]) for one, two in pairs for i in [one_differs(one, two)]} == {
            (3, 7), (7, 3),
        }  # fmt: skip

    def test_no_edges(self) -> None:
        for kind, graph in (
            (Private[int], local.nobody),
            (IntegerValue(0, 5), local.two_only),
            (IntegerValue(0, 40), local.next_to_top),
        ):
            with pytest.raises(BadInput, match="no values of x were found that are neighbours"):
                query_answers(kind, Blowfish(graph))
        with pytest.raises(BadInput, match="no values of x"):
            neighbouring_inputs(local.alone)


def of_mechanism(m: Mechanism[..., Any], examples: int = 30) -> list[tuple[Any, Any]]:
    """Pairs that can be handed to a mechanism, and are neighbours by the judge's account."""
    relation, found = Relation(m.program), drawn(neighbouring_inputs(m), examples, 2)
    for left, right in found:
        sides = []
        for side in (left, right):
            m.convert(**side)
            sides.append({n: exactly(v) for n, v in side.items() if not m.inputs[n].public})
        public = {n: exactly(v) for n, v in left.items() if m.inputs[n].public}
        instance = Instance("e", public, *sides)
        assert sides[0] == sides[1] or relation.admits(instance)
    return found


class TestMechanisms:
    def test_a_named_range(self) -> None:
        found = of_mechanism(local.in_a_named_range)
        assert all(d["low"] <= d["x"] <= d["high"] and d["x"] != e["x"] for d, e in found)
        assert len({(d["low"], d["high"]) for d, _ in found}) > 5
        for d, _ in of_mechanism(local.from_far_on, 10):
            assert d["k"] > 100

    def test_places_of_one_user(self) -> None:
        found = of_mechanism(local.place)
        both = 0
        for d, e in found:
            at = {one_differs(d[n], e[n]) for n in "xy" if d[n] != e[n]}
            assert len(at) <= 1 and None not in at
            i = max(at, default=None)
            if i is not None:
                left, right = ({n: side[n][i] for n in "xy"} for side in (d, e))
                assert said(local.close_both, left, right)
                both += left["x"] != right["x"] and left["y"] != right["y"]
        assert both

    def test_where_only_some_public_inputs_leave_neighbours(self) -> None:
        found = drawn(neighbouring_inputs(local.needs_room, fixed={"k": 45}), 10)
        assert {(d["x"], e["x"]) for d, e in found} == {(40, 41), (41, 40)}
        with pytest.raises(BadInput, match="no values of x"):
            neighbouring_inputs(local.needs_room, fixed={"k": 7})

    def test_a_rule_with_a_public_input(self) -> None:
        found = drawn(neighbouring_inputs(local.scores), 40, 2)
        moves = [(d["s"], abs(a - b)) for d, e in found for a, b in zip(d["q"], e["q"])]
        assert all(move <= s for s, move in moves) and any(move == s > 1 for s, move in moves)
        assert all(0 <= v <= d["top"] for d, e in found for v in (*d["q"], *e["q"]))

    def test_whose_values_they_are_is_not_said(self) -> None:
        found = of_mechanism(local.single_and_many)
        ways = {(d["x"] != e["x"], d["y"] != e["y"]) for d, e in found}
        assert ways == {(True, False), (False, True)}

    def test_where_a_distance_is_not_defined(self) -> None:
        assert all(d["x"] > 0 for d, _ in drawn(neighbouring_inputs(local.by_its_rank), 30, 3))

    @pytest.mark.parametrize(
        "m",
        [local.of_own_budget, metric_privacy.blurred_place, metric_privacy.context_aware_response],
        ids=lambda m: m.function.__name__,
    )
    def test_others(self, m: Mechanism[..., Any]) -> None:
        assert all(d != e for d, e in of_mechanism(m, 20))


class TestRecords:
    def test_all_of_a_record_changes(self) -> None:
        privacy = OneSidedDP(one_of_three)
        pairs = set(drawn(query_answers(DataSet(2), privacy, 1), 120))
        records = list(product(range(3), repeat=2))
        owed = {((r,), (s,)) for r in records for s in records if 1 in r and r != s}
        assert pairs <= owed and len(pairs) > 0.4 * len(owed)
        assert set(drawn(neighbouring_data_sets(privacy, 2, max_size=1), 40)) <= owed
        for one, two in drawn(neighbouring_data_sets(privacy, 2, one_hot=True), 20):
            at = one_differs(one, two)
            assert at is not None and 1 in one[at]
            assert all(r.count(1) <= 1 for r in (*one, *two))

    def test_sensitivity(self) -> None:
        def zeros(data: Any) -> int:
            return sum(record[0] == 0 for record in data)

        privacy = OneSidedDP(one_of_three)
        assert_p_sensitivity(zeros, privacy, 1, "increasing", examples=20)
        with pytest.raises(SensitivityViolated):  # (0, 1) may become (1, 1)
            assert_p_sensitivity(zeros, privacy, 1, "increasing", attributes=2, examples=300)

    def test_pairs_of_ones_own(self) -> None:
        from hypothesis import strategies as st

        pair = st.just((((0, 2),), ((0, 1),)))
        with pytest.raises(BadInput, match="is no neighbour of D"):
            assert_p_sensitivity(len, OneSidedDP(one_of_three), data_sets=pair)


@pytest.mark.parametrize(
    ("kind", "privacy", "message"),
    [
        (Counts, LDP(), "has no neighbours under LDP"),
        (Counts, OneSidedDP(Policy(set())), "has another one to hide among"),
        (DataSet(1), DPrivacy(local.apart), "has no neighbours under DPrivacy"),
        (Queries(), Blowfish(local.close), "has no neighbours under Blowfish"),
        (Private[list[int]], LDP(), "has no neighbours under LDP"),
        (Private[int], DP(), "has no neighbours under DP"),
        (Value(0, 3), ADP(grades), "has no neighbours under ADP"),
        (IntegerValue(0, 9), OneSidedDP(grades), "does not cover"),
        (IntegerValue(0, 1), OneSidedDP(grades), "no value in .0, 1. is sensitive"),
        (IntegerValue(0, 1), ADP(Policy(set())), "has another one to hide among"),
        (IntegerValue(2, 2), LDP(), "one value only"),
        (IntegerValue(0.2, 0.8), LDP(), "no integer"),
        (Value(1, 1), DPrivacy(local.apart), "one value only"),
        (IntegerValue(0, 1), ContextAwareLDP(metric_privacy.budget_of_pair), "'eps_fine' is"),
    ],
)
def test_what_has_no_neighbours(kind: Any, privacy: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        query_answers(kind, privacy)


def test_mechanisms_that_have_none() -> None:
    with pytest.raises(BadInput, match="Queries has no neighbours under DPrivacy"):
        neighbouring_inputs(local.single_and_answers)
    with pytest.raises(BadInput, match="leave values to choose from"):
        neighbouring_inputs(randomized_response.k_ary_response, fixed={"k": 1})
    for privacy in (Blowfish(local.close), DPrivacy(local.apart), Related(local.close)):
        with pytest.raises(BadInput, match="OneSidedDP"):
            neighbouring_data_sets(privacy)
