"""What is drawn, and from what."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, Protocol

#: The values that a distribution can take at all.
Lattice = Literal["reals", "integers", "booleans"]

#: One drawn value.
Draw = int | float | Fraction | bool


class Uniforms(Protocol):
    """A source of independent uniform numbers, such as ``random.Random``."""

    def random(self) -> float:
        """The next float in [0, 1)."""
        ...

    def randrange(self, stop: int, /) -> int:
        """The next of the integers 0, …, ``stop`` - 1, each exactly as likely; ``stop >= 1``."""
        ...
