"""``argmax`` and ``top_k`` of values that depend on noise: which indices, on which conditions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from ...dsl.errors import LimitReached
from .affine import Affine
from .meaning import Value, at_least
from .state import Condition, Fork, State


def indices_of_largest(state: State, cells: Sequence[Value], k: int, most: int) -> tuple[int, ...]:
    """The indices of the k largest values, of equal ones the first; forks over the orders.

    An order is decided by a chain: each picked value beats the next one, and the last one all
    that are not picked.

    Raises:
        LimitReached: there are more than ``most`` orders.
    """
    n = len(cells)
    if math.perm(n, k) > most:
        raise LimitReached("PATHS", f"{k} of {n} values can be picked in more than {most} ways")
    beats = [[_beats(state, cells, i, j) if i != j else True for j in range(n)] for i in range(n)]
    alternatives, answers = [], []
    for order in itertools.permutations(range(n), k):
        rest = [(order[-1], j) for j in range(n) if j not in order] if order else []
        owed = [beats[i][j] for i, j in (*itertools.pairwise(order), *rest)]
        if False in owed:
            continue
        needed = tuple(condition for condition in owed if isinstance(condition, Condition))
        if not needed:
            return order
        alternatives.append(needed)
        answers.append(order)
    raise Fork(alternatives, answers)


def _beats(state: State, cells: Sequence[Value], i: int, j: int) -> bool | Condition:
    """Whether one value comes before another one, or the condition that decides it."""
    probe = _Probe(state)
    settled = at_least(probe, cells[i], cells[j], i > j)  # type: ignore[arg-type]
    if probe.asked is None:
        return settled
    found = state.decided(probe.asked)
    return probe.asked if found is None else found


class _Probe:
    """Stands in for a run, to learn which condition a comparison asks for."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.asked: Condition | None = None

    def holds(self, subject: Affine, strict: bool) -> bool:
        self.asked = Condition(subject, strict and self._state.whole(subject))
        return True
