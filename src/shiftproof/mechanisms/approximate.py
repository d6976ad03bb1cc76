"""Noise of which tails are given up: clamped, uniform, one-sided and normal noise, with a δ."""

from math import exp, log, sqrt
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    LDP,
    Count,
    Delta,
    DiscreteUniform,
    Epsilon,
    Exponential,
    Gaussian,
    Laplace,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    Query,
    TwoSidedGeometric,
    Uniform,
    Value,
    ensure,
    mechanism,
    sample,
)

#: A one (having been somewhere) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(DP(delta=lambda eps, A: exp(-eps * A) * (1 + exp(eps)) / 2))
def clamped_laplace(q: Count, A: Public[float], eps: Epsilon) -> float:
    """Release a count that is wrong by A at most, for certain.

    Args:
        q: a count over the records.
        A: how wrong it may be.
        eps: the privacy parameter in nats; Laplace noise of scale 1 / eps is cut off at A.

    Source: Geng, Ding, Guo and Kumar, Tight Analysis of Privacy and Utility Tradeoff in
    Approximate Differential Privacy (AISTATS 2020), whose noise is drawn again, and not cut off.
    """
    assert A > 1
    noise = sample(Laplace(1 / eps))
    answer = q + max(-A, min(A, noise))
    ensure(q - A <= answer <= q + A)
    return answer


@mechanism(
    DP(delta=lambda eps, A: exp(-eps * A) / (1 + exp(-eps)) + exp(-eps * (A + 1)) / (1 + exp(-eps)))
)
def clamped_geometric(q: Count, A: Public[Nat], eps: Epsilon) -> int:
    """Release a count that is wrong by A at most, with noise on the integers.

    Args:
        q: a count over the records.
        A: how wrong it may be.
        eps: the privacy parameter in nats; both tails together are exp(-eps A).

    Source: Ghosh, Roughgarden and Sundararajan (STOC 2009), the range-restricted geometric
    mechanism, whose range is here one around the truth, and not a fixed one.
    """
    assert A >= 1
    noise = sample(TwoSidedGeometric(1 / eps))
    answer = q + max(-A, min(A, noise))
    ensure(q - A <= answer <= q + A)
    return answer


@mechanism(ADP(visited, delta=lambda eps, A: exp(-eps * (A - 1))))
def clamped_exponential(q: Count, A: Public[float], eps: Epsilon) -> float:
    """Release a count that is never below the truth, and never above it by more than A.

    Args:
        q: how many records have a sensitive value.
        A: how wrong it may be.
        eps: the privacy parameter in nats; the noise has mean 1 / eps before it is cut off.

    Source: the noise is that of Asymmetric Differential Privacy, Theorem 7, cut off at A.
    """
    assert A > 1
    noise = sample(Exponential(1 / eps))
    answer = q + min(A, noise)
    ensure(q <= answer <= q + A)
    return answer


@mechanism(ADP(visited, delta=lambda eps, A: exp(-eps * A)))
def clamped_one_sided_geometric(q: Count, A: Public[Nat], eps: Epsilon) -> int:
    """The same with noise on the integers.

    Args:
        q: how many records have a sensitive value.
        A: how wrong it may be.
        eps: the privacy parameter in nats.

    Source: the noise is the integers' half of Asymmetric Differential Privacy, Theorem 7, cut
    off at A.
    """
    assert A >= 1
    noise = sample(OneSidedGeometric(1 / eps))
    answer = q + min(A, noise)
    ensure(q <= answer <= q + A)
    return answer


@mechanism(DP(delta="delta"), budget=0)
def uniform_count(q: Count, delta: Delta) -> float:
    """Release a count with uniform noise: all of its privacy is δ.

    Args:
        q: a count over the records.
        delta: the share of the noise's range that a record moves it by.

    Source: Geng, Ding, Guo and Kumar, Optimal Noise-Adding Mechanism in Additive Differential
    Privacy (AISTATS 2019), on (0, δ)-differential privacy.
    """
    noise = sample(Uniform(-1 / (2 * delta), 1 / (2 * delta)))
    return q + noise


@mechanism(DP(delta=lambda A: 1 / (2 * A + 1)), budget=0)
def whole_uniform_count(q: Count, A: Public[Nat]) -> int:
    """The same with noise on the integers from -A to A.

    Args:
        q: a count over the records.
        A: how wrong it may be.

    Source: Geng, Ding, Guo and Kumar (AISTATS 2019), for integers.
    """
    assert A >= 1
    noise = sample(DiscreteUniform(-A, A))
    return q + noise


@mechanism(LDP(delta=lambda A: 1 / (2 * A)), budget=0)
def uniform_value(x: Annotated[float, Value(0, 1)], A: Public[float]) -> float:
    """Release a user's own value with uniform noise.

    Args:
        x: a value from 0 to 1.
        A: how wrong it may be.

    Source: Geng, Ding, Guo and Kumar (AISTATS 2019), for the values of one user.
    """
    assert A > 1
    noise = sample(Uniform(-A, A))
    return x + noise


@mechanism(DP(delta=lambda eps: 1 - exp(-eps)))
def exponential_count(q: Count, eps: Epsilon) -> float:
    """Release a count that is never below the truth, where counts may fall and rise.

    Upwards the noise would have to leave its support: what is lost there is a δ.

    Args:
        q: a count over the records.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: the noise is that of Asymmetric Differential Privacy, Theorem 7, which needs no δ in
    one direction.
    """
    noise = sample(Exponential(1 / eps))
    ensure(q + noise >= q)
    return q + noise


@mechanism(
    DP(
        delta=lambda sigma, eps: (
            exp(-(sigma * eps - 1 / (2 * sigma)) * (sigma * eps - 1 / (2 * sigma)) / 2) / 2
        )
    )
)
def gaussian_count(q: Count, sigma: Public[float], eps: Epsilon) -> float:
    """Release a count with normal noise, of which a tail is given up.

    Args:
        q: a count over the records.
        sigma: the standard deviation of the noise.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Appendix
    A: where the log ratio is above ε the noise is in a tail.
    """
    assert sigma > 0 and 2 * sigma * sigma * eps >= 1
    noise = sample(Gaussian(sigma))
    return q + noise


@mechanism(DP(delta="delta"))
def classical_gaussian(
    q: Annotated[float, Query(sensitivity="D")], D: Public[float], eps: Epsilon, delta: Delta
) -> float:
    """Release an answer that moves by at most D, with normal noise for an ε and a δ.

    Args:
        q: an answer about the records.
        D: how far it moves when one record is replaced.
        eps: the privacy parameter in nats, at most 1; above 1 this noise would be too little.
        delta: the other privacy parameter.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Theorem A.1,
    which has no end for δ; above 9/10 the proof here would give up more than half of the draws.
    """
    assert D > 0 and eps <= 1 and delta <= 9 / 10
    noise = sample(Gaussian(D * sqrt(2 * log(5 / (4 * delta))) / eps))
    return q + noise
