"""Pairs for groups are chains of steps, some of more than one, none of too many."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from shiftproof import DP, Count, Group, assert_p_sensitivity
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.refuting.relation import Relation
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.strategies import neighbouring_data_sets, neighbouring_inputs, query_answers
from tests.programs.checkers import groups

MADE = {
    name: getattr(groups, name)
    for name in ("of_counts", "of_histogram", "of_data", "of_users", "of_answers")
}
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def is_pair(program: Any, left: dict[str, Any], right: dict[str, Any]) -> bool:
    exact = [
        {
            n: tuple(map(Fraction, v))
            if isinstance(v, tuple) and not k.whole and n != "data"
            else v
            for n, v in side.items()
            for k in [program.inputs[n]]
        }
        for side in (left, right)
    ]
    public = {n: v for n, v in exact[0].items() if program.inputs[n].public}
    sides = [{n: v for n, v in side.items() if n not in public} for side in exact]
    public = {n: Fraction(v) for n, v in public.items()}
    found = Relation(program).witnesses(Instance("e", public, *sides))
    return sides[0] == sides[1] or found is not None


@pytest.mark.parametrize("name", MADE)
def test_every_pair_is_one_of_neighbours(name: str) -> None:
    made = MADE[name]

    @QUICK
    @given(neighbouring_inputs(made, min_length=1, max_length=3))
    def check(pair: Any) -> None:
        assert is_pair(made.program, *pair)

    check()


@pytest.mark.parametrize("name", MADE)
def test_some_pair_is_more_than_one_step(name: str) -> None:
    made = MADE[name]
    one = replace(made.program, privacy=made.program.privacy.one_step)
    found = neighbouring_inputs(made, min_length=2, max_length=4)
    assert find(
        found,
        lambda pair: not is_pair(one, *pair),
        settings=settings(QUICK, max_examples=300, phases=[Phase.generate]),
    )


@pytest.mark.parametrize("definition", [DP(), DP("add-remove")])
def test_data_sets_are_chains(definition: Privacy) -> None:
    change = definition.record_change
    assert change is not None

    @QUICK
    @given(neighbouring_data_sets(Group(definition, 3), 2, min_size=1, max_size=6))
    def check(pair: Any) -> None:
        left, right = pair
        assert 1 <= min(map(len, pair)) and max(map(len, pair)) <= 6
        if not change.adding:
            assert len(left) == len(right)
            assert sum(a != b for a, b in zip(left, right, strict=True)) <= 3
        else:
            assert abs(len(left) - len(right)) <= 3

    check()


def test_a_query_moves_by_the_size_of_the_group() -> None:
    assert_p_sensitivity(len, Group(DP("add-remove"), 3), 3)
    with pytest.raises(AssertionError):
        assert_p_sensitivity(len, Group(DP("add-remove"), 3), 2)
    assert_p_sensitivity(sum_of_bits, Group(DP(), 2), 2)
    with pytest.raises(AssertionError):
        assert_p_sensitivity(sum_of_bits, Group(DP(), 3), 2)


def sum_of_bits(data: Any) -> int:
    return sum(r[0] for r in data)


@QUICK
@given(query_answers(Count, Group(DP(), 4)))
def test_answers(pair: Any) -> None:
    assert abs(pair[0] - pair[1]) <= 4 and min(pair) >= 0
