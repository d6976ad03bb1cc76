"""All private inputs at once: a set of them is a whole number, of which input i is the i-th bit.

Runs on different inputs stay one run until it reads something that is not the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .values import Plain, Value, Variables


class Split(Exception):
    """What is read is not the same for all inputs; holds the sets for which it is."""

    def __init__(self, parts: list[int]) -> None:
        self.parts = parts
        super().__init__(str(parts))


class Crowd:
    """The private inputs of one choice of sizes; ``now`` are those that run at the moment."""

    def __init__(self, names: Sequence[str], inputs: Sequence[Mapping[str, Any]]) -> None:
        self.names = frozenset(names)
        self.inputs = inputs
        self.now = self.everyone = (1 << len(inputs)) - 1
        self._having: dict[tuple[str, int | None], dict[Any, int]] = {}

    def having(self, name: str, place: int | None) -> dict[Any, int]:
        """The inputs by one of their numbers; ``place`` says which one of a sequence."""
        found = self._having.get((name, place))
        if found is None:
            found = self._having[name, place] = {}
            for i, one in enumerate(self.inputs):
                value = one[name] if place is None else one[name][place]
                found[value] = found.get(value, 0) | 1 << i
        return found

    def read(self, name: str, place: int | None) -> Plain:
        """A number, if it is the same for all that run now.

        Raises:
            Split: it is not.
        """
        having, now = self.having(name, place), self.now
        first = self.inputs[(now & -now).bit_length() - 1][name]
        value: Plain = first if place is None else first[place]
        if not now & ~having[value]:
            return value
        raise Split([met for those in having.values() if (met := those & now)])

    def length(self, name: str) -> int:
        """The length of a sequence, which is public."""
        return len(self.inputs[0][name])

    def whole(self, name: str) -> tuple[Plain, ...]:
        """All of a sequence, if it is the same for all that run now."""
        return tuple(self.read(name, place) for place in range(self.length(name)))

    def reader(self, name: str) -> Callable[[Variables], Value]:
        """A whole private input as an expression."""
        if isinstance(self.inputs[0][name], tuple):
            return lambda run: self.whole(name)
        return lambda run: self.read(name, None)


def bits(those: int) -> Iterator[int]:
    """The members of a set of inputs."""
    while those:
        last = those & -those
        yield last.bit_length() - 1
        those ^= last
