"""Policies and neighbouring data sets: the paper's examples, and what must hold for all."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shiftproof.dsl.errors import BadInput, LimitReached
from shiftproof.dsl.privacy import policies
from shiftproof.dsl.privacy.policies import (
    Policy,
    is_neighbour,
    is_record_neighbour,
    monotonicity,
    p_sensitivity,
    record_neighbours,
)

VISITED = Policy(sensitive={1})
BOB, TOM, ALICE, EMA = (1, 0), (0, 0), (1, 1), (0, 1)


@st.composite
def policy_and_records(draw, count, attributes=3):
    """A policy over up to three values, and some records over its universe."""
    universe = draw(st.sampled_from([(0, 1), (0, 1, 2), (-3, 7), (5,)]))
    policy = Policy(draw(st.sets(st.sampled_from(universe))), universe)
    width = draw(st.integers(0, attributes))
    record = st.tuples(*[st.sampled_from(universe)] * width)
    return policy, draw(st.lists(record, min_size=count, max_size=count))


class TestPolicy:
    def test_example_1(self):
        assert VISITED.is_sensitive(1) and not VISITED.is_sensitive(0)

    def test_example_2(self):
        everything = Policy.everything()
        assert everything.is_sensitive(0) and everything.is_sensitive(1)
        assert everything == Policy({0, 1})

    def test_everything_takes_an_iterator(self):
        assert Policy.everything(iter([2, 1])) == Policy({1, 2}, [1, 2])

    def test_order_and_repetition_do_not_matter(self):
        one, two = Policy([1, 1], [1, 0, 0]), Policy({1})
        assert one == two and hash(one) == hash(two)
        assert one.universe == (0, 1)

    def test_is_frozen(self):
        with pytest.raises(AttributeError):
            VISITED.sensitive = frozenset()

    @pytest.mark.parametrize(
        "text",
        [
            "Policy(sensitive={1})",
            "Policy(sensitive=set())",
            "Policy(sensitive={0, 2}, universe={0, 1, 2})",
        ],
    )
    def test_repr_is_source(self, text):
        assert repr(eval(text)) == text

    def test_numpy_integers_become_integers(self):
        numpy = pytest.importorskip("numpy")
        policy = Policy(numpy.array([1]), numpy.arange(3))
        assert policy == Policy({1}, {0, 1, 2})
        assert all(type(v) is int for v in policy.universe)

    @pytest.mark.parametrize(
        ("sensitive", "universe", "message"),
        [
            ({2}, (0, 1), "2 is not in the universe"),
            ((), (), "universe of a policy is empty"),
            ({1.0}, (0, 1), "wanted integers, got 1.0"),
            ({True}, (0, 1), "wanted integers, got True"),
            ("1", (0, 1), "wanted integers, got '1'"),
            ({1}, (0, None), "wanted integers, got None"),
            (1, (0, 1), "wanted a set of integers"),
        ],
    )
    def test_bad_input(self, sensitive, universe, message):
        with pytest.raises(BadInput, match=message):
            Policy(sensitive, universe)

    def test_value_outside_the_universe(self):
        with pytest.raises(BadInput, match="2 is not in the universe"):
            VISITED.is_sensitive(2)


class TestRecords:
    @pytest.mark.parametrize(
        ("record", "expected"),
        [
            (BOB, {(0, 0), (1, 0)}),
            (ALICE, {(0, 0), (0, 1), (1, 0), (1, 1)}),
            (TOM, {(0, 0)}),
            (EMA, {(0, 0), (0, 1)}),
        ],
    )
    def test_example_3_repaired(self, record, expected):
        assert set(record_neighbours(record, VISITED)) == expected

    def test_example_4(self):
        """What may leak: that Bob has not been at location 2, and all of Tom's record."""
        assert all(r[1] == 0 for r in record_neighbours(BOB, VISITED))
        assert list(record_neighbours(TOM, VISITED)) == [TOM]

    def test_is_directed(self):
        assert is_record_neighbour(BOB, TOM, VISITED)
        assert not is_record_neighbour(TOM, BOB, VISITED)

    def test_is_lazy(self):
        assert next(record_neighbours((1,) * 200, VISITED)) == (0,) * 200

    def test_other_length(self):
        assert not is_record_neighbour((1, 1), (1,), VISITED)

    @pytest.mark.parametrize(("r", "s"), [((2,), (1,)), ((1,), (2,)), ((1,), (1, 2))])
    def test_outside_the_universe(self, r, s):
        with pytest.raises(BadInput):
            is_record_neighbour(r, s, VISITED)

    @given(policy_and_records(1))
    def test_reflexive(self, drawn):
        policy, (r,) = drawn
        assert is_record_neighbour(r, r, policy)

    @given(policy_and_records(1), st.data())
    def test_transitive(self, drawn, data):
        policy, (r,) = drawn
        s = data.draw(st.sampled_from(sorted(record_neighbours(r, policy))))
        t = data.draw(st.sampled_from(sorted(record_neighbours(s, policy))))
        assert is_record_neighbour(r, t, policy)

    @given(policy_and_records(1))
    def test_enumeration_is_the_relation(self, drawn):
        policy, (r,) = drawn
        listed = list(record_neighbours(r, policy))
        everyone = product(policy.universe, repeat=len(r))
        assert sorted(listed) == sorted(s for s in everyone if is_record_neighbour(r, s, policy))
        assert len(set(listed)) == len(listed)

    @given(policy_and_records(2))
    def test_symmetric_if_all_or_nothing_is_sensitive(self, drawn):
        policy, (r, s) = drawn
        forth, back = is_record_neighbour(r, s, policy), is_record_neighbour(s, r, policy)
        if len(policy.sensitive) in (0, len(policy.universe)):
            assert forth == back


