"""The relation that a proof is about has every pair of neighbours that records give, and few more.

Small data sets are written down, one record is changed, and the answers are counted
(``checkers/guarding/records.py``).  A case covers a pair if its unknowns can be chosen such that
all that it says is true; what is proved of a case is then true of the pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from shiftproof import ADP, DP, LDP, OneSidedDP, Policy
from shiftproof.checkers.guarding.records import neighbours
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.dsl.privacy.inputs import (
    DataSet,
    InputKind,
    IntegerValue,
    IntegerValues,
    LocationCounts,
    Query,
)
from shiftproof.dsl.relations import cases as relations
from shiftproof.dsl.relations import moves
from shiftproof.dsl.relations.cases import Case
from shiftproof.dsl.relations.moves import Move, moves_of
from shiftproof.dsl.relations.program import Program
from tests.checkers.guarding.relation_records import (
    PRIVACIES,
    Asked,
    Coverage,
    all_asked,
    asked,
    asked_under,
    sizes,
    uncovered,
)
from tests.sampling import every


@pytest.mark.parametrize("definition", every(4, PRIVACIES))
def test_every_pair_of_neighbours_is_covered(definition: str) -> None:
    """Of every kind of input, and of those that stand together."""
    found = asked_under(definition)
    assert found
    for kinds, one in found.items():
        assert one.pairs() or definition == "nothing" or kinds == "two-values", kinds
        assert not uncovered(one), (kinds, uncovered(one)[0])


def test_most_kinds_are_asked_about() -> None:
    """Kinds that have no neighbours under a definition are left out, and no others."""
    under = {name: set(asked_under(name)) for name in PRIVACIES}
    assert {"counts", "locations", "windows", "data-2", "integers"} <= under["replacement"]
    assert {"counts", "locations", "windows", "data-2", "count+query"} <= under["add-remove"]
    assert not {"value", "values", "integer", "integers", "count+integer"} & under["add-remove"]
    assert {"data-2", "integer+integer", "integers+integers"} <= under["one-sided-of-three"]
    assert {"value", "secret", "values"} <= under["edges"]
    assert "data-1" not in under["related"]
    assert len(all_asked()) > 270


#: More pairs are covered than are neighbours, for one of these reasons.
WINDOWS = "each answer within a window moves on its own, where a record is in all of them"
APART = "whether single values belong to one of the users in sequences is not said: they may"
#: The kinds of which that is so, with the most pairs that are covered for a neighbour.
LARGER: Mapping[str, tuple[str, float]] = {
    "windows": (WINDOWS, 1.41),
    "windows+count": (WINDOWS, 1.51),
    "windows+windows": (WINDOWS, 1.51),
    "integers+integer": (APART, 2.34),
    "data+integer": (APART, 1.81),
}
WHOLE = "which attribute of a record is sensitive is not said where it has several"
#: Under `OneSidedDP` counts are larger as well.
LARGER_ONE_SIDED: Mapping[str, tuple[str, float]] = {
    **LARGER,
    "counts": (WHOLE, 1.16),
    "zeros": (WHOLE, 1.09),
    "two-values": (WHOLE, 1.16),
    "histogram": (WHOLE, 1.34),
    "locations": (WHOLE, 1.16),
    "windows-of-k": (WHOLE, 1.26),
    "count+query": (WHOLE, 1.39),
}


@pytest.mark.parametrize("definition", every(18, PRIVACIES))
def test_few_others_are(definition: str) -> None:
    """The relation is exact but for a few kinds, and there it does not grow."""
    for kinds, one in asked_under(definition).items():
        if kinds == "data-2":
            continue  # as data-1, and slow
        covered, exact = sizes(one)
        larger = LARGER_ONE_SIDED if definition.startswith("one-sided") else LARGER
        _, most = larger.get(kinds, ("", 1.0))
        assert exact <= covered <= most * exact, (kinds, covered, exact)


def test_what_is_claimed_of_one_data_set_is_asked_of_empty_ones_too() -> None:
    """A claim that an answer is never wrong is about any data set."""
    one = asked(DP(), {"x": DataSet(1)})
    coverage = Coverage(one, [Program.same.func(one.program)])
    for records in ((), ((0,),), ((1,), (1,)), ((0,), (2,))):
        assert coverage.covers({"x": records}, {"x": records}), records


def test_nobody_has_a_value_where_there_is_none() -> None:
    """A range with a named bound may be empty; what else is private may differ nevertheless."""
    one = asked(DP(), {"x": IntegerValues(1, "k"), "y": IntegerValue(0, 1)})
    one = replace(one, lengths={"x": 0}, public={**one.public, "k": 0})
    assert len(one.pairs()) == 2
    assert not uncovered(one)


#: Relations that were wrong, as they would be again, and what they leave out.
LOCATIONS = asked(DP(), {"x": LocationCounts(by="place")})
USERS = asked(OneSidedDP(Policy({1})), {"x": IntegerValue(0, 1), "y": IntegerValue(0, 1)})
EMPTY = asked(DP(), {"x": DataSet(1), "y": IntegerValue(0, 1)})


def with_moves(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    """Every move is derived as now, and then changed."""

    def changed(
        privacy: Privacy, name: str, kind: InputKind, inputs: Mapping[str, InputKind]
    ) -> tuple[Move, ...]:
        return tuple(change(moves_of(privacy, name, kind, inputs)))

    monkeypatch.setattr(relations, "moves_of", changed)


def test_records_that_are_replaced_at_their_location_would_be_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Answers of one location part, which a relation of two different locations does not have."""
    with_moves(monkeypatch, lambda found: [replace(move, mixed=False) for move in found])
    missed = uncovered(LOCATIONS)
    assert any((p.left["x"], p.right["x"]) == ((0, 1, 0), (1, 0, 0)) for p in missed), missed


