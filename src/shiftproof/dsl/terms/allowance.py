"""How much work a search may take: counted and never timed, so that verdicts are the same
on every machine, however busy it is.

A unit is one of Z3's "rlimit", about half a microsecond.  What else takes long is converted:
the text of a question, the steps of a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from ..errors import LimitReached


class Allowance:
    """So much work, for a purpose that the error names."""

    def __init__(self, units: int, purpose: str) -> None:
        self.left = units
        self._said = f"{purpose} takes more than {units:,} units of work"

    def spend(self, units: int) -> None:
        """Take note of work that was done.

        Raises:
            LimitReached: that was more than is allowed.
        """
        self.left -= units
        if self.left < 0:
            raise LimitReached("WORK", self._said)


_open: ContextVar[Allowance | None] = ContextVar("open", default=None)


@contextmanager
def allowed(units: int, purpose: str) -> Iterator[None]:
    """Inside, so much work may be done; what allowances were given outside wait until after."""
    token = _open.set(Allowance(int(units * _share.get()), purpose))
    try:
        yield
    finally:
        _open.reset(token)


_share: ContextVar[Fraction] = ContextVar("share", default=Fraction(1))


@contextmanager
def lessened(share: Fraction) -> Iterator[None]:
    """Inside, all that is allowed is so much less."""
    token = _share.set(share * _share.get())
    try:
        yield
    finally:
        _share.reset(token)


def spend(units: int) -> None:
    """Take note of work that was done, where there is an allowance.

    Raises:
        LimitReached: that was more than is allowed.
    """
    allowance = _open.get()
    if allowance is not None:
        allowance.spend(units)
