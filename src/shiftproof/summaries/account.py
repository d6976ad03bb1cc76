"""A simulation that was done: what ran, how far it came, and the summary of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .summary import Summary


@dataclass(frozen=True, slots=True)
class Account:
    """What was simulated, and what came of it.

    Attributes:
        mechanism: its name.
        inputs: all of them.
        samples: how many runs were asked for; ``summary.runs`` is how many were done.
        seed: whoever gives it again gets the same.
        seconds: how long it took.
    """

    mechanism: str
    inputs: Mapping[str, Any]
    samples: int
    seed: int
    seconds: float
    summary: Summary

    @property
    def interrupted(self) -> bool:
        """Whether fewer runs were done than were asked for."""
        return self.summary.runs < self.samples

    @property
    def rate(self) -> float:
        """Runs a second."""
        return self.summary.runs / max(self.seconds, 1e-9)
