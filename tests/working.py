"""How much work a call is, as a count that no busy machine changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Work:
    """How many functions were called, those written in C among them."""

    calls = 0

    def count(self, frame: object, event: str, argument: object) -> None:
        """What ``sys.setprofile`` calls."""
        self.calls += event in ("call", "c_call")


@contextmanager
def counted() -> Iterator[Work]:
    """The work that is done in a block."""
    work, before = Work(), sys.getprofile()
    sys.setprofile(work.count)
    try:
        yield work
    finally:
        sys.setprofile(before)
