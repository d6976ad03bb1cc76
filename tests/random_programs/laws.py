"""Distributions of noise as probabilities of intervals, for runs that know a draw by its interval.

Probabilities are floats; what is compared in the end is compared with a margin far above
their error.  The ends of intervals are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

#: An integer or a fraction; an interval's end may be infinite as well.
Exact = int | Fraction
End = float | Exact
#: Both ends are included.
Interval = tuple[End, End]
#: What each distribution is called by, in the order of its arguments.
ARGUMENTS = {
    "Laplace": ("scale",),
    "Exponential": ("scale",),
    "NegativeExponential": ("scale",),
    "TwoSidedGeometric": ("scale",),
    "OneSidedGeometric": ("scale",),
    "NegativeOneSidedGeometric": ("scale",),
    "Uniform": ("low", "high"),
    "DiscreteUniform": ("low", "high"),
    "Bernoulli": ("p",),
    "Categorical": ("weights",),
}
CONTINUOUS = ("Laplace", "Exponential", "NegativeExponential", "Uniform")
#: Whose values are looked at one by one.
FEW = ("Bernoulli", "Categorical", "DiscreteUniform")


class Unknowable(Exception):
    """A distribution, or an operation on noise, of which nothing is known here."""


@dataclass(frozen=True)
class Law:
    """One distribution with its numbers."""

    kind: str
    values: tuple[Any, ...]

    @property
    def continuous(self) -> bool:
        return self.kind in CONTINUOUS

    @property
    def support(self) -> Interval:
        match self.kind:
            case "Bernoulli":
                return 0, 1
            case "Categorical":
                return 0, len(self.values) - 1
            case "Uniform" | "DiscreteUniform":
                return self.values[0], self.values[1]
            case "Exponential" | "OneSidedGeometric":
                return 0, math.inf
            case "NegativeExponential" | "NegativeOneSidedGeometric":
                return -math.inf, 0
        return -math.inf, math.inf

    def mass(self, piece: Interval) -> float:
        """The probability of an interval."""
        return _mass(self, *piece)

    def middle(self, piece: Interval) -> Exact:
        """A place inside that cuts an interval in two parts of similar probability.

        Of integers it is the first of the upper part.
        """
        low, high = piece
        scale = math.log(2) * float(self.values[0]) if self.values else 1.0
        if math.isinf(low) and math.isinf(high):
            at = 0.0
        elif math.isinf(high):
            at = float(low) + scale
        elif math.isinf(low):
            at = float(high) - scale
        elif self.continuous:
            return (Fraction(low) + Fraction(high)) / 2
        else:
            return (int(low) + int(high) + 1) // 2
        if not self.continuous:
            return max(math.ceil(at), int(low) + 1) if low > -math.inf else math.floor(at)
        return Fraction(round(at * 64), 64) if abs(at) < 2**20 else Fraction(round(at))


@lru_cache(20_000)
def _mass(law: Law, low: End, high: End) -> float:
    if low > high:
        return 0.0
    match law.kind, law.values:
        case "Bernoulli", (p,):
            return (1 - float(p) if low <= 0 else 0.0) + (float(p) if high >= 1 else 0.0)
        case "Categorical", weights:
            chosen = weights[int(max(low, 0)) : int(min(high, len(weights) - 1)) + 1]
            return float(sum(chosen)) / float(sum(weights))
        case "Uniform", (least, most):
            return float(min(high, most) - max(low, least)) / float(most - least)
        case "DiscreteUniform", (least, most):
            return float((min(high, most) - max(low, least) + 1) / (most - least + 1))
        case _, (scale,):
            return _decaying(law, low, high, 1 / float(scale))
    raise Unknowable(law.kind)


def _decaying(law: Law, low: End, high: End, rate: float) -> float:
    """Of noise whose density falls by powers of e."""
    if law.kind.startswith("Negative"):
        mirrored = Law(law.kind.removeprefix("Negative"), law.values)
        return _decaying(mirrored, -high, -low, rate)
    if not law.continuous:
        high = high + 1  # the first one that is not there
    if law.kind in ("Exponential", "OneSidedGeometric"):
        return math.exp(-rate * max(low, 0)) - math.exp(-rate * max(high, 0))
    share = 0.5 if law.continuous else 1 / (1 + math.exp(-rate))

    def above(k: End) -> float:  # for the geometric, k >= 1
        return share * math.exp(-rate * k)

    def below(k: End) -> float:  # strictly, for k <= 0
        return share * math.exp(rate * (k if law.continuous else k - 1))

    first = 0 if law.continuous else 1
    if low >= first:
        return above(low) - above(high)
    if high <= 0:
        return below(high) - below(low)
    return 1 - (below(low) if low > -math.inf else 0.0) - above(high)


def law_of(kind: str, given: Sequence[Any]) -> Law:
    """The law of a distribution that a program names.

    Raises:
        ValueError: there is no such distribution.
        Unknowable: it is not treated here.
    """
    if kind not in ARGUMENTS:
        raise Unknowable(kind)
    if kind == "Categorical":
        (weights,) = given
        numbers = tuple(float(w) for w in weights)
        if not numbers or min(numbers) < 0 or sum(numbers) <= 0:
            raise ValueError(f"Categorical({numbers})")
        return Law(kind, numbers)
    if kind == "Bernoulli":
        if not -1e-12 <= float(given[0]) <= 1 + 1e-12:
            raise ValueError(f"Bernoulli({given[0]})")
        return Law(kind, (min(1.0, max(0.0, float(given[0]))),))
    numbers = tuple(v if isinstance(v, int) else Fraction(v) for v in given)
    if len(numbers) == 1 and numbers[0] <= 0:
        raise ValueError(f"{kind}({numbers[0]})")
    if len(numbers) == 2 and (
        numbers[0] > numbers[1] or (kind == "Uniform" and numbers[0] == numbers[1])
    ):
        raise ValueError(f"{kind}{numbers}")
    return Law(kind, numbers)
