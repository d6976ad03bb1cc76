"""Runs that never end: noticed at the heads of loops that need not end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .group import ROUNDS, Group
from .log import Log
from .operations import apply
from .outcomes import Ending
from .values import Value, identical, spread

#: How often a run may come to heads of loops that need not end.
MOST_ROUNDS = 100_000


def without_endless(group: Group, live: Sequence[str], log: Log) -> Group | None:
    """The runs that go on from a loop head, where ``live`` is needed; the others are over."""
    rounds = group.names[ROUNDS] = apply("+", group.names[ROUNDS], 1)
    if _circles(group, live):
        log.close(group.rows, group.released, Ending.UNFINISHED)
        return None
    over = spread(rounds, group.size) > MOST_ROUNDS
    if not over.any():
        return group
    ended = group.some(np.flatnonzero(over), group.node, live)
    log.close(ended.rows, ended.released, Ending.UNFINISHED)
    left = np.flatnonzero(np.logical_not(over))
    return group.some(left, group.node, live) if len(left) else None


def _circles(group: Group, live: Sequence[str]) -> bool:
    """Whether the runs are as they were here before, with no noise in between.

    They are compared with how they were at the last visit whose number is a power of two
    (Brent's way to find a circle of any length).
    """
    now = {n: group.names[n] for n in live if n in group.names and n != ROUNDS}
    visits, before = group.heads.get(group.node, (0, None))
    if before is not None and all(_same(before[name], value) for name, value in now.items()):
        return True
    visits += 1
    if before is None or visits & (visits - 1) == 0:
        # Lists change later.
        before = {n: list(v) if isinstance(v, list) else v for n, v in now.items()}
    group.heads[group.node] = (visits, before)
    return False


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one is other or np.array_equal(one, other)
    return identical(one, other)
