"""How answers may differ: the known cases by name, and all small ones by enumeration."""

from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shiftproof.dsl.errors import BadInput
from shiftproof.dsl.privacy import policies
from shiftproof.dsl.privacy.definitions import ADP
from shiftproof.dsl.privacy.inputs import WindowCounts
from shiftproof.dsl.privacy.neighbours import CountedRecord, Differences, derive, derive_windows
from shiftproof.dsl.privacy.policies import Policy
from shiftproof.dsl.relations.moves import moves_of
from tests.sampling import every

VISITED, EVERYTHING = Policy({1}), Policy.everything()
COUNTS, ABSENT = frozenset({1}), frozenset({0})


def replacement(policy, counted=COUNTS, marked=None):
    return CountedRecord(policy, counted, marked=marked)


def add_remove(universe=(0, 1), counted=COUNTS, marked=None):
    return CountedRecord(Policy.everything(universe), counted, adding=True, marked=marked)


def differences(low, high, moving, same_direction=True, opposed=False):
    return Differences(low, high, moving, same_direction, opposed)


def subsets(values):
    values = sorted(values)
    return [frozenset(c) for n in range(len(values) + 1) for c in combinations(values, n)]


class TestKnownCases:
    def test_counts_under_the_visiting_policy_fall(self):
        assert derive(replacement(VISITED)) == (differences(0, 1, "all"),)

    def test_counting_those_who_did_not_visit_rises(self):
        assert derive(replacement(VISITED, ABSENT)) == (differences(-1, 0, "all"),)

    def test_counts_under_replacement_dp(self):
        expected = differences(-1, 1, "all", same_direction=False)
        assert derive(replacement(EVERYTHING)) == (expected,)

    def test_nothing_sensitive_nothing_moves(self):
        assert derive(replacement(Policy(()))) == (differences(0, 0, "none"),)

    @pytest.mark.parametrize("counted", [frozenset(), frozenset({0, 1})])
    def test_the_number_of_records_does_not_move(self, counted):
        expected = (differences(0, 0, "none"),)
        assert derive(replacement(EVERYTHING, counted)) == expected

    def test_the_number_of_records_moves_if_it_is_not_public(self):
        """All answers move then, though a range always holds 0 as well."""
        everyone = frozenset({0, 1})
        assert derive(add_remove(counted=everyone)) == derive(add_remove())

    def test_one_hot_under_the_visiting_policy(self):
        relation = replacement(VISITED, marked=1)
        assert derive(relation) == (differences(0, 1, "one"),)

    def test_one_hot_under_replacement_dp(self):
        expected = differences(-1, 1, "two", same_direction=False, opposed=True)
        assert derive(replacement(EVERYTHING, marked=1)) == (expected,)

    def test_one_hot_from_nowhere_to_somewhere(self):
        relation = replacement(Policy({0}), marked=1)
        assert derive(relation) == (differences(-1, 0, "one"),)

    def test_one_hot_does_not_bound_what_is_not_marked(self):
        relation = replacement(Policy.everything({0, 1, 2}), ABSENT, marked=1)
        assert derive(relation)[0].moving == "all"

    def test_add_remove_is_two_cases(self):
        expected = (differences(0, 1, "all"), differences(-1, 0, "all"))
        assert derive(add_remove()) == expected

    def test_add_remove_of_one_hot_records(self):
        expected = (differences(0, 1, "one"), differences(-1, 0, "one"))
        assert derive(add_remove(marked=1)) == expected

    def test_one_attribute_that_is_always_marked(self):
        """Two attributes could not both be marked, and yet one answer moves."""
        assert derive(add_remove({1}, marked=1))[0] == differences(0, 1, "one")


# --- all small cases, by enumeration ------------------------------------------------------


def pairs_of_records(relation, attributes):
    """Every (before, after), written from the definitions; ``None`` for a missing record."""
    policy = relation.policy
    records = list(product(policy.universe, repeat=attributes))
    if relation.marked is not None:
        records = [r for r in records if r.count(relation.marked) <= 1]
    if relation.adding:
        return chain(((r, None) for r in records), ((None, r) for r in records))
    return (
        (r, s)
        for r, s in product(records, repeat=2)
        if all(a == b for a, b in zip(r, s, strict=True) if a not in policy.sensitive)
    )


def all_moves(relation, attributes):
    def contribution(record):
        return [0] * attributes if record is None else [int(v in relation.counted) for v in record]

    return {
        tuple(a - b for a, b in zip(contribution(r), contribution(s), strict=True))
        for r, s in pairs_of_records(relation, attributes)
    }


def summary(moves):
    """The tightest :class:`Differences` of a set of difference vectors, by enumeration."""
    low, high = min(0, *chain(*moves)), max(0, *chain(*moves))
    most = max(sum(v != 0 for v in move) for move in moves)
    same = not any({1, -1} <= set(move) for move in moves)
    alike = any(move.count(1) > 1 or move.count(-1) > 1 for move in moves)
    kind = ["none", "one", "two", "all"][min(most, 3)]
    return differences(low, high, kind, same, kind == "two" and not alike)


