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

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from ..errors import BadInput
from .policies import Policy, integers

Moving: TypeAlias = Literal["none", "all", "one", "two"]


@dataclass(frozen=True, slots=True)
class CountedRecord:
    """How the one differing record differs, and what of it is counted.

    Answer i counts the records whose attribute i has a value in ``counted``.  Both data sets have
    the record, and it changes along ``policy``; or, if ``adding``, only one of them has it, with
    any values of the universe.  ``marked``: records are one-hot, at most one attribute has this
    value, before and after.  ``located``: every attribute belongs to a location; one-hot records
    count at one location at most, there in any number of attributes.

    Raises:
        BadInput: a counted value is not an integer, or a value is not in the universe.

    Source: "Asymmetric Differential Privacy", Definitions 8 and 9; one-hot records are
    what Theorem 15 needs.
    """

    policy: Policy
    counted: frozenset[int]
    adding: bool = False
    marked: int | None = None
    located: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "counted", integers(self.counted, "the counted values"))
        if self.marked is not None and self.marked not in self.policy.universe:
            raise BadInput(
                f"one-hot records mark an attribute with {self.marked!r}, "
                f"which is not in the universe {self.policy.universe}"
            )
        if strangers := self.counted - set(self.policy.universe):
            raise BadInput(
                f"counted value {min(strangers)} is not in the universe of {self.policy}"
            )

    def moves(self, attributes: int, sign: int = 0) -> set[tuple[int, ...]]:
        """What the differing record can contribute to the answers at some generic attributes.

        Its contributions in D minus those in D', each -1, 0 or 1; all other records contribute
        the same to both.  ``sign`` ±1 keeps those that move only that way.  Of a value it only
        matters whether it is counted, sensitive, and marked.
        """
        counted, sensitive, marked = self.counted, self.policy.sensitive, self.marked
        kinds = {(v in counted, v in sensitive, v == marked): v for v in self.policy.universe}
        found = set()
        for in_d, in_other in ((1, 0), (0, 1)) if self.adding else ((1, 1),):
            ways = {
                (
                    before == marked,
                    after == marked,
                    in_d * (before in counted) - in_other * (after in counted),
                )
                for before, after in product(kinds.values(), repeat=2)
                if before == after or before in sensitive or self.adding
            }
            for chosen in product(ways, repeat=attributes):
                marks = [sum(way[k] for way in chosen) for k in (0, 1)]
                moves = tuple(way[2] for way in chosen)
                if max(marks) <= 1 and all(sign * m >= 0 for m in moves):
                    found.add(moves)
        return found


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

    low: int
    high: int
    moving: Moving
    same_direction: bool
    opposed: bool = False
    mixed: bool = False


@cache
def derive(record: CountedRecord) -> tuple[Differences, ...]:
    """How the answers may differ, for every number of records and attributes.

    Several results are cases: every ordered pair (D, D') of neighbours falls under one
    of them, so a proof is owed for each.  Answers that may go up or down, but in one
    pair only together, are split into the case of falling answers (range ``[0, high]``)
    and that of rising ones (``[low, 0]``): adding and removing a record, for instance.

    Source: "Asymmetric Differential Privacy", Definitions 9, 11 and 12, and Example 5.
    """
    whole = _summary(record, sign=0)
    if whole.same_direction and whole.low < 0 < whole.high:
        return _summary(record, sign=1), _summary(record, sign=-1)
    return (whole,)


def derive_windows(record: CountedRecord) -> tuple[tuple[int, int], ...]:
    """Between which numbers answers over time may differ; cases as in :func:`derive`.

    Answer t counts the records with a public time v whose window ``[v, v + width)`` contains t,
    and whose one attribute is counted.  What may be sensitive is that attribute, or whether the
    record is there.  One record differs, and counts in the answers of one window, in all of
    them alike.

    Source: "Asymmetric Differential Privacy", Definition 9, for streams as in Algorithm 3.
    """
    low, high = _range(record)
    return ((0, high), (low, 0)) if low < 0 < high else ((low, high),)


def _range(record: CountedRecord, sign: int = 0) -> tuple[int, int]:
    moves = {0, *(move for (move,) in record.moves(1, sign))}
    return min(moves), max(moves)


def _summary(record: CountedRecord, sign: int) -> Differences:
    """All pairs of neighbours as one case; ``sign`` ±1 keeps those that move only that way."""
    low, high = _range(record, sign)
    pairs = record.moves(2, sign)
    opposite = any(a and a == -b for a, b in pairs)
    alike = any(a and a == b for a, b in pairs)
    # Of one location a record may count in all answers.
    there = replace(record, marked=None).moves(2, sign) if record.located else ()
    mixed = any(a and a == -b for a, b in there)
    moving: Moving = "none" if low == high else "one"
    if opposite or alike:
        # No bound is claimed once three can move, so four need not be asked about.
        moving = "all" if any(map(all, record.moves(3, sign))) else "two"
    opposed = moving == "two" and not alike
    return Differences(low, high, moving, not (opposite or mixed), opposed, mixed)
