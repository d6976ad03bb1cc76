"""The discrete Laplace distribution, as the difference of two geometric draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import Uniforms
from .drawing import exact_draws
from .geometric import TwoSidedGeometric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DiscreteLaplace(TwoSidedGeometric):
    """P(k) = (exp(1/t) - 1) / (exp(1/t) + 1) exp(-|k| / t) on the integers; ``scale`` t > 0.

    The law of :class:`TwoSidedGeometric`, drawn as the difference of two one-sided geometric
    draws.  A shift by an integer d costs |d| / t.  Sources: Inusah and Kozubowski, A discrete
    analogue of the Laplace distribution (their p is exp(-1/t), and the difference their
    Proposition 2.2); Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy,
    for its scale t.
    """

    spread = "scale"
    shape = "falling"
    log_density = "-abs(x) / scale + log(tanh(1 / (2 * scale)))"
    symbol = r"\mathrm{Lap}_{\mathbb{Z}}"
    called = "the discrete Laplace law of this scale"

    def draw(self, source: Uniforms) -> int:
        """Exact, of any size."""
        one, two = (exact_draws.one_sided(self.as_fraction(), source) for _ in range(2))
        return one - two

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Exact."""
        from .drawing.exact_batches import one_sided

        scale = self.as_fraction()
        return one_sided(generator, size, scale) - one_sided(generator, size, scale)
