"""A binary search that is driven by users' masked answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from .minimum_inputs import Seed, checked_range, epsilon, generator, positive, whole


@dataclass(frozen=True, slots=True)
class SearchRound:
    """One round: the query M, the estimated share of users below it, how many were asked."""

    query: float
    share: float
    asked: int


@dataclass(frozen=True, slots=True)
class MinimumEstimate:
    """Where a search has ended.

    Attributes:
        value: the estimate, the middle of the last interval, in the units of the values.
        low: the lower end of the last interval.
        high: its upper end.
        plan: rounds, threshold and ε.
        rounds: each round, the first one first.  They are the whole transcript up to the single
            answers, so as private as these.
    """

    value: float
    low: float
    high: float
    plan: SearchPlan
    rounds: tuple[SearchRound, ...]


class BinarySearch:
    """The server's side of a search for the minimum: ask ``query``, ``update`` with the answers.

    ::

        search = BinarySearch(search_plan(len(devices), eps=1.0, once=True), low=0, high=100)
        for group in search.plan.groups():
            # on each device: respond(value, query, answer_eps, rng)
            search.update([devices[i].answer(search.query, search.answer_eps) for i in group])
        print(search.estimate.value)

    For a maximum, search for the minimum of the negated values.

    Args:
        plan: rounds, threshold and ε, from :func:`search_plan`.
        low: no value is below, by what is known without asking.
        high: no value is above.

    Raises:
        BadInput: ``low`` is not below ``high``, or one of them is not finite.

    Source: LDP minimum finding, Algorithm 2.
    """

    def __init__(self, plan: SearchPlan, low: float = -1.0, high: float = 1.0) -> None:
        self.plan = plan
        self._low, self._high = checked_range(low, high)
        self._rounds: list[SearchRound] = []

    @property
    def round(self) -> int:
        """The number of the round, from 0."""
        return len(self._rounds)

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self.round >= self.plan.rounds

    @property
    def query(self) -> float:
        """M: users are asked whether their value is below it."""
        return self._low + (self._high - self._low) / 2

    @property
    def answer_eps(self) -> float:
        """The ε with which a user answers, in nats."""
        return self.plan.answer_eps

    def update(self, reports: Any) -> None:
        """Take the answers of this round, a sequence of 0 and 1 or of truth values.

        Users who do not answer may be missing; then the threshold is lower than it would have
        been chosen.

        Raises:
            BadInput: there are none, one is neither 0 nor 1, or the search is over.
        """
        found = np.asarray(reports)
        if found.ndim != 1 or not found.size or found.dtype.kind not in "biuf":
            raise BadInput("reports: want the answers of at least one user, each 0 or 1")
        if not np.isin(found, (0, 1)).all():
            raise BadInput("reports: each answer must be 0 or 1")
        self.update_count(int(np.count_nonzero(found)), found.size)

    def update_count(self, ones: int, asked: int) -> None:
        """Take the sum of this round's answers; the search needs no more than that.

        Raises:
            BadInput: ``ones`` is above ``asked``, one of them is no count, or the search is over.
        """
        if self.done:
            raise BadInput(f"the search is over after {self.plan.rounds} rounds")
        n, k = whole("asked", asked), whole("ones", ones, least=0)
        if k > n:
            raise BadInput(f"ones: got {k} of {n} answers")
        query, share = self.query, estimated_share(k, n, self.answer_eps)
        self._rounds.append(SearchRound(query, share, n))
        if share >= self.plan.threshold:
            self._high = query
        else:
            self._low = query

    @property
    def estimate(self) -> MinimumEstimate:
        """Where the search has come to."""
        return MinimumEstimate(
            self.query, self._low, self._high, self.plan, tuple(self._rounds)
        )  # fmt: skip


# Randomised response on the bit "my value is below M", and the share that it estimates.
#
# A user answers the truth, or with probability 1/(1 + e^ε) its opposite.  That is ε-LDP in real
# numbers; with floats it is idealised: the probability is a float, and so is the number that is
# compared with it, a multiple of 2^-53.


def flip_probability(eps: float) -> float:
    """The probability that an answer is flipped, 1/(1 + e^ε); ε > 0 in nats."""
    odds = math.exp(-eps)
    return odds / (1 + odds)


def gain(eps: float) -> float:
    """By how much an answer's mean follows the bit: γ = tanh(ε/2), in (0, 1]; ε > 0 in nats."""
    return math.tanh(eps / 2)


def respond(value: float, query: float, eps: float, rng: np.random.Generator) -> bool:
    """One user's answer to "is your value below the query?", with ε-LDP.

    This is what runs on the user's device; the value does not leave it.  If users are asked more
    than once, each answer spends its own ε.

    Args:
        value: the user's number.
        query: M, in the same units.
        eps: ε of this answer, in nats.
        rng: the device's own generator.  NumPy's are not meant to withstand an attacker.

    Raises:
        BadInput: the value or the query is nan, or ``eps`` is out of its range.

    Source: LDP minimum finding, Algorithm 2; randomised response is Warner's.
    """
    if math.isnan(value) or math.isnan(query):
        raise BadInput(f"value, query: got {value!r} and {query!r}; nan is below nothing")
    return bool(value < query) ^ bool(rng.random() < flip_probability(epsilon("eps", eps)))


def estimated_share(ones: int, asked: int, eps: float) -> float:
    """The unbiased estimate φ̂ of the share of users below M; it may be below 0 or above 1.

    φ̂ = (z̄ - 1/(1 + e^ε)) / tanh(ε/2), where z̄ is the share of answers that say "below".  By
    Hoeffding's inequality each of φ̂ ≥ φ + h and φ̂ ≤ φ - h has a probability of at most
    exp(-2 N h² tanh²(ε/2)).

    Args:
        ones: how many answers say "below".
        asked: N, how many answers there are; at least 1.
        eps: ε of each answer, in nats.

    Source: LDP minimum finding, Section 2 and Lemma 2.
    """
    return (ones / asked - flip_probability(eps)) / gain(eps)


def draw_ones(below: int, asked: int, eps: float, rng: np.random.Generator) -> int:
    """How many of ``asked`` answers say "below" if ``below`` of the users are.

    Equal in law to a sum of :func:`respond`: answers are independent, so it is Binomial(k, 1 - q)
    + Binomial(N - k, q) with q = 1/(1 + e^ε).
    """
    flip = flip_probability(eps)
    true, flipped = rng.binomial(below, 1 - flip), rng.binomial(asked - below, flip)
    return int(true) + int(flipped)


# How many rounds a private binary search makes, and its threshold.

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
