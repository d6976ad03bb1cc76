"""The best one-sided mechanism: against linear programs, and against the papers' theorems."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from shiftproof import BadInput, Policy, neighbours
from shiftproof.checkers.auditing.edges import (
    one_sided_rate_adp,
    one_sided_rate_attained,
    one_sided_rate_dp,
)
from shiftproof.checkers.proving.one_sided import one_sided_optimum
from shiftproof.dsl.privacy.policies import DataSet
from shiftproof.dsl.privacy.steps import answer_steps, data_sets

VISITED = Policy(sensitive={1})
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

Relation = dict[int, list[int]]


def random_relation(rng: random.Random) -> tuple[Relation, set[int]]:
    """Directed, of any shape: with cycles, parts of its own, and loops."""
    size, density = rng.randint(1, 8), rng.choice([0.1, 0.3, 0.6])
    relation = {k: [j for j in range(size) if rng.random() < density] for k in range(size)}
    return relation, {k for k in range(size) if rng.random() < 0.3}


def by_linear_program(
    relation: Relation, false: set[int], alpha: float, delta: float
) -> dict[int, float]:
    """One program a data set, from the definition of privacy for two outputs."""
    rows, limits = [np.zeros(len(relation))], [0.0]
    for one, others in relation.items():
        for two in others:
            if one != two:
                row = np.zeros(len(relation))
                row[one], row[two] = alpha, -1
                rows += [row, -row]  # of "true", and of its opposite
                limits += [alpha * delta, 1 - alpha + alpha * delta]
    found = {}
    for data in relation:
        goal = np.zeros(len(relation))
        goal[data] = -1
        bounds = [(0, 0 if k in false else 1) for k in relation]
        solved = linprog(goal, A_ub=np.array(rows), b_ub=limits, bounds=bounds)
        assert solved.status == 0
        found[data] = -solved.fun
    return found


@pytest.mark.parametrize("seed", range(60))
def test_as_linear_programs(seed: int) -> None:
    rng = random.Random(seed)
    relation, false = random_relation(rng)
    alpha = rng.choice([Fraction(1, 20), THIRD, Fraction(9, 10), Fraction(1)])
    delta = rng.choice([Fraction(0), Fraction(1, 100), Fraction(1, 5), Fraction(1)])
    found = one_sided_optimum(
        relation, relation.__getitem__, lambda k: k not in false, alpha, delta
    )
    wanted = by_linear_program(relation, false, float(alpha), float(delta))
    assert {k: float(p) for k, p in found.items()} == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("seed", range(60))
def test_it_is_private_and_one_sided_exactly(seed: int) -> None:
    rng = random.Random(seed)
    relation, false = random_relation(rng)
    alpha, delta = Fraction(rng.randint(1, 9), 10), Fraction(rng.randint(0, 3), 10)
    p = one_sided_optimum(relation, relation.__getitem__, lambda k: k not in false, alpha, delta)
    assert list(p) == list(relation) and all(0 <= x <= 1 for x in p.values())
    assert all(p[k] == 0 for k in false)
    for one, others in relation.items():
        for two in others:
            assert p[one] <= p[two] / alpha + delta
            assert 1 - p[one] <= (1 - p[two]) / alpha + delta


# Theorems 9 and 11.


def few_ones(data: DataSet) -> bool:
    return data.count((1,)) < 2


def no_twos(data: DataSet) -> bool:
    return (2,) not in data


def starts_with_zero(data: DataSet) -> bool:
    return data[0] == (0,)


@pytest.mark.parametrize("query", [few_ones, no_twos, starts_with_zero])
@pytest.mark.parametrize("sensitive", [{1}, {0}, {0, 1}, {1, 2}, {0, 1, 2}], ids=str)
def test_theorem_9_exactly(query: Callable[[DataSet], bool], sensitive: set[int]) -> None:
    policy = Policy(sensitive, universe=(0, 1, 2))
    alpha = Fraction(math.exp(-0.7))
    for data, found in one_sided_optimum(data_sets(policy, 3), policy, query, alpha).items():
        steps = answer_steps(policy, query, data)
        if steps.to_false is not None:
            assert found == 0
        elif steps.from_never is None:
            assert found == 1
        else:
            assert found == 1 - alpha**steps.from_never
        bound = one_sided_rate_adp(0.7, steps.from_never, steps.to_false is not None)
        assert float(found) == pytest.approx(bound, rel=1e-14)
        # From data where it is false, the bound holds; it is not always the least.
        assert float(found) <= one_sided_rate_adp(0.7, steps.from_false) + 1e-14


def test_no_path_from_false_data_is_no_licence() -> None:
    """A one may become a two, so (1, 0) is never called free of twos; and (0, 0) is one step on."""
    policy = Policy(sensitive={1}, universe=(0, 1, 2))
    zeros = ((0,), (0,))
    steps = answer_steps(policy, no_twos, zeros)
    assert steps.from_false is None and steps.to_false is None
    found = one_sided_optimum(data_sets(policy, 2), policy, no_twos, Fraction(math.exp(-0.1)))
    assert float(found[zeros]) == pytest.approx(1 - math.exp(-0.1), rel=1e-14)


@pytest.mark.parametrize("threshold", [1, 3, 4.5, 5])
def test_theorem_11_is_the_best_there_is(threshold: float) -> None:
    found = one_sided_optimum(
        data_sets(VISITED, 6), VISITED, lambda data: data.count((1,)) < threshold, HALF
    )
    for data, p in found.items():
        k = max(math.ceil(threshold) - data.count((1,)), 0)
        assert p == 1 - HALF**k
        assert float(p) == pytest.approx(one_sided_rate_attained(math.log(2), k))


def test_without_enough_data_it_is_always_given() -> None:
    found = one_sided_optimum(
        data_sets(VISITED, 2), VISITED, lambda data: data.count((1,)) < 5, HALF
    )
    assert set(found.values()) == {1}


# Theorem 8.

EVERYTHING = Policy.everything()


def some_zero(data: DataSet) -> bool:
    return (0,) in data


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 1000), Fraction(1, 20)])
def test_theorem_8_is_attained_where_it_is_small(delta: Fraction) -> None:
    found = one_sided_optimum(data_sets(EVERYTHING, 4), EVERYTHING, some_zero, HALF, delta)
    small = 0
    for data, p in found.items():
        k = data.count((0,))  # so many must become ones
        exact = delta * sum(HALF**-i for i in range(k))
        assert p <= exact and float(p) <= one_sided_rate_dp(math.log(2), float(delta), k) + 1e-15
        if exact <= Fraction(1, 4):
            small += 1
            assert p == exact
    assert small >= 5


def test_theorem_8_is_not_attained_near_1() -> None:
    alpha, fifth = Fraction(math.exp(-2)), Fraction(1, 5)
    found = one_sided_optimum(data_sets(EVERYTHING, 2), EVERYTHING, some_zero, alpha, fifth)
    p = float(found[((0,), (0,))])
    assert one_sided_rate_dp(2, 0.2, 2) == 1
    assert p < 0.95
    assert p == pytest.approx(1 - math.exp(-2) * (1 - 0.2 - 0.2))  # the other bound, of "false"


def test_pure_dp_says_nothing_one_sidedly() -> None:
    found = one_sided_optimum(data_sets(EVERYTHING, 3), EVERYTHING, some_zero, HALF)
    assert set(found.values()) == {0}


# What is wrong.


def test_a_universe_with_a_neighbour_missing() -> None:
    with pytest.raises(BadInput, match=r"^universe: 2, a neighbour of 1, is missing$"):
        one_sided_optimum([0, 1], lambda k: [k + 1], bool, HALF)


def test_data_sets_that_are_lists() -> None:
    space: Any = [[(0,)], [(1,)]]
    with pytest.raises(
        BadInput, match=r"^universe: unhashable type: 'list'; want data sets as tup"
    ):
        one_sided_optimum(space, VISITED, few_ones, HALF)


@pytest.mark.parametrize(
    ("space", "neighbours", "message"),
    [
        ([(0,)], VISITED, r"universe: got \(0,\); a policy is for data such as"),
        ([0, 1], VISITED, "universe: got 0; a policy is for data such as"),
        ([0, 1], 3, "neighbours: got 3; want a Policy, or a function"),
        ([0, 1], lambda _: [[1]], "neighbours: unhashable type: 'list'; want data sets as"),
    ],
)
def test_what_is_no_relation(space: Any, neighbours: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        one_sided_optimum(space, neighbours, bool, HALF)


@pytest.mark.parametrize("alpha", [0, -1, Fraction(3, 2), 0.5, True, None, "1/2"])
def test_what_is_no_alpha(alpha: Any) -> None:
    with pytest.raises(BadInput, match=r"^alpha: got "):
        one_sided_optimum([0], lambda k: [], bool, alpha)


@pytest.mark.parametrize("delta", [-1, 2, Fraction(-1, 2), 0.1, False])
def test_what_is_no_delta(delta: Any) -> None:
    with pytest.raises(BadInput, match=r"^delta: got "):
        one_sided_optimum([0], lambda k: [], bool, HALF, delta)


def test_a_policy_is_its_neighbours() -> None:
    space = list(data_sets(VISITED, 3))
    both = (
        one_sided_optimum(space, relation, few_ones, THIRD)
        for relation in (VISITED, lambda data: neighbours(data, VISITED))
    )
    assert next(both) == next(both)


def test_data_need_not_be_comparable() -> None:
    ends: list[Any] = [None, "a", 1, 2j]
    relation = dict(itertools.pairwise(ends))
    found = one_sided_optimum(
        ends, lambda d: [relation[d]] if d in relation else [], lambda d: d is not None, HALF
    )
    assert found == {None: 0, "a": HALF, 1: Fraction(3, 4), 2j: Fraction(7, 8)}
