"""What a walk through a program stands on: the indices that it tracks, and names not yet used."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...dsl.terms import Linear, Symbol, term
from .constants import WITNESSES


@dataclass(frozen=True, slots=True)
class Ground:
    """The indices of lists at which a walk knows elements, and the names that it makes."""

    tracked: tuple[Linear, ...]
    serial: Iterator[int] = field(default_factory=itertools.count)

    @classmethod
    def around(cls, places: Iterable[Symbol]) -> Ground:
        """Tracked are the places where answers of D and D' differ, and the witnesses."""
        return cls(tuple(map(term, (*places, *WITNESSES))))

    def fresh(self, name: str) -> str:
        """A name that no other symbol of this walk has."""
        return f"{name}#{next(self.serial)}"
