"""What the refuter says of mechanisms on users' own values, under definitions of many kinds."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, comparison_from_json, recompute, refute
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.refuting.judge import Judge, allowance
from shiftproof.checkers.refuting.likelihood import describe
from shiftproof.checkers.refuting.moves import shapes
from shiftproof.checkers.refuting.relation import Relation
from tests.programs.checkers.local_mechanisms import (
    blowfish,
    blowfish_too_small_a_scale,
    by_weights,
    context_aware,
    context_aware_too_honest,
    discriminative_too_honest,
    exponential_mechanism,
    exponential_mechanism_doubled,
    geometric_half_noise,
    k_ary,
    k_ary_off_by_one,
    mangat,
    mangat_reversed,
    must_not_tell_zero_from_one,
    one_sided,
    one_sided_count,
    one_sided_count_of_half_a_record,
    one_sided_tells_a_sensitive_value,
    rappor,
    rappor_split_wrongly,
    search,
    search_without_split,
    stairs_too_low,
    truncated,
    truncated_half_noise,
    utility_optimised,
    utility_optimised_wrong_weights,
)

WRONG = [
    k_ary_off_by_one, rappor_split_wrongly, mangat_reversed, utility_optimised_wrong_weights,
    one_sided_tells_a_sensitive_value, one_sided_count_of_half_a_record,
    exponential_mechanism_doubled, search_without_split, truncated_half_noise,
    geometric_half_noise, blowfish_too_small_a_scale, context_aware_too_honest,
    must_not_tell_zero_from_one, discriminative_too_honest, stairs_too_low,
]  # fmt: skip
RIGHT = [
    k_ary, by_weights, rappor, mangat, utility_optimised, one_sided, one_sided_count,
    exponential_mechanism, search, truncated, blowfish, context_aware,
]  # fmt: skip
Any_ = Mechanism[..., Any]


def named(m: Any_) -> str:
    return m.program.name


@pytest.mark.parametrize("m", WRONG, ids=named)
def test_is_refuted_soon(m: Any_) -> None:
    found = refute(m, effort=1500)
    assert found is not None and found.breaks
    again = comparison_from_json(found.as_json())
    assert again == found == recompute(again, m)


@pytest.mark.parametrize("m", RIGHT, ids=named)
def test_what_is_right_is_not_refuted(m: Any_) -> None:
    assert refute(m, effort=250) is None


Row = dict[str, Any]
#: All values of the private inputs, for some values of the public ones.
SMALL: list[tuple[Any_, Row, str, list[Any]]] = [
    (k_ary, {"n": 3}, "x", [*range(4)]),
    (by_weights, {"n": 2}, "x", [*range(3)]),
    (rappor, {"n": 2}, "x", [*range(3)]),
    (mangat, {}, "x", [0, 1]),
    (utility_optimised, {}, "x", [*range(4)]),
    (one_sided, {}, "x", [0, 1, 2]),
    (exponential_mechanism, {}, "q", [*itertools.product((0, 1), repeat=3)]),
    (search, {"tau": Fraction(1), "L": 2}, "x",
     [*itertools.product(map(Fraction, (-1, 0, 1)), repeat=2)]),
    (truncated, {"n": 3}, "x", [*range(4)]),
    (context_aware, {"n": 2}, "x", [*range(3)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("m", "public", "name", "values"),
    SMALL,
    ids=lambda v: named(v) if isinstance(v, Mechanism) else "",
)
@pytest.mark.parametrize("eps", [Fraction(2), Fraction(1, 2)])
def test_no_small_input_breaks_what_is_right(
    m: Any_, public: Row, name: str, values: list[Any], eps: Fraction
) -> None:
    relation, judge = Relation(m.program), Judge(m.program, 10**9)
    public = public | {e: eps if e == "eps" else eps / 2 for e in m.program.epsilons()}
    tightest = 0.0
    for left, right in itertools.permutations(values, 2):
        instance = Instance("2", public, {name: left}, {name: right})
        if not relation.admits(instance):
            continue
        here, there = (judge.paths("2", public, side) for side in (instance.left, instance.right))
        for shape in shapes(here, there):
            for numbers in shape.first():
                found = judge.judged(instance, shape.outcome(numbers))
                if found is not None:
                    assert not found.broken
                    tightest = max(tightest, found.loss)
    assert 0.5 < tightest < 1 + 1e-9


# Who is a neighbour of whom, and at what budget.


def instance(m: Any_, left: Row, right: Row, **public: Any) -> Instance:
    eps = dict.fromkeys(m.program.epsilons(), Fraction(1))
    return Instance("2", eps | public, left, right)


@pytest.mark.parametrize(
    ("m", "left", "right", "public", "neighbours"),
    [
        (k_ary, {"x": 0}, {"x": 3}, {"n": 3}, True),
        (k_ary, {"x": 0}, {"x": 4}, {"n": 3}, False),
        (mangat, {"x": 1}, {"x": 0}, {}, True),
        (mangat, {"x": 0}, {"x": 1}, {}, False),
        (one_sided, {"x": 1}, {"x": 2}, {}, True),
        (one_sided, {"x": 2}, {"x": 1}, {}, False),
        (search, {"x": (0, 1)}, {"x": (1, 1)}, {"tau": 1, "L": 1}, True),
        (search, {"x": (0, 1)}, {"x": (1, 0)}, {"tau": 1, "L": 1}, False),
        (search, {"x": (0, 2)}, {"x": (1, 2)}, {"tau": 1, "L": 1}, False),
        (search, {"x": (0,)}, {"x": (0, 1)}, {"tau": 1, "L": 1}, False),
        (exponential_mechanism, {"q": (0, 1)}, {"q": (1, 0)}, {}, True),
        (exponential_mechanism, {"q": (0, 1)}, {"q": (0, 2)}, {}, False),
        (blowfish, {"x": 5}, {"x": 0}, {}, True),
        (blowfish, {"x": 0}, {"x": 5}, {}, True),
        (blowfish, {"x": 0}, {"x": 6}, {}, False),
        (one_sided_count, {"data": ((1, 0),)}, {"data": ((0, 2),)}, {}, True),
        (one_sided_count, {"data": ((2, 0),)}, {"data": ((0, 0),)}, {}, False),
        (one_sided_count, {"data": ((1, 0), (1, 1))}, {"data": ((0, 0), (0, 0))}, {}, False),
        (one_sided_count, {"data": ((1, 0),)}, {"data": ((0, 5),)}, {}, False),
        (one_sided_count, {"data": ((1, 0),)}, {"data": ()}, {}, False),
    ],
)  # fmt: skip
def test_neighbours(m: Any_, left: Row, right: Row, public: Row, neighbours: bool) -> None:
    assert Relation(m.program).admits(instance(m, left, right, **public)) == neighbours


@pytest.mark.parametrize(
    ("m", "one", "two", "public", "budget"),
    [
        (context_aware, 0, 2, {"n": 2}, "fine"),
        (context_aware, 2, 0, {"n": 2}, "fine"),
        (context_aware, 1, 2, {"n": 2}, "eps"),
        (must_not_tell_zero_from_one, 0, 1, {}, "0"),
        (must_not_tell_zero_from_one, 0, 2, {}, "1"),
        (truncated, 0, 3, {"n": 3}, "3*eps"),
        (blowfish, 0, 3, {}, "eps"),
    ],
)
def test_budgets(m: Any_, one: int, two: int, public: Row, budget: str) -> None:
    found = allowance(m.program, instance(m, {"x": one}, {"x": two}, **public))
    assert str(found) == budget


@pytest.mark.parametrize(("fine", "eps", "least"), [(1, 4, 1), (4, 1, 1)])
def test_the_smaller_budget_of_two_counts(fine: int, eps: int, least: int) -> None:
    m = discriminative_too_honest
    public = {"n": 1, "fine": Fraction(fine), "eps": Fraction(eps)}
    found = Judge(m.program)._budget(Instance("e", public, {"x": 0}, {"x": 1}))
    assert found == least


def test_a_counterexample_names_the_budget_of_its_pair() -> None:
    found = refute(must_not_tell_zero_from_one)
    assert found is not None
    assert {found.left["x"], found.right["x"]} == {0, 1}
    assert found.budget.enclosure.high == 0
    assert json.loads(found.as_json())["budget"] == {"low": "0", "high": "0"}
    assert "claimed 0 for this pair" in describe(found)


def test_outcomes_that_are_not_protected_do_not_count() -> None:
    m = utility_optimised_wrong_weights
    found = refute(m)
    assert found is not None
    assert found.outcome[0].value in (0, 1)
    plain = json.loads(found.as_json())
    plain["outcome"][0]["value"] = 3
    plain["left"]["x"], plain["right"]["x"] = 3, 0
    with pytest.raises(BadInput):
        recompute(comparison_from_json(json.dumps(plain)), m)


def test_an_edited_pair_is_no_counterexample() -> None:
    found = refute(search_without_split)
    assert found is not None
    plain = json.loads(found.as_json())
    for side, value in (("left", "-1"), ("right", "1")):
        plain[side]["x"] = [value, value]
    with pytest.raises(BadInput):
        recompute(comparison_from_json(json.dumps(plain)), search_without_split)
