"""Small pairs of neighbours, straight from the definitions: records, policy, what is counted.

Nothing here asks the code that derives how answers move; data sets are written down, a
record of them is changed, and both are counted.
"""

from __future__ import annotations

import itertools
import random
import types
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from shiftproof import (
    ADP,
    DP,
    LDP,
    CountingQueries,
    IntegerValue,
    Mechanism,
    Policy,
    Queries,
    Related,
    Value,
    WindowCounts,
)
from shiftproof.dsl.privacy.inputs import InputKind

Inputs = dict[str, Any]
Record = tuple[int, ...]
#: How long each sequence is.
Sizes = dict[str, int]
#: How many pairs are listed before equal ones are dropped, and how many of them are taken.
LISTED, PAIRS = 20_000, 400


class Pair(NamedTuple):
    """The private inputs of two runs; only the claim from left to right is owed."""

    left: Inputs
    right: Inputs


def pairs(
    mechanism: Mechanism[..., Any], public: Inputs, sizes: Sizes, rng: random.Random
) -> list[Pair]:
    """Some neighbours with sequences of these lengths, each pair once, in random order."""
    private = {name: kind for name, kind in mechanism.inputs.items() if not kind.public}
    named = {name for kind in private.values() for name in kind.named}
    given = tuple((name, value) for name, value in public.items() if name in named)
    lengths = tuple(sizes[name] if kind.array else 1 for name, kind in private.items())
    found = _all(mechanism.privacy, tuple(private.items()), lengths, given)
    return rng.sample(found, min(PAIRS, len(found)))


@lru_cache(64)
def _all(
    privacy: Any, items: tuple[tuple[str, Any], ...], lengths: tuple[int, ...], given: Any
) -> list[Pair]:
    private = dict(items)
    sizes = dict(zip(private, lengths))
    if isinstance(privacy, Related):
        found = _ruled(privacy, private, max(lengths))
    elif any(isinstance(kind, CountingQueries) for kind in private.values()):
        found = _counted(privacy, private, sizes)
    elif any(isinstance(kind, WindowCounts) for kind in private.values()):
        found = _windows(privacy, private, dict(given), sizes)
    elif any(isinstance(kind, Queries) for kind in private.values()):
        found = _declared(privacy, private, dict(given), sizes)
    else:
        found = _values(privacy, private)
    distinct = {repr(pair): pair for pair in itertools.islice(found, LISTED)}
    return [distinct[key] for key in sorted(distinct)]


def becomes(record: Record, policy: Policy) -> Iterator[Record]:
    """The records that a record hides among: what is not sensitive stays as it is."""
    options = [policy.universe if v in policy.sensitive else (v,) for v in record]
    yield from itertools.product(*options)


def _changes(privacy: ADP | DP, records: Sequence[Record]) -> Iterator[tuple[Any, Any]]:
    """The one record that differs, before and after; ``None`` where it is not there."""
    if isinstance(privacy, DP) and privacy.neighbours == "add-remove":
        for record in records:
            yield record, None
            yield None, record
        return
    policy = privacy.policy if isinstance(privacy, ADP) else None
    allowed = set(records)
    for record in records:
        after = records if policy is None else becomes(record, policy)
        yield from ((record, other) for other in after if other != record and other in allowed)


def _universe(privacy: object) -> tuple[int, ...]:
    return privacy.policy.universe if isinstance(privacy, ADP) else (0, 1)


def _counted(privacy: Any, private: dict[str, InputKind], sizes: Sizes) -> Iterator[Pair]:
    """Data sets of one to three records; inputs count attributes of their own or the same ones."""
    for shared in (False, True) if len(private) > 1 else (False,):
        places: dict[str, range] = {}
        width = 0
        for name in private:
            start = 0 if shared else width
            places[name] = range(start, start + sizes[name])
            width = max(width, places[name].stop)
        records = [
            record
            for record in itertools.product(_universe(privacy), repeat=width)
            if all(_fits(record, places[name], kind) for name, kind in private.items())
        ]
        others = [(), *((r,) for r in records), *itertools.combinations(records, 2)]
        random.Random(width).shuffle(others)  # or the limit would keep the emptiest only
        for rest in others:
            for before, after in _changes(privacy, records):
                yield Pair(
                    *(
                        {k: _counts(private[k], places[k], (*rest, r)) for k in private}
                        for r in (before, after)
                    )
                )


def _fits(record: Record, places: range, kind: Any) -> bool:
    return not kind.one_hot or sum(record[i] in kind.counted for i in places) <= 1


def _counts(kind: Any, places: range, records: Sequence[Record | None]) -> Any:
    found = tuple(sum(r is not None and r[i] in kind.counted for r in records) for i in places)
    return found if kind.array else found[0]


