"""The smallest of many users' values, asked for with too little noise."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    LDP,
    Bernoulli,
    Epsilon,
    Nat,
    Public,
    Values,
    mechanism,
    sample,
)

#: What the users hold: numbers between -1 and 1.
Users = Annotated[Sequence[float], Values(-1, 1)]


@mechanism(LDP(), expect="refuted")
def private_binary_search_whole_budget(
    x: Users, tau: Public[float], L: Public[Nat], eps: Epsilon
) -> Iterator[bool | float]:
    """Halve the interval L times; everybody answers each time for all of eps.

    Wrong: each user answers L times, which costs up to L eps.

    Args:
        x: the values of the users.
        tau: from how many "yes" on somebody is taken to be below.
        L: how many rounds there are.
        eps: the privacy parameter in nats.

    Source: the LDP minimum-finding paper, Algorithm 2 as restored, without its division of ε.
    """
    assert L >= 1
    low = -1.0
    high = 1.0
    for t in range(L):
        middle = (low + high) / 2
        yes = 0
        for i in range(len(x)):
            honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
            answer = (x[i] < middle) == honest
            yield answer
            if answer:
                yes += 1
        if yes >= tau:
            high = middle
        else:
            low = middle
    yield (low + high) / 2


@mechanism(LDP(), expect="refuted")
def private_binary_search_asking_twice(
    x: Users, tau: Public[float], m: Public[Nat], eps: Epsilon
) -> Iterator[bool | float]:
    """Ask m users in each round, and the last one of a round again in the next one.

    Wrong: who is asked twice answers for eps twice.

    Args:
        x: the values of the users.
        tau: from how many "yes" on somebody is taken to be below.
        m: how many users are asked in each round.
        eps: the privacy parameter in nats.

    Source: the LDP minimum-finding paper, Algorithm 2 as restored, with its users divided among
    the rounds, and a counter that is too small by one.
    """
    assert m >= 1
    low = -1.0
    high = 1.0
    asked = 0
    yes = 0
    for i in range(len(x)):
        middle = (low + high) / 2
        honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
        answer = (x[i] < middle) == honest
        yield answer
        asked += 1
        if answer:
            yes += 1
        if asked == m:
            if yes >= tau:
                high = middle
            else:
                low = middle
            asked = 1
            yes = 0
            honest = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
            answer = (x[i] < (low + high) / 2) == honest
            yield answer
            if answer:
                yes += 1
    yield (low + high) / 2
