"""Whether a chain of steps leads from D to D′: how many records come, go or are replaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    LocationCounts,
    Queries,
    Value,
    WindowCounts,
)
from ...dsl.relations.program import Program
from ...dsl.terms.values import exact
from .inputs import Inputs, Instance


def chained(program: Program, instance: Instance) -> bool:
    """Whether D′ is at the end of a chain from D, of as many steps as a group has at most.

    Source: docs/theory.md, "Groups".  Of counts at locations and in windows no chain is looked for.
    """
    adding, size = program.privacy.adding, program.privacy.group_size
    gone: float = 0  # records that only D has
    came: float = 0  # those that only D′ has
    beside: float = 0  # steps of declared answers
    users = 0  # whose values differ
    of_data: set[tuple[float, float]] = set()
    rows: list[tuple[Sequence[Any], Sequence[Any]]] = []
    for name, kind in program.inputs.items():
        if kind.public:
            continue
        one, two = cast(Any, instance.left[name]), cast(Any, instance.right[name])
        answers = (one, two) if kind.array else ((one,), (two,))
        if isinstance(kind, DataSet):
            found: tuple[float, float] = _records(one, two, adding)
            of_data.add(found)
        elif isinstance(kind, WindowCounts | LocationCounts):
            if one != two:
                return False
            found = (0, 0)
        elif isinstance(kind, CountingQueries):
            found = _counted(kind, *answers)
        else:
            found = (0, 0)
            if isinstance(kind, Queries):
                beside = max(beside, declared_steps(kind, answers, instance.public))
            elif not isinstance(kind, Value):
                return False
            elif kind.array:
                rows.append((one, two))
            else:
                users |= one != two
        gone, came = max(gone, found[0]), max(came, found[1])
    if len({len(row[0]) for row in rows}) > 1 or (adding and of_data - {(gone, came)}):
        return False
    pairs = zip(*(zip(*row, strict=True) for row in rows), strict=True)
    users += sum(any(a != b for a, b in user) for user in pairs)
    records = gone + came if adding else max(gone, came)
    if adding and of_data and (size - records) % 2:
        size -= 1  # each step changes the data set, and it comes back after two
    return max(records, beside, users) <= size


def _counted(kind: CountingQueries, one: Sequence[int], two: Sequence[int]) -> tuple[int, int]:
    """How many records answers count less on D′, and how many more, at least.

    A record of which more than one answer may count stands in all that fall, or rise.
    """
    moves = [a - b for a, b in zip(one, two, strict=True)]
    falls, rises = [max(m, 0) for m in moves], [max(-m, 0) for m in moves]
    if kind.one_hot:
        return sum(falls), sum(rises)
    return max(falls, default=0), max(rises, default=0)


def _records(one: Sequence[Any], two: Sequence[Any], adding: bool) -> tuple[float, float]:
    """How many records only D has, and only D′; of replaced ones there are as many of both."""
    if not adding:
        same = len(one) == len(two)
        changed = sum(r != s for r, s in zip(one, two, strict=True)) if same else math.inf
        return changed, changed
    # The longest sequence of records that both have in this order.
    common = [0] * (len(two) + 1)
    for record in one:
        before = common
        common = [0]
        for j, other in enumerate(two):
            alike = before[j] + 1 if record == other else 0
            common.append(max(alike, before[j + 1], common[j]))
    return len(one) - common[-1], len(two) - common[-1]


def declared_steps(kind: Queries, answers: tuple[Any, Any], public: Inputs) -> float:
    """In how many steps answers move so far as declared; ∞ in the wrong direction."""
    given = kind.sensitivity
    most = Fraction(cast(Any, public[given])) if isinstance(given, str) else exact(given)
    moves = [Fraction(a) - Fraction(b) for a, b in zip(*answers, strict=True)]
    low = kind.direction != "decreasing" or min(moves, default=0) >= 0
    high = kind.direction != "increasing" or max(moves, default=0) <= 0
    if not (low and high) or (any(moves) and not most):
        return math.inf
    steps = [math.ceil(abs(m) / most) if m else 0 for m in moves]
    return sum(steps) if kind.differing == "one" else max(steps, default=0)