def enumerated(moves):
    whole = summary(moves)
    if whole.same_direction and whole.low < 0 < whole.high:
        falling, rising = ({m for m in moves if min(k * v for v in m) >= 0} for k in (1, -1))
        return summary(falling), summary(rising)
    return (whole,)


def allows(case, move):
    """Whether a result admits this vector of differences: the reading that provers rely on."""
    moved = [v for v in move if v]
    return (
        all(case.low <= v <= case.high for v in move)
        and (case.moving == "all" or len(moved) <= ["none", "one", "two"].index(case.moving))
        and not (case.same_direction and min(moved, default=0) < 0 < max(moved, default=0))
        and not (case.opposed and len(moved) == 2 and moved[0] * moved[1] > 0)
    )


def relations(policy):
    for counted, marked in product(subsets(policy.universe), (None, *policy.universe)):
        yield replacement(policy, counted, marked)
        if policy == Policy.everything(policy.universe):
            yield add_remove(policy.universe, counted, marked)


SMALL = [Policy(part, u) for u in [(0, 1), (0, 1, 2)] for part in subsets(u)]


@pytest.mark.parametrize("policy", every(5, SMALL), ids=str)
def test_derived_is_enumerated(policy):
    """Exact for three attributes; and nothing is missed for fewer or for more."""
    for relation in relations(policy):
        derived = derive(relation)
        moves = {n: all_moves(relation, n) for n in (1, 2, 3)}
        assert derived == enumerated(moves[3]), relation
        for move in chain(*moves.values()):
            assert any(allows(case, move) for case in derived), (relation, move)


@pytest.mark.parametrize("policy", SMALL[:4], ids=str)
def test_nothing_is_missed_with_five_attributes(policy):
    for relation in relations(policy):
        derived = derive(relation)
        for move in all_moves(relation, 5):
            assert any(allows(case, move) for case in derived), (relation, move)


@settings(deadline=None)
@given(st.sampled_from(SMALL), st.data())
def test_answers_on_neighbouring_data_sets(policy, data):
    """The same on whole data sets, with the neighbours that the policy gives them."""
    counted = data.draw(st.sampled_from(subsets(policy.universe)))
    record = st.tuples(*[st.sampled_from(policy.universe)] * data.draw(st.integers(1, 3)))
    people = tuple(data.draw(st.lists(record, min_size=1, max_size=3)))

    def answers(data_set):
        return [sum(v in counted for v in column) for column in zip(*data_set, strict=True)]

    (case,) = derive(replacement(policy, counted))
    for other in policies.neighbours(people, policy):
        move = [a - b for a, b in zip(answers(people), answers(other), strict=True)]
        assert allows(case, move)


@pytest.mark.parametrize("policy", SMALL, ids=str)
def test_a_single_count_moves_as_its_monotonicity_says(policy):
    for counted in subsets(policy.universe):

        def count(data_set, counted=counted):
            return sum(record[0] in counted for record in data_set)

        (case,) = derive(replacement(policy, counted))
        names = {(0, 0): "constant", (0, 1): "decreasing", (-1, 0): "increasing", (-1, 1): None}
        direction = policies.monotonicity(count, policy, size=2, attributes=1)
        assert direction == names[case.low, case.high]
        sensitivity = policies.p_sensitivity(count, policy, size=2, attributes=1)
        assert sensitivity == max(-case.low, case.high)


class TestWindows:
    def test_presence_is_sensitive(self):
        assert derive_windows(replacement(VISITED)) == ((0, 1),)

    @pytest.mark.parametrize("relation", [replacement(EVERYTHING), add_remove()], ids=str)
    def test_both_directions_are_two_cases(self, relation):
        assert derive_windows(relation) == ((0, 1), (-1, 0))

    def test_nothing_sensitive_nothing_moves(self):
        assert derive_windows(replacement(Policy(()))) == ((0, 0),)

    @pytest.mark.parametrize("policy", every(4, SMALL), ids=str)
    def test_derived_is_enumerated(self, policy):
        """A record moves the answers of its window alike, by what one attribute moves."""
        for relation in relations(policy):
            cases = derive_windows(relation)
            moves = {move for (move,) in all_moves(relation, 1)} | {0}
            assert all(any(low <= move <= high for low, high in cases) for move in moves)
            assert moves == set(range(cases[-1][0], cases[0][1] + 1))


class TestErrors:
    def test_counted_value_that_cannot_occur(self):
        with pytest.raises(BadInput, match="counted value 2 is not in the universe"):
            replacement(VISITED, {2})

    def test_mark_that_cannot_occur(self):
        with pytest.raises(BadInput, match="which is not in the universe"):
            replacement(Policy({0}, {0, 2}), ABSENT, marked=1)

    @pytest.mark.parametrize("width", [0, -1, 1.5, True, None])
    def test_width(self, width):
        with pytest.raises(BadInput, match="width"):
            moves_of(ADP(VISITED), "f", WindowCounts(width), {})

    def test_counted_values_are_integers(self):
        assert hash(replacement(VISITED, {1})) == hash(replacement(VISITED))
        with pytest.raises(BadInput, match="counted values"):
            replacement(VISITED, {"1"})
