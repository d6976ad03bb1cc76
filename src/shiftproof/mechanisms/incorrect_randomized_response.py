"""Randomised responses that give away more than they claim."""

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    LDP,
    Bernoulli,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    Nat,
    Policy,
    Public,
    UtilityOptimizedLDP,
    Value,
    mechanism,
    sample,
)

#: A one is sensitive, a zero is not; and the other way round.
ones = Policy(sensitive={1})
zeros = Policy(sensitive={0})


def sensitive(x: int, s: int) -> bool:
    """Whether a user's value is one of the first s."""
    return x <= s


@mechanism(LDP(), expect="refuted")
def warner_twice_as_honest(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Say the own bit with probability e^(2 eps) / (1 + e^(2 eps)), and else the other one.

    Wrong: the odds of the truth are e^(2 eps), where e^eps is allowed.

    Args:
        x: the bit of one user.
        eps: the privacy parameter in nats.

    Source: Warner, Randomized Response (JASA 1965), with twice the log odds.
    """
    honest = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x if honest else 1 - x


@mechanism(ADP(zeros), expect="refuted")
def mangat_protecting_zeros(
    x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon
) -> int:
    """Who has one says one; who has zero says zero with probability p, and zero is sensitive.

    Wrong: "zero" is never said by a one, so it gives a zero away.

    Args:
        x: the bit of one user.
        p: how often a zero is admitted.
        eps: the privacy parameter in nats.

    Source: Mangat, An Improved Randomized Response Strategy (JRSS B 1994); Asymmetric
    Differential Privacy says in Section 1 that its answer "yes" is the certain one: it is "no".
    """
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    return 0 if x == 0 and honest else 1


@mechanism(ADP(ones), expect="refuted")
def mangat_too_honest(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Who has the sensitive one says one; who has zero says zero with probability 1 - e^(-2 eps).

    Wrong: a one says "one" e^(2 eps) times as often as a zero does.

    Args:
        x: the bit of one user.
        eps: the privacy parameter in nats.

    Source: Mangat, An Improved Randomized Response Strategy (JRSS B 1994); p may be 1 - e^(-eps).
    """
    honest = sample(Bernoulli(1 - exp(-2 * eps)))
    return 0 if x == 0 and honest else 1


@mechanism(LDP(), expect="refuted")
def k_ary_response_without_the_last(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> int:
    """Say the own value, or, with equal probabilities, any of the first k - 1.

    Wrong: the last value is only said by who has it.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy
    (JMLR 2016), with a range that ends too early.
    """
    assert k >= 2
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    if honest:
        return x
    anything = sample(DiscreteUniform(1, k - 1))
    return anything


@mechanism(UtilityOptimizedLDP(sensitive, protected=sensitive), expect="refuted")
def utility_optimized_response_for_two(
    x: Annotated[int, IntegerValue(1, "k")], s: Public[Nat], k: Public[Nat], eps: Epsilon
) -> int:
    """Say the own value as if two values were sensitive, or any of the s that are.

    Wrong: from s = 3 on the truth is more than e^eps times as likely as each lie.

    Args:
        x: the value of one user, from 1 to k.
        s: how many values are sensitive: 1 to s.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Murakami and Kawamoto, Utility-Optimized Local Differential Privacy Mechanisms for
    Distribution Estimation (USENIX Security 2019), with a constant for s.
    """
    assert 1 <= s < k
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + 1)))
    if honest:
        return x
    sensitive_one = sample(DiscreteUniform(1, s))
    return sensitive_one


@mechanism(LDP(), expect="refuted")
def rappor_whole_budget(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Say of each of k values whether it is the own one, each time with all of eps.

    Wrong: two values differ in two of the answers, which cost 2 eps together.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Erlingsson, Pihur and Korolova, RAPPOR (CCS 2014), with the odds of a single bit.
    """
    for v in range(k):
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        yield (x == v + 1) == honest


@mechanism(LDP(), expect="refuted")
def one_bit_mean_half_noise(x: Annotated[float, Value(-1, 1)], eps: Epsilon) -> float:
    """Release one of two numbers whose mean is the own value, too near to it.

    Wrong: from 1 to -1 the odds are e^(2 eps), where e^eps is allowed.

    Args:
        x: the value of one user.
        eps: the privacy parameter in nats.

    Source: Duchi, Jordan and Wainwright, Minimax Optimal Procedures for Locally Private
    Estimation (JASA 2018), in one dimension, for twice the budget.
    """
    up = sample(Bernoulli((x * (exp(2 * eps) - 1) + exp(2 * eps) + 1) / (2 * exp(2 * eps) + 2)))
    far = (exp(2 * eps) + 1) / (exp(2 * eps) - 1)
    return far if up else -far
