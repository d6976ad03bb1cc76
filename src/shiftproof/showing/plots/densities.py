"""The laws of noise as numbers: where a draw falls, and how dense it falls there."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput
from ...dsl.noise import (
    Bernoulli,
    DiscreteUniform,
    Distribution,
    Exponential,
    Laplace,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    Staircase,
    TwoSidedGeometric,
    Uniform,
)
from ...dsl.terms.enclosures import enclosed
from ...dsl.terms.formulas import TRUE
from ...dsl.terms.linear import number

Floats: TypeAlias = NDArray[np.float64]
#: A draw as it is in an exact run.
Draw: TypeAlias = Fraction | int | bool

#: How many scales of an unbounded law are shown, to each side.
SCALES = 3.5


def numeric(law: Distribution) -> Distribution:
    """A law with numbers for its parameters: exact ones, or floats for powers of e."""
    found = []
    for k in range(len(law.values)):
        value = law.term(k)
        constant = value.is_constant
        found.append(Fraction(value.constant) if constant else float(enclosed(value).mid()))
    return law.of(*found)


def draw_of(law: Distribution, source: random.Random) -> Draw:
    """One draw, of three digits where it is a real number: as short as a picture shows it."""
    value = law.draw(source)
    if not isinstance(value, float):
        return value
    short = Fraction(f"{value:.3g}")
    return short if possible(law, short) else Fraction(value)


def possible(law: Distribution, value: Draw) -> bool:
    """Whether a draw is in the support, lattice included."""
    if law.lattice == "booleans":
        return value in (0, 1)
    return law.support(number(value)) == TRUE and (
        law.lattice == "reals" or Fraction(value).denominator == 1
    )


def window(law: Distribution) -> tuple[float, float]:
    """The interval that shows most of a law."""
    match law:
        case Bernoulli():
            return 0.0, 1.0
        case Uniform() | DiscreteUniform():
            return law.as_float(0), law.as_float(1)
        case Staircase():
            wide = SCALES * max(law.scale, 0.5) * law.as_float(1)
            return -wide, wide
    wide = SCALES * law.scale
    below, above = (possible(law, end) for end in (-1, 1))
    return -wide if below else 0.0, wide if above else 0.0


def log_density(law: Distribution, at: Any) -> Floats:
    """The log of the density, or on the integers of the probability; of the shape of ``at``.

    A bit is 0 or 1.  Outside of the support, the lattice aside, it is -∞.

    Raises:
        BadInput: no density of this kind of noise is known here.
    """
    formula = _FORMULAS.get(type(law))
    if formula is None:
        raise BadInput(f"{type(law).__name__}: no density is known here, so it is not drawn")
    with np.errstate(divide="ignore"):
        return formula(law, np.asarray(at, np.float64))


def _laplace(law: Distribution, x: Floats) -> Floats:
    return -np.abs(x) / law.scale - math.log(2 * law.scale)


def _exponential(law: Distribution, x: Floats) -> Floats:
    return np.where(x >= 0, -x / law.scale - math.log(law.scale), -np.inf)


def _two_sided(law: Distribution, x: Floats) -> Floats:
    # (1 − α) / (1 + α) with α = exp(−1 / scale)
    return -np.abs(x) / law.scale + math.log(math.tanh(1 / (2 * law.scale)))


def _one_sided(law: Distribution, x: Floats) -> Floats:
    return np.where(x >= 0, -x / law.scale + math.log(-math.expm1(-1 / law.scale)), -np.inf)


def _staircase(law: Distribution, x: Floats) -> Floats:
    scale, step, share = (law.as_float(k) for k in range(3))
    q = math.exp(-1 / scale)
    top = (1 - q) / (2 * step * (share + (1 - share) * q))
    return math.log(top) - np.floor(np.abs(x) / step + 1 - share) / scale


def _uniform(law: Distribution, x: Floats) -> Floats:
    low, high = law.as_float(0), law.as_float(1)
    size = high - low + (law.lattice == "integers")
    return np.where((low <= x) & (x <= high), -math.log(size), -np.inf)


def _coin(law: Distribution, x: Floats) -> Floats:
    p = law.as_float(0)
    return np.where(x == 1, np.log(p), np.where(x == 0, np.log(1 - p), -np.inf))


_FORMULAS: Mapping[type[Distribution], Callable[[Distribution, Floats], Floats]] = {
    Laplace: _laplace,
    Exponential: _exponential,
    NegativeExponential: lambda law, x: _exponential(law, -x),
    TwoSidedGeometric: _two_sided,
    OneSidedGeometric: _one_sided,
    NegativeOneSidedGeometric: lambda law, x: _one_sided(law, -x),
    Staircase: _staircase,
    Uniform: _uniform,
    DiscreteUniform: _uniform,
    Bernoulli: _coin,
}