def test_records_that_are_replaced_as_a_whole_would_be_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One sensitive value lets all others change."""
    monkeypatch.setattr(moves, "record_of", lambda inputs: ())
    missed = uncovered(USERS)
    assert any(p.left == {"x": 0, "y": 1} and p.right["x"] == 1 for p in missed), missed


def test_empty_data_sets_would_be_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside something else that differs a data set may have no record at all."""
    with_moves(monkeypatch, lambda found: found[:1])
    assert {p.left["x"] for p in uncovered(EMPTY)} == {()}


EITHER_WAY = [DP(), DP("add-remove"), LDP(), *(of(Policy({0, 1})) for of in (ADP, OneSidedDP))]


@pytest.mark.parametrize("definition", EITHER_WAY, ids=str)
def test_answers_that_rise_where_they_are_declared_to_fall_would_be_missed(
    monkeypatch: pytest.MonkeyPatch, definition: Privacy
) -> None:
    """D' and D are neighbours as D and D' are, and what falls one way rises the other way."""
    one = asked(definition, {"x": Query(1, "decreasing")})
    assert not uncovered(one)
    with_moves(monkeypatch, lambda found: found[:1])
    assert all(p.left["x"] < p.right["x"] for p in uncovered(one)) and uncovered(one)


@pytest.mark.parametrize(
    ("one", "change"),
    [
        (asked(DP(), {"x": LocationCounts(by="place")}), {"where": "one", "opposed": False}),
        (asked(DP(), {"x": IntegerValue(0, 1)}), {"low": relations.number(0)}),
        (LOCATIONS, {"low": relations.number(0)}),
    ],
    ids=["one location", "one direction", "one way only"],
)
def test_smaller_relations_are_noticed(
    monkeypatch: pytest.MonkeyPatch, one: Asked, change: dict[str, Any]
) -> None:
    with_moves(monkeypatch, lambda found: [replace(move, **change) for move in found])
    assert uncovered(one)


def test_facts_that_say_too_much_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only moves: what a case says of its unknowns is read as well."""
    before = Case._add_policies

    def more(self: Case) -> None:
        before(self)
        self.facts.append(relations.equal(self.scalar("x").left, self.scalar("y").left))

    monkeypatch.setattr(Case, "_add_policies", more)
    assert uncovered(USERS)


def test_neighbours_come_once_and_small_ones_first() -> None:
    for one in (LOCATIONS, USERS, EMPTY):
        found = [str((p.left, p.right)) for p in one.pairs()]
        assert len(found) == len(set(found))
        assert all(p.left != p.right and p.said for p in one.pairs())
    first = next(neighbours(LOCATIONS.program, LOCATIONS.public, LOCATIONS.lengths, 1_000))
    assert sum(first.left["x"]) + sum(first.right["x"]) == 1  # type: ignore[arg-type]
