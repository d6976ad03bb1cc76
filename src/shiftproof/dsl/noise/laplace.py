"""The Laplace distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .base import Distribution, Lattice, Parameter, Uniforms, exponential

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Laplace(Distribution):
    """Density ``exp(-|x| / scale) / (2 scale)`` on the real line; ``scale > 0``.

    A shift by d costs |d| / scale.
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("scale",)
    cost = ("abs(d)", "1 / scale")
    spread = "scale"
    above, below = "exp(-t / scale) / 2", "exp(t / scale) / 2"
    shape = "falling"
    tabled = True
    keeps_gaps = True
    log_density = "-abs(x) / scale - log(2 * scale)"
    symbol = r"\mathrm{Lap}"
    called = "the Laplace law of this scale"

    def __init__(self, scale: Parameter) -> None:
        super().__init__(scale)

    def draw(self, source: Uniforms) -> float:
        """The difference of two exponentials."""
        return self.scale * (exponential(source) - exponential(source))

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[Any]:
        """An exponential with a random sign."""
        from .drawing.batches import laplace

        return laplace(generator, size, self.scale)
