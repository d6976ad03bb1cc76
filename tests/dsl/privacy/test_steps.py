"""Minimum steps: against a search over all data sets, for every policy of a small universe."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import combinations
from typing import Any, cast

import pytest

from shiftproof.dsl.errors import BadInput, LimitReached
from shiftproof.dsl.privacy import steps
from shiftproof.dsl.privacy.policies import DataSet, Policy, neighbours
from shiftproof.dsl.privacy.steps import (
    AnswerSteps,
    answer_steps,
    data_sets,
    minimum_step,
)

UNIVERSE = (0, 1, 2)
POLICIES = [Policy(s, UNIVERSE) for size in range(4) for s in combinations(UNIVERSE, size)]
VISITED = Policy(sensitive={1})


def searched(policy: Policy, begin: DataSet) -> dict[DataSet, int]:
    """The least number of steps to every data set that can be reached, step by step."""
    found, waiting = {begin: 0}, deque([begin])
    while waiting:
        here = waiting.popleft()
        for data in neighbours(here, policy):
            if data not in found:
                found[data] = found[here] + 1
                waiting.append(data)
    return found


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize(("size", "attributes"), [(0, 2), (1, 1), (3, 1), (1, 3), (2, 2)])
def test_as_breadth_first_search(policy: Policy, size: int, attributes: int) -> None:
    space = list(data_sets(policy, size, attributes))
    assert len(set(space)) == len(space) == 3 ** (size * attributes)
    for data in space:
        found = searched(policy, data)
        assert {other: minimum_step(policy, data, other) for other in space} == {
            other: found.get(other) for other in space
        }


def test_it_is_directed() -> None:
    assert minimum_step(VISITED, ((1,), (1,), (0,)), ((0,), (0,), (0,))) == 2
    assert minimum_step(VISITED, ((0,), (0,), (0,)), ((1,), (1,), (0,))) is None
    assert minimum_step(VISITED, ((1,), (0,)), ((0,), (1,))) is None  # one up, one down
    assert minimum_step(VISITED, ((0,),), ((0,),)) == 0
    assert minimum_step(VISITED, (), ()) == 0


def test_a_record_is_one_step_however_many_attributes_change() -> None:
    assert minimum_step(VISITED, ((1, 1, 1),), ((0, 0, 0),)) == 1


def test_lists_will_do() -> None:
    data: Any = [[1], [0]]
    assert minimum_step(VISITED, data, ((1,), (0,))) == 0
    assert minimum_step(VISITED, data, ((0,), (0,))) == 1


def test_under_dp_it_is_the_hamming_distance() -> None:
    policy = Policy.everything()
    for data in data_sets(policy, 4):
        for other in data_sets(policy, 4):
            assert minimum_step(policy, data, other) == sum(r != s for r, s in zip(data, other))


def test_other_sizes_cannot_be_reached() -> None:
    assert minimum_step(Policy.everything(), ((0,),), ((0,), (0,))) is None
    assert minimum_step(Policy.everything(), ((0,),), ((0, 0),)) is None


@pytest.mark.parametrize(
    "pair", [(((3,),), ((0,),)), (((0,),), ((3,),)), (((0,), (1,)), ((1,), (3,)))]
)
def test_values_outside_the_universe(pair: tuple[DataSet, DataSet]) -> None:
    with pytest.raises(BadInput, match="attribute value 3 is not in the universe"):
        minimum_step(VISITED, *pair)


# Steps to and from false answers.


def few_ones(data: DataSet) -> bool:
    return sum(v == 1 for r in data for v in r) < 2


def no_twos(data: DataSet) -> bool:
    return all(v != 2 for r in data for v in r)


@pytest.mark.parametrize("query", [few_ones, no_twos])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize(("size", "attributes"), [(2, 1), (1, 2), (3, 1)])
def test_answer_steps_as_searched(
    query: Callable[[DataSet], bool], policy: Policy, size: int, attributes: int
) -> None:
    space = list(data_sets(policy, size, attributes))
    ways = {data: searched(policy, data) for data in space}
    false = [data for data in space if not query(data)]
    never = [data for data in space if any(f in ways[data] for f in false)]
    for data in space:
        assert answer_steps(policy, query, data) == AnswerSteps(
            from_false=min((ways[f][data] for f in false if data in ways[f]), default=None),
            to_false=min((ways[data][f] for f in false if f in ways[data]), default=None),
            from_never=min((ways[f][data] for f in never if data in ways[f]), default=None),
        )


def test_a_count_below_a_threshold() -> None:
    found = answer_steps(VISITED, lambda data: data.count((1,)) < 3, ((1,), (0,), (0,), (0,)))
    assert found == AnswerSteps(from_false=2, to_false=None, from_never=2)
    assert answer_steps(VISITED, lambda data: True, ((1,),)) == AnswerSteps(None, None, None)
    assert answer_steps(VISITED, lambda data: False, ()) == AnswerSteps(0, 0, 0)


def test_steps_may_lead_from_data_where_it_is_never_given() -> None:
    policy = Policy(sensitive={1}, universe=UNIVERSE)
    found = answer_steps(policy, no_twos, ((0,), (0,)))
    assert found == AnswerSteps(from_false=None, to_false=None, from_never=1)


def test_bad_data_and_too_much_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="different numbers of attributes"):
        answer_steps(VISITED, few_ones, ((0,), (0, 1)))
    with pytest.raises(BadInput, match="attribute value 2 is not in"):
        answer_steps(VISITED, few_ones, ((0,), (2,)))
    with pytest.raises(BadInput, match="wanted whole sizes of at least 0, got -1 records"):
        data_sets(VISITED, -1)
    with pytest.raises(BadInput, match=r"wanted whole sizes of at least 0, got 2\.5 records"):
        data_sets(VISITED, cast("Any", 2.5))
    for data in ((1, 0), 3, "ab", [(0,), 1]):
        with pytest.raises(BadInput, match="want a tuple of records such as"):
            answer_steps(VISITED, few_ones, cast("Any", data))
        with pytest.raises(BadInput, match="want a tuple of records such as"):
            minimum_step(VISITED, ((0,), (0,)), cast("Any", data))
    for size in (20, 21, 10**12):
        with pytest.raises(LimitReached, match="too many data sets of"):
            data_sets(VISITED, size)
    with pytest.raises(LimitReached):
        data_sets(VISITED, 10**12, 0)
    monkeypatch.setattr(steps, "EXHAUSTIVE_ANSWERS", 8)
    assert len(list(data_sets(VISITED, 3))) == 8
    with pytest.raises(LimitReached, match="too many data sets of 2 records of 2 attributes"):
        data_sets(VISITED, 2, 2)
