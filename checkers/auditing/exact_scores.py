"""Scores from exact likelihoods: how near an output is to the one that a search has found."""

from __future__ import annotations

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
    """Minus the largest distance of the released real numbers; -∞ where the rest differs.

    Numbers that depend on others are let be.
    """

    outcome: Outcome

    def __call__(self, reading: Reading) -> Array:
        """Shape (n,)."""
        sample, slots = reading.sample, self.outcome.slots
        ending = Ending.END if self.outcome.ending == "end" else Ending.RAISED
        alike = (sample.lengths == len(slots)) & (sample.endings == ending)
        if len(slots) > sample.places:
            return np.full(len(sample), -np.inf)
        distance = np.zeros(len(sample))
        for k, slot in enumerate(slots):
            kinds, bits = sample.kinds[:, k], np.ascontiguousarray(sample.bits[:, k])
            if isinstance(slot, Atom):
                kind, wanted = _token(slot.value)
                alike &= (kinds == kind) & (bits == wanted)
            else:
                alike &= kinds == FLOAT
                if isinstance(slot, Real):
                    values = np.nan_to_num(bits.view(np.float64), nan=np.inf)
                    distance = np.maximum(distance, np.abs(values - float(slot.value)))
        return np.where(alike, -distance, -np.inf)

    def __str__(self) -> str:
        shown = [
            f"about {float(s.value):.6g}" if isinstance(s, Real)
            else str(s.value) if isinstance(s, Atom) else "…" for s in self.outcome.slots
        ]  # fmt: skip
        return f"({', '.join(shown)})" if len(shown) != 1 else shown[0]

    def within(self, threshold: float) -> str:
        """The event, in words."""
        if not self.outcome.reals:
            return f"the output is {self}"
        return f"the output is {self}, within {-threshold:.6g}"


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
