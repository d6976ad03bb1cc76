"""Input-discriminative local differential privacy."""

from dataclasses import dataclass

from .base import Function, PairSides, T
from .ldp import LDP


@dataclass(frozen=True, slots=True)
class InputDiscriminativeLDP(LDP):
    """Input-discriminative LDP: each value has a budget; a pair has the smaller one of its two.

    ``budget`` is a function of the language: the private inputs, and any public scalar ones,
    to nats.  It takes the place of the mechanism's ``budget``.
    Source: Gu et al., "Providing input-discriminative protection for local differential
    privacy" (ICDE 2020), MinID-LDP.
    """

    known_as = "input-discriminative local differential privacy"
    composes = False
    pair_budget = "budget"
    of_one_value = True
    budget: Function

    def budget_of_pair(self, pair: PairSides[T]) -> T:
        """The smaller one of the budgets of both values, in nats."""
        return pair.smaller(pair.of(self.budget), pair.back(self.budget))
