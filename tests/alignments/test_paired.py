"""The paired run on small programs: what it owes, where both runs go, what it costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shiftproof.alignments import paired
from shiftproof.alignments.alignment import Condition
from shiftproof.alignments.paths import Path
from shiftproof.dsl.errors import LimitReached
from shiftproof.dsl.language.syntax import NOWHERE, Constant, Name
from shiftproof.dsl.terms.formulas import FALSE, Choice, Formula, at_least, equal
from shiftproof.dsl.terms.linear import Symbol, number, term
from shiftproof.dsl.terms.values import Num
from tests.alignments import walked_mechanisms as known
from tests.alignments.walking import Watched, walk

EPS = term(Symbol("eps", fixed=True))
X = term(Symbol("x", True, private=True))
MOVE = term(Symbol("move of x", True, private=True))


def numbers(path: Path, name: str) -> tuple[str, str]:
    left, right = path.left[name], path.right[name]
    assert isinstance(left, Num) and isinstance(right, Num)
    return str(left.term), str(right.term)


def test_a_right_shift_owes_nothing_that_is_open() -> None:
    found = walk(known.straight)
    assert found.claims(Condition.SAME_OUTPUT) == []  # equal as terms
    assert found.open() == []
    assert len(found.ends) == 2  # the shift goes up or down
    assert {str(path.costs) for path in found.ends} == {
        str({EPS: MOVE}),
        str({EPS: -MOVE}),
    }


def test_a_missing_shift_owes_that_nothing_moves() -> None:
    found = walk(known.unshifted)
    assert found.claims(Condition.SAME_OUTPUT) == [str(equal(MOVE, number(0)))]
    assert [r.condition for r in found.open()] == [Condition.SAME_OUTPUT]
    (end,) = found.ends
    assert end.costs == {}
    # What was owed is a fact from there on.
    assert end.decide(equal(MOVE, number(0))) is True


def test_both_runs_shift_by_the_alignment() -> None:
    found = walk(known.straight)
    for end in found.ends:
        left, right = end.left["noise"], end.right["noise"]
        assert isinstance(left, Num) and isinstance(right, Num)
        assert right.term - left.term == MOVE
        assert end.shifted == [right]


def test_exact_factors_of_a_rate_are_folded_into_the_counter() -> None:
    (end,) = walk(known.credit).ends
    assert end.costs == {EPS: MOVE.scaled(Fraction(1, 2))}


def test_a_branch_before_an_output_is_taken_in_step() -> None:
    found = walk(known.in_step)
    lines = [r.span.line for _, _, r in found.owed_here if r.condition is Condition.SAME_SAMPLES]
    assert len(lines) == 2 and len(set(lines)) == 1  # one for each arm; T is public
    assert len(found.ends) == 3
    for end in found.ends:
        ((_, left, right),) = end.outputs
        assert left == right


def test_the_other_run_follows_as_a_fact() -> None:
    noise = term(Symbol("noise#1", private=True))
    above = at_least(X - MOVE + noise, number(3))
    known_there = [path.decide(above) for path in walk(known.in_step).ends]
    assert sorted(known_there, key=str) == [False, False, True]


def test_a_branch_that_only_computes_is_taken_apart() -> None:
    found = walk(known.apart)
    assert found.claims(Condition.SAME_SAMPLES) == []
    assert found.open() == []
    values = {numbers(end, "y") for end in found.ends}
    assert values == {("5", "5"), ("5", "7"), ("7", "5"), ("7", "7")}


def test_nested_branches_are_taken_apart_too() -> None:
    found = walk(known.nested_apart)
    values = {numbers(end, "y") for end in found.ends}
    # From 0 to 2 the answer would have to move by more than one.
    pairs = {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)}
    assert values <= {(str(a), str(b)) for a, b in pairs}
    assert values >= {("0", "0"), ("1", "1"), ("2", "2")}
    assert {r.condition for r in found.open()} == {Condition.SAME_OUTPUT}


def test_a_public_branch_is_one_branch() -> None:
    found = walk(known.apart_in_public)
    assert {numbers(end, "y") for end in found.ends} == {("5", "5"), ("7", "7")}
    assert found.owed_here == []


def test_a_conditional_expression_is_unfolded_into_paths() -> None:
    found = walk(known.unfolded)
    released = [claim for _, claim, r in found.owed_here if r.condition is Condition.SAME_OUTPUT]
    assert FALSE in released
    for path, _, _ in found.owed_here:
        for values in (path.left, path.right):
            y = values["y"]
            assert isinstance(y, Num)
            assert not any(isinstance(atom, Choice) for atom, _ in y.term.parts)
    assert {numbers(end, "y") for end in found.ends} >= {("0", "0"), ("1", "1")}


def test_a_shift_by_cases_is_followed_piece_by_piece() -> None:
    found = walk(known.pieces)
    (measure,) = found.claims(Condition.MEASURE)
    assert "noise#1'" in measure
    assert [r.condition for r in found.open()] == [Condition.MEASURE]
    shifts = set()
    for end in found.ends:
        left, right = end.left["noise"], end.right["noise"]
        assert isinstance(left, Num) and isinstance(right, Num)
        shifts.add(str(right.term - left.term))
    assert shifts == {"0", "move of x"}


def test_a_squeeze_can_never_meet_the_measure() -> None:
    assert walk(known.squeezed).claims(Condition.MEASURE)[0] == str(FALSE)
    assert walk(known.straight).claims(Condition.MEASURE) == []


def test_a_flip_costs_log_odds() -> None:
    found = walk(known.flipped)
    costs = [path.costs for path in found.ends]
    assert {} in costs
    amounts = sorted(str(a) for cost in costs for a in cost.values())
    assert set(amounts) == {"-1", "1"}
    assert {str(rate) for cost in costs for rate in cost} == {"log_odds(3/4)"}
    assert found.claims(Condition.MEASURE) == []


def test_a_shift_off_the_lattice_ends_the_path() -> None:
    found = walk(known.half_steps)
    assert found.claims(Condition.SUPPORT) == [str(FALSE)]
    assert found.ends == []


def test_a_scale_that_may_be_negative_is_owed() -> None:
    found = walk(known.bad_scale)
    assert found.claims(Condition.PRECONDITIONS) == ["c > 0"]
    assert walk(known.straight).open() == []


def test_an_index_is_owed_in_range() -> None:
    found = walk(known.undefined)
    assert found.claims(Condition.DEFINEDNESS)[:2] == ["i >= 0", "-1*i + len(f) > 0"]


def test_a_walk_is_cut_at_a_loop_head() -> None:
    found = walk(known.loops)
    assert len(found.heads) == 1 and found.ends == []
    (arrived,) = found.heads
    assert numbers(arrived, "total") == ("0", "0")
    start = Path(arrived.node, dict(arrived.left), dict(arrived.right), at_cut=True)
    again = walk(known.loops, start=start)
    assert len(again.heads) == 2  # one round, with a shift up or down
    assert {numbers(path, "total") for path in again.heads} == {("1", "1")}
    assert len(again.ends) == 1 and again.ends[0].costs == {}
    assert again.claims(Condition.SAME_SAMPLES) == []  # lengths are public


def test_two_draws_of_one_name_are_two_draws() -> None:
    found = walk(known.twice_the_same_name)
    assert found.open() == []
    for end in found.ends:
        assert numbers(end, "noise")[0] != "noise#1"
        assert len(end.shifted) == 2 and end.shifted[0] != end.shifted[1]


def test_a_site_can_be_given_another_shift() -> None:
    shift = Constant(NOWHERE, Fraction(1), "int")
    found = walk(known.unshifted, {0: shift})
    assert found.claims(Condition.SAME_OUTPUT) == [str(equal(MOVE, number(1)))]
    assert [path.costs for path in found.ends] == [{EPS: number(1)}]
    found = walk(known.straight, {0: Name(NOWHERE, "x")})
    assert Condition.SAME_OUTPUT in {r.condition for r in found.open()}


def test_too_many_paths_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert walk(known.many_branches).ends
    monkeypatch.setattr(paired, "PATH_LIMIT", 3)
    with pytest.raises(LimitReached, match="paths"):
        walk(known.many_branches)


def test_infeasible_paths_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    few = len(walk(known.many_branches).ends)

    def always(self: Watched, path: Path, formula: Formula) -> bool:
        return True

    monkeypatch.setattr(Watched, "feasible", always)
    assert len(walk(known.many_branches).ends) > few
