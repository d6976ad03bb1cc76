"""The smallest of many users' values, found by asking each of them with noise of their own."""

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


@mechanism(LDP())
def private_binary_search(
    x: Users, tau: Public[float], L: Public[Nat], eps: Epsilon
) -> Iterator[bool | float]:
    """Halve the interval L times: everybody says, with noise, whether they are below its middle.

    Which question comes next depends on all answers so far.  A user answers L times, each time
    for eps / L.

    Args:
        x: the values of the users.
        tau: from how many "yes" on somebody is taken to be below.
        L: how many rounds there are.
        eps: the privacy parameter in nats.

    Source: the LDP minimum-finding paper, Algorithm 2 and Theorem 6 as restored; its unbiased
    estimate of a fraction is a monotone function of the number of "yes", so tau counts these.
    """
    assert L >= 1
    low = -1.0
    high = 1.0
    for t in range(L):
        middle = (low + high) / 2
        yes = 0
        for i in range(len(x)):
            honest = sample(Bernoulli(exp(eps / L) / (1 + exp(eps / L))))
            answer = (x[i] < middle) == honest
            yield answer
            if answer:
                yes += 1
        if yes >= tau:
            high = middle
        else:
            low = middle
    yield (low + high) / 2


@mechanism(LDP())
def private_binary_search_asking_once(
    x: Users, tau: Public[float], m: Public[Nat], eps: Epsilon
) -> Iterator[bool | float]:
    """The same, with m other users in each round; each user answers once, for all of eps.

    Args:
        x: the values of the users.
        tau: from how many "yes" on somebody is taken to be below.
        m: how many users are asked in each round.
        eps: the privacy parameter in nats.

    Source: the LDP minimum-finding paper, Algorithm 2 as restored, with its users divided among
    the rounds.
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
            asked = 0
            yes = 0
    yield (low + high) / 2
