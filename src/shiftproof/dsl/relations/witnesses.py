"""From counts to people: data sets whose counts are the ones of a pair.

Whether two inputs are neighbours is decided here from the definitions alone, by writing down
the records of both: all but one are the same, and that one changes as the policy allows.
Nothing of what the proof derives about differences is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ..privacy.definitions import Privacy
from ..privacy.inputs import CountingQueries, InputKind, LocationCounts, WindowCounts
from ..privacy.policies import Policy, Record, is_record_neighbour

#: How many records a data set of a counterexample may have.
RECORDS = 2_000


@dataclass(frozen=True, slots=True)
class People:
    """Two neighbouring data sets: the records that both have, and the one that differs.

    ``before`` or ``after`` is ``None`` where a data set does not have that record.
    """

    others: tuple[Record, ...]
    before: Record | None
    after: Record | None


@dataclass(frozen=True, slots=True)
class AttributeValues:
    """The values of one attribute: counted, not counted, and how one may become another."""

    counted: tuple[int, ...]
    others: tuple[int, ...]
    policy: Policy | None
    whole: bool = False

    @classmethod
    def of(cls, privacy: Privacy, kind: CountingQueries | WindowCounts) -> AttributeValues:
        """Those of a policy; without one, a value that is not counted is made up."""
        counted = kind.counted if isinstance(kind, CountingQueries) else frozenset({1})
        policy = privacy.policy_of_values
        made_up = next(v for v in range(len(counted) + 1) if v not in counted)
        universe = policy.universe if policy is not None else (*sorted(counted), made_up)
        return cls(
            tuple(v for v in universe if v in counted),
            tuple(v for v in universe if v not in counted),
            policy,
            privacy.whole,
        )

    def change(self, move: int) -> tuple[int, int] | None:
        """A value before and after such that the count falls by ``move``."""
        if move == 0:
            rest = self._sensitive_first(self.others) or self.counted
            return (rest[0], rest[0])
        before, after = (self.counted, self.others) if move > 0 else (self.others, self.counted)
        for v in self._sensitive_first(before):
            for w in after:
                if (
                    self.whole
                    or self.policy is None
                    or is_record_neighbour((v,), (w,), self.policy)
                ):
                    return v, w
        return None

    def _sensitive_first(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """If the record is replaced as a whole, one sensitive value is enough."""
        if self.policy is None or not self.whole:
            return values
        sensitive = self.policy.sensitive
        return tuple(sorted(values, key=lambda v: v not in sensitive))


def row(kind: InputKind, value: Any) -> Any:
    """The numbers of an input: those of a sequence, or the one."""
    return value if kind.array else (value,)


def people(
    privacy: Privacy,
    counted: Mapping[str, CountingQueries],
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    public: Mapping[str, Any],
) -> People | None:
    """Neighbouring data sets with these counts, or ``None`` if there are none.

    A record has one attribute for each count, in the order of the inputs.
    """
    before: list[int] = []
    after: list[int] = []
    columns: list[list[int]] = []
    fills: list[AttributeValues] = []
    moves: list[int] = []
    for name, kind in counted.items():
        values = AttributeValues.of(privacy, kind)
        starts = row(kind, left[name])
        own = [a - b for a, b in zip(starts, row(kind, right[name]), strict=True)]
        changes = [values.change(move) if abs(move) <= 1 else None for move in own]
        known = [change for change in changes if change is not None]
        if len(known) < len(own):
            return None
        ones, twos = [v for v, _ in known], [w for _, w in known]
        bases = [a - (v in kind.counted) for a, v in zip(starts, ones, strict=True)]
        if max(bases, default=0) > RECORDS or min(bases, default=0) < 0:
            return None
        if not (_one_hot(kind, ones, public) and _one_hot(kind, twos, public)):
            return None
        before += ones
        after += twos
        moves += own
        columns += _spread(kind, bases)
        fills += [values] * len(own)
    others = _others(columns, fills)
    if others is None:
        return None
    policy = privacy.policy_of_values
    if privacy.whole and policy and any(moves) and policy.sensitive.isdisjoint(before):
        return None  # no record that is replaced
    if not privacy.adding:
        return People(others, tuple(before), tuple(after))
    if not any(moves) or min(moves) < 0 < max(moves):
        return None  # one record comes or goes, and all that it counts in moves with it
    gone = max(moves) > 0
    return People(others, tuple(before) if gone else None, None if gone else tuple(after))


def _one_hot(kind: CountingQueries, record: Sequence[int], public: Mapping[str, Any]) -> bool:
    """Whether the differing record counts at one place at most, where that is a rule."""
    if not kind.one_hot:
        return True
    places = public[kind.by] if isinstance(kind, LocationCounts) else range(len(record))
    if len(places) != len(record):
        return False  # no inputs of the mechanism
    return len({p for p, v in zip(places, record, strict=True) if v in kind.counted}) <= 1


def _spread(kind: CountingQueries, bases: Sequence[int]) -> list[list[int]]:
    """For each attribute, which of the other records count there (as their numbers)."""
    if not kind.one_hot:
        return [list(range(base)) for base in bases]
    ends = list(accumulate(bases))
    return [list(range(end - base, end)) for base, end in zip(bases, ends, strict=True)]


def _others(
    columns: Sequence[Sequence[int]], fills: Sequence[AttributeValues]
) -> tuple[Record, ...] | None:
    number = max((column[-1] + 1 for column in columns if column), default=0)
    if number > RECORDS:
        return None
    rows = []
    for k in range(number):
        pools = [
            values.counted if k in column else values.others
            for column, values in zip(columns, fills, strict=True)
        ]
        if not all(pools):
            return None
        rows.append(tuple(pool[0] for pool in pools))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Records that count for a while: the times of arrival of all others, and of the one."""

    others: tuple[int, ...]
    before: int | None
    after: int | None


