"""The Laplace distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..terms.formulas import TRUE, Formula, above, at_least, sign
from ..terms.linear import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms, exponential

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Laplace(Distribution):
    """Density ``exp(-|x| / scale) / (2 scale)`` on the real line; ``scale > 0``.

    A shift by d costs |d| / scale.
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
        """Every real number."""
        return TRUE

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """``|shift| / scale``."""
        rate = number(1) / self.term()
        return (
            Charge(at_least(shift, number(0)), shift, rate),
            Charge(sign(-shift, ">"), -shift, rate),
        )

    def draw(self, source: Uniforms) -> float:
        """The difference of two exponentials."""
        return self.scale * (exponential(source) - exponential(source))

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """An exponential with a random sign."""
        from .batches import laplace

        return laplace(generator, size, self.scale)
