"""The continuous uniform distribution."""

from __future__ import annotations

from typing import ClassVar

from ..formulas import TRUE, Formula, above, at_least, conjunction
from ..terms import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms


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
        low, high = self.values
        assert not isinstance(low, Linear) and not isinstance(high, Linear)
        return float(low) + (float(high) - float(low)) * source.random()
