"""The continuous uniform distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..terms.formulas import TRUE, Formula, above, at_least, conjunction
from ..terms.linear import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Uniform(Distribution):
    """Density ``1 / (high - low)`` on [low, high]; ``low < high``.

    A shift that stays in the support costs nothing.
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("low", "high")
    requirement = "low must be below high"

    def __init__(self, low: Parameter = 0, high: Parameter = 1) -> None:
        super().__init__(low, high)

    def well_formed(self) -> Formula:
        """``low < high``."""
        return above(self.term(1), self.term(0))

    def support(self, draw: Linear) -> Formula:
        """``low <= draw <= high``."""
        return conjunction((at_least(draw, self.term(0)), at_least(self.term(1), draw)))

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """Nothing."""
        return (Charge(TRUE, number(0), number(1)),)

    def draw(self, source: Uniforms) -> float:
        """Scaled from [0, 1)."""
        low, high = self.as_float(0), self.as_float(1)
        return low + (high - low) * source.random()

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Scaled from [0, 1)."""
        from .batches import uniform

        return uniform(generator, size, self.as_float(0), self.as_float(1))
