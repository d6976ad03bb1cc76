"""The exponential distribution, upwards from zero and its mirror downwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .base import Distribution, Lattice, Parameter, Uniforms, exponential

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Exponential(Distribution):
    """Density ``exp(-x / scale) / scale`` on [0, ∞); ``scale > 0``, mean ``scale``.

    A shift by d costs exactly d / scale, with its sign, as long as x + d stays in
    the support.  Source: Asymmetric Differential Privacy, Definition 15 (decreasing).
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("scale",)
    ends = ("0", "")
    cost = ("d", "1 / scale")
    shape = "falling"
    tabled = True
    keeps_gaps = True
    log_density = "-x / scale - log(scale)"
    above, below = "exp(-t / scale)", "1 - exp(-t / scale)"
    symbol = r"\mathrm{Exp}"
    called = "the exponential law of this scale"

    def __init__(self, scale: Parameter) -> None:
        super().__init__(scale)

    def draw(self, source: Uniforms) -> float:
        """By inversion."""
        return self.scale * exponential(source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """By numpy's sampler."""
        from .drawing.batches import exponential

        return exponential(generator, size, self.scale)


class NegativeExponential(Exponential):
    """The mirror image: density ``exp(x / scale) / scale`` on (-∞, 0]; mean ``-scale``.

    A shift by d costs exactly -d / scale.  Source: Asymmetric Differential Privacy,
    Definition 15 (increasing).
    """

    ends = ("", "0")
    cost = ("-d", "1 / scale")
    shape = "falling"
    tabled = True
    log_density = "x / scale - log(scale)"
    above, below = "1 - exp(t / scale)", "exp(t / scale)"
    symbol = r"-\mathrm{Exp}"
    called = "the mirrored exponential law of this scale"

    def draw(self, source: Uniforms) -> float:
        """By inversion."""
        return -super().draw(source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """By numpy's sampler, mirrored."""
        from .drawing.batches import exponential

        return exponential(generator, size, -self.scale)
