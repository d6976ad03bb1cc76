"""Scores from exact likelihoods: how near an output is to the one that a search has found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...dsl.simulation.outcomes import Ending
from ..exact.outcomes import Atom, Outcome, Real
from .features import Array
from .sample import FALSE, FLOAT, INT, NONE, TEXT, TRUE, text_hash
from .vocabulary import Reading


@dataclass(frozen=True, slots=True)
class Near:
    """How near the released real numbers are to those of an outcome; -∞ where the rest differs.

    ``side``: 0 for minus the largest distance; 1 or -1 if numbers above, or below, are as good
    however far they are.  Numbers that depend on others are let be.
    """

    outcome: Outcome
    side: int = 0

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        sample, slots = reading.sample, self.outcome.slots
        ending = Ending.END if self.outcome.ending == "end" else Ending.RAISED
        alike = (sample.lengths == len(slots)) & (sample.endings == ending)
        if len(slots) > sample.places:
            return np.full(len(sample), -np.inf)
        score = np.full(len(sample), np.inf if self.side and self.outcome.reals else 0.0)
        for k, slot in enumerate(slots):
            kinds, bits = sample.kinds[:, k], np.ascontiguousarray(sample.bits[:, k])
            if isinstance(slot, Atom):
                kind, wanted = _token(slot.value)
                alike &= (kinds == kind) & (bits == wanted)
            else:
                alike &= kinds == FLOAT
                if isinstance(slot, Real):
                    off = bits.view(np.float64) - float(slot.value)
                    alike &= np.isfinite(off)
                    score = np.minimum(score, self.side * off if self.side else -np.abs(off))
        return np.where(alike, score, -np.inf)

    def within(self, threshold: float) -> str:
        """The event, in words."""
        if not self.outcome.reals:
            return f"the output is {self._shown(lambda value: f'{value:.6g}')}"
        if not self.side:
            shown = self._shown(lambda value: f"about {value:.6g}")
            return f"the output is {shown}, within {-threshold:.6g}"
        relation = ">=" if self.side > 0 else "<="
        return (
            "the output is like "
            f"{self._shown(lambda value: f'{relation} {value + self.side * threshold:.6g}')}"
        )

    def _shown(self, real: Callable[[float], str]) -> str:
        shown = [
            real(float(s.value)) if isinstance(s, Real) else str(s.value) if isinstance(s, Atom)
            else "…" for s in self.outcome.slots
        ]  # fmt: skip
        return f"({', '.join(shown)})" if len(shown) != 1 else shown[0]


def scores_of(outcome: Outcome) -> tuple[Near, ...]:
    """The scores that an outcome suggests."""
    return tuple(Near(outcome, side) for side in ((0, 1, -1) if outcome.reals else (0,)))


def _token(value: Any) -> tuple[int, int]:
    if value is None:
        return NONE, 0
    if isinstance(value, bool):
        return (TRUE if value else FALSE), 0
    if isinstance(value, str):
        return TEXT, text_hash(value)
    if isinstance(value, Fraction):
        return FLOAT, int(np.array([float(value)]).view(np.int64)[0])
    return INT, int(value)
