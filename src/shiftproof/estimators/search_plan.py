"""How many rounds a private binary search makes, and its threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from .binary_response import gain
from .minimum_inputs import Seed, epsilon, generator, positive, whole

#: For an unknown α: ln²N over these.  Chosen by the mean error for α from 1/2 to 4, N from 2^10
#: to 2^24 and ε = 1; the rate is that of Corollary 2 for any two numbers.
ROUNDS_DIVISOR, LEVEL_DIVISOR = 12, 24
#: More halvings than this are no use with floats.
MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What is fixed before anybody is asked, and depends on no value.

    Attributes:
        users: N.
        eps: what each user spends in all, ε in nats.
        rounds: L, how often the interval is halved.
        threshold: τ; a half is taken if a share of at least τ is estimated to lie below it.
        once: each user answers in one round only, with all of ε.
    """

    users: int
    eps: float
    rounds: int
    threshold: float
    once: bool

    @property
    def answer_eps(self) -> float:
        """ε of one answer, in nats: ε/L, or ε if each user answers once."""
        return self.eps if self.once else self.eps / self.rounds

    @property
    def group_sizes(self) -> tuple[int, ...]:
        """How many users are asked in each round."""
        if not self.once:
            return (self.users,) * self.rounds
        least, more = divmod(self.users, self.rounds)
        return (least + 1,) * more + (least,) * (self.rounds - more)

    @property
    def effective_users(self) -> float:
        """How many unmasked answers would tell as much a round, at least: m γ².

        m is the size of the smallest group and γ = tanh(ε'/2), ε' that of one answer.  An
        estimated share has a standard deviation of at most 1/(2γ√m).
        """
        return min(self.group_sizes) * gain(self.answer_eps) ** 2

    def groups(self, seed: Seed = None) -> list[NDArray[np.intp]]:
        """The numbers (from 0) of the users that each round asks, drawn at random if once."""
        everybody = np.arange(self.users, dtype=np.intp)
        if not self.once:
            return [everybody] * self.rounds
        return np.array_split(generator(seed).permutation(everybody), self.rounds)


def search_plan(
    users: int,
    eps: float,
    *,
    alpha: float | None = None,
    rounds: int | None = None,
    threshold: float | None = None,
    once: bool = False,
) -> SearchPlan:
    """Choose the rounds and the threshold by the number of users.

    With ln N at least 1, and τ = √(h/m) / (2γ), at most 1/2, which is √h standard deviations of
    an estimated share and about (L/ε)√(h/N) for ε well below L:

    * α ≥ ``alpha`` known: L = log2 N / (2 alpha), rounded up, h = ln N / alpha.  Then 2^-L and
      the probability of a mistake, at most exp(-h/2), are both within N^(-1/(2 alpha)), and the
      error is O((ln³N / (ε² N))^(1/(2α))); if each user is asked once, with ln² for ln³.
    * α unknown: L = ln²N / 12, rounded up, h = ln²N / 24.  The error is
      O((ln⁶N / (ε² N))^(1/(2α))) for whatever α; if each user is asked once, with ln⁴ for ln⁶.

    Args:
        users: N, at least 1.
        eps: ε in nats, above 0.
        alpha: a number that α of the values' distribution is not below, if one is known: F(x) ≥
            C (x - min)^α near the minimum.  1 if the density there is above 0.
        rounds: L, from 1 to 1000, if it is not to be chosen.
        threshold: τ, above 0 and at most 1, if it is not to be chosen.
        once: split the users at random into a group for each round.

    Raises:
        BadInput: an argument is out of its range, or there are more rounds than users to ask
            once.

    Source: LDP minimum finding, Corollaries 1 and 2 (the constants are ours).
    """
    n, spent = whole("users", users), epsilon("eps", eps)
    log = max(1.0, math.log(n))
    if alpha is None:
        wanted, level = log * log / ROUNDS_DIVISOR, log * log / LEVEL_DIVISOR
    else:
        known = positive("alpha", alpha)
        wanted, level = math.log2(n) / (2 * known), log / known
    if rounds is not None:
        chosen = whole("rounds", rounds)
        if chosen > MOST_ROUNDS:
            raise BadInput(f"rounds: got {chosen}; floats cannot be halved more than 1000 times")
        if once and chosen > n:
            raise BadInput(f"rounds: got {chosen} for {n} users; each is asked once only")
    else:
        chosen = max(1, math.ceil(min(wanted, MOST_ROUNDS)))
        chosen = min(chosen, n) if once else chosen
    plan = SearchPlan(n, spent, chosen, 0.5, bool(once))
    if threshold is None:
        tau = min(0.5, math.sqrt(level / plan.effective_users) / 2)
    else:
        tau = positive("threshold", threshold)
        if tau > 1:
            raise BadInput(f"threshold: got {threshold!r}; it is a share of the users, at most 1")
    return SearchPlan(n, spent, chosen, tau, bool(once))
