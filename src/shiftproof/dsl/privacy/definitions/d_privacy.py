"""d-privacy."""

from dataclasses import dataclass

from .base import Function, PairSides, T
from .ldp import LDP


@dataclass(frozen=True, slots=True)
class DPrivacy(LDP):
    """d-privacy: any two values are neighbours, with the budget ε · d(x, x').

    ``distance`` is a function of the language whose parameters are the private inputs of the
    mechanism; it gives the distance of D (plain names) from D' (``other(...)``)::

        def distance(x: int) -> int:
            return abs(x - other(x))

    Source: Chatzikokolakis et al., "Broadening the scope of differential privacy using
    metrics" (PETS 2013); the geometric-noise paper, definition (3).
    """

    known_as = "d-privacy"
    pair_budget = "distance"
    distance: Function

    def budget_of_pair(self, pair: PairSides[T]) -> T:
        """ε · d(x, x'), in nats."""
        return pair.times(pair.declared, pair.of(self.distance))
