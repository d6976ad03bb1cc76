"""What runs release, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from .meaning import SignedZero
from .ratios import Declined
from .values import Plain, Value


@dataclass(slots=True)
class Outcomes:
    """What runs release, by number; 0 is nothing."""

    numbers: dict[tuple[int, type, Plain], int] = field(default_factory=dict)
    entries: list[tuple[int, Plain]] = field(default_factory=lambda: [(0, None)])

    def after(self, so_far: int, value: Value) -> int:
        """One more release."""
        if isinstance(value, tuple):
            raise Declined("a list is released")
        if isinstance(value, SignedZero):
            raise Declined("a float zero is released that may have a minus sign")
        key = so_far, type(value), value
        known = self.numbers.get(key)
        if known is None:
            known = self.numbers[key] = len(self.entries)
            self.entries.append((so_far, value))
        return known

    def values(self, number: int) -> tuple[Plain, ...]:
        """All releases, in order."""
        found: list[Plain] = []
        while number:
            number, value = self.entries[number]
            found.append(value)
        return tuple(reversed(found))
