"""The pairs of inputs that tools for testing privacy begin with, where a relation allows them.

Source: Ding, Wang, Wang, Zhang and Kifer, "Detecting Violations of Differential Privacy"
(CCS 2018), where answers move by 1; Bichsel, Steffen, Bogunovic and Vechev, "DP-Sniper"
(S&P 2021), take each pair in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from ...dsl.inputs import CountingQueries, InputKind, Queries, WindowCounts
from ...dsl.privacy import Privacy, Related
from ..refuting.records import arrivals, people
from .checking import checked_kind
from .numbers import bound_of, moved, resolved
from .ruled import Ruled

Levels: TypeAlias = tuple[int, ...]


class CornerPattern(NamedTuple):
    """A pair of neighbouring answers: a tuple of numbers each, or a number for one answer.

    ``name``: as in the literature; with ", swapped" where D and D' change places.
    """

    name: str
    left: Any
    right: Any


#: What answers are on the two sides, in units of the sensitivity.
SHAPES: Mapping[str, Callable[[int], tuple[Levels, Levels]]] = {
    "one above": lambda n: ((1,) * n, (2, *(1,) * (n - 1))),
    "one below": lambda n: ((1,) * n, (0, *(1,) * (n - 1))),
    "one above, rest below": lambda n: ((1,) * n, (2, *(0,) * (n - 1))),
    "one below, rest above": lambda n: ((1,) * n, (0, *(2,) * (n - 1))),
    "half half": lambda n: ((1,) * n, ((2,) * (n // 2) + (0,) * (n - n // 2))),
    "all above": lambda n: ((1,) * n, (2,) * n),
    "all below": lambda n: ((1,) * n, (0,) * n),
    "x shape": lambda n: (
        (1,) * (n // 2) + (0,) * (n - n // 2),
        (0,) * (n // 2) + (1,) * (n - n // 2),
    ),
}


def corner_patterns(
    kind: InputKind | object,
    privacy: Privacy,
    length: int = 5,
    *,
    public: Mapping[str, Any] | None = None,
) -> tuple[CornerPattern, ...]:
    """The corner patterns of the literature that are neighbours, in the order D, D'.

    One above, one below, one above and the rest below, one below and the rest above, half
    half, all above, all below (against five ones), and the X shape; each in both directions,
    as far as the relation allows: under ``ADP(Policy({1}))`` no count is larger on D'.  Equal
    pairs are given once.  None for data sets and users' own values, which have no answers.

    Args:
        kind: what the answers are, as in an annotation: ``Counts``, ``Queries(sensitivity=2)``.
        privacy: the relation.
        length: how many answers; one for kinds of a single number.
        public: the public inputs that the kind names (a sensitivity, locations).

    Raises:
        BadInput: the kind has no neighbours under this relation.

    Source: StatDP (CCS 2018), of which answers move by the sensitivity; DP-Sniper (S&P 2021).
    """
    name, found = checked_kind(kind, privacy, length, public)
    patterns = shaped({name: found}, privacy, {name: length}, public or {})
    return tuple(CornerPattern(p.name, p.left[name], p.right[name]) for p in patterns)


def shaped(
    kinds: Mapping[str, InputKind],
    privacy: Privacy,
    lengths: Mapping[str, int],
    public: Mapping[str, Any],
) -> list[CornerPattern]:
    """The patterns of several inputs that differ together, by name: each has the same shape."""
    kinds = {n: resolved(kind, public) for n, kind in kinds.items()}
    seen: dict[str, CornerPattern] = {}
    for name, left, right in _sides(kinds, lengths):
        scaled = _scaled(kinds, left, right, public)
        if scaled[0] != scaled[1] and _allowed(kinds, privacy, *scaled, public):
            seen.setdefault(repr(scaled), CornerPattern(name, *scaled))
    return list(seen.values())


def _sides(
    kinds: Mapping[str, InputKind], lengths: Mapping[str, int]
) -> Iterator[tuple[str, dict[str, Levels], dict[str, Levels]]]:
    for name, shape in SHAPES.items():
        pairs = {n: shape(lengths[n] if k.array else 1) for n, k in kinds.items()}
        if not all(lengths[n] or not k.array for n, k in kinds.items()):
            return
        one, two = ({n: p[side] for n, p in pairs.items()} for side in (0, 1))
        yield name, one, two
        yield f"{name}, swapped", two, one


def _scaled(
    kinds: Mapping[str, InputKind],
    left: Mapping[str, Levels],
    right: Mapping[str, Levels],
    public: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Levels as answers: whole numbers, or multiples of the sensitivity."""
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for n, kind in kinds.items():
        one: tuple[Any, ...] = left[n]
        two: tuple[Any, ...] = right[n]
        if not kind.whole:
            unit = bound_of(kind, public) if isinstance(kind, Queries) else Fraction(1)
            starts = tuple(float(level * unit) for level in one)
            falls = [(a - b) * unit for a, b in zip(one, two, strict=True)]
            one, two = starts, tuple(map(moved, starts, falls))
        for side, answers in zip(sides, (one, two), strict=True):
            side[n] = answers if kind.array else answers[0]
    return sides


def _allowed(
    kinds: Mapping[str, InputKind],
    privacy: Privacy,
    left: dict[str, Any],
    right: dict[str, Any],
    public: Mapping[str, Any],
) -> bool:
    """Whether they are neighbours, by the judge of counterexamples."""
    if isinstance(privacy, Related):
        return _ruled(Ruled.of(privacy, kinds, public), left, right)
    counted = {n: k for n, k in kinds.items() if isinstance(k, CountingQueries)}
    if counted and people(privacy, counted, left, right, public) is None:
        return False
    for n, kind in kinds.items():
        if isinstance(kind, WindowCounts) and arrivals(privacy, kind, left[n], right[n]) is None:
            return False
        if isinstance(kind, Queries) and not _declared(kind, left[n], right[n]):
            return False
        if not isinstance(kind, CountingQueries | WindowCounts | Queries):
            return False
    return True


def _declared(kind: Queries, left: Any, right: Any) -> bool:
    """Whether answers of a pattern, which move far enough, move in the direction declared."""
    pairs = list(zip(left, right, strict=True)) if kind.array else [(left, right)]
    falls, rises = any(a > b for a, b in pairs), any(a < b for a, b in pairs)
    few = kind.differing == "all" or sum(a != b for a, b in pairs) <= 1
    return (
        few
        and not (falls and kind.direction == "increasing")
        and not (rises and kind.direction == "decreasing")
    )


def _ruled(ruled: Ruled, left: dict[str, Any], right: dict[str, Any]) -> bool:
    lengths = [len(left[n]) for n, k in ruled.kinds.items() if k.array]
    return all(
        ruled.holds(
            {
                n: (left[n][i], right[n][i]) if k.array else (left[n], right[n])
                for n, k in ruled.kinds.items()
            }
        )
        for i in range(max(lengths, default=1))
    )
