"""The laws of noise as functions in pieces, and what one draw is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, cast

from flint import fmpq

from ...dsl.noise import Distribution
from ...dsl.terms.linear import Rational, shortest
from .affine import (
    Affine,
    Amount,
    Failure,
    NotAffine,
    Value,
    divide,
    exp,
    in_units,
    plain,
    real,
    sign_of,
)
from .irrational import is_irrational, over
from .numbers import ONE, exactly
from .pieces import Calculus, Piece, Piecewise
from .powers import Mixed, Power


@dataclass(frozen=True, slots=True)
class Law:
    """The law of one draw: one that is the same on an interval, or falls exponentially.

    ``support`` is the interval on which it lives, one of the integers if ``lattice``.  ``rate``:
    by which it falls on each side of zero (in the unit of the run); ``None`` if it does not.
    ``power``: the power of ε's irrational unit that the rate is times.  A law of the integers
    without ends that does not fall is none of noise: it counts each of them once.
    """

    support: tuple[Rational | float, Rational | float]
    lattice: bool = False
    rate: Rational | None = None
    power: int = 0

    def function(self, calculus: Calculus, grain: Rational) -> Piecewise:
        """Density or mass; rates are in units of ``grain``, as the calculus has them.

        The density of a real draw is by the position in units of rate, not by x.
        """
        low, high = self.support
        if self.rate is None:
            length = 1 if self == COUNTING else cast(Rational, high - low + self.lattice)
            density = ONE / calculus.position(length)
            return Piecewise(calculus, (Piece(low, high, {(0, 0): density}),))
        n = shortest(over(self.rate, grain))
        below, above = low < 0, high > 0
        if self.lattice:
            a = calculus.unit.power(-n)
            top = (1 - a) / (1 + a) if below and above else 1 - a
        else:
            top = exactly(n) * fmpq(1, 2 if below and above else 1)
        pieces = []
        if below:
            pieces.append(Piece(-math.inf, -1 if self.lattice and above else 0, {(0, n): top}))
        if above:
            pieces.append(Piece(0, math.inf, {(0, -n): top}))
        return Piecewise(calculus, tuple(pieces))


@dataclass(frozen=True, slots=True)
class Normal(Law):
    """A Gaussian law, or a discrete one, by the square of its ``sigma``: no sum of powers of e."""

    variance: Fraction = Fraction(1)

    def function(self, calculus: Calculus, grain: Rational) -> Piecewise:
        """There is none."""
        raise NotAffine("the density of Gaussian noise has no exact likelihoods")


#: An integer that conditions tie to noise: what the noise is rounded to.
COUNTING = Law((-math.inf, math.inf), lattice=True)


# What one draw is: one of a few values, each with its probability, or noise with a law.
#
# Draws of few values split a run.  A staircase draw is one of them: it is a side and a part of
# a period first, and then ``± (step · G + U)`` with G geometric and U uniform on that part.

#: How many integers may be drawn from for each of them to be followed by itself.
FEW = 8


@dataclass(frozen=True, slots=True)
class Stair:
    """A side and a part of a staircase: ``factor · steps + side · inside`` for two draws."""

    side: int
    factor: Rational
    steps: Law
    inside: Law


#: The probability of a value.
Share: TypeAlias = Fraction | Power
Options: TypeAlias = list[tuple[Value | Stair, Share]]


def few_values(family: type[Distribution], arguments: Sequence[Value]) -> Options | None:
    """The values of positive probability; ``None`` where these are too many.

    Raises:
        Failure: the parameters make no distribution.
        NotAffine: they depend on noise.
    """
    if not family.is_finite() and family.shape != "stairs":
        return None
    for argument in arguments:
        for value in argument if isinstance(argument, tuple) else (argument,):
            if isinstance(value, Affine):
                raise NotAffine("a probability depends on noise")
    return _few_values(family, tuple(arguments))


@lru_cache(2_000)
def _few_values(family: type[Distribution], arguments: tuple[Value, ...]) -> Options | None:
    if family.shape == "coin":
        return _coin(cast(Amount, arguments[0]))
    if family.shape == "weights":
        first = arguments[0]
        return _choice(first if isinstance(first, tuple) else arguments)
    if family.shape == "flat":
        low, high = _range(arguments)
        n = high - low + 1
        return None if n > FEW else [(low + k, Fraction(1, n)) for k in range(n)]
    return _stairs(arguments)


def law_of(family: type[Distribution], arguments: Sequence[Value]) -> Law:
    """The law of noise on an interval.

    Raises:
        Failure: the parameters make no distribution.
        NotAffine: the density is no sum of powers of e.
    """
    lattice = family.lattice == "integers"
    if family.shape == "flat":
        low, high = _range(arguments) if lattice else map(real, arguments)
        if low >= high and not lattice:
            raise Failure
        return Law((shortest(low), shortest(high)), lattice)
    if family.shape == "normal":
        return _normal(arguments[0], lattice)
    if family.shape != "falling":
        raise NotAffine(f"the density of {family.__name__} has no exact likelihoods")
    ends = tuple(
        0 if end else math.inf * way for end, way in zip(family.ends, (-1, 1), strict=True)
    )
    return _falling((ends[0], ends[1]), lattice, arguments[0])


def _falling(ends: tuple[float, float], lattice: bool, scale: Value) -> Law:
    """A law that falls by exp(-|x| / scale) on the sides of zero that it lives on."""
    given, power = in_units(scale)
    if given <= 0:
        raise Failure
    return Law(ends, lattice, shortest(over(1, given)), -power)


def _normal(sigma: Value, lattice: bool) -> Normal:
    given = real(sigma)
    if given <= 0:
        raise Failure
    return Normal((-math.inf, math.inf), lattice, variance=given * given)


def _coin(p: Amount) -> Options:
    rest = 1 - p
    if sign_of(p) <= 0 or sign_of(rest) <= 0:
        raise Failure
    return [(False, _share(rest)), (True, _share(p))]


def _choice(weights: Sequence[Value]) -> Options:
    total: Amount = 0
    signs = []
    for weight in cast(Sequence[Amount], weights):
        signs.append(sign_of(weight))
        total = total + weight
    if not signs or min(signs) < 0 or max(signs) == 0:
        raise Failure
    return [
        (k, _share(divide(cast(Amount, weight), total)))
        for k, (weight, sign) in enumerate(zip(weights, signs, strict=True))
        if sign
    ]


def _range(arguments: Sequence[Value]) -> tuple[int, int]:
    low, high = (Fraction(plain(a)) for a in arguments)
    if low.denominator != 1 or high.denominator != 1 or low > high:
        raise Failure
    return int(low), int(high)


def _stairs(arguments: Sequence[Value]) -> Options:
    scale, step, share = cast(Sequence[Amount], arguments)
    for parameter in (scale, step, share, 1 - share):
        if sign_of(parameter) <= 0:
            raise Failure
    height, part = shortest(plain(step)), Fraction(plain(share))
    edge = shortest(height * part)
    steps = _falling((0, math.inf), True, scale)
    fall = exp(divide(-1, scale))
    below = (1 - part) * fall  # the rest of a period is one step lower
    on_top = _share(part / (part + below))
    found: Options = []
    for ends, p in (((0, edge), on_top), ((edge, height), _share(1 - on_top))):
        half = _share(p / 2)
        found += [(Stair(s, s * height, steps, Law(ends)), half) for s in (1, -1)]
    return found


def _share(value: Amount) -> Share:
    if is_irrational(value):
        return cast(Fraction, value)
    if not isinstance(value, Power):
        return Fraction(plain(value))
    if value.of == "ln 2":
        raise Mixed("ε is added to another number")
    return value
