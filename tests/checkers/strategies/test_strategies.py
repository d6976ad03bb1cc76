"""Strategies: what is drawn are neighbours, all kinds of neighbours are drawn, and small ones."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from shiftproof import (
    ADP,
    DP,
    LDP,
    BadInput,
    Mechanism,
    Policy,
    Related,
    is_neighbour,
    is_record_neighbour,
    neighbours,
    record_neighbours,
)
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.strategies import (
    data_sets,
    neighbouring_data_sets,
    neighbouring_inputs,
    neighbouring_records,
    records,
)
from tests.checkers.strategies.cases import (
    POLICIES,
    close,
    drawn,
    grades,
    judged,
    searching,
    uneven,
    visited,
)
from tests.places import ROOT
from tests.programs.checkers import strategy_mechanisms
from tests.sampling import every

GALLERY = {
    name: value
    for path in sorted((ROOT / "mechanisms").glob("*.py"))
    for name, value in vars(importlib.import_module(f"shiftproof.mechanisms.{path.stem}")).items()
    if isinstance(value, Mechanism)
}


class TestRecords:
    @pytest.mark.parametrize("policy", POLICIES, ids=str)
    def test_all_records_and_no_others(self, policy: Policy) -> None:
        assert set(drawn(records(policy, 2), 120)) == set(product(policy.universe, repeat=2))

    def test_one_hot(self) -> None:
        found = set(drawn(records(grades, 3, one_hot=True, marked=2), 200))
        assert found == {r for r in product((0, 1, 2), repeat=3) if r.count(2) <= 1}

    @pytest.mark.parametrize("policy", [visited, grades, uneven], ids=str)
    @pytest.mark.parametrize("one_hot", [False, True])
    def test_all_changes_and_no_others(self, policy: Policy, one_hot: bool) -> None:
        marked = policy.universe[-1]

        def fits(record: Sequence[int]) -> bool:
            return not one_hot or record.count(marked) <= 1

        wanted = {
            (r, s)
            for r in product(policy.universe, repeat=2)
            for s in record_neighbours(r, policy)
            if r != s and fits(r) and fits(s)
        }
        pairs = drawn(neighbouring_records(policy, 2, one_hot=one_hot, marked=marked), 200)
        assert set(pairs) <= wanted
        assert len(set(pairs)) >= 0.4 * len(wanted)
        starts = {r for r, _ in wanted}
        assert len({r for r, _ in pairs}) >= 0.8 * len(starts)

    def test_changes_of_long_records(self) -> None:
        for r, s in drawn(neighbouring_records(uneven, 6, one_hot=True, marked=5), 60):
            assert r != s and is_record_neighbour(r, s, uneven)
            assert r.count(5) <= 1 and s.count(5) <= 1

    def test_all_attributes_change_often_enough(self) -> None:
        pairs = drawn(neighbouring_records(visited, 8), 100)
        assert ((1,) * 8, (0,) * 8) in pairs
        assert {sum(a != b for a, b in zip(*pair)) for pair in pairs} >= {1, 8}

    @pytest.mark.parametrize("policy", [Policy(set()), Policy({1}, {1})], ids=str)
    def test_no_neighbours(self, policy: Policy) -> None:
        with pytest.raises(BadInput, match="no record has another one"):
            neighbouring_records(policy)

    def test_no_one_hot_records(self) -> None:
        with pytest.raises(BadInput, match="besides"):
            records(Policy({1}, {1}), 2, one_hot=True)


class TestDataSets:
    def test_sizes(self) -> None:
        found = drawn(data_sets(grades, 2, min_size=1, max_size=3))
        assert {len(data) for data in found} == {1, 2, 3}
        assert {len(r) for data in found for r in data} == {2}
        assert len({r for data in found for r in data}) == 9
        with pytest.raises(BadInput, match="min_size <= max_size"):
            data_sets(grades, min_size=3, max_size=2)

    @pytest.mark.parametrize("policy", POLICIES[1:4], ids=str)
    def test_policy(self, policy: Policy) -> None:
        pairs = drawn(neighbouring_data_sets(policy, 2, min_size=2, max_size=4), 40)
        assert {len(data) for data, _ in pairs} == {2, 3, 4}
        for data, near in pairs:
            assert is_neighbour(data, near, policy)
        again = drawn(neighbouring_data_sets(ADP(policy), 2, min_size=2, max_size=4), 40)
        assert again == pairs

    def test_every_neighbour_of_small_data_sets(self) -> None:
        pairs = set(drawn(neighbouring_data_sets(grades, max_size=2), 300))
        sets = [d for n in (1, 2) for d in product([(v,) for v in (0, 1, 2)], repeat=n)]
        assert pairs == {(d, e) for d in sets for e in neighbours(d, grades)}

    def test_replacement(self) -> None:
        pairs = drawn(neighbouring_data_sets(DP(), universe={0, 3}), 60)
        for data, near in pairs:
            assert sum(r != s for r, s in zip(data, near, strict=True)) == 1
        assert {v for data, _ in pairs for (v,) in data} == {0, 3}
        places = {next(i for i, r in enumerate(d) if r != e[i]) for d, e in pairs}
        assert {0, 1, 2} <= places

    def test_add_remove(self) -> None:
        pairs = drawn(neighbouring_data_sets(DP("add-remove"), 2, max_size=3), 60)
        for data, near in pairs:
            shorter, longer = sorted((data, near), key=len)
            cut = [(*longer[:i], *longer[i + 1 :]) for i in range(len(longer))]
            assert shorter in cut and len(longer) <= 3
        assert {len(e) - len(d) for d, e in pairs} == {1, -1}

    def test_local(self) -> None:
        pairs = drawn(neighbouring_data_sets(LDP(), universe=range(3)), 60)
        assert {(r, s) for ((r,), (s,)) in pairs} == {
            ((a,), (b,)) for a in range(3) for b in range(3) if a != b
        }

    @pytest.mark.parametrize("privacy", [DP(), DP("add-remove"), LDP()], ids=str)
    def test_records_of_any_kind(self, privacy: Privacy) -> None:
        people = st.tuples(st.sampled_from("mf"), st.integers(0, 99))
        for data, near in drawn(neighbouring_data_sets(privacy, records=people), 20):
            assert data != near
            assert all(r[0] in "mf" for r in (*data, *near))

    def test_own_records_under_a_policy(self) -> None:
        rare = st.sampled_from([(2, 0), (0, 0), (1, 1)])
        pairs = drawn(neighbouring_data_sets(grades, records=rare), 10)
        for data, near in pairs:
            assert is_neighbour(data, near, grades) and {*data, *near} <= {(2, 0), (0, 0), (1, 1)}

    def test_they_shrink_to_the_record_that_differs(self) -> None:
        assert find(neighbouring_data_sets(grades, 3), lambda _: True, settings=searching) == (
            ((2, 0, 0),),
            ((0, 0, 0),),
        )
        many = find(neighbouring_data_sets(visited), lambda p: len(p[0]) == 3, settings=searching)
        assert many == (((1,), (0,), (0,)), ((0,), (0,), (0,)))

    def test_wrong_arguments(self) -> None:
        for relation in (Related(close), 3):
            with pytest.raises(BadInput, match="a policy, ADP"):
                neighbouring_data_sets(relation)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="max_size is 0"):
            neighbouring_data_sets(visited, max_size=0)
        with pytest.raises(BadInput, match="both have 2"):
            neighbouring_data_sets(DP("add-remove"), min_size=2, max_size=2)
        with pytest.raises(BadInput, match="at least 1"):
            neighbouring_data_sets(visited, 0)


def differences(m: Mechanism[..., Any], examples: int, at_once: int) -> list[tuple[Any, Any]]:
    """Inputs that are checked from all sides; those that differ."""
    found = drawn(neighbouring_inputs(m), examples, at_once)
    for pair in found:
        for side in pair:
            assert list(side) == list(m.inputs)
            m.convert(**side)
        assert all(pair[0][n] == pair[1][n] for n, k in m.inputs.items() if k.public)
        assert judged(m.privacy, m.inputs, *pair)  # type: ignore[arg-type]
    return [pair for pair in found if pair[0] != pair[1]]


class TestInputs:
    @pytest.mark.parametrize("name", every(2, GALLERY))
    def test_gallery(self, name: str) -> None:
        assert len(differences(GALLERY[name], 9, 3)) >= 2

    @pytest.mark.parametrize("name", ["demanding", "ruled", "of_all_kinds"])
    def test_others(self, name: str) -> None:
        assert len(differences(getattr(strategy_mechanisms, name), 30, 3)) >= 8

    def test_public_inputs_vary_within_the_preconditions(self) -> None:
        found = [left for left, _ in drawn(neighbouring_inputs(strategy_mechanisms.demanding), 60)]
        assert {len(d["f"]) for d in found} == {3, 4, 5}
        assert {(len(d["f"]), d["k"]) for d in found} >= {(3, 2), (4, 2)}
        assert len({d["low"] for d in found}) > 3 and len({d["T"] for d in found}) > 3
        assert len({d["eps"] for d in found}) > 5

    def test_what_one_record_moves_goes_one_way(self) -> None:
        ways = set()
        still = 0
        for left, right in drawn(neighbouring_inputs(strategy_mechanisms.of_all_kinds), 40):
            signs = {
                (a > b) - (a < b)
                for n in ("f", "h", "w")
                for a, b in zip(left[n], right[n])
                if a != b
            }
            assert len(signs) <= 1
            ways |= signs
            still += left["w"] == right["w"] != ()
            assert not signs or signs == {1 if len(left["data"]) > len(right["data"]) else -1}
        assert ways == {1, -1}
        assert still >= 5  # a record that comes or goes may do so outside these times

    def test_they_can_be_run(self) -> None:
        m = GALLERY["asymmetric_sparse_vector"]

        @settings(max_examples=20, database=None, derandomize=True)
        @given(neighbouring_inputs(m))
        def runs(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
            for side in pair:
                assert len(m(**side)) <= len(side["f"])

        runs()

    def test_fixed(self) -> None:
        m = GALLERY["asymmetric_sparse_vector"]
        given = {"eps": 0.25, "T": [1, 2, 3]}
        for left, _ in drawn(neighbouring_inputs(m, fixed=given), 30):
            assert left["eps"] == 0.25 and left["T"] == (1.0, 2.0, 3.0) and len(left["f"]) == 3

    def test_lengths_and_sizes(self) -> None:
        m = GALLERY["noisy_max"]
        found = drawn(neighbouring_inputs(m, min_length=2, max_length=3, largest=4), 40)
        assert {len(left["q"]) for left, _ in found} == {2, 3}
        assert max(v for left, _ in found for v in left["q"]) == 5  # four others, and one more

    def test_they_shrink(self) -> None:
        m = GALLERY["asymmetric_sparse_vector"]
        pair = find(neighbouring_inputs(m), lambda p: p[0]["f"] != p[1]["f"], settings=searching)
        public = {"T": (0.0,), "c": 1, "eps": 1.0}
        assert pair == ({"f": (1,), **public}, {"f": (0,), **public})

    def test_outside_the_language(self) -> None:
        found = drawn(neighbouring_inputs(strategy_mechanisms.unreadable), 30)
        assert any(left["f"] != right["f"] for left, right in found)

    def test_wrong_arguments(self) -> None:
        with pytest.raises(BadInput, match="meet the preconditions"):
            neighbouring_inputs(strategy_mechanisms.impossible)
        with pytest.raises(BadInput, match="'f' is no public input"):
            neighbouring_inputs(strategy_mechanisms.demanding, fixed={"f": (1, 2)})
        with pytest.raises(BadInput, match="a mechanism is needed"):
            neighbouring_inputs(len)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="must be positive"):
            neighbouring_inputs(strategy_mechanisms.demanding, fixed={"eps": 0})
