"""Users' values and records of data sets: how one of them may differ, the most telling first."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

from ....dsl.privacy.inputs import DataSet, Secret, Value
from ....dsl.relations.neighbours import bounds
from ..inputs import Input, Inputs
from .named import Named

Both = tuple[Input, Input]

#: How many of the first values of a range of integers are tried.
VALUES = 12
#: How many records of a data set are tried, how many of them beside another one, and up to how
#: many alike ones.
RECORDS, BESIDE, ALIKE = 40, 9, 64
#: In how many ways one of them changes, comes or goes.
MOVES = 400


def values(named: Named, kind: Value, public: Inputs, users: int) -> list[Both]:
    """One user's value, far apart first; with several users the others' are at either end."""
    low, high = bounds(kind, public)
    points: list[Any] = [low, high, (low + high) / 2, (3 * low + high) / 4, (low + 3 * high) / 4]
    if kind.whole:
        first, last = math.ceil(low), math.floor(high)
        points = [*range(first, min(first + VALUES, last + 1)), *([last] if last >= first else [])]
    if not points:
        return []
    least, most = points[0], max(points)
    spoken: list[Any] = [
        pair for pair in _spoken(named, least) if least <= min(pair) and max(pair) <= most
    ]
    if kind.whole:
        spoken = [(int(a), int(b)) for a, b in spoken if a.denominator == b.denominator == 1]
    near = sorted(itertools.permutations(dict.fromkeys(points), 2), key=max)
    moved = list(dict.fromkeys([(least, most), (most, least), *spoken, *near]))
    alone = [(v, v) for v in dict.fromkeys(points)]  # while another input moves
    if not kind.array:
        return [*moved, *alone]
    found: list[Both] = []
    for fill, k in itertools.product(dict.fromkeys((least, most)), range(users)):
        all_of_others: list[tuple[Any, ...]] = [(fill,) * (users - 1)]
        if users > 2:  # half of the others at one end: what is in the middle moves
            half = (users - 1) // 2
            split = (fill,) * half + (least + most - fill,) * (users - 1 - half)
            all_of_others.append(split)
        for others in all_of_others:
            before, after = others[:k], others[k:]
            found += [((*before, a, *after), (*before, b, *after)) for a, b in moved]
        if 0 < k < named.program.privacy.group_size:  # those of several users
            alike = (fill,) * (users - k - 1)
            found += [((a,) * (k + 1) + alike, (b,) * (k + 1) + alike) for a, b in moved]
    found.sort(key=lambda both: moved.index(_moved_one(both)) // 2)
    return [*found, *(((v,) * users, (v,) * users) for v, _ in alone)]


def _spoken(named: Named, low: Any) -> Iterator[tuple[Fraction, Fraction]]:
    """Values on both sides of a number that is tested, or at a distance that the claim names."""
    for v in named.tested:
        for a, b in ((v, v - 1), (v, v + 1)):
            yield from ((a, b), (b, a))
    for start, d in itertools.product((Fraction(low), *named.tested), named.distances):
        for gap in (d, d - 1):
            yield from ((start, start + gap), (start + gap, start))


def _moved_one(both: Both) -> tuple[Any, Any]:
    left, right = cast(Any, both)
    return next(((a, b) for a, b in zip(left, right, strict=True) if a != b), (left[0], right[0]))


def anywhere(named: Named, kind: Secret) -> list[Both]:
    """Two numbers, at distances of which the privacy definition speaks first."""
    spoken = [gap for d in named.distances for gap in (d, d - 1)]
    gaps = dict.fromkeys([*spoken, *map(Fraction, (1, 2, 3, 5, 10))])
    starts = dict.fromkeys([Fraction(0), Fraction(-1), *named.below, Fraction(1)])
    found: list[Both] = []
    for start, gap in itertools.product(starts, gaps):
        if gap and not (kind.whole and (start.denominator > 1 or gap.denominator > 1)):
            a: Any = int(start) if kind.whole else start
            b: Any = int(start + gap) if kind.whole else start + gap
            found += [(a, b), (b, a)]
    return found


def data_sets(named: Named, name: str, kind: DataSet) -> list[Both]:
    """No, one or some other records, and one that changes, comes or goes."""
    records = _records(named, name, kind)
    alike = [int(v) - 1 for v in named.tested if 2 < v <= ALIKE]
    beside = [(r,) * n for n in (1, *alike) for r in records[:BESIDE]]
    ranks = sorted(itertools.product(range(len(records)), repeat=2), key=max)
    both = itertools.product(enumerate(beside), enumerate(ranks[:MOVES]))
    among = sorted(both, key=lambda both: both[0][0] + both[1][0])
    # In turn: one that is alone, and one beside others.
    turns = itertools.zip_longest(
        (((), rank) for rank in ranks), ((others, rank) for (_, others), (_, rank) in among)
    )
    found: list[Both] = []
    for others, (i, j) in filter(None, itertools.chain.from_iterable(turns)):
        for k in dict.fromkeys((named.program.privacy.group_size, 1)):
            one, two = ((*(records[r],) * k, *others) for r in (i, j))
            found += [(one, two)] if i != j else [(one, others), (others, one)]
    return found


def _records(named: Named, name: str, kind: DataSet) -> list[tuple[int, ...]]:
    """Records of telling attributes: at what predicates compare them with, and small ones."""
    policy = named.program.privacy.policy_of_values
    universe = (0, 1, 2) if policy is None else policy.universe
    attributes: list[list[int]] = []
    for numbers in named.attributes(name, kind.attributes):
        near = [int(n) for v in numbers if v.denominator == 1 for n in (v, v - 1, v + 1)]
        known = near if policy is None else [n for n in near if n in universe]
        attributes.append([*dict.fromkeys((*known, *universe))])
    apart = zip(*attributes, strict=False)  # every attribute is another one
    ranked = itertools.product(*(enumerate(values) for values in attributes))
    by_rank = sorted(itertools.islice(ranked, 4_000), key=lambda record: sum(r for r, _ in record))
    records = (*apart, *(tuple(v for _, v in record) for record in by_rank))
    return [*dict.fromkeys(records)][:RECORDS]
