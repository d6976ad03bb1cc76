"""The uniform distribution on a range of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..terms.formulas import Formula, conjunction, truth
from .base import Distribution, Lattice, Parameter, Uniforms
from .drawing import exact_draws

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
    exists = "low <= high"
    requirement = "low and high must be whole numbers, low at most high"
    ends = ("low", "high")
    cost = ("0", "1")
    shape = "flat"
    tabled = True
    log_density = "-log(high - low + 1)"
    above = "(high + 1 - t) / (high + 1 - low)"
    below = "(t + 1 - low) / (high + 1 - low)"
    symbol = r"\mathrm{Uniform}"
    called = "the uniform law of the integers"

    def __init__(self, low: Parameter, high: Parameter) -> None:
        super().__init__(low, high)

    def well_formed(self) -> Formula:
        """``low <= high``, both integers by their form."""
        whole = truth(self.term(0).integral and self.term(1).integral)
        return conjunction((whole, super().well_formed()))

    @property
    def _bounds(self) -> tuple[int, int]:
        return int(self.as_fraction(0)), int(self.as_fraction(1))

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        return exact_draws.among(*self._bounds, source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Exact."""
        from .drawing.exact_batches import among

        return among(generator, size, *self._bounds)
