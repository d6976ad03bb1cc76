"""A pair and an outcome with what they come to, and what a search is after."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..exact.outcomes import Outcome
from .inputs import Instance
from .judge import Likelihoods

#: Whether a search may end with these likelihoods.
Goal: TypeAlias = Callable[[Likelihoods], bool]


def broken(likelihoods: Likelihoods) -> bool:
    """The goal of a refutation."""
    return likelihoods.broken


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair and an outcome, with what they come to."""

    instance: Instance
    outcome: Outcome
    likelihoods: Likelihoods

    @property
    def loss(self) -> float:
        """The log ratio over the budget."""
        return self.likelihoods.loss

    def better(self, other: Candidate | None) -> bool:
        """Whether it is the better one; of two infinite losses the more likely one is."""
        if other is None:
            return True
        if math.isinf(self.loss) and math.isinf(other.loss):
            return bool(self.likelihoods.left > other.likelihoods.left)
        return self.loss > other.loss