def _windows(
    privacy: Any, private: dict[str, InputKind], given: Mapping[str, Any], sizes: Sizes
) -> Iterator[Pair]:
    """A record is a public time of arrival, and whether the person came."""
    ((name, kind),) = private.items()
    assert isinstance(kind, WindowCounts)
    width, n = kind.steps(given), sizes[name]
    persons = [(time, came) for time in range(-1, n) for came in _universe(privacy)]

    def counts(records: Sequence[Any]) -> Inputs:
        there = [r[0] for r in records if r is not None and r[1] == 1]
        return {name: tuple(sum(v <= t < v + width for v in there) for t in range(n))}

    for rest in [(), *((p,) for p in persons), *itertools.combinations(persons, 2)]:
        for time in range(-1, n):
            for before, after in _changes(privacy, [(came,) for came in _universe(privacy)]):
                both = (r if r is None else (time, *r) for r in (before, after))
                yield Pair(*(counts((*rest, r)) for r in both))


def _values(privacy: Any, private: dict[str, Any]) -> Iterator[Pair]:
    """One user's own values are one record; without a policy any two records are neighbours."""
    assert isinstance(privacy, ADP | DP | LDP), privacy
    options = [_choices(kind) for kind in private.values()]
    for before in itertools.product(*options):
        for after in itertools.product(*options):
            fits = not isinstance(privacy, ADP) or after in becomes(before, privacy.policy)
            if before != after and fits:
                yield Pair(*(dict(zip(private, side)) for side in (before, after)))


def _choices(kind: Value) -> list[Any]:
    if isinstance(kind, IntegerValue):
        return list(range(int(kind.low), int(kind.high) + 1))
    low, high = Fraction(kind.low), Fraction(kind.high)
    return [low, (low + high) / 2, high]


def _declared(
    privacy: Any, private: dict[str, Any], public: Inputs, sizes: Sizes
) -> Iterator[Pair]:
    """Answers on a grid; each may move by at most its sensitivity, in its direction.

    Where D' and D are neighbours as well, also in the reverse one.
    """
    sides = [list(_moved(kind, public, sizes[name])) for name, kind in private.items()]
    for each in itertools.product(*sides):
        pair = [dict(zip(private, side)) for side in zip(*each)]
        yield Pair(*pair)
        if not isinstance(privacy, ADP):
            yield Pair(*reversed(pair))


def _moved(kind: Queries, public: Inputs, size: int) -> Iterator[tuple[Any, Any]]:
    given = kind.sensitivity
    far = Fraction(public[given]) if isinstance(given, str) else Fraction(given)
    falls = [] if kind.direction == "increasing" else [far / 2, far]
    rises = [] if kind.direction == "decreasing" else [-far / 2, -far]
    grid = [Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2)]
    for answers in itertools.product(grid[: 4 if size < 2 else 2], repeat=size):
        for moves in itertools.product([Fraction(0), *falls, *rises], repeat=size):
            if kind.differing == "one" and sum(move != 0 for move in moves) > 1:
                continue
            after = tuple(a - move for a, move in zip(answers, moves))
            yield (answers, after) if kind.array else (answers[0], after[0])


class _Two(Fraction):
    """A value in D that carries its value in D'."""

    there: Fraction


def _ruled(privacy: Related, private: dict[str, InputKind], n: int) -> Iterator[Pair]:
    """All values of a grid that the rule admits when it is simply run, at every index."""
    rule = privacy.rule
    scope = {**rule.__globals__, "other": lambda value: value.there}
    holds = types.FunctionType(rule.__code__, scope)
    names = list(private)
    arrays = [name for name in names if private[name].array]
    scalars = [name for name in names if name not in arrays]
    twos = []
    for here, there in itertools.product(map(Fraction, (0, 1, 2)), repeat=2):
        two = _Two(here)
        two.there = there
        twos.append(two)
    for fixed in itertools.product(twos, repeat=len(scalars)):
        known = dict(zip(scalars, fixed))
        cells = [
            cell
            for cell in itertools.product(twos, repeat=len(arrays))
            if holds(**known, **dict(zip(arrays, cell)))
        ]
        for row in itertools.product(cells, repeat=n if arrays else 1):
            columns = {name: [cell[k] for cell in row] for k, name in enumerate(arrays)}
            yield Pair(
                {k: Fraction(v) for k, v in known.items()}
                | {k: tuple(map(Fraction, v)) for k, v in columns.items()},
                {k: v.there for k, v in known.items()}
                | {k: tuple(v.there for v in column) for k, column in columns.items()},
            )
