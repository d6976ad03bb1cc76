"""Unary encodings: a user's value as one noisy bit for each value that there is."""

from collections.abc import Iterator
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    DiscreteUniform,
    Epsilon,
    IntegerValue,
    Nat,
    Public,
    mechanism,
    sample,
)


@mechanism(LDP())
def optimised_unary_encoding(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Of each of k values a bit: a fair coin for the own one, a rare yes for the others.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Wang, Blocki, Li and Jha, Locally Differentially Private Protocols for Frequency
    Estimation (USENIX Security 2017), optimized unary encoding.
    """
    for v in range(k):
        own = x == v + 1
        bit = sample(Bernoulli(1 / 2 if own else 1 / (1 + exp(eps))))
        yield bit


@mechanism(LDP())
def two_stage_unary_encoding(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Noise is put on a bit that was noisy before, and only the second one is reported.

    One report costs less than the first noise keeps by itself; any number of reports, of the same
    first noise, costs eps at most.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats, of the first noise.

    Source: Erlingsson, Pihur and Korolova, RAPPOR (CCS 2014), the permanent response with
    f = 2 / (1 + e^(eps / 2)), and one instantaneous response with q = 3/4 and p = 1/4.
    """
    for v in range(k):
        honest = sample(Bernoulli(exp(eps / 2) / (1 + exp(eps / 2))))
        permanent = (x == v + 1) == honest
        reported = sample(Bernoulli(3 / 4 if permanent else 1 / 4))
        yield reported


@mechanism(LDP())
def redrawn_response(x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon) -> int:
    """Say the own value, or one that is drawn until it is another one.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy
    (JMLR 2016), the k-ary response, with the other value found by rejection.
    """
    assert k >= 2
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    if honest:
        return x
    while True:
        lie = sample(DiscreteUniform(1, k))
        if lie != x:
            return lie
