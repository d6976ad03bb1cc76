"""The distributions, by their definitions: support, likelihood ratio, and the weight of a value.

Independent of ``dsl/noise``, which says the same in terms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

# Why a run of the text was broken off.


class Beyond(Exception):
    """The text, or the work that it takes, is more than this process does: no disagreement."""


class Stopped(BaseException):
    """The recorded noise is used up, or enough was released; the run so far counts."""


Number = int | Fraction
#: A draw: a bit, an integer or a number.
Draw = bool | int | Fraction

_CONTEXT = Context(prec=45, Emax=10**6, Emin=-(10**6))
#: Larger exponents are not raised.
_LARGEST = 5000
#: How far from zero values of a law that is told are looked for.
_FARTHEST = 10_000


def exp(power: Number) -> Fraction:
    """The power of e, to 45 digits (1 is exact)."""
    if not -_LARGEST <= power <= _LARGEST:
        raise Beyond(f"exp({power})")
    return Fraction(_CONTEXT.exp(_decimal(power)))


def root(value: Number) -> Fraction:
    """The square root, to 45 digits.

    Raises:
        ValueError: there is none, as for Python.
    """
    if value < 0:
        raise ValueError("a root of a negative number")
    return Fraction(_CONTEXT.sqrt(_decimal(value)))


def ln(value: Number) -> Fraction:
    """The natural logarithm, to 45 digits.

    Raises:
        ValueError: there is none, as for Python.
    """
    if value <= 0:
        raise ValueError("a logarithm of no positive number")
    return Fraction(_CONTEXT.ln(_decimal(value)))


def _decimal(value: Number) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


class Noise:
    """A distribution with its parameters, exact numbers.

    Raises:
        ValueError: there is no such distribution.
    """

    #: Whether values lie on the integers; of bits, whether they are bits.
    lattice: type[bool] | type[int] | type[Fraction] = Fraction

    def __init__(self, *parameters: Number, **named: Number) -> None:
        self.parameters = (*parameters, *named.values())
        if not self.exists():
            raise ValueError(f"there is no {self}")

    @property
    def name(self) -> str:
        """Its name in the language."""
        return type(self).__name__

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    def exists(self) -> bool:
        """Whether the parameters make sense: a positive scale, as most have."""
        return self.parameters[0] > 0

    def has(self, value: Draw) -> bool:
        """Whether a value lies in the support."""
        return type(value) is self.lattice and self.within(value)

    def within(self, value: Draw) -> bool:
        """The same for a value of the right type."""
        return True

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        """``log density(value) - log density(moved)``, both in the support."""
        raise NotImplementedError

    def rho(self, value: Draw, moved: Draw) -> Fraction:
        """What a shift that was known before costs in ρ, at most."""
        return abs(self.gain(value, moved))

    def weights(self) -> Iterator[tuple[Draw, float]]:
        """The values with their probabilities, likely ones first; of discrete noise only."""
        raise Beyond(f"{self.name} has no probabilities")


class Laplace(Noise):
    """``exp(-|x| / scale)``."""

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        return (abs(Fraction(moved)) - abs(Fraction(value))) / self.parameters[0]

    def rho(self, value: Draw, moved: Draw) -> Fraction:
        return (Fraction(moved - value) / self.parameters[0]) ** 2 / 2


class Gaussian(Laplace):
    """``exp(-x² / (2 sigma²))``."""

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        sigma = Fraction(self.parameters[0])
        return (Fraction(moved) ** 2 - Fraction(value) ** 2) / (2 * sigma**2)


class DiscreteGaussian(Gaussian):
    """The same on the integers."""

    lattice = int

    def weights(self) -> Iterator[tuple[Draw, float]]:
        variance = float(self.parameters[0]) ** 2
        farthest = math.ceil(math.sqrt(2 * 750 * variance))
        if farthest > _FARTHEST:
            raise Beyond(f"the probabilities of {self}")
        values = sorted(range(-farthest, farthest + 1), key=abs)
        shares = [math.exp(-(k**2) / (2 * variance)) for k in values]
        total = math.fsum(shares)
        yield from ((k, share / total) for k, share in zip(values, shares, strict=True))


class TwoSidedGeometric(Laplace):
    """The same on the integers."""

    lattice = int

    def weights(self) -> Iterator[tuple[Draw, float]]:
        alpha = math.exp(-1 / self.parameters[0])
        share = (1 - alpha) / (1 + alpha)
        yield 0, share
        k = 0
        while True:
            k += 1
            share *= alpha
            yield k, share
            yield -k, share


class Exponential(Noise):
    """``exp(-x / scale)`` from 0 on."""

    way = 1

    def within(self, value: Draw) -> bool:
        return self.way * value >= 0

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        return Fraction(self.way * (moved - value)) / self.parameters[0]


class NegativeExponential(Exponential):
    """Its mirror image."""

    way = -1


class OneSidedGeometric(Exponential):
    """``exp(-k / scale)`` on 0, 1, …"""

    lattice = int

    def weights(self) -> Iterator[tuple[Draw, float]]:
        alpha = math.exp(-1 / self.parameters[0])
        share, k = 1 - alpha, 0
        while True:
            yield self.way * k, share
            k += 1
            share *= alpha


class NegativeOneSidedGeometric(OneSidedGeometric):
    """Its mirror image."""

    way = -1


class Staircase(Noise):
    """``exp(-n / scale)`` with n the number of edges ``(k + share) * step`` at or below ``|x|``."""

    def exists(self) -> bool:
        scale, step, share = self.parameters
        return scale > 0 and step > 0 and 0 < share < 1

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        return Fraction(self._edges(moved) - self._edges(value)) / self.parameters[0]

    def _edges(self, value: Draw) -> int:
        _, step, share = self.parameters
        return math.floor(abs(Fraction(value)) / step + 1 - share)


class Uniform(Noise):
    """The same density from ``low`` to ``high``."""

    def exists(self) -> bool:
        return self.parameters[0] < self.parameters[1]

    def within(self, value: Draw) -> bool:
        return self.parameters[0] <= value <= self.parameters[1]

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        return Fraction(0)


class DiscreteUniform(Uniform):
    """The same on the integers."""

    lattice = int

    def exists(self) -> bool:
        low, high = map(Fraction, self.parameters)
        return low.denominator == high.denominator == 1 and low <= high

    def weights(self) -> Iterator[tuple[Draw, float]]:
        low, high = map(int, self.parameters)
        for value in range(low, high + 1):
            yield value, 1 / (high - low + 1)


class Bernoulli(Noise):
    """A bit that is ``True`` with probability p."""

    lattice = bool

    def exists(self) -> bool:
        return 0 < self.parameters[0] < 1

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        if value == moved:
            return Fraction(0)
        p = Fraction(self.parameters[0])
        odds = ln(p / (1 - p))
        return odds if value else -odds

    def rho(self, value: Draw, moved: Draw) -> Fraction:
        return self.gain(value, moved) ** 2 / 2

    def weights(self) -> Iterator[tuple[Draw, float]]:
        p = Fraction(self.parameters[0])
        yield True, float(p)
        yield False, float(1 - p)


class Categorical(Noise):
    """k with probability ``weights[k] / sum(weights)``."""

    lattice = int

    def __init__(self, weights: list[Number] | tuple[Number, ...]) -> None:
        super().__init__(*weights)

    def exists(self) -> bool:
        return bool(self.parameters) and min(self.parameters) >= 0 and sum(self.parameters) > 0

    def within(self, value: Draw) -> bool:
        return 0 <= value < len(self.parameters) and self.parameters[int(value)] > 0

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        one, two = (self.parameters[int(v)] for v in (value, moved))
        return Fraction(0) if one == two else ln(Fraction(one) / two)

    def weights(self) -> Iterator[tuple[Draw, float]]:
        total = sum(map(Fraction, self.parameters))
        found = [(k, float(w / total)) for k, w in enumerate(self.parameters) if w]
        yield from sorted(found, key=lambda pair: -pair[1])


class Told(Noise):
    """A law of which the process is told: when it exists, where, and the log of the density."""

    parameters_named: tuple[str, ...] = ()
    existing = inside = log_density = spread = ""

    def _said(self, text: str, value: Draw | None = None) -> Any:
        names = zip(self.parameters_named, map(Fraction, self.parameters), strict=True)
        given = {"abs": abs, "exp": exp, "log": ln, "tanh": _tanh, "floor": math.floor}
        x = None if value is None else Fraction(value)
        return eval(text, {"__builtins__": {}, **given, **dict(names), "x": x})

    def exists(self) -> bool:
        return bool(self._said(self.existing))

    def within(self, value: Draw) -> bool:
        return bool(self._said(self.inside, value))

    def gain(self, value: Draw, moved: Draw) -> Fraction:
        here, there = (self._said(self.log_density, v) for v in (value, moved))
        return Fraction(here) - Fraction(there)

    def rho(self, value: Draw, moved: Draw) -> Fraction:
        if not self.spread:
            return super().rho(value, moved)
        scale = self.parameters[self.parameters_named.index(self.spread)]
        return (Fraction(moved - value) / scale) ** 2 / 2

    def weights(self) -> Iterator[tuple[Draw, float]]:
        if self.lattice is not int:
            yield from super().weights()
        for k in range(_FARTHEST):
            for value in (k, -k)[: 1 + (k > 0)]:
                if self.within(value):
                    yield value, math.exp(self._said(self.log_density, value))


def _tanh(x: Number) -> Fraction:
    return 1 - 2 / (exp(2 * x) + 1)


def told(laws: Mapping[str, Mapping[str, Any]]) -> dict[str, type[Noise]]:
    """The laws of a request, by their names."""
    lattices = {"reals": Fraction, "integers": int}
    return {
        name: type(name, (Told,), {**law, "lattice": lattices[law["lattice"]]})
        for name, law in laws.items()
    }


#: By their names in the language.
NOISES: dict[str, type[Noise]] = {
    kind.__name__: kind
    for kind in (
        Laplace, TwoSidedGeometric, Exponential, NegativeExponential, OneSidedGeometric,
        NegativeOneSidedGeometric, Staircase, Uniform, DiscreteUniform, Gaussian, DiscreteGaussian,
        Bernoulli, Categorical,
    )
}  # fmt: skip
