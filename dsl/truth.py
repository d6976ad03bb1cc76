"""Answers that are neither true nor false, so that nobody takes a bad one for a good one."""

from __future__ import annotations

from typing import ClassVar, NoReturn


class NoTruth:
    """Something that is asked by name whether it is good: as a condition it is an error.

    An object is true in Python unless it says otherwise, so ``assert verify(m)`` would pass
    whatever came out.
    """

    __slots__ = ()

    #: What to ask for instead, for the message.
    instead: ClassVar[str] = ""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither true nor false; {self.instead}")
