"""Gaussian noise, on the reals and on the integers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from .base import Distribution, Lattice, Parameter, Uniforms, exponential
from .drawing import exact_draws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def normal(source: Uniforms) -> float:
    """A standard normal draw: a random direction, and a distance from the middle."""
    return math.sqrt(2 * exponential(source)) * math.cos(2 * math.pi * source.random())


class Gaussian(Distribution):
    """Density ``exp(-x² / (2 sigma²)) / (sigma √(2π))`` on the real line; ``sigma > 0``.

    No ε bounds what a shift by d costs; its ρ is d² / (2 sigma²).  Source: Bun and Steinke,
    "Concentrated differential privacy" (TCC 2016), Proposition 1.6.
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("sigma",)
    exists = "sigma > 0"
    requirement = "sigma must be positive"
    spread = "sigma"
    above = below = "exp(-t * t / (2 * sigma * sigma)) / 2"
    shape = "normal"
    tabled = True
    log_density = "-x * x / (2 * sigma * sigma) - log(sigma) - log(2 * pi) / 2"
    moments = (
        "0", "sigma * sigma", "0",
        "sigma * sqrt(2 / pi)", "sigma * sqrt(2 / pi)", "sigma * sqrt(2 / pi)",
    )  # fmt: skip
    symbol = r"\mathrm{N}"
    called = "the normal law of this standard deviation"

    def __init__(self, sigma: Parameter) -> None:
        super().__init__(sigma)

    def draw(self, source: Uniforms) -> float:
        """One coordinate of a point in the plane (Box and Muller)."""
        return self.scale * normal(source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """By numpy's sampler."""
        drawn = generator.standard_normal(size)
        drawn *= self.scale
        return drawn


class DiscreteGaussian(Gaussian):
    """P(k) proportional to ``exp(-k² / (2 sigma²))`` on the integers; ``sigma > 0``.

    The ρ of a shift by an integer d is d² / (2 sigma²), as on the reals.  Source: Canonne, Kamath
    and Steinke, "The discrete Gaussian for differential privacy" (NeurIPS 2020), Proposition 5.
    """

    lattice: ClassVar[Lattice] = "integers"
    shape = "normal"
    tabled = True
    spread = "sigma"
    above = below = "exp(-t * t / (2 * sigma * sigma))"
    symbol = r"\mathrm{N}_{\mathbb{Z}}"
    called = "the discrete Gaussian law of this parameter"

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        return exact_draws.gaussian(self.as_fraction(), source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """Exact."""
        from .drawing.exact_batches import gaussian

        return gaussian(generator, size, self.as_fraction())
