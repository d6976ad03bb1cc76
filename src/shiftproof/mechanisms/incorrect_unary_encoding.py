"""Unary encodings that give away more than they claim."""

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


@mechanism(LDP(), expect="refuted")
def unary_encoding_with_the_odds_of_a_response(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Of each of k values a bit, which is true with probability e^eps / (1 + e^eps).

    Wrong: two values differ in two bits, each of which costs eps.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Wang et al., Locally Differentially Private Protocols for Frequency Estimation (USENIX
    Security 2017), symmetric unary encoding with eps in the place of eps / 2.
    """
    for v in range(k):
        own = x == v + 1
        bit = sample(Bernoulli(exp(eps) / (1 + exp(eps)) if own else 1 / (1 + exp(eps))))
        yield bit


@mechanism(LDP(), expect="refuted")
def two_stage_unary_encoding_that_shows_both(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """The first noise is that of one report, and the bit with the first noise is shown as well.

    Wrong: with this noise one report of the second stage keeps eps, and the first stage 2 eps.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Erlingsson, Pihur and Korolova, RAPPOR (CCS 2014), with the permanent response shown.
    """
    for v in range(k):
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        permanent = (x == v + 1) == honest
        yield permanent
        reported = sample(Bernoulli(3 / 4 if permanent else 1 / 4))
        yield reported


@mechanism(LDP(), expect="refuted")
def redrawn_response_among_fewer(
    x: Annotated[int, IntegerValue(1, "k")], k: Public[Nat], eps: Epsilon
) -> int:
    """Say the own value, or one that is drawn until it is another one; the largest never is.

    Wrong: only who has the largest value says so.

    Args:
        x: the value of one user, from 1 to k.
        k: how many values there are.
        eps: the privacy parameter in nats.

    Source: Kairouz, Oh and Viswanath, Extremal Mechanisms for Local Differential Privacy
    (JMLR 2016), the k-ary response, with a range that ends one too early.
    """
    assert k >= 3
    honest = sample(Bernoulli(exp(eps) / (exp(eps) + k - 1)))
    if honest:
        return x
    while True:
        lie = sample(DiscreteUniform(1, k - 1))
        if lie != x:
            return lie
