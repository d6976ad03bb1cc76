"""The Bernoulli distribution: a biased coin."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from ..terms.formulas import TRUE, Formula, above, conjunction, negation
from ..terms.linear import Linear, number
from ..terms.pretty import log_odds_of, odds_of
from .base import Charge, Distribution, Lattice, Parameter, Uniforms
from .drawing import exact_draws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Bernoulli(Distribution):
    """``True`` with probability p, 0 < p < 1.

    Its alignment is a flip.  A flip costs the log odds of the value that was drawn:
    log(p / (1 - p)) if it was ``True`` and the negative of it if it was ``False``.
    """

    lattice: ClassVar[Lattice] = "booleans"
    parameters = ("p",)
    exists = "p > 0 and 1 > p"
    requirement = "p must lie strictly between 0 and 1"
    shape = "coin"
    tabled = True
    log_density = "log(x * p + (1 - x) * (1 - p))"
    symbol = r"\mathrm{Bernoulli}"
    called = "a coin"

    def __init__(self, p: Parameter) -> None:
        super().__init__(p)

    def well_formed(self) -> Formula:
        """``0 < p < 1``."""
        odds = odds_of(self.term())
        if odds is not None and above(odds, number(0)) == TRUE:
            return TRUE
        return super().well_formed()

    def support(self, draw: Linear) -> Formula:
        """Both values."""
        raise TypeError("a Boolean sample has no numeric support")

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """A coin cannot be shifted, only flipped."""
        raise TypeError("a Boolean sample is flipped, not shifted")

    def flip_charges(self, drawn: Formula, flip: Formula) -> tuple[Charge, ...]:
        """The cost of flipping the bit ``drawn`` where ``flip`` holds."""
        factor, rate = log_odds_of(self.term()).split()
        sign = number(-1 if factor < 0 else 1)
        rate = rate.scaled(factor if factor > 0 else -factor)
        return (
            Charge(conjunction((flip, drawn)), sign, rate),
            Charge(conjunction((flip, negation(drawn))), -sign, rate),
            Charge(negation(flip), number(0), number(1)),
        )

    def zcdp_flip_charges(self, drawn: Formula, flip: Formula) -> tuple[Charge, ...]:
        """The cost in ρ: half the square of the log odds, as a flip does not read its bit."""
        odds = log_odds_of(self.term())
        return (
            Charge(flip, number(1), (odds * odds).scaled(Fraction(1, 2))),
            Charge(negation(flip), number(0), number(1)),
        )

    def draw(self, source: Uniforms) -> bool:
        """``True`` with probability p exactly, a float p being the binary fraction it holds."""
        return exact_draws.bernoulli(self.as_fraction(), source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.bool_]:
        """The same exactly, many at once."""
        from .drawing.exact_batches import bernoulli

        return bernoulli(generator, size, self.as_fraction())
