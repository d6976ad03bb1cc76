"""Outputs of which a bound is owed, under a definition that owes it of some outputs only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dsl.simulation.outcomes import Ending
from .sample import FLOAT, INT, Sample

#: How many different outputs are asked about at most.
ASKED = 10_000


@dataclass(frozen=True, eq=False)
class Protected:
    """Some protected outputs, each one number; goes to workers.

    Any set of them will do: what is owed of protected outputs is owed of the events inside it.

    Attributes:
        kinds: shape (n,); int or float.
        bits: shape (n,); as in a sample.
    """

    kinds: NDArray[np.uint8]
    bits: NDArray[np.int64]

    @staticmethod
    def among(samples: Iterable[Sample], known: Callable[[int | Fraction], bool]) -> Protected:
        """Those outputs of some runs that are protected.

        Args:
            samples: the runs.
            known: whether a released number is protected; ints and floats are told apart.
        """
        found: dict[tuple[int, int], None] = {}
        for sample in samples:
            at = _single(sample)
            rows = np.unique(np.stack([sample.kinds[at, 0], sample.bits[at, 0]], axis=1), axis=0)
            found |= dict.fromkeys((int(k), int(b)) for k, b in rows[:ASKED])
        tokens = [t for t in found if (v := _number(*t)) is not None and known(v)]
        return Protected(
            np.array([k for k, _ in tokens], np.uint8), np.array([b for _, b in tokens], np.int64)
        )

    def __len__(self) -> int:
        return len(self.kinds)

    def of(self, sample: Sample) -> NDArray[np.bool_]:
        """Which runs have such an output."""
        owed = np.zeros(len(sample), np.bool_)
        at = _single(sample)
        for kind in (INT, FLOAT):
            some = at & (sample.kinds[:, 0] == kind) if sample.places else at
            if some.any():
                owed[some] = np.isin(sample.bits[some, 0], self.bits[self.kinds == kind])
        return owed


def _single(sample: Sample) -> NDArray[np.bool_]:
    """The runs that end with one value."""
    if not sample.places:
        return np.zeros(len(sample), np.bool_)
    return np.asarray((sample.lengths == 1) & (sample.endings == Ending.END), np.bool_)


def _number(kind: int, bits: int) -> int | Fraction | None:
    if kind == INT:
        return bits
    value: Any = np.array([bits], np.int64).view(np.float64)[0]
    return Fraction(float(value)) if kind == FLOAT and np.isfinite(value) else None
