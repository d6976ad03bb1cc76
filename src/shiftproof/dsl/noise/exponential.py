"""The exponential distribution, upwards from zero and its mirror downwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..terms.formulas import TRUE, Formula, above, at_least
from ..terms.linear import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms, exponential

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
    requirement = "the scale must be positive"

    def __init__(self, scale: Parameter) -> None:
        super().__init__(scale)

    def well_formed(self) -> Formula:
        """The scale is positive."""
        return above(self.term(), number(0))

    def support(self, draw: Linear) -> Formula:
        """Not negative."""
        return at_least(draw, number(0))

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """``shift / scale``, signed."""
        return (Charge(TRUE, shift, number(1) / self.term()),)

    def draw(self, source: Uniforms) -> float:
        """By inversion."""
        return self.scale * exponential(source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """By numpy's sampler."""
        from .batches import exponential

        return exponential(generator, size, self.scale)


class NegativeExponential(Exponential):
    """The mirror image: density ``exp(x / scale) / scale`` on (-∞, 0]; mean ``-scale``.

    A shift by d costs exactly -d / scale.  Source: Asymmetric Differential Privacy,
    Definition 15 (increasing).
    """

    def support(self, draw: Linear) -> Formula:
        """Not positive."""
        return at_least(number(0), draw)

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """``-shift / scale``, signed."""
        return (Charge(TRUE, -shift, number(1) / self.term()),)

    def draw(self, source: Uniforms) -> float:
        """By inversion."""
        return -super().draw(source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """By numpy's sampler, mirrored."""
        from .batches import exponential

        return exponential(generator, size, -self.scale)
