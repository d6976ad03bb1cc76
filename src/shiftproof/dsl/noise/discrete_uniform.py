"""The uniform distribution on a range of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..terms.formulas import TRUE, Formula, at_least, conjunction, truth
from ..terms.linear import Linear, number
from . import exact_draws
from .base import Charge, Distribution, Lattice, Parameter, Uniforms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DiscreteUniform(Distribution):
    """P(k) = 1 / (high - low + 1) for the integers k from ``low`` to ``high``, both included.

    The bounds are integers, of any size; 3.0 is one.  A shift that stays in the support costs
    nothing.
    """

    lattice: ClassVar[Lattice] = "integers"
    parameters = ("low", "high")
    requirement = "low and high must be whole numbers, low at most high"

    def __init__(self, low: Parameter, high: Parameter) -> None:
        super().__init__(low, high)

    def well_formed(self) -> Formula:
        """``low <= high``, both integers by their form."""
        low, high = self.term(0), self.term(1)
        return conjunction((truth(low.integral and high.integral), at_least(high, low)))

    def support(self, draw: Linear) -> Formula:
        """``low <= draw <= high``."""
        return conjunction((at_least(draw, self.term(0)), at_least(self.term(1), draw)))

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """Nothing."""
        return (Charge(TRUE, number(0), number(1)),)

    @property
    def _bounds(self) -> tuple[int, int]:
        return int(self.as_fraction(0)), int(self.as_fraction(1))

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        return exact_draws.among(*self._bounds, source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Exact."""
        from .exact_batches import among

        return among(generator, size, *self._bounds)
