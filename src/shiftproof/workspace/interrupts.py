"""Ctrl-C: it ends the program, or is a wish to stop that is kept in mind."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Self, TypeVar

_T = TypeVar("_T")


def _may_listen() -> bool:
    """Whether Ctrl-C is ours to hear: in the main thread, where it has no other meaning yet."""
    ours = threading.current_thread() is threading.main_thread()
    return ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the program, not just one question to the solver.

    Left to itself the solver takes it for a limit, or swallows it in a finalizer.
    """
    interrupted = False

    def note(number: int, frame: object) -> None:
        nonlocal interrupted
        interrupted = True
        sys.unraisablehook = lambda _: None  # finalizers need not complain on the way out
        raise KeyboardInterrupt

    if not _may_listen():
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        import z3  # it swallows what is raised while it loads

        z3.set_param("ctrl_c", False)
        if interrupted:
            raise KeyboardInterrupt
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if interrupted:
            raise KeyboardInterrupt


class Interrupts:
    """Ctrl-C as a wish to stop: it breaks off only what may be broken off, and is kept in mind.

    A second one, a second later, breaks off anything.  Elsewhere than in the main thread, or
    where Ctrl-C has another meaning already, nothing changes.
    """

    def __init__(self) -> None:
        self._asked: float | None = None
        self._allowed = False
        self._ours = False

    def __enter__(self) -> Self:
        self._ours = _may_listen()
        if self._ours:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *error: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Ctrl-C in here, or before, raises ``KeyboardInterrupt``, once."""
        self._allowed = True
        try:
            if self._asked is not None:
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed = False

    def each(self, items: Iterator[_T]) -> Iterator[_T]:
        """The items of an iterator; Ctrl-C breaks off the wait for one, not what is done then."""
        while True:
            with self.allowed():
                found = list(islice(items, 1))
            if not found:
                return
            yield found[0]

    def _note(self, number: int, frame: object) -> None:
        sys.unraisablehook = lambda _: None  # finalizers need not complain on the way out
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
        elif now < self._asked + 1:
            return
        elif not self._allowed:
            raise KeyboardInterrupt
        if self._allowed:
            self._allowed = False
            raise KeyboardInterrupt
