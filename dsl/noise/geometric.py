"""Geometric noise on the integers, two-sided and one-sided in both directions."""

from __future__ import annotations

import math
from typing import ClassVar

from .base import Lattice, Uniforms, exponential
from .exponential import Exponential, NegativeExponential
from .laplace import Laplace


class TwoSidedGeometric(Laplace):
    """P(k) proportional to ``exp(-|k| / scale)`` on the integers; ``scale > 0``.

    A shift by an integer d costs |d| / scale.  Source: the geometric-noise paper,
    equation (4) as repaired, with α = exp(-1 / scale).
    """

    lattice: ClassVar[Lattice] = "integers"

    def draw(self, source: Uniforms) -> int:
        """The difference of two one-sided draws."""
        return _one_sided(self.scale, source) - _one_sided(self.scale, source)


class OneSidedGeometric(Exponential):
    """P(k) = (1 - α) α^k for k = 0, 1, …, with α = ``exp(-1 / scale)``; ``scale > 0``.

    A shift by an integer d costs exactly d / scale, with its sign.
    """

    lattice: ClassVar[Lattice] = "integers"

    def draw(self, source: Uniforms) -> int:
        """The whole part of an exponential draw."""
        return _one_sided(self.scale, source)


class NegativeOneSidedGeometric(NegativeExponential):
    """P(k) = (1 - α) α^(-k) for k = 0, -1, …; a shift by d costs exactly -d / scale."""

    lattice: ClassVar[Lattice] = "integers"

    def draw(self, source: Uniforms) -> int:
        """The mirror image of the one-sided draw."""
        return -_one_sided(self.scale, source)


def _one_sided(scale: float, source: Uniforms) -> int:
    # The whole part of an exponential variable with mean `scale` is geometric.
    return math.floor(scale * exponential(source))