class TestDataSets:
    def test_direction(self):
        assert is_neighbour((BOB, TOM), (TOM, TOM), VISITED)
        assert not is_neighbour((TOM, TOM), (BOB, TOM), VISITED)

    def test_exactly_one_index_differs(self):
        assert not is_neighbour((BOB,), (BOB,), VISITED)
        assert not is_neighbour((BOB, BOB), (TOM, TOM), VISITED)

    def test_swapping_two_records_is_no_neighbour(self):
        assert not is_neighbour((BOB, TOM), (TOM, BOB), Policy.everything())

    def test_size_is_public(self):
        assert not is_neighbour((BOB, TOM), (BOB,), Policy.everything())

    def test_changing_the_number_of_attributes_is_no_neighbour(self):
        assert not is_neighbour(((1,),), ((1, 0),), VISITED)

    def test_only_the_sensitive_have_neighbours(self):
        assert list(policies.neighbours((TOM, TOM), VISITED)) == []
        assert list(policies.neighbours((), VISITED)) == []
        assert list(policies.neighbours((BOB, TOM, EMA), VISITED)) == [
            (TOM, TOM, EMA),
            (BOB, TOM, TOM),
        ]

    @given(policy_and_records(2, attributes=2))
    def test_enumeration_is_the_relation(self, drawn):
        policy, records = drawn
        data = tuple(records)
        listed = list(policies.neighbours(data, policy))
        everything = product(product(policy.universe, repeat=len(data[0])), repeat=2)
        assert sorted(listed) == sorted(d for d in everything if is_neighbour(data, d, policy))

    @given(policy_and_records(4))
    def test_everything_is_replacement_and_contains_every_policy(self, drawn):
        policy, (a, b, c, d) = drawn
        one, two = (a, b), (c, d)
        everything = Policy.everything(policy.universe)
        assert is_neighbour(one, two, everything) == ((a != c) + (b != d) == 1)
        assert is_neighbour(one, two, everything) or not is_neighbour(one, two, policy)


def visitors(data):
    return sum(record[0] for record in data)


