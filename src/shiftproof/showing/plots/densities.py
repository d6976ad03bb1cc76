"""The laws of noise as numbers: where a draw falls, and how dense it falls there."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput
from ...dsl.noise import Distribution
from ...dsl.noise.texts import value_of
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
    match law.shape:
        case "coin":
            return 0.0, 1.0
        case "flat":
            return law.as_float(0), law.as_float(1)
        case "stairs":
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
    text, x = law.log_density, np.asarray(at, np.float64)
    if not text:
        raise BadInput(f"{type(law).__name__}: no density is known here, so it is not drawn")
    given = {name: law.as_float(k) for k, name in enumerate(law.parameters)}
    low, high = law.ends
    inside = (x == 0) | (x == 1) if law.lattice == "booleans" else np.ones(x.shape, bool)
    if low:
        inside &= x >= value_of(low, given, float)
    if high:
        inside &= x <= value_of(high, given, float)
    with np.errstate(all="ignore"):
        found = value_of(text, {"pi": math.pi, **given, "x": x}, float, _FUNCTIONS)
    return np.where(inside, found, -np.inf)


_FUNCTIONS = {
    name: getattr(np, name) for name in ("abs", "exp", "expm1", "floor", "log", "log1p", "tanh")
}
