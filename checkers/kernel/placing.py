"""Where an index stands among the tracked ones: a path for each of them, and one for none."""

from __future__ import annotations

from collections.abc import Iterator

from ...dsl.formulas import equal
from ...dsl.terms import Linear
from .run import Run
from .state import State


def placed(run: Run, state: State, indices: list[Linear]) -> Iterator[State]:
    """The path once for each tracked index that an index may be, and once for none."""
    if not indices:
        yield state
        return
    rest = [state]
    for place in run.tracked:
        after = []
        for here in rest:
            for fork, same in list(run.forks(here, equal(indices[0], place))):
                if same:
                    yield from placed(run, fork, indices[1:])
                else:
                    after.append(fork)
        rest = after
    for here in rest:
        yield from placed(run, here, indices[1:])