class TestSensitivity:
    @pytest.mark.parametrize(
        ("policy", "expected"),
        [
            (VISITED, "decreasing"),
            (Policy({0}), "increasing"),
            (Policy(()), "constant"),
            (Policy.everything(), None),
        ],
    )
    def test_example_5(self, policy, expected):
        assert monotonicity(visitors, policy, size=3, attributes=2) == expected
        sensitivity = 0 if expected == "constant" else 1
        assert p_sensitivity(visitors, policy, size=3, attributes=2) == sensitivity

    def test_counting_those_who_did_not_visit_goes_up(self):
        def absent(data):
            return len(data) - visitors(data)

        assert monotonicity(absent, VISITED, size=2, attributes=1) == "increasing"

    def test_sensitivity_is_exact(self):
        def third(data):
            return Fraction(sum(map(sum, data)), 3)

        assert p_sensitivity(third, VISITED, size=2, attributes=2) == Fraction(2, 3)

    def test_sensitivity_may_be_smaller_than_under_dp(self):
        """A non-sensitive 0 never becomes 9, so that Δ_{f,P} < Δ_f (see Theorem 10)."""
        universe = {0, 1, 3, 9}

        def total(data):
            return sum(map(sum, data))

        assert p_sensitivity(total, Policy.everything(universe), 1, 1) == 9
        assert p_sensitivity(total, Policy({1}, universe), 1, 1) == 8
        assert p_sensitivity(total, Policy({3}, universe), 1, 1) == 6

    @given(st.lists(st.integers(-2, 2), min_size=16, max_size=16))
    def test_theorem_4_repaired(self, answers):
        """Under P^DP, for one fixed size: monotone if and only if constant."""
        table = dict(zip(product(product((0, 1), repeat=2), repeat=2), answers, strict=True))
        direction = monotonicity(table.__getitem__, Policy.everything(), size=2, attributes=2)
        assert direction == ("constant" if len(set(answers)) == 1 else None)

    def test_theorem_4_as_printed_fails_across_sizes(self):
        everything = Policy.everything()
        assert monotonicity(len, everything, 1, 1) == monotonicity(len, everything, 2, 1)
        assert monotonicity(len, everything, 1, 1) == "constant" and len(()) != len(((0,),))

    def test_constant_on_neighbours_is_not_constant(self):
        """Nobody's 0 may change: the number of all-zero data sets is free to vary."""
        unprotected = Policy(())
        assert monotonicity(visitors, unprotected, size=1, attributes=1) == "constant"
        assert visitors(((0,),)) != visitors(((1,),))

    @given(policy_and_records(0), st.integers(0, 2), st.integers(0, 2))
    def test_no_direction_means_some_sensitivity(self, drawn, size, attributes):
        policy, _ = drawn

        def total(data):
            return sum(map(sum, data))

        moves = monotonicity(total, policy, size, attributes) != "constant"
        assert moves == (p_sensitivity(total, policy, size, attributes) > 0)

    def test_too_many_data_sets(self):
        for policy in (Policy.everything(), Policy(())):
            with pytest.raises(LimitReached, match="EXHAUSTIVE_ANSWERS"):
                p_sensitivity(visitors, policy, size=10_000, attributes=10)

    def test_the_limit_counts_every_answer(self, monkeypatch):
        asked = []

        def counting(data):
            asked.append(data)
            return 0

        monkeypatch.setattr(policies, "EXHAUSTIVE_ANSWERS", 8 * (8 + 2 * 64))
        p_sensitivity(counting, Policy.everything(), size=2, attributes=3)
        assert len(asked) == 64 + 64 * 2 * 7 <= policies.EXHAUSTIVE_ANSWERS
        monkeypatch.setattr(policies, "EXHAUSTIVE_ANSWERS", 8 * (8 + 2 * 64) - 1)
        with pytest.raises(LimitReached):
            p_sensitivity(counting, Policy.everything(), size=2, attributes=3)

    @pytest.mark.parametrize("answer", [float("nan"), float("inf")])
    def test_answers_are_finite(self, answer):
        with pytest.raises(BadInput, match="finite"):
            p_sensitivity(lambda data: answer, VISITED, 1, 1)

    def test_large_answers_stay_exact(self):
        assert p_sensitivity(lambda d: 10**400 * d[0][0], VISITED, 1, 1) == 10**400

    def test_negative_size(self):
        with pytest.raises(BadInput, match="at least 0"):
            monotonicity(visitors, VISITED, -1, 1)
