"""Many draws of discrete noise at once with numpy, each probability exactly the one stated.

A uniform real number is drawn by its first 64 binary digits; further ones are drawn only where
these do not decide (about once in 2^50 draws).  Nothing is decided in floating point, but where
the numbers are much further apart than rounding could bring them.

Loaded when a batch is drawn; nothing else of the language needs numpy.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitReached
from . import exact_draws
from .batches import FromGenerator, one_by_one
from .exact_draws import STEP, UniformReal, exponential, first_digits, leading, odds, times

if TYPE_CHECKING:
    from ..base import Uniforms

#: Larger scales than twice this are drawn in two parts, the first of a scale from this on.
_TABLED = 16
#: Uniform numbers are looked up by so many leading digits; most need no more.
_LOOKED_AT = 12
#: Probabilities that are closer than this to a uniform number are compared exactly: floats of
#: them are wrong by less than 10^-11.
_CLOSE = 1e-9
#: Scales with a larger numerator leave too little room in 64 bits.
_LARGEST = 1 << 56


def bernoulli(generator: np.random.Generator, size: int, p: Fraction) -> NDArray[np.bool_]:
    """``True`` with probability ``p``, ``0 < p < 1``."""
    limit, rest = divmod(p.numerator << STEP, p.denominator)
    digits = _digits(generator, size)
    drawn = digits < np.uint64(limit)
    source = FromGenerator(generator)
    for i in np.flatnonzero(digits == np.uint64(limit)):
        drawn[i] = exact_draws.bernoulli(Fraction(rest, p.denominator), source)
    return drawn


def two_sided(generator: np.random.Generator, size: int, scale: Fraction) -> NDArray[np.int64]:
    """Whole numbers k with probability proportional to ``exp(-|k| / scale)``.

    Scales with a numerator from 2^56 on are slow: one draw after the other, in Python.

    Raises:
        LimitReached: a draw does not fit into 64 bits.
    """
    if scale.numerator >= _LARGEST:
        return one_by_one(lambda s: exact_draws.two_sided(scale, s), "integers", generator, size)
    # With α = exp(-1 / scale), the draw is 0 or more with probability 1 / (1 + α).  On that
    # side it is a one-sided draw k, and on the other it is -1 - k.
    drawn = one_sided(generator, size, scale)
    number, limit = odds(1 / scale), _odds_digits(scale)
    digits = _digits(generator, size)
    below_zero = digits >= limit
    source = FromGenerator(generator)
    for i in np.flatnonzero(digits == limit):
        below_zero[i] = not UniformReal(int(limit), source).is_below(number)
    drawn ^= -below_zero.astype(np.int64)  # all bits turned over: -1 - k
    return drawn


def one_sided(generator: np.random.Generator, size: int, scale: Fraction) -> NDArray[np.int64]:
    """k = 0, 1, … with probability proportional to ``exp(-k / scale)``.

    Scales with a numerator from 2^56 on are slow: one draw after the other, in Python.

    Raises:
        LimitReached: a draw does not fit into 64 bits.
    """
    if scale.numerator >= _LARGEST:
        return one_by_one(lambda s: exact_draws.one_sided(scale, s), "integers", generator, size)
    # k = quotient · width + remainder, for any width: the two are independent, the quotient is
    # a draw for the scale over the width, and the remainder r has probability ∝ exp(-r / scale).
    width = max(1, scale // _TABLED)
    drawn = _table(width / scale).draws(generator, size)
    if width > 1 and size:
        if (int(drawn.max()) + 1) * width > np.iinfo(np.int64).max:
            raise LimitReached("64-bit integers", "noise of more bits was drawn")
        drawn *= width
        drawn += _remainders(generator, size, width, scale)
    return drawn


def gaussian(generator: np.random.Generator, size: int, sigma: Fraction) -> NDArray[np.int64]:
    """Whole numbers k with probability proportional to ``exp(-k² / (2 sigma²))``.

    From sigma = 2^56 on it is slow: one draw after the other, in Python.

    Raises:
        LimitReached: a draw does not fit into 64 bits.
    """
    variance, scale = sigma * sigma, 1 + sigma // 1
    if scale >= _LARGEST:
        return one_by_one(lambda s: exact_draws.gaussian(sigma, s), "integers", generator, size)

    def power(k: int) -> Fraction:
        return (abs(k) - variance / scale) ** 2 / (2 * variance)

    drawn, open_ = np.empty(size, np.int64), np.arange(size)
    source = FromGenerator(generator)
    while open_.size:
        drawn[open_] = two_sided(generator, open_.size, Fraction(scale))
        digits = _digits(generator, open_.size)
        with np.errstate(all="ignore"):  # a sigma may be too small for a float
            power_of_e = (np.abs(drawn[open_]) / float(sigma) - float(sigma / scale)) ** 2 / 2
            over = digits / 2.0**STEP - np.exp(-power_of_e)
        refused = over >= 0
        for i in np.flatnonzero(~(np.abs(over) > _CLOSE)):
            exactly = power(int(drawn[open_[i]]))
            uniform = UniformReal(int(digits[i]), source)
            refused[i] = bool(exactly) and not uniform.is_below(exponential(exactly))
        open_ = open_[refused]
    return drawn


def _remainders(
    generator: np.random.Generator, size: int, width: int, scale: Fraction
) -> NDArray[np.int64]:
    """r < width with probability proportional to ``exp(-r / scale)``: most are accepted."""
    t, s = scale.numerator, scale.denominator
    drawn = generator.integers(0, width, size)
    open_ = np.flatnonzero(~_decaying(generator, drawn * s, t))
    while open_.size:
        again = generator.integers(0, width, open_.size)
        drawn[open_] = again
        open_ = open_[~_decaying(generator, again * s, t)]
    return drawn


def _decaying(
    generator: np.random.Generator, numerators: NDArray[np.int64], denominator: int
) -> NDArray[np.bool_]:
    """``True`` with probability ``exp(-numerator / denominator)``: as ``exact_draws.decaying``."""
    goes_on = generator.integers(0, denominator, numerators.size) < numerators
    drawn = ~goes_on
    left, thrown = np.flatnonzero(goes_on), 2
    while left.size:
        # A coin of γ/k is one of γ and one of 1/k: a product might not fit into 64 bits.
        goes_on = generator.integers(0, denominator, left.size) < numerators[left]
        goes_on &= generator.integers(0, thrown, left.size) == 0
        if thrown % 2:
            drawn[left[~goes_on]] = True
        left, thrown = left[goes_on], thrown + 1
    return drawn


def among(generator: np.random.Generator, size: int, low: int, high: int) -> NDArray[np.int64]:
    """Integers from ``low`` to ``high``, each as likely; ``low <= high``.

    Raises:
        LimitReached: a draw does not fit into 64 bits.
    """
    limits, width = np.iinfo(np.int64), high - low + 1
    if low < limits.min or high > limits.max or width > limits.max:
        return one_by_one(lambda s: exact_draws.among(low, high, s), "integers", generator, size)
    drawn: NDArray[np.int64] = generator.integers(0, width, size)
    drawn += low
    return drawn


def chosen(
    generator: np.random.Generator, size: int, weights: tuple[int, ...]
) -> NDArray[np.int64]:
    """k with probability ``weights[k] / sum(weights)``; none is negative, and one is not 0."""
    limits, rests, total = _shares(weights)
    digits = _digits(generator, size)
    # A uniform number u becomes k if just k of the limits are at most u.
    drawn = limits.searchsorted(digits, "right")
    first = limits.searchsorted(digits, "left")
    source = FromGenerator(generator)
    for i in np.flatnonzero(first < drawn):
        tied = rests[first[i] : drawn[i]]
        if any(tied):  # the digits that are left decide
            further = source.randrange(total)
            drawn[i] = first[i] + sum(rest <= further for rest in tied)
    return drawn


@lru_cache(maxsize=256)
def _shares(weights: tuple[int, ...]) -> tuple[NDArray[np.uint64], list[int], int]:
    """The first digits of the sums of the first weights over all of them, and what is left.

    What is left of each is a whole number below the sum of all, which it is to be divided by.
    Sums that are all weights are left out.
    """
    total = sum(weights)
    parts = [divmod(s << STEP, total) for s in itertools.accumulate(weights) if s < total]
    return np.array([p[0] for p in parts], np.uint64), [p[1] for p in parts], total


def _digits(generator: np.random.Generator, size: int) -> NDArray[np.uint64]:
    """The first digits of uniform real numbers."""
    return generator.integers(0, 1 << STEP, size, np.uint64)


@lru_cache(maxsize=256)
def _odds_digits(scale: Fraction) -> np.uint64:
    return np.uint64(first_digits(odds(1 / scale)))


@dataclass(frozen=True)
class _Table:
    """How uniform numbers become values: k, if they are below just k of the exp(-rate), exp(-2
    rate), …

    ``limits`` are the first digits of these numbers in ascending order, from the first 0 on.
    ``known`` holds the value by the first few digits of the uniform number, or -1 where a limit
    is among the numbers that begin with them.
    """

    rate: Fraction
    limits: NDArray[np.uint64]
    known: NDArray[np.int64]

    def draws(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        digits = _digits(generator, size)
        drawn = self.known[(digits >> np.uint64(STEP - _LOOKED_AT)).view(np.int64)]
        open_ = np.flatnonzero(drawn < 0)
        digits = digits[open_]
        at = self.limits.searchsorted(digits, "right")
        drawn[open_] = self.limits.size - at
        # Where the digits are those of a limit, they do not tell on which side the number is.
        tied = np.flatnonzero(self.limits[at - 1] == digits)
        source = FromGenerator(generator)
        for i in tied:
            drawn[open_[i]] = settled(int(digits[i]), self.rate, source)
        return drawn


def settled(first: int, rate: Fraction, source: Uniforms) -> int:
    """How many of exp(-rate), exp(-2 rate), … a uniform number is below, for certain."""
    number, k = UniformReal(first, source), 0
    while number.is_below(exponential(rate * (k + 1))):
        k += 1
    return k


@lru_cache(maxsize=64)
def _table(rate: Fraction) -> _Table:
    bits = 3 * STEP
    while (found := _limits(rate, bits)) is None:
        bits += STEP
    limits = np.array(found[::-1], np.uint64)
    starts = np.arange(1 << _LOOKED_AT, dtype=np.uint64) << np.uint64(STEP - _LOOKED_AT)
    ends = starts + np.uint64((1 << (STEP - _LOOKED_AT)) - 1)
    before, after = limits.searchsorted(starts, "left"), limits.searchsorted(ends, "right")
    return _Table(rate, limits, np.where(before == after, limits.size - after, -1))


def _limits(rate: Fraction, bits: int) -> list[int] | None:
    """The first digits of exp(-rate), exp(-2 rate), … up to the first 0, if the bits suffice."""
    factor = bounds = exponential(rate)(bits)
    found: list[int] = []
    while True:
        digits = leading(bounds, bits)
        if digits is None:
            return None
        found.append(digits)
        if not digits:
            return found
        bounds = times(bounds, factor, bits)
