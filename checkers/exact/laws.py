"""The laws of noise as functions in pieces: densities on the reals, masses on the integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from ...dsl.noise import (
    DiscreteUniform,
    Distribution,
    Exponential,
    Laplace,
    NegativeExponential,
    NegativeOneSidedGeometric,
    OneSidedGeometric,
    TwoSidedGeometric,
    Uniform,
)
from ...dsl.terms import Rational, shortest
from .numbers import ONE, rational
from .pieces import Piece, Piecewise
from .sums import Calculus

#: Which half-lines a law lives on, and the sides of it: the pieces below and above zero.
_SIDES: dict[type[Distribution], tuple[bool, bool]] = {
    Laplace: (True, True),
    TwoSidedGeometric: (True, True),
    Exponential: (False, True),
    OneSidedGeometric: (False, True),
    NegativeExponential: (True, False),
    NegativeOneSidedGeometric: (True, False),
}
_UNIFORM = (Uniform, DiscreteUniform)


@dataclass(frozen=True, slots=True)
class Law:
    """The law of one draw: its family, and its parameters.

    ``parameters`` hold the rate (in the unit of the run) of an exponential family, or the two
    ends of a uniform law, on the reals or on the integers.  ``power``: the power of ε's
    irrational unit that the rate is times.
    """

    family: type[Distribution]
    parameters: tuple[Rational, ...]
    power: int = 0

    @property
    def lattice(self) -> bool:
        """Whether it lives on the integers."""
        return self.family.lattice == "integers"

    @property
    def support(self) -> tuple[Rational | float, Rational | float]:
        """The interval on which it lives."""
        if self.family in _UNIFORM:
            return self.parameters[0], self.parameters[1]
        below, above = _SIDES[self.family]
        return (-math.inf if below else 0), (math.inf if above else 0)

    @property
    def rate(self) -> Rational | None:
        """The rate of an exponential family."""
        return None if self.family in _UNIFORM else self.parameters[0]

    def function(self, calculus: Calculus, grain: Rational) -> Piecewise:
        """Density or mass; rates are in units of ``grain``, as the calculus has them.

        The density of a real draw is by the position in units of rate, not by x.
        """
        if self.family in _UNIFORM:
            low, high = self.parameters
            density = ONE / calculus.position(high - low + self.lattice)
            return Piecewise(calculus, (Piece(low, high, {(0, 0): density}),))
        n = shortest(Fraction(self.parameters[0]) / grain)
        below, above = _SIDES[self.family]
        if self.lattice:
            a = calculus.unit.power(-n)
            top = (1 - a) / (1 + a) if below and above else 1 - a
        else:
            top = rational(n) * fmpq(1, 2 if below and above else 1)
        pieces = []
        if below:
            pieces.append(Piece(-math.inf, -1 if self.lattice and above else 0, {(0, n): top}))
        if above:
            pieces.append(Piece(0, math.inf, {(0, -n): top}))
        return Piecewise(calculus, tuple(pieces))
