"""Randomised response on the bit "my value is below M", and the share that it estimates.

A user answers the truth, or with probability 1/(1 + e^ε) its opposite.  That is ε-LDP in real
numbers; with floats it is idealised: the probability is a float, and so is the number that is
compared with it, a multiple of 2^-53.
"""

from __future__ import annotations

import math

import numpy as np

from ..dsl.errors import BadInput
from .minimum_inputs import epsilon


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
