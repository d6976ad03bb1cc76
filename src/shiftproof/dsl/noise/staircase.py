"""The staircase distribution: a density that falls in steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from ..terms.formulas import Formula, above, at_least, conjunction, equal, negation
from ..terms.linear import Linear, number
from .base import Charge, Distribution, Lattice, Parameter, Uniforms, exponential

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# With q = exp(-1 / scale), the density at x >= 0 is a·q^n, n = floor(x/step + 1 - share): how many
# edges (k + share)·step are at or below x.  The period [k·step, (k + 1)·step) holds
# a·step·q^k·(share + (1 - share)·q), so both sides together hold 1 with
#     a = (1 - q) / (2·step·(share + (1 - share)·q)).
# A shift d moves |x| by at most |d|, so with |d| <= m·step it passes at most m edges.


class Staircase(Distribution):
    """The density that is the same on each step and falls by ``exp(-1 / scale)`` from one to the
    next, on the real line: with k = 0, 1, … it is, for |x| in

    - [k·step, (k + share)·step) proportional to ``exp(-k / scale)``,
    - [(k + share)·step, (k + 1)·step) proportional to ``exp(-(k + 1) / scale)``.

    ``scale > 0``: one step costs 1 / scale nats; ``step > 0``: the sensitivity; ``0 < share < 1``:
    how much of the first period is on the highest step.  A shift by d costs 0 if d is 0,
    1 / scale up to a step and 2 / scale up to two; further ones are priced, at
    (|d| / step + 1) / scale, if ``step`` is a number.  Source: Geng and Viswanath, The Optimal
    Mechanism in Differential Privacy (their b, Δ and γ are ``exp(-1 / scale)``, ``step`` and
    ``share``).
    """

    lattice: ClassVar[Lattice] = "reals"
    parameters = ("scale", "step", "share")
    exists = "scale > 0 and step > 0 and share > 0 and 1 > share"
    requirement = "scale and step must be positive, share strictly between 0 and 1"
    #: For short; see :meth:`charges`.
    cost = ("ceil(abs(d) / step)", "1 / scale")
    shape = "stairs"
    tabled = True
    log_density = (
        "log((1 - exp(-1 / scale)) / (2 * step * (share + (1 - share) * exp(-1 / scale))))"
        " - floor(abs(x) / step + 1 - share) / scale"
    )
    symbol = r"\mathrm{Staircase}"
    called = "the staircase law of this scale, step and share"

    def __init__(self, scale: Parameter, step: Parameter, share: Parameter) -> None:
        super().__init__(scale, step, share)

    def charges(self, shift: Linear) -> tuple[Charge, ...]:
        """As many steps as a shift can pass at most; exact up to two of them."""
        step, rate = self.term(1), number(1) / self.term(0)
        still = equal(shift, number(0))
        near, close = _within(shift, step), _within(shift, step.scaled(2))
        found = [
            Charge(still, number(0), rate),
            Charge(conjunction((negation(still), near)), number(1), rate),
            Charge(conjunction((negation(near), close)), number(2), rate),
        ]
        if step.is_constant and step.constant > 0:
            for way in (shift, -shift):
                far = above(way, step.scaled(2))
                found.append(Charge(far, way / step + number(1), rate))
        return tuple(found)

    def draw(self, source: Uniforms) -> float:
        """A period, one of its two parts, a place in it, and a side."""
        scale, step, share, first_part = self._floats()
        _, steps = math.modf(scale * exponential(source))
        inside = source.random()
        first = source.random() < first_part
        part = share * inside if first else share + (1 - share) * inside
        drawn = (steps + part) * step
        return -drawn if source.randrange(2) == 1 else drawn

    def draw_many(self, generator: np.random.Generator, size: int) -> NDArray[np.float64]:
        """The same, many at once."""
        from .drawing.batches import staircase

        return staircase(generator, size, *self._floats())

    def _floats(self) -> tuple[float, float, float, float]:
        """The parameters, and how likely the first of a period's two parts is."""
        scale, step, share = (self.as_float(k) for k in range(3))
        return scale, step, share, share / (share + (1 - share) * math.exp(-1 / scale))


def _within(shift: Linear, distance: Linear) -> Formula:
    """``|shift| <= distance``."""
    return conjunction((at_least(distance, shift), at_least(distance, -shift)))
