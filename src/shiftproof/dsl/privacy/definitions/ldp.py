"""ε-local differential privacy."""

from dataclasses import dataclass
from typing import ClassVar

from .base import Privacy, Told


@dataclass(frozen=True, slots=True)
class LDP(Privacy):
    """ε-local differential privacy: any two values of one user are neighbours."""

    is_local = True
    relaxes = True
    is_symmetric = True
    known_as: ClassVar[str] = "local differential privacy"

    def told(self) -> Told:
        """The definition in words."""
        return Told(self.known_as, "Any two values of one user are neighbours, both ways.")