def arrivals(
    privacy: Privacy, kind: WindowCounts, width: int, left: Sequence[int], right: Sequence[int]
) -> Arrivals | None:
    """Who came when, so that the counts of the last steps are these; ``None`` if impossible."""
    for one, two in _visits(privacy, kind, width, len(left)):
        base = [a - _inside(one, t, width) for t, a in enumerate(left)]
        same = [b - _inside(two, t, width) for t, b in enumerate(right)]
        if base == same and min(base, default=0) >= 0:
            others = _arrived(base, width)
            if others is not None:
                return Arrivals(others, one, two)
    return None


def _inside(start: int | None, t: int, width: int) -> int:
    return int(start is not None and start <= t < start + width)


def _visits(
    privacy: Privacy, kind: WindowCounts, width: int, n: int
) -> Iterator[tuple[int | None, int | None]]:
    """When the differing record counts in D and in D' (``None``: never)."""
    values = AttributeValues.of(privacy, kind)
    times = range(1 - width, n)
    policy = privacy.policy_of_values

    def may_go(counts: bool) -> bool:
        change = values.change(1 if counts else -1)
        return change is not None and not (
            values.whole and policy and change[0] not in policy.sensitive
        )

    if may_go(True):
        yield from ((t, None) for t in times)
    if may_go(False):
        yield from ((None, t) for t in times)
    if not privacy.adding and (policy is None or (values.whole and 1 in policy.sensitive)):
        yield from ((t, s) for t in times for s in times if s != t)


def _arrived(base: Sequence[int], width: int) -> tuple[int, ...] | None:
    """Times of arrival with these counts, if there are any.

    Who came at t counts until the next ones of the same turn come, at t + width; so a count
    changes by the difference of the two, and the first arrivals of a turn must be as many as
    keep all later ones from being negative.
    """
    if not base:
        return ()
    turns: dict[int, list[int]] = {}
    for first in range(1 - width, 1):
        arrivals = [0]
        for t in range(first + width, len(base), width):
            arrivals.append(arrivals[-1] + base[t] - base[t - 1])
        turns[first] = [n - min(arrivals) for n in arrivals]
    spare = base[0] - sum(arrivals[0] for arrivals in turns.values())
    if spare < 0:
        return None
    turns[0] = [n + spare for n in turns[0]]
    return tuple(
        sorted(
            first + k * width
            for first, arrivals in turns.items()
            for k, times in enumerate(arrivals)
            for _ in range(times)
        )
    )
