"""Choosing one of several candidates too eagerly."""

from collections.abc import Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    Categorical,
    DiscreteUniform,
    Epsilon,
    IntegerValues,
    Related,
    mechanism,
    other,
    sample,
)

#: The candidates' scores: each may be zero or one.
Scores = Annotated[Sequence[int], IntegerValues(0, 1)]


def moves_by_one(q: int) -> bool:
    """Each score moves by at most one, all of them at once if it must be."""
    return -1 <= q - other(q) <= 1


@mechanism(Related(moves_by_one), expect="refuted")
def exponential_mechanism_monotone_only(q: Scores, eps: Epsilon) -> int:
    """Choose a candidate with a probability proportional to e^(eps q).

    Wrong: that does for scores that only move together; where one falls and others rise, it
    costs more than eps.

    Args:
        q: the scores of the candidates; each moves by at most 1.
        eps: the privacy parameter in nats.

    Source: McSherry and Talwar, Mechanism Design via Differential Privacy (FOCS 2007), with
    twice its exponent.
    """
    assert len(q) >= 1
    weights = []
    for i in range(len(q)):
        weights.append(exp(eps * q[i]))
    chosen = sample(Categorical(weights))
    return chosen


@mechanism(Related(moves_by_one), expect="refuted")
def permute_and_flip_eager(q: Scores, eps: Epsilon) -> int:
    """Ask the candidates in random order; each is chosen with probability e^(eps (q - best)).

    Wrong: half of the exponent is what eps pays for.

    Args:
        q: the scores of the candidates; each moves by at most 1.
        eps: the privacy parameter in nats.

    Source: McKenna and Sheldon, Permute-and-Flip: A New Mechanism for Differentially Private
    Selection (NeurIPS 2020), with twice its exponent.
    """
    assert len(q) >= 1
    best = 0
    for i in range(len(q)):
        best = max(best, q[i])
    asked = [False] * len(q)
    for r in range(len(q)):
        place = sample(DiscreteUniform(1, len(q) - r))
        candidate = 0
        left = place
        for i in range(len(q)):
            if not asked[i]:
                left -= 1
                if left == 0:
                    candidate = i
        asked[candidate] = True
        if q[candidate] >= best:
            return candidate
        chosen = sample(Bernoulli(exp(eps * (q[candidate] - best))))
        if chosen:
            return candidate
    return 0
