"""The logistic distribution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from .base import Distribution, Lattice, Parameter, Uniforms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Logistic(Distribution):
    """Density ``exp(-x / scale) / (scale (1 + exp(-x / scale))²)`` on the real line; ``scale > 0``.

    A shift by d costs at most |d| / scale: with p the distribution function, the log of the density
    has slope (1 - 2p(x)) / scale, which is less than 1 / scale on either side.  The difference of
    two Gumbel draws; flatter than Laplace noise around zero.  Source: Johnson, Kotz and
    Balakrishnan, Continuous Univariate Distributions, chapter 23.
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("scale",)
    cost = ("abs(d)", "1 / scale")
    spread = "scale"
    log_density = "-abs(x) / scale - log(scale) - 2 * log(1 + exp(-abs(x) / scale))"
    moments = (
        "0", "pi * pi * scale * scale / 3", "0",
        "2 * scale * log(2)", "2 * scale * log(2)", "2 * scale * log(2)",
    )  # fmt: skip
    symbol = r"\mathrm{Logistic}"
    called = "the logistic law of this scale"

    def __init__(self, scale: Parameter) -> None:
        super().__init__(scale)

    def draw(self, source: Uniforms) -> float:
        """By inversion."""
        while not (p := source.random()):
            pass  # the distribution function is never zero
        return self.scale * (math.log(p) - math.log1p(-p))

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.float64]:
        """By numpy's sampler."""
        return generator.logistic(0, self.scale, size)
