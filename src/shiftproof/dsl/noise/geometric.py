"""Geometric noise on the integers, two-sided and one-sided in both directions.

Drawn exactly: the scale is an int or fraction as given, or the binary fraction that a float
holds, and nothing is rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .base import Lattice, Uniforms
from .drawing import exact_draws
from .exponential import Exponential, NegativeExponential
from .laplace import Laplace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TwoSidedGeometric(Laplace):
    """P(k) proportional to ``exp(-|k| / scale)`` on the integers; ``scale > 0``.

    A shift by an integer d costs |d| / scale.  Source: the geometric-noise paper,
    equation (4) as repaired, with α = exp(-1 / scale).
    """

    lattice: ClassVar[Lattice] = "integers"
    spread = "scale"
    above = "exp(-t / scale) / (1 + exp(-1 / scale))"
    below = "exp(t / scale) / (1 + exp(-1 / scale))"
    shape = "falling"
    tabled = True
    log_density = "-abs(x) / scale + log(tanh(1 / (2 * scale)))"
    symbol = r"\mathrm{Geom}_{\pm}"
    called = "the two-sided geometric law of this scale"

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        return exact_draws.two_sided(self.as_fraction(), source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Exact."""
        from .drawing.exact_batches import two_sided

        return two_sided(generator, size, self.as_fraction())


class OneSidedGeometric(Exponential):
    """P(k) = (1 - α) α^k for k = 0, 1, …, with α = ``exp(-1 / scale)``; ``scale > 0``.

    A shift by an integer d costs exactly d / scale, with its sign.
    """

    lattice: ClassVar[Lattice] = "integers"
    shape = "falling"
    tabled = True
    log_density = "-x / scale + log(-expm1(-1 / scale))"
    above, below = "exp(-t / scale)", "1 - exp(-(t + 1) / scale)"
    symbol = r"\mathrm{Geom}"
    called = "the one-sided geometric law of this scale"

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        return exact_draws.one_sided(self.as_fraction(), source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Exact."""
        from .drawing.exact_batches import one_sided

        return one_sided(generator, size, self.as_fraction())


class NegativeOneSidedGeometric(NegativeExponential):
    """P(k) = (1 - α) α^(-k) for k = 0, -1, …; a shift by d costs exactly -d / scale."""

    lattice: ClassVar[Lattice] = "integers"
    shape = "falling"
    tabled = True
    log_density = "x / scale + log(-expm1(-1 / scale))"
    above, below = "1 - exp((t - 1) / scale)", "exp(t / scale)"
    symbol = r"-\mathrm{Geom}"
    called = "the mirrored geometric law of this scale"

    def draw(self, source: Uniforms) -> int:
        """The mirror image of the one-sided draw."""
        return -exact_draws.one_sided(self.as_fraction(), source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """The mirror image of the one-sided draws."""
        from .drawing.exact_batches import one_sided

        return -one_sided(generator, size, self.as_fraction())
