"""Every choice that a sampler may make: what it then draws, and how likely that is, exactly."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)
NOTHING = Fraction(1, 10**9)


class Open(Exception):
    """The choices that were made so far do not decide; here are the weights of the next one's."""

    def __init__(self, weights: Sequence[Fraction]) -> None:
        self.weights = weights


class Chosen:
    """A source of integers that makes given choices; the next one is open.

    It stands for a numpy generator that is asked for one number at a time, too.
    """

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = iter(choices)

    def choose(self, weights: Sequence[Fraction]) -> int:
        """One of the options, of which these are the probabilities, or lower bounds of them."""
        choice = next(self._choices, None)
        if choice is None:
            raise Open(weights)
        return choice

    def random(self) -> float:
        """Nothing that is exact asks for a float."""
        raise AssertionError("floating point")

    def randrange(self, stop: int, /) -> int:
        """One of the integers below ``stop``."""
        return self.choose([Fraction(1, stop)] * stop)

    def integers(self, low: int, high: int, size: int, dtype: Any = np.int64) -> Any:
        """An array of one such integer, or of none."""
        assert low == 0 and size < 2
        return np.array([self.randrange(high) for _ in range(size)], dtype)

    def bytes(self, length: int) -> bytes:
        """That many octets."""
        return bytes(self.randrange(256) for _ in range(length))


def masses(draw: Callable[[Any], T], runs: int) -> tuple[dict[T, Fraction], Fraction]:
    """Lower bounds of the probabilities of what is drawn, and the probability that is left.

    Each upper bound is the lower one and what is left.  The likeliest choices are followed
    first, ``runs`` times in all or until next to nothing is left.
    """
    order = itertools.count()
    heap: list[tuple[Fraction, int, tuple[int, ...]]] = [(Fraction(-1), next(order), ())]
    found: dict[T, Fraction] = {}
    while heap and runs:
        runs -= 1
        weight, _, choices = heapq.heappop(heap)
        if weight > -NOTHING:
            break
        try:
            value = draw(Chosen(choices))
        except Open as branch:
            for k, w in enumerate(branch.weights):
                if w:
                    heapq.heappush(heap, (weight * w, next(order), (*choices, k)))
        else:
            found[value] = found.get(value, Fraction(0)) - weight
    return found, 1 - sum(found.values(), Fraction(0))


@lru_cache(maxsize=1000)
def exponential(x: Fraction, terms: int = 20) -> tuple[Fraction, Fraction]:
    """Bounds of ``exp(-x)``, x >= 0: two sums of a series whose terms fall, to a power."""
    power = math.ceil(x) + 1
    term, total = Fraction(1), Fraction(1)
    sums = [total]
    for k in range(1, terms):
        term *= -x / power / k
        total += term
        sums.append(total)
    low, high = sorted(sums[-2:])
    one = 1 << 80  # short fractions are fast
    return Fraction(math.floor(low**power * one), one), Fraction(math.ceil(high**power * one), one)
