"""Pairs of answers: those of neighbours, of every kind, in all ways that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import find

from shiftproof import (
    ADP,
    DP,
    LDP,
    BadInput,
    Count,
    CountingQueries,
    Counts,
    DataSet,
    Histogram,
    IntegerValue,
    LocationCounts,
    Nat,
    Policy,
    Private,
    Public,
    Queries,
    Query,
    Related,
    Stream,
    Value,
    WindowCounts,
    is_record_neighbour,
    other,
)
from shiftproof.checkers.refuting.relation import Relation
from shiftproof.dsl.language.annotations import input_kind
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.dsl.privacy.inputs import InputKind
from shiftproof.strategies import (
    corner_patterns,
    query_answers,
)
from tests.checkers.strategies.cases import (
    POLICIES,
    RULES,
    by_two,
    close,
    drawn,
    grades,
    judged,
    of_visits,
    searching,
    uneven,
    visited,
)
from tests.sampling import every

Unit = Value(0, 1)
KINDS: list[Any] = [
    Counts,
    Count,
    Histogram,
    CountingQueries({0}),
    CountingQueries({0}, one_hot=True),
    WindowCounts(2),
    LocationCounts(by="place"),
    DataSet(2),
]
DECLARED: list[Any] = [
    Queries(),
    Queries(sensitivity=0.1, direction="decreasing"),
    Queries(sensitivity=Fraction(1, 3), direction="increasing"),
    Queries(sensitivity=2, differing="one"),
    Queries(sensitivity="s"),
    Queries(sensitivity=0),
    Query(sensitivity=1),
    Stream(direction="decreasing"),
]
PUBLIC = {"place": (0, 1, 1, 0), "s": 0.7}


def cases() -> Iterator[tuple[Any, Privacy]]:
    for kind in KINDS:
        for policy in (visited, grades, uneven):
            counted = getattr(kind, "counted", {1})
            if counted <= set(policy.universe):
                yield kind, ADP(policy)
        yield from ((kind, privacy) for privacy in (DP(), DP("add-remove")))
    for kind in DECLARED:
        yield from ((kind, privacy) for privacy in (ADP(visited), DP("add-remove")))
    yield IntegerValue(0, 2), ADP(grades)
    for privacy in (DP(), LDP()):
        yield from ((kind, privacy) for kind in (Unit, Value(0.1, 0.7), IntegerValue(-3, 3)))
    for kind in (Count, IntegerValue(0, 2), Private[int]):
        yield kind, Related(by_two)
    for rule in RULES:
        yield from ((kind, rule) for kind in (Private[float], Private[list[float]]))


class TestAnswers:
    @pytest.mark.parametrize(("kind", "privacy"), every(7, list(cases())), ids=str)
    def test_they_are_neighbours(self, kind: Any, privacy: Any) -> None:
        found = input_kind(kind)
        assert found is not None
        name = "x" if isinstance(privacy, Related) else "f"
        kinds: dict[str, InputKind] = {name: found}
        pairs = drawn(query_answers(kind, privacy, 4, public=PUBLIC), 20, 5)
        for left, right in pairs:
            assert judged(privacy, kinds, {**PUBLIC, name: left}, {**PUBLIC, name: right})
            if not isinstance(found, DataSet):
                assert all(accepted(found, side) == side for side in (left, right))
        differ = sum(left != right for left, right in pairs)
        assert differ >= 3 or getattr(found, "sensitivity", 1) == 0

    @pytest.mark.parametrize("kind", [Counts, Histogram], ids=["counts", "histogram"])
    @pytest.mark.parametrize(
        "privacy", every(3, [*map(ADP, POLICIES[:3]), DP(), DP("add-remove")]), ids=str
    )
    def test_all_moves_and_no_others(self, kind: Any, privacy: Any) -> None:
        found: Any = input_kind(kind)
        universe = privacy.policy.universe if isinstance(privacy, ADP) else (0, 1)
        seen = [r for r in product(universe, repeat=2) if fits(found, r)]
        pairs: list[tuple[Any, Any]] = [(r, s) for r in seen for s in seen if r != s]
        if privacy == DP("add-remove"):
            pairs = [*((r, None) for r in seen), *((None, r) for r in seen)]
        elif isinstance(privacy, ADP):
            pairs = [(r, s) for r, s in pairs if is_record_neighbour(r, s, privacy.policy)]
        wanted = {moves(marks(found, r), marks(found, s)) for r, s in pairs}
        drawn_moves = {moves(*p) for p in drawn(query_answers(kind, privacy, 2), 120)}
        assert drawn_moves - {(0, 0)} == wanted - {(0, 0)}

    @pytest.mark.parametrize("privacy", every(2, [ADP(visited), DP(), DP("add-remove")]), ids=str)
    def test_windows_of_every_place(self, privacy: Privacy) -> None:
        pairs = drawn(query_answers(WindowCounts(2), privacy, 3), 150)
        found = {moves(*p) for p in pairs if p[0] != p[1]}
        falls = {(1, 0, 0), (1, 1, 0), (0, 1, 1), (0, 0, 1)}
        rises = {tuple(-v for v in run) for run in falls}
        both = {moves(a, b) for a in falls for b in falls if a != b}
        wanted = {
            "ADP(Policy(sensitive={1}))": falls,
            "DP": falls | rises | both,
            "DP(add-remove)": falls | rises,
        }[str(privacy)]
        assert found <= wanted and len(found) >= 0.7 * len(wanted)

    def test_locations_move_together(self) -> None:
        kind = LocationCounts(by="place")
        pairs = drawn(query_answers(kind, DP(), 4, public=PUBLIC, corners=False), 300)
        found = {moves(*p) for p in pairs}
        assert {(1, 0, 0, 1), (0, 1, 1, 0), (0, 0, 1, 0)} <= found
        # One visit of the place becomes another one, there or elsewhere.
        assert any(-1 in (m[0] * m[3], m[1] * m[2]) for m in found)
        assert any(-1 in (m[0] * m[1], m[0] * m[2], m[3] * m[1], m[3] * m[2]) for m in found)
        assert all(m[:2] not in ((1, 1), (-1, -1)) for m in found)

    def test_extreme_moves_of_declared_answers(self) -> None:
        pairs = drawn(query_answers(Queries(sensitivity=3), DP(), 2, corners=False), 120)
        found = {moves(*p) for p in pairs}
        assert {(3, 3), (-3, -3), (3, 0), (0, 3), (3, -3)} <= found
        assert any(0 < abs(a) < 3 for a, _ in found)

    def test_a_value_under_a_policy(self) -> None:
        pairs = drawn(query_answers(IntegerValue(0, 2), ADP(grades)))
        assert {left for left, _ in pairs} == {2}
        assert {right for _, right in pairs} == {0, 1}

    def test_integers_under_a_rule(self) -> None:
        def fall(x: int) -> bool:
            return 0 <= x - other(x) <= 2

        pairs = drawn(query_answers(Private[int], Related(fall)))
        assert {left - right for left, right in pairs} == {0, 1, 2}

    def test_they_shrink(self) -> None:
        def simplest(kind: Any, privacy: Privacy) -> Any:
            answers = query_answers(kind, privacy, 3, public={"place": (7, 7, 8)})
            return find(answers, lambda p: p[0] != p[1], settings=searching)

        assert simplest(Counts, ADP(visited)) == ((1, 0, 0), (0, 0, 0))
        assert simplest(Histogram, DP("add-remove")) == ((1, 0, 0), (0, 0, 0))
        assert simplest(LocationCounts(by="place"), ADP(visited)) == ((1, 0, 0), (0, 0, 0))
        assert simplest(Queries(), DP()) == ((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
        assert simplest(WindowCounts(2), ADP(visited)) == ((1, 1, 0), (0, 0, 0))

        def two_move(pair: tuple[Any, Any]) -> bool:
            return sum(a != b for a, b in zip(*pair)) >= 2

        for kind, privacy, wanted in (
            (Counts, ADP(visited), ((1, 1, 1), (0, 0, 0))),
            (Queries(direction="decreasing"), DP(), ((0.0,) * 3, (-1.0,) * 3)),
        ):
            answers = query_answers(kind, privacy, 3, corners=False)
            assert find(answers, two_move, settings=searching) == wanted

    def test_wrong_arguments(self) -> None:
        with pytest.raises(BadInput, match="private input like Counts"):
            query_answers(Public[Nat], DP())
        with pytest.raises(BadInput, match="'s' is needed"):
            query_answers(Queries(sensitivity="s"), DP())
        with pytest.raises(BadInput, match="4 answers and 2 locations"):
            query_answers(LocationCounts(by="p"), DP(), 4, public={"p": (1, 2)})
        with pytest.raises(BadInput, match="no neighbours under LDP"):
            query_answers(Counts, LDP())
        with pytest.raises(BadInput, match="no record has another one"):
            query_answers(Counts, ADP(Policy(set())))
        with pytest.raises(BadInput, match="is sensitive"):
            query_answers(IntegerValue(0, 1), ADP(grades))
        with pytest.raises(BadInput, match="not in the universe"):
            query_answers(CountingQueries({3}), ADP(visited))
        with pytest.raises(BadInput, match="at least 0"):
            query_answers(Counts, DP(), -1)


def accepted(kind: InputKind, value: Any) -> Any:
    taken: Any = kind.accept("f", value)
    return tuple(taken) if isinstance(kind, Stream) else taken


def fits(kind: CountingQueries, record: tuple[int, ...]) -> bool:
    return not kind.one_hot or sum(marks(kind, record)) <= 1


def marks(kind: CountingQueries, record: tuple[int, ...] | None) -> tuple[int, ...]:
    return (0, 0) if record is None else tuple(int(v in kind.counted) for v in record)


def moves(left: Sequence[Any], right: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(a - b for a, b in zip(left, right, strict=True))


ONES = (1, 1, 1, 1, 1)
FALLING = {
    "one above, swapped": ((2, 1, 1, 1, 1), ONES),
    "one below": (ONES, (0, 1, 1, 1, 1)),
    "all above, swapped": ((2, 2, 2, 2, 2), ONES),
    "all below": (ONES, (0, 0, 0, 0, 0)),
}
EVERY = FALLING | {
    "one above": (ONES, (2, 1, 1, 1, 1)),
    "one below, swapped": ((0, 1, 1, 1, 1), ONES),
    "one above, rest below": (ONES, (2, 0, 0, 0, 0)),
    "one above, rest below, swapped": ((2, 0, 0, 0, 0), ONES),
    "one below, rest above": (ONES, (0, 2, 2, 2, 2)),
    "one below, rest above, swapped": ((0, 2, 2, 2, 2), ONES),
    "half half": (ONES, (2, 2, 0, 0, 0)),
    "half half, swapped": ((2, 2, 0, 0, 0), ONES),
    "all above": (ONES, (2, 2, 2, 2, 2)),
    "all below, swapped": ((0, 0, 0, 0, 0), ONES),
    "x shape": ((1, 1, 0, 0, 0), (0, 0, 1, 1, 1)),
    "x shape, swapped": ((0, 0, 1, 1, 1), (1, 1, 0, 0, 0)),
}
ALIKE = {n: p for n, p in EVERY.items() if n[:3] in ("one", "all") and "rest" not in n}
SINGLE = {n: p for n, p in ALIKE.items() if n.startswith("one")}


class TestPatterns:
    @pytest.mark.parametrize(
        ("kind", "privacy", "wanted"),
        [
            (Counts, ADP(visited), FALLING),
            (Counts, DP(), EVERY),
            (Counts, ADP(Policy.everything()), EVERY),
            (Counts, DP("add-remove"), ALIKE),
            (Histogram, DP("add-remove"), SINGLE),
            (Histogram, DP(), SINGLE),
            (Queries(differing="one"), DP(), SINGLE),
            (Queries(direction="decreasing"), LDP(), ALIKE),
            (Queries(direction="decreasing"), ADP(visited), FALLING),
            (Queries(), DP(), EVERY),
            (Private[list[float]], Related(close), EVERY),
        ],
        ids=str,
    )
    def test_those_that_are_allowed(self, kind: Any, privacy: Privacy, wanted: Any) -> None:
        found = corner_patterns(kind, privacy)
        assert {p.name: (p.left, p.right) for p in found} == wanted
        assert len(found) == len(wanted)

    def test_windows_and_places(self) -> None:
        windows = corner_patterns(WindowCounts(5), ADP(visited))
        assert {p.name for p in windows} == set(FALLING)
        assert {p.name for p in corner_patterns(WindowCounts(4), ADP(visited))} == {
            "one above, swapped",
            "one below",
        }
        for n, width in product(range(1, 6), range(1, 7)):
            found = {p[1:] for p in corner_patterns(WindowCounts(width), DP(), n)}
            every = {p[1:] for p in corner_patterns(Counts, DP(), n)}
            assert found == {p for p in every if of_visits(DP(), width, *p)}
        kind = LocationCounts(by="place")
        where = corner_patterns(kind, DP(), 2, public={"place": (3, 3)})
        apart = corner_patterns(kind, DP(), 2, public={"place": (3, 4)})
        assert {p.name for p in where} == {p.name for p in corner_patterns(Counts, DP(), 2)}
        assert ((1, 1), (0, 0)) in {(p.left, p.right) for p in where}
        assert ((1, 1), (0, 0)) not in {(p.left, p.right) for p in apart}
        assert ((1, 0), (0, 1)) in {(p.left, p.right) for p in apart}

    def test_scaled_by_the_sensitivity(self) -> None:
        found = corner_patterns(Queries(sensitivity="s"), DP(), 2, public={"s": 0.1})
        assert found[0].name == "one above"
        assert found[0].right == pytest.approx((0.2, 0.1))
        for p in found:
            assert max(abs(Fraction(a) - Fraction(b)) for a, b in zip(p.left, p.right)) <= Fraction(
                1, 10
            )

    def test_one_number(self) -> None:
        found = corner_patterns(Count, ADP(visited))
        assert [(p.left, p.right) for p in found] == [(2, 1), (1, 0)]

    def test_kinds_without(self) -> None:
        assert corner_patterns(DataSet(2), DP()) == ()
        assert corner_patterns(Unit, LDP()) == ()
        assert corner_patterns(Counts, DP(), 0) == ()

    @pytest.mark.parametrize(
        ("kind", "privacy"),
        [(Counts, ADP(visited)), (Queries(direction="decreasing"), DP())],
        ids=str,
    )
    def test_they_are_drawn(self, kind: Any, privacy: Privacy) -> None:
        wanted = {(p.left, p.right) for p in corner_patterns(kind, privacy, 2)}
        assert wanted <= set(drawn(query_answers(kind, privacy, 2), 400))
        assert not wanted <= set(drawn(query_answers(kind, privacy, 2, corners=False), 30))


def test_the_judge_sees_what_is_no_neighbour() -> None:
    kinds: dict[str, InputKind] = {"f": CountingQueries()}
    assert judged(ADP(visited), kinds, {"f": (1, 0)}, {"f": (0, 0)})
    assert not judged(ADP(visited), kinds, {"f": (0, 0)}, {"f": (1, 0)})
    assert not judged(DP(), kinds, {"f": (2, 0)}, {"f": (0, 0)})
    assert Relation.__module__.startswith("shiftproof.checkers.refuting")
