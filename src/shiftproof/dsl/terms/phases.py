"""Where the time goes: CPU seconds by phase, so that a regression is seen where it is.

A phase inside another counts for itself only, so that phases add up to no more than the whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, TypeAlias, get_args

#: Reading the program and its neighbour relation; runs on recorded noise; the choice of shifts;
#: the proof of an alignment; what the proof rests on and the guard; the search for a
#: counterexample.
Phase: TypeAlias = Literal["read", "record", "solve", "prove", "check", "refute"]


class Stopwatch:
    """The CPU seconds of each phase, and which phase the time counts for now."""

    def __init__(self) -> None:
        self.seconds: dict[Phase, float] = dict.fromkeys(get_args(Phase), 0.0)
        self._now: Phase | None = None
        self._since = 0.0

    def turn(self, phase: Phase | None) -> Phase | None:
        """From now on the time counts for a phase, or for none; gives what it counted for."""
        before, now = self._now, time.process_time()
        if before is not None:
            self.seconds[before] += now - self._since
        self._now, self._since = phase, now
        return before


_running: ContextVar[Stopwatch | None] = ContextVar("running", default=None)


@contextmanager
def watched() -> Iterator[Stopwatch]:
    """Inside, time is counted; a watch that runs outside stands still meanwhile."""
    outer, watch = _running.get(), Stopwatch()
    before = None if outer is None else outer.turn(None)
    token = _running.set(watch)
    try:
        yield watch
    finally:
        watch.turn(None)
        _running.reset(token)
        if outer is not None:
            outer.turn(before)


@contextmanager
def phase(name: Phase) -> Iterator[None]:
    """Inside, time counts for a phase, if it is counted at all."""
    watch = _running.get()
    if watch is None:
        yield
        return
    before = watch.turn(name)
    try:
        yield
    finally:
        watch.turn(before)
