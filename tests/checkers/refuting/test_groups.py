"""Groups: the relation is what records say, by brute force; proofs and refutations fit it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import DP, Group, Verdict, bound, refute, verify
from shiftproof.checkers.refuting.inputs import Instance
from shiftproof.checkers.refuting.relation import Relation
from tests.programs.checkers import groups

Person = tuple[Any, ...]
Crowd = tuple[Person, ...]


def related(program: Any, left: dict[str, Any], right: dict[str, Any]) -> bool:
    public = {"eps": Fraction(1), **({"by": (0, 1)} if "by" in program.inputs else {})}
    return Relation(program).witnesses(Instance("e", public, left, right)) is not None


def reached(start: Crowd, people: Sequence[Person], most: int, adding: bool) -> set[Crowd]:
    """Every data set at most so many steps from this one; the order of records does not count."""
    found = {start}
    for _ in range(most):
        step: set[Crowd] = set()
        for crowd in found:
            for k in range(len(crowd)):
                others = crowd[:k] + crowd[k + 1 :]
                step.update([others] if adding else [tuple(sorted((*others, p))) for p in people])
            if adding:
                step.update(tuple(sorted((*crowd, p))) for p in people)
        found |= step
    return found


def counted(crowd: Crowd, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(sum(person[k] for person in crowd) for k in places)


#: Of each mechanism what a person is, and what it sees of a crowd; all of counts.
BITS = list(itertools.product((0, 1), repeat=2))
WORLDS = {
    "of_counts": (groups.of_counts, BITS, lambda c: {"f": counted(c, (0, 1))}),
    "of_histogram": (
        groups.of_histogram,
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        lambda c: {"h": counted(c, (0, 1, 2))},
    ),
    "of_both": (
        groups.of_both,
        [(a, *h) for a in (0, 1) for h in ((0, 0), (1, 0), (0, 1))],
        lambda c: {"f": counted(c, (0,)), "h": counted(c, (1, 2))},
    ),
}


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("adding", [False, True])
@pytest.mark.parametrize("name", WORLDS)
def test_counts_are_related_as_records_are(name: str, adding: bool, size: int) -> None:
    made, people, seen = WORLDS[name]
    program = replace(made.program, privacy=Group(DP("add-remove") if adding else DP(), size))
    largest, most = (1, 4) if name == "of_both" else (2, 5)
    if size == 3:
        largest, most = 1, 4
    by_records: set[tuple[str, str]] = set()
    crowds = [
        crowd
        for n in range(most + 1)
        for crowd in itertools.combinations_with_replacement(sorted(people), n)
    ]

    def low(inputs: dict[str, Any]) -> bool:
        return all(v <= largest for values in inputs.values() for v in values)

    for crowd in crowds:
        left = seen(crowd)
        if low(left):
            for other in reached(crowd, people, size, adding):
                by_records.add((str(left), str(seen(other))))
    inputs = {str(found): found for c in crowds if low(found := seen(c))}
    for a, b in itertools.product(inputs, repeat=2):
        if a != b:
            assert related(program, inputs[a], inputs[b]) == ((a, b) in by_records), (a, b)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("adding", [False, True])
def test_data_sets_are_related_as_they_are_edited(adding: bool, size: int) -> None:
    program = replace(
        groups.of_data.program, privacy=Group(DP("add-remove") if adding else DP(), size)
    )
    crowds = [c for n in range(5) for c in itertools.product(((0,), (1,)), repeat=n)]

    def steps(crowd: Crowd) -> Iterator[Crowd]:
        for k in range(len(crowd) + 1):
            if adding:
                yield from ((*crowd[:k], p, *crowd[k:]) for p in ((0,), (1,)))
            if k < len(crowd):
                yield from (
                    [(*crowd[:k], *crowd[k + 1 :])]
                    if adding
                    else [(*crowd[:k], p, *crowd[k + 1 :]) for p in ((0,), (1,))]
                )

    for crowd in crowds:
        found = {crowd}
        for _ in range(size):
            found |= {after for before in found for after in steps(before)}
        for other in crowds:
            if other != crowd:
                assert related(program, {"data": crowd}, {"data": other}) == (other in found)


@pytest.mark.parametrize("adding", [False, True])
def test_what_counts_beside_a_data_set_has_its_records(adding: bool) -> None:
    made = groups.of_data_and_a_count.program
    program = replace(made, privacy=Group(DP("add-remove") if adding else DP(), 2))
    people = list(itertools.product((0, 1), repeat=2))
    crowds = [c for n in range(5) for c in itertools.combinations_with_replacement(people, n)]
    some = found_some = 0

    def shown(crowd: Crowd) -> list[tuple[Any, int]]:
        datas = set(itertools.permutations([(r[0],) for r in crowd]))
        return [(data, counted(crowd, (1,))[0]) for data in datas]

    pairs = {
        (a, b)
        for crowd in crowds
        for other in reached(crowd, people, 2, adding)
        for a in shown(crowd)
        for b in shown(other)
    }
    sides = sorted({side for pair in pairs for side in pair if len(side[0]) <= 2 and side[1] <= 2})
    for a, b in itertools.product(sides, repeat=2):
        if a == b:
            continue
        told = [{"data": data, "n": n} for data, n in (a, b)]
        if related(program, *told):
            found_some += 1
            assert (a, b) in pairs
        some += (a, b) in pairs
    assert found_some > some / 3


@pytest.mark.parametrize("size", [1, 2, 3])
def test_users_are_related_one_at_a_time(size: int) -> None:
    program = replace(groups.of_users.program, privacy=Group(DP(), size))
    for a, b in itertools.product(itertools.product((0, 1, 2), repeat=3), repeat=2):
        if a != b:
            apart = sum(v != w for v, w in zip(a, b, strict=True))
            assert related(program, {"x": a}, {"x": b}) == (apart <= size)
    assert not related(program, {"x": (0, 3)}, {"x": (0, 0)})


def test_one_user_and_many_take_steps_of_their_own() -> None:
    program = groups.of_one_user_and_many.program
    still = {"x": 0, "y": (0, 0), "z": (0, 0)}
    assert related(program, still, {"x": 1, "y": (1, 0), "z": (1, 0)})
    assert related(program, still, {"x": 0, "y": (1, 0), "z": (0, 1)})
    assert not related(program, still, {"x": 1, "y": (1, 0), "z": (0, 1)})
    assert not related(program, still, {"x": 0, "y": (1,), "z": (0,)})


@pytest.mark.parametrize(
    ("moves", "fall", "s", "expected"),
    [
        ((3, 0), 0, 1, True),
        ((2, -1), 0, 1, True),
        ((2, 1.5), 0, 1, False),
        ((1, 1, 1), 6, 1, True),
        ((1, 1, 1, 1), 0, 1, False),
        ((3.5, 0), 0, 1, False),
        ((0, 0), 6, 1, True),
        ((0, 0), 6.5, 1, False),
        ((0, 0), -6, 1, True),
        ((0, 0), -6.5, 1, False),
        ((0, 0), 1, 0, True),
        ((0.5, 0), 0, 0, False),
    ],
)
def test_declared_answers_move_by_multiples(
    moves: tuple[float, ...], fall: float, s: int, expected: bool
) -> None:
    left = {"q": tuple(map(Fraction, moves)), "d": Fraction(fall)}
    right = {"q": (Fraction(0),) * len(moves), "d": Fraction(0)}
    public = {"eps": Fraction(1), "s": Fraction(s)}
    found = Relation(groups.of_answers.program).witnesses(Instance("e", public, left, right))
    assert (found is not None) == expected


def test_of_windows_and_locations_only_one_step_is_a_chain() -> None:
    program, still = groups.of_windows.program, {"w": (1, 1), "g": (1, 1)}
    assert related(program, still, {"w": (0, 0), "g": (1, 1)})
    assert not related(program, still, {"w": (3, 1), "g": (1, 1)})
    assert not related(program, still, {"w": (1, 1), "g": (3, 1)})


@pytest.mark.parametrize(
    "made",
    [
        groups.of_counts,
        groups.of_histogram,
        groups.of_data,
        groups.of_users,
        groups.of_answers,
        groups.whole_budget,
    ],
)
def test_proved(made: Any) -> None:
    report = verify(made)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.epsilon_upper == ("2*eps" if made is groups.whole_budget else "eps")
    assert "in each of at most" in report.claim and report.certificate is not None


@pytest.mark.parametrize(
    "made",
    [
        groups.two_are_paid,
        groups.nearly_all_are_paid,
        groups.moves_twice,
        groups.one_is_paid,
        groups.users_together,
    ],
)
def test_refuted_by_a_chain(made: Any) -> None:
    report = verify(made)
    assert report.verdict is Verdict.REFUTED
    assert report.refutation is not None and report.refutation.breaks


def test_the_least_budget_is_that_of_the_chain() -> None:
    found = bound(groups.whole_budget, {"eps": 1.0})
    assert found.upper == "2*eps" and found.tight
    assert refute(groups.whole_budget) is None


def least_budget(users: int, size: int, eps: float) -> float:
    """By all outcomes of all pairs of which so many users differ: the true ε, in nats."""
    honest = math.exp(eps) / (1 + math.exp(eps))
    everyone = list(itertools.product((0, 1), repeat=users))

    def law(x: tuple[int, ...], z: tuple[int, ...]) -> float:
        return math.prod(honest if a == b else 1 - honest for a, b in zip(x, z, strict=True))

    return max(
        math.log(law(x, z) / law(y, z))
        for x, y, z in itertools.product(everyone, repeat=3)
        if sum(a != b for a, b in zip(x, y, strict=True)) <= size
    )


def test_verdicts_are_those_of_all_outcomes() -> None:
    true = least_budget(3, 2, 1.0)
    assert true == pytest.approx(2)
    assert verify(groups.each_answers).verdict is Verdict.PROVED
    report = verify(groups.each_answers_too_well)
    assert report.verdict is Verdict.REFUTED and report.refutation is not None
    assert float(report.refutation.log_ratio.enclosure.low) > 0


def test_what_no_chain_uses_up_is_not_proved() -> None:
    """Two values of one user are one step apart, so ε is enough; a proof wants ε / 2."""
    report = verify(groups.one_user_is_no_group)
    assert report.verdict is Verdict.UNKNOWN and report.refutation is None


@pytest.mark.parametrize(
    ("data", "move", "expected"),
    [
        (0, 2, True),
        (0, 3, False),
        (1, 3, True),
        (1, 1, True),
        (2, 2, True),
        (2, 3, False),
        (4, 0, False),
    ],
)
def test_each_step_changes_the_data_set(data: int, move: int, expected: bool) -> None:
    """A record that comes has to go again, where nothing of it is to be seen at the end."""
    left = {"data": ((1,),) * data, "q": Fraction(move)}
    right = {"data": (), "q": Fraction(0)}
    assert related(groups.data_and_an_answer.program, left, right) == expected
