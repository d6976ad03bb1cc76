"""How the answers of queries may differ between D and D', derived from records.

One record differs.  Which answers it can move, how far, and how many of them at once
follows from the relation between its two versions and from what the queries count.
Nothing is looked up: the two versions are written down at one, two or three *generic*
attributes, with all values that matter, and their contributions to the answers are counted.
That proves statements about every number of attributes, because whatever relates two
whole records also relates their parts at any few attributes.

Differences are D minus D' throughout: 1 means that the answer on D' is smaller.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from ..errors import BadInput
from .policies import Policy, integers

Moving: TypeAlias = Literal["none", "all", "one", "two"]


@dataclass(frozen=True, slots=True)
class RecordRelation:
    """How the one differing record differs; built by :func:`replacement`, :func:`add_remove`.

    If ``size_is_public``, both data sets have the record, and it changes along ``policy``;
    else only one of them has it, with any values of the universe.  ``one_hot``: every
    record, before and after, has at most one attribute equal to ``marked``.

    Raises:
        BadInput: ``one_hot``, and no attribute can have the value ``marked``.

    Source: "Asymmetric Differential Privacy", Definitions 8 and 9; one-hot records are
    what Theorem 15 needs.
    """

    policy: Policy
    size_is_public: bool
    one_hot: bool = False
    marked: int = 1

    def __post_init__(self) -> None:
        if self.one_hot and self.marked not in self.policy.universe:
            raise BadInput(
                f"one-hot records mark an attribute with {self.marked!r}, "
                f"which is not in the universe {self.policy.universe}"
            )


def replacement(policy: Policy, *, one_hot: bool = False, marked: int = 1) -> RecordRelation:
    """One record r becomes an r' with r → r'; under ``Policy.everything()`` replacement DP.

    Raises:
        BadInput: as :class:`RecordRelation`.
    """
    return RecordRelation(policy, True, one_hot, marked)


def add_remove(
    universe: Iterable[int] = (0, 1), *, one_hot: bool = False, marked: int = 1
) -> RecordRelation:
    """One record with values in ``universe`` appears or disappears.

    The number of records is not public, and every value is protected.

    Raises:
        BadInput: as :class:`RecordRelation` and :class:`Policy`.
    """
    return RecordRelation(Policy.everything(universe), False, one_hot, marked)


@dataclass(frozen=True, slots=True)
class CellQuery:
    """Answer i is the number of records whose attribute i has a value in ``counted``.

    ``located``: every attribute belongs to a location.  One-hot records then count at one
    location at most, there in any number of attributes.

    Raises:
        BadInput: a counted value is not an integer.
    """

    counted: frozenset[int]
    located: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "counted", integers(self.counted, "the counted values"))


@dataclass(frozen=True, slots=True)
class WindowQuery:
    """Answer t counts the records whose window ``[v, v + width)`` contains the time t.

    A record has a public integer time v and one attribute; it counts if the attribute
    has a value in ``counted`` (1: the person was there).  ``width``: at least 1.

    Raises:
        BadInput: ``width`` is not a positive integer, or a counted value no integer.
    """

    width: int
    counted: frozenset[int] = frozenset({1})

    def __post_init__(self) -> None:
        (width,) = integers((self.width,), "the width of a window")
        if width < 1:
            raise BadInput(f"the width of a window is at least 1, got {width}")
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "counted", integers(self.counted, "the counted values"))


@dataclass(frozen=True, slots=True)
class Differences:
    """What is known of f_i(D) − f_i(D'), for all i and every pair of neighbours of one case.

    * Each difference lies in ``[low, high]``, and 0 is always in this range.
    * ``moving``: how many of them can differ from 0 in one pair; ``"all"`` is no bound.
    * ``same_direction``: in one pair no two differences have opposite signs.  True as
      well where the range or ``moving`` leaves no choice.
    * ``opposed``: only for ``"two"``; whenever two answers move, one moves up and the
      other down.  One may also move alone.
    * Of answers at locations, ``moving`` and ``opposed`` speak of locations.  ``mixed``: those
      of one location may move in opposite directions, as when a record is replaced by another
      one there.
    """

    low: Fraction
    high: Fraction
    moving: Moving
    same_direction: bool
    opposed: bool = False
    mixed: bool = False

    def __post_init__(self) -> None:
        _check_range(self.low, self.high)
        if self.moving == "none" and self.low < self.high:
            raise BadInput(f"nothing moves, yet differences range over [{self.low}, {self.high}]")
        if self.opposed and (self.moving != "two" or self.same_direction):
            raise BadInput("opposed: only for two moving answers, and not in the same direction")


@dataclass(frozen=True, slots=True)
class WindowDifferences:
    """What is known of f_t(D) − f_t(D'), for all times t and every pair of one case.

    Each lies in ``[low, high]`` (which contains 0), those of one pair never have opposite
    signs, and they are 0 outside some ``width`` consecutive times, which depend on the pair.
    """

    low: Fraction
    high: Fraction
    width: int

    def __post_init__(self) -> None:
        _check_range(self.low, self.high)


@cache
def derive(relation: RecordRelation, query: CellQuery) -> tuple[Differences, ...]:
    """How the answers may differ, for every number of records and attributes.

    Several results are cases: every ordered pair (D, D') of neighbours falls under one
    of them, so a proof is owed for each.  Answers that may go up or down, but in one
    pair only together, are split into the case of falling answers (range ``[0, high]``)
    and that of rising ones (``[low, 0]``): adding and removing a record, for instance.

    Raises:
        BadInput: a counted value is not in the universe of the relation.

    Source: "Asymmetric Differential Privacy", Definitions 9, 11 and 12, and Example 5.
    """
    whole = _summary(relation, query, sign=0)
    if whole.same_direction and whole.low < 0 < whole.high:
        return _summary(relation, query, sign=1), _summary(relation, query, sign=-1)
    return (whole,)


@cache
def derive_windows(relation: RecordRelation, query: WindowQuery) -> tuple[WindowDifferences, ...]:
    """How the answers over time may differ; cases as in :func:`derive`.

    The time of a record is public: it is the same in both data sets if both have the
    record.  What may be sensitive is its attribute, or whether the record is there.

    Raises:
        BadInput: a counted value is not in the universe of the relation.

    Source: "Asymmetric Differential Privacy", Definition 9, for streams as in Algorithm 3.
    """
    moves = {0, *(move for (move,) in _moves(relation, query.counted, 1))}
    low, high = Fraction(min(moves)), Fraction(max(moves))
    # One record differs, and counts in the answers of one window, in all of them alike.
    cases = [(Fraction(0), high), (low, Fraction(0))] if low < 0 < high else [(low, high)]
    return tuple(WindowDifferences(*case, query.width) for case in cases)


def _summary(relation: RecordRelation, query: CellQuery, sign: int) -> Differences:
    """All pairs of neighbours as one case; ``sign`` ±1 keeps those that move only that way."""

    one = {0, *(move for (move,) in _moves(relation, query.counted, 1, sign))}
    low, high = Fraction(min(one)), Fraction(max(one))
    pairs = _moves(relation, query.counted, 2, sign)
    opposite = any(a and a == -b for a, b in pairs)
    alike = any(a and a == b for a, b in pairs)
    mixed = query.located and _part_at_a_location(relation, query, sign)
    moving: Moving = "none" if low == high else "one"
    if opposite or alike:
        # No bound is claimed once three can move, so four need not be asked about.
        moving = "all" if any(map(all, _moves(relation, query.counted, 3, sign))) else "two"
    opposed = moving == "two" and not alike
    return Differences(low, high, moving, not (opposite or mixed), opposed, mixed)


def _part_at_a_location(relation: RecordRelation, query: CellQuery, sign: int) -> bool:
    """Whether answers of one location may move in opposite directions."""
    free = replace(relation, one_hot=False)  # there a record may count in all of them
    return any(a and a == -b for a, b in _moves(free, query.counted, 2, sign))


def _moves(
    relation: RecordRelation, counted: frozenset[int], attributes: int, sign: int = 0
) -> set[tuple[int, ...]]:
    """What the differing record can contribute to the answers at some generic attributes.

    Its contributions in D minus those in D', each -1, 0 or 1; all other records contribute the
    same to both.  Of a value it only matters whether it is counted, sensitive, and marked.
    """
    policy, marked = relation.policy, relation.marked
    if strangers := counted - set(policy.universe):
        raise BadInput(f"counted value {min(strangers)} is not in the universe of {policy}")
    kinds = {(v in counted, v in policy.sensitive, v == marked): v for v in policy.universe}
    found = set()
    for in_d, in_other in ((1, 1),) if relation.size_is_public else ((1, 0), (0, 1)):
        ways = {
            (
                before == marked,
                after == marked,
                in_d * (before in counted) - in_other * (after in counted),
            )
            for before, after in product(kinds.values(), repeat=2)
            if before == after or before in policy.sensitive or not relation.size_is_public
        }
        for chosen in product(ways, repeat=attributes):
            marks = [sum(way[k] for way in chosen) for k in (0, 1)]
            moves = tuple(way[2] for way in chosen)
            if not (relation.one_hot and max(marks) > 1) and all(sign * m >= 0 for m in moves):
                found.add(moves)
    return found


def _check_range(low: Fraction, high: Fraction) -> None:
    if not low <= 0 <= high:
        raise BadInput(f"differences range over [{low}, {high}], which does not contain 0")
