"""Context-aware local differential privacy."""

from dataclasses import dataclass

from .base import Function, PairSides, T
from .ldp import LDP


@dataclass(frozen=True, slots=True)
class ContextAwareLDP(LDP):
    """Context-aware LDP: each ordered pair of values has a budget of its own, in nats.

    ``budget`` is a function of the language; its parameters are the private inputs, and any
    public scalar ones.  It takes the place of the mechanism's ``budget``.
    Source: Acharya et al., "Context-aware local differential privacy" (ICML 2020).
    """

    known_as = "context-aware local differential privacy"
    composes = False
    pair_budget = "budget"
    budget: Function

    def budget_of_pair(self, pair: PairSides[T]) -> T:
        """What the function says of the pair, in nats."""
        return pair.of(self.budget)
