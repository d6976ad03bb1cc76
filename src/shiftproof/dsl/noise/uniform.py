"""The continuous uniform distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .base import Distribution, Lattice, Parameter, Uniforms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Uniform(Distribution):
    """Density ``1 / (high - low)`` on [low, high]; ``low < high``.

    A shift that stays in the support costs nothing.
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("low", "high")
    exists = "low < high"
    requirement = "low must be below high"
    ends = ("low", "high")
    cost = ("0", "1")
    shape = "flat"
    tabled = True
    log_density = "-log(high - low)"
    above, below = "(high - t) / (high - low)", "(t - low) / (high - low)"
    symbol = r"\mathrm{Uniform}"
    called = "the uniform law"

    def __init__(self, low: Parameter = 0, high: Parameter = 1) -> None:
        super().__init__(low, high)

    def draw(self, source: Uniforms) -> float:
        """Scaled from [0, 1)."""
        low, high = self.as_float(0), self.as_float(1)
        return low + (high - low) * source.random()

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Scaled from [0, 1)."""
        from .drawing.batches import uniform

        return uniform(generator, size, self.as_float(0), self.as_float(1))
