"""A choice by weights: what the exponential mechanism draws from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import BadInput
from ..terms.formulas import Formula, above, at_least, conjunction, equal, implies
from ..terms.linear import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms
from .drawing import exact_draws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Categorical(Distribution):
    """P(k) = ``weights[k] / sum(weights)`` for k = 0, 1, …, len(weights) - 1.

    The weights are a list or tuple of numbers >= 0, of which one is not 0.  No shift moves one
    choice to another at a cost that its parameters tell; the weights may depend on private data,
    and the probabilities are then compared as they are.
    """

    lattice: ClassVar[Lattice] = "integers"
    parameters = ("weights",)
    listed: ClassVar[bool] = True
    shiftable: ClassVar[bool] = False
    requirement = "no weight may be negative, and one must be positive"
    shape = "weights"
    tabled = True

    def __init__(self, weights: Sequence[Parameter]) -> None:
        given: Any = weights
        if not isinstance(given, list | tuple):
            raise BadInput(f"Categorical: weights is {given!r}; a list of numbers is needed")
        if not given:
            raise BadInput("Categorical([]): at least one weight is needed")
        super().__init__(*given)

    @classmethod
    def of(cls, *values: Parameter) -> Self:
        """The choice by these weights."""
        return cls(values)

    @property
    def names(self) -> tuple[str, ...]:
        """The weights by their places."""
        return tuple(f"weights[{k}]" for k in range(len(self.values)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}([{', '.join(map(str, self.values))}])"

    def _terms(self) -> list[Linear]:
        return [self.term(k) for k in range(len(self.values))]

    def well_formed(self) -> Formula:
        """No weight is negative, and their sum is positive."""
        weights, total = self._terms(), number(0)
        for weight in weights:
            total = total + weight
        return conjunction((*(at_least(w, number(0)) for w in weights), above(total, number(0))))

    def support(self, draw: Linear) -> Formula:
        """The places of the positive weights."""
        weights = self._terms()
        inside = (at_least(draw, number(0)), at_least(number(len(weights) - 1), draw))
        positive = (
            implies(equal(draw, number(k)), above(w, number(0))) for k, w in enumerate(weights)
        )
        return conjunction((*inside, *positive))

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """A choice is not shifted."""
        raise TypeError("a choice by weights is not shifted")

    @cached_property
    def whole(self) -> tuple[int, ...]:
        """The smallest whole numbers in the proportions of the weights."""
        return exact_draws.whole([self.as_fraction(k) for k in range(len(self.values))])

    def draw(self, source: Uniforms) -> int:
        """Exact, a float weight being the binary fraction it holds."""
        return exact_draws.chosen(self.whole, source)

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.int64]:
        """The same exactly, many at once."""
        from .drawing.exact_batches import chosen

        return chosen(generator, size, self.whole)
