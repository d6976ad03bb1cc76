"""Patterns of answers: which fall, which rise, and by how much at most."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from ....dsl.privacy.inputs import (
    CountingQueries,
    InputKind,
    LocationCounts,
    Queries,
    WindowCounts,
)
from ....dsl.relations.neighbours import sensitivity
from ..inputs import Inputs
from .named import Named


def steps(named: Named, kind: InputKind, public: Inputs) -> list[tuple[Fraction, Fraction]]:
    """By how much answers fall and rise at most; those of a group by a multiple."""
    privacy = named.program.privacy
    found = [(Fraction(1), Fraction(1))]
    if isinstance(kind, Queries):
        most = sensitivity(kind, public)
        found = [(most, most), (most / 2, most / 2)]
    elif privacy.input_rule is not None:
        by = dict.fromkeys((Fraction(1), Fraction(1, 2), Fraction(2), *named.distances))
        found = list(itertools.product(by, by))
    sizes = dict.fromkeys((privacy.group_size, 1))
    return [(k * up, k * down) for k in sizes for up, down in found]


def sides(
    pattern: Sequence[int], start: Fraction, up: Fraction, down: Fraction, kind: InputKind
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Answers that fall (1), rise (-1) or stay (0); low ones as low as they can be."""
    left, right = [], []
    for sign in pattern:
        fall = up if sign > 0 else -down if sign < 0 else Fraction(0)
        left.append(start + max(fall, Fraction(0)))
        right.append(start + max(-fall, Fraction(0)))
    return _answers(left, kind), _answers(right, kind)


def level(
    pattern: Sequence[int], start: Fraction, up: Fraction, down: Fraction, kind: InputKind
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The same with equal answers on D: what is compared among them parts on D'."""
    left = [start + up] * len(pattern)
    steps = {1: -up, -1: down, 0: Fraction(0)}
    right = [answer + steps[sign] for answer, sign in zip(left, pattern, strict=True)]
    return _answers(left, kind), _answers(right, kind)


def _answers(numbers: Sequence[Fraction], kind: InputKind) -> tuple[Any, ...]:
    return tuple(map(int, numbers)) if kind.whole else tuple(numbers)


def patterns(n: int, kind: InputKind, public: Inputs) -> list[tuple[int, ...]]:
    """Which answers fall and which rise."""
    if isinstance(kind, LocationCounts):
        return _at_places(n, cast(Any, public[kind.by]))
    one, two = (1,), (-1,)
    found = [one * n, two * n]
    if n == 1:
        found.append((0,))  # while another input moves
    for k in range(1, n):
        found += [two * k + one * (n - k), one * k + two * (n - k)]
    found += [(0,) * k + s + (0,) * (n - k - 1) for k in range(n) for s in (one, two)]
    if n > 2:
        found += [tuple(s if i % 2 else -s for i in range(n)) for s in (1, -1)]
        found += [(0,) * k + s * (n - k) for k in range(1, n) for s in (one, two)]
        found += [s * k + (0,) * (n - k) for k in range(1, n) for s in (one, two)]
    if isinstance(kind, WindowCounts):
        w = kind.steps(public)
        runs = [tuple(int(s <= t < s + w) for t in range(n)) for s in range(1 - w, n)]
        found = [*runs, *(tuple(-v for v in run) for run in runs), *found]
    if isinstance(kind, CountingQueries) and kind.one_hot and n > 1:
        swaps = itertools.permutations(range(n), 2)
        found += [tuple((i == a) - (i == b) for i in range(n)) for a, b in swaps]
    return list(dict.fromkeys(found))


def _at_places(n: int, places: Sequence[int]) -> list[tuple[int, ...]]:
    found = []
    for place in dict.fromkeys(places[:n]):
        here = tuple(int(p == place) for p in places[:n])
        found += [here, tuple(-v for v in here)]
        found += [tuple(int(i == k) * s for i in range(n)) for k in range(n) for s in (1, -1)]
    for a, b in itertools.permutations(dict.fromkeys(places[:n]), 2):
        found.append(tuple((p == a) - (p == b) for p in places[:n]))
    return list(dict.fromkeys(found))
