"""Randomised responses: a user tells the truth with some probability, and else something else."""

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

#: A one is sensitive, a zero is not.
ones = Policy(sensitive={1})


def sensitive(x: int, s: int) -> bool:
    """Whether a user's value is one of the first s."""
    return x <= s


@mechanism(LDP())
def warner(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """Say the own bit with probability e^eps / (1 + e^eps), and else the other one.

    Args:
        x: the bit of one user.
        eps: the privacy parameter in nats.

    Source: Warner, Randomized Response (JASA 1965), with the probability that Kasiviswanathan
    et al. (What Can We Learn Privately?, SIAM J. Comput. 2011) show to be ε-LDP.
    """
    honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return x if honest else 1 - x


@mechanism(ADP(ones))
def mangat(x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon) -> int:
    """Who has the sensitive one says one; who has zero says zero with probability p.

    So "zero" is never wrong, and "one" may be.  It is no DP mechanism at all, and asymmetrically
    private exactly if p is at most 1 - e^(-eps).

    Args:
        x: the bit of one user.
        p: how often a zero is admitted.
        eps: the privacy parameter in nats.

    Source: Mangat, An Improved Randomized Response Strategy (JRSS B 1994), as Asymmetric
    Differential Privacy reads it (Section 1).
    """
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    return 0 if x == 0 and honest else 1


@mechanism(LDP())
def k_ary_response(x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon) -> int:
    """Say the own value, or, with equal probabilities, any of the k that there are.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy
    (JMLR 2016), for all k at once.
    """
    assert k >= 2
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + k - 1)))
    if honest:
        return x
    anything = sample(DiscreteUniform(1, k))
    return anything


@mechanism(UtilityOptimizedLDP(sensitive, protected=sensitive))
def utility_optimized_response(
    x: Annotated[int, IntegerValue(1, "k")], s: Public[Nat], k: Public[Nat], eps: Epsilon
) -> int:
    """Say the own value, or any of the s sensitive ones; who has another value may be known.

    Args:
        x: the value of one user, from 1 to k.
        s: how many values are sensitive: 1 to s.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Murakami and Kawamoto, Utility-Optimized Local Differential Privacy Mechanisms for
    Distribution Estimation (USENIX Security 2019), utility-optimised randomised response.
    """
    assert 1 <= s < k
    honest = sample(Bernoulli((exp(eps) - 1) / (exp(eps) + s - 1)))
    if honest:
        return x
    sensitive_one = sample(DiscreteUniform(1, s))
    return sensitive_one


@mechanism(LDP())
def rappor(x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Say of each of k values whether it is the own one, each time as in Warner's response.

    Two values differ in two of the answers; so each may cost eps / 2.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Erlingsson, Pihur and Korolova, RAPPOR (CCS 2014), the permanent response for one
    hash function and a Bloom filter as wide as the universe; f = 2 / (1 + e^(eps / 2)).
    """
    for v in range(k):
        honest = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
        yield (x == v + 1) == honest


@mechanism(LDP())
def one_bit_mean(x: Annotated[float, Value(-1, 1)], eps: Epsilon) -> float:
    """Release one of two numbers whose mean is the own value.

    Args:
        x: the value of one user.
        eps: the privacy parameter in nats.

    Source: Duchi, Jordan and Wainwright, Minimax Optimal Procedures for Locally Private
    Estimation (JASA 2018), in one dimension.
    """
    up = sample(Bernoulli((x * (exp(eps) - 1) + exp(eps) + 1) / (2 * exp(eps) + 2)))
    far = (exp(eps) + 1) / (exp(eps) - 1)
    return far if up else -far
