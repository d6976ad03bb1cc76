"""ε-local differential privacy."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Privacy, Told


@dataclass(frozen=True, slots=True)
class LDP(Privacy):
    """ε-local differential privacy: any two values of one user are neighbours."""

    is_local = True

    def told(self) -> Told:
        """The definition in words."""
        return self.told_as("local differential privacy")

    @staticmethod
    def told_as(name: str) -> Told:
        """One with these neighbours that goes by another name."""
        return Told(name, "Any two values of one user are neighbours, both ways.")
