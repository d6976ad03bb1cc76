"""What variables and lists hold as a run goes on: an expression is written only while it is so.

What is changed has a version, which stands in the expressions that speak of it: ``total·3``.
Each line that is written is checked, and one that speaks of what was before a change is refused.
So nothing can be read late, whoever kept the expression: a name, a tuple, a vector, a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

#: Between a name and its version.  It may stand in names of Python, and in none that we make.
BETWEEN = "·"
_VERSIONED = re.compile(
    rf"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<name>\b\w+){BETWEEN}(?P<version>\d+)"""
)


class Stale(Exception):
    """An expression speaks of what a variable or a list was before it changed."""


def plain(text: str) -> str:
    """A name without its version."""
    return text.partition(BETWEEN)[0]


@dataclass(slots=True)
class _Rounds:
    """A loop that is being written: ``before`` it, and what its rounds read and change."""

    before: dict[str, int]
    #: What a round reads as it was before the loop.
    old: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)


def shown(text: str) -> str:
    """An expression without versions, for people."""
    return _VERSIONED.sub(lambda found: found["text"] or found["name"], text)


class Versions:
    """The versions of what may change, where the next line is written."""

    def __init__(self) -> None:
        self.now: dict[str, int] = {}
        #: Lists whose length is not known by itself any more.
        self.growing: set[str] = set()
        self._count = 0
        self._loops: list[_Rounds] = []

    def current(self, name: str) -> str:
        """A name, as it is spoken of now."""
        return f"{name}{BETWEEN}{self.now[name]}" if name in self.now else name

    def start(self, name: str) -> str:
        """From here on a variable or a list may change."""
        self.now[name] = self._next()
        return self.current(name)

    def change(self, name: str) -> str:
        """It changes here."""
        for loop in self._loops:
            loop.changed.add(name)
        return self.start(name)

    def grow(self, name: str) -> None:
        """A list grows: its length is read from it from now on.

        Raises:
            Stale: earlier rounds of a loop have read the length that it had before.
        """
        if name not in self.growing and self.in_rounds(name):
            raise Stale(name)
        self.growing.add(name)

    def checked(self, text: str) -> str:
        """A line with plain names.

        Raises:
            Stale: it speaks of what is no more.
        """

        def one(found: re.Match[str]) -> str:
            name = found["name"]
            if found["text"] is not None:
                return found[0]
            self._read(name, int(found["version"]))
            return name

        return _VERSIONED.sub(one, text)

    def speaks_of_changing(self, text: str) -> bool:
        """Whether an expression is about something that may change."""
        return any(found["name"] for found in _VERSIONED.finditer(text))

    def _read(self, name: str, version: int) -> None:
        if self.now.get(name) == version:
            return
        for k, loop in enumerate(self._loops):
            if loop.before.get(name) == version and name not in loop.changed:
                for inner in self._loops[k:]:
                    inner.old.add(name)
                return
        raise Stale(name)

    @contextmanager
    def rounds(self) -> Iterator[None]:
        """Inside a loop, whose text is read once and stands for all its rounds.

        Raises:
            Stale: a round reads what was before the loop of something that rounds change.
        """
        loop = _Rounds(dict(self.now))
        for name in loop.before:
            self.now[name] = self._next()
        self._loops.append(loop)
        try:
            yield
        finally:
            self._loops.pop()
        for name in sorted(loop.old & loop.changed):
            raise Stale(name)
        for name, version in loop.before.items():
            self.now[name] = self._next() if name in loop.changed else version

    def join(self, other: dict[str, int]) -> None:
        """After a case in which the versions became others: what differs is another one."""
        found = {}
        for name in self.now.keys() | other.keys():
            version = self.now.get(name)
            found[name] = version if version == other.get(name) and version else self._next()
        self.now = found

    def in_rounds(self, name: str) -> bool:
        """Whether this is in a loop in which something was there before."""
        return any(name in loop.before for loop in self._loops)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Meanwhile nothing changes.

        Raises:
            Stale: something did.
        """
        probe = _Rounds(dict(self.now))
        self._loops.append(probe)
        try:
            yield
        finally:
            self._loops.pop()
        for name in sorted(probe.changed & probe.before.keys()):
            raise Stale(name)

    @contextmanager
    def rehearsed(self) -> Iterator[set[str]]:
        """Nothing of what is written meanwhile counts.

        Yields:
            what is read, of that which there was before, at the end.

        Raises:
            Stale: what there was before is changed.
        """
        now, loops, growing = self.now, self._loops, self.growing
        probe = _Rounds(dict(now))
        self._loops = [_Rounds(dict(one.before), set(one.old), set(one.changed)) for one in loops]
        self._loops.append(probe)
        self.now, self.growing = {name: self._next() for name in now}, set(growing)
        try:
            yield probe.old
        finally:
            self.now, self._loops, self.growing = now, loops, growing
        for name in sorted(probe.changed & now.keys()):
            raise Stale(name)

    def _next(self) -> int:
        self._count += 1
        return self._count
