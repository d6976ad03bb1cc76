"""The paired run on small programs: what it owes, where both runs go, what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shiftproof.checkers.walking.runs import walk as walking
from shiftproof.checkers.walking.runs.state import Obligation, State
from shiftproof.dsl.errors import LimitReached
from shiftproof.dsl.language.syntax import NOWHERE, Constant, Name
from shiftproof.dsl.terms.formulas import FALSE, Choice, above, at_least, choice, equal
from shiftproof.dsl.terms.linear import Symbol, number, term
from shiftproof.dsl.terms.values import Num
from tests.alignments.walking import Watched, walk
from tests.programs.alignments import walked_mechanisms as known

EPS = term(Symbol("eps", fixed=True))
X = term(Symbol("x", True, private=True))
MOVE = term(Symbol("move of x", True, private=True))


def numbers(state: State, name: str) -> tuple[str, str]:
    left, right = state.left[name], state.right[name]
    assert isinstance(left, Num) and isinstance(right, Num)
    return str(left.term), str(right.term)


def test_a_right_shift_owes_nothing_that_is_open() -> None:
    found = walk(known.straight)
    assert found.claims("same output") == []  # equal as terms
    assert found.open() == []
    (end,) = found.final
    up, down = at_least(MOVE, number(0)), above(-MOVE, number(0))
    assert end.costs == {EPS: choice(up, MOVE, number(0)) + choice(down, -MOVE, number(0))}


def test_a_missing_shift_owes_that_nothing_moves() -> None:
    found = walk(known.unshifted)
    assert found.claims("same output") == [str(equal(MOVE, number(0)))]
    assert found.open() == ["same output"]
    (end,) = found.final
    assert end.costs == {}
    # What was owed is a fact from there on.
    assert end.decide(equal(MOVE, number(0))) is True


def test_both_runs_shift_by_the_alignment() -> None:
    found = walk(known.straight)
    for end in found.final:
        left, right = end.left["noise"], end.right["noise"]
        assert isinstance(left, Num) and isinstance(right, Num)
        assert right.term - left.term == MOVE


def test_exact_factors_of_a_rate_are_folded_into_the_counter() -> None:
    (end,) = walk(known.credit).final
    assert end.costs == {EPS: MOVE.scaled(Fraction(1, 2))}


def test_a_branch_before_an_output_is_taken_in_step() -> None:
    found = walk(known.in_step)
    lines = [o.span.line for o in found.owed if o.condition == "same samples"]
    assert len(lines) == 2 and len(set(lines)) == 1  # one for each arm; T is public
    assert len(found.final) == 3
    for end in found.final:
        assert end.left["noise"] == end.right["noise"]


def test_the_other_run_follows_as_a_fact() -> None:
    noise = term(Symbol("noise#0", private=True))
    above = at_least(X - MOVE + noise, number(3))
    known_there = [path.decide(above) for path in walk(known.in_step).final]
    assert sorted(known_there, key=str) == [False, False, True]


def test_a_branch_that_only_computes_is_taken_apart() -> None:
    found = walk(known.apart)
    assert found.claims("same samples") == []
    assert found.open() == []
    values = {numbers(end, "y") for end in found.final}
    assert values == {("5", "5"), ("5", "7"), ("7", "5"), ("7", "7")}


def test_nested_branches_are_taken_apart_too() -> None:
    found = walk(known.nested_apart)
    values = {numbers(end, "y") for end in found.final}
    # From 0 to 2 the answer would have to move by more than one.
    pairs = {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)}
    assert values <= {(str(a), str(b)) for a, b in pairs}
    assert values >= {("0", "0"), ("1", "1"), ("2", "2")}
    assert set(found.open()) == {"same output"}


def test_a_public_branch_is_one_branch() -> None:
    found = walk(known.apart_in_public)
    assert {numbers(end, "y") for end in found.final} == {("5", "5"), ("7", "7")}
    assert found.owed == []


def test_a_conditional_expression_is_unfolded_into_paths() -> None:
    found = walk(known.unfolded)
    assert str(FALSE) in found.claims("same output")
    for end in found.final:
        for values in (end.left, end.right):
            y = values["y"]
            assert isinstance(y, Num)
            assert not any(isinstance(atom, Choice) for atom, _ in y.term.parts)
    assert {numbers(end, "y") for end in found.final} >= {("0", "0"), ("1", "1")}


def test_a_shift_by_cases_is_one_term() -> None:
    found = walk(known.pieces)
    (measure,) = found.claims("measure")
    assert "noise#0'" in measure
    assert found.open() == ["measure"]
    (end,) = found.final
    left, right = end.left["noise"], end.right["noise"]
    assert isinstance(left, Num) and isinstance(right, Num)
    (moved,) = (atom for atom, _ in (right.term - left.term).parts)
    assert isinstance(moved, Choice) and (moved.yes, moved.no) == (MOVE, number(0))


def test_a_squeeze_can_never_meet_the_measure() -> None:
    assert walk(known.squeezed).claims("measure")[0] == str(FALSE)
    assert walk(known.straight).claims("measure") == []


def test_a_flip_costs_log_odds() -> None:
    found = walk(known.flipped)
    (end,) = found.final
    ((rate, amount),) = end.costs.items()
    assert str(rate) == "log_odds(3/4)"
    arms = {str(arm) for atom, _ in amount.parts if isinstance(atom, Choice) for arm in (atom.yes,)}
    assert arms == {"-1", "1"}
    assert found.claims("measure") == []


def test_a_shift_off_the_lattice_is_owed_not_to_be() -> None:
    found = walk(known.half_steps)
    assert found.claims("support")[0] == str(FALSE)
    assert "support" in found.open()


def test_a_scale_that_may_be_negative_is_owed() -> None:
    found = walk(known.bad_scale)
    assert found.claims("preconditions and positivity") == ["c > 0"]
    assert walk(known.straight).open() == []


def test_an_index_is_owed_in_range() -> None:
    found = walk(known.undefined)
    assert found.claims("definedness and end")[:2] == ["i >= 0", "-1*i + len(f) > 0"]


def test_a_walk_is_cut_at_a_loop_head() -> None:
    found = walk(known.loops)
    assert len(found.heads) == 1 and found.final == []
    (arrived,) = found.heads
    assert numbers(arrived, "total") == ("0", "0")
    start = State(arrived.node, dict(arrived.left), dict(arrived.right))
    again = walk(known.loops, start=start)
    assert len(again.heads) == 1  # one round
    assert {numbers(path, "total") for path in again.heads} == {("1", "1")}
    assert len(again.final) == 1 and again.final[0].costs == {}
    assert again.claims("same samples") == []  # lengths are public


def test_two_draws_of_one_name_are_two_draws() -> None:
    found = walk(known.twice_the_same_name)
    assert found.open() == []
    for end in found.final:
        assert numbers(end, "noise")[0] != "noise#0"


def test_a_site_can_be_given_another_shift() -> None:
    shift = Constant(NOWHERE, Fraction(1), "int")
    found = walk(known.unshifted, {0: shift})
    assert found.claims("same output") == [str(equal(MOVE, number(1)))]
    assert [path.costs for path in found.final] == [{EPS: number(1)}]
    found = walk(known.straight, {0: Name(NOWHERE, "x")})
    assert "same output" in set(found.open())


def test_too_many_paths_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert walk(known.many_branches).final
    monkeypatch.setattr(walking, "STEP_LIMIT", 3)
    with pytest.raises(LimitReached, match="paths"):
        walk(known.many_branches)


def test_infeasible_paths_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    few = len(walk(known.many_branches).final)

    def never(self: Watched, obligation: Obligation) -> bool:
        return False

    monkeypatch.setattr(Watched, "holds", never)
    assert len(walk(known.many_branches).final) > few
