"""The mechanisms that are compared: what each adds as noise, and how it estimates.

ε is the whole budget of each, in nats.  Half of what a free-gap mechanism has goes into choosing,
half into measuring what was chosen; an asymmetric one releases what it chose by.

Calibrations:

proved
    as the gallery has it.
monotone
    counts all rise or all fall from one neighbour to the other, as by adding or removing a
    record; choosing needs half the noise.
replacement
    replacing a record moves counts either way, as the definition of DP in the ADP paper has it.
measured again
    ours: the asymmetric one with budgets like the free-gap ones.
as coded
    what the code behind the ADP paper's figures does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .answers import Answers
from .noisy_top import asymmetric_top_k, asymmetric_top_k_measured, free_gap_top_k
from .point import Point
from .sparse_vectors import asymmetric_sparse_vector, free_gap_sparse_vector
from .two_branches import asymmetric_two_branches, free_gap_two_branches


@dataclass(frozen=True, slots=True)
class Contender:
    """One mechanism in one calibration.

    Attributes:
        mechanism: its name.
        calibration: how its noise was chosen.
        guarantee: what it keeps to.
        run: its answers in so many runs, with noise from a generator.
    """

    mechanism: str
    calibration: str
    guarantee: str
    run: Callable[[Point, np.random.Generator, int], Answers]

    @property
    def name(self) -> str:
        """Mechanism and calibration."""
        return f"{self.mechanism}, {self.calibration}"


_ADP, _MONOTONE, _DP = "(P, ε)-ADP", "ε-DP, add or remove", "ε-DP, replacement"

#: All that can be compared.
CONTENDERS = (
    Contender("asymmetric top-k", "proved", _ADP, asymmetric_top_k),
    Contender("asymmetric top-k", "measured again", _ADP, asymmetric_top_k_measured),
    Contender("free-gap top-k", "monotone", _MONOTONE, free_gap_top_k(2, 2)),
    Contender("free-gap top-k", "replacement", _DP, free_gap_top_k(4, 2)),
    Contender("free-gap top-k", "as coded", "0.75 ε-DP, replacement", free_gap_top_k(4, 4)),
    Contender("asymmetric sparse vector", "proved", _ADP, asymmetric_sparse_vector),
    Contender(
        "asymmetric sparse vector", "as coded", "not ε: leaks 1.5 ε", asymmetric_two_branches
    ),
    Contender("free-gap sparse vector", "monotone", _MONOTONE, free_gap_sparse_vector(1)),
    Contender("free-gap sparse vector", "replacement", _DP, free_gap_sparse_vector(2)),
    Contender("free-gap sparse vector", "as coded", "none", free_gap_two_branches),
)

#: Their mechanisms, by name.
MECHANISMS = tuple(dict.fromkeys(contender.mechanism for contender in CONTENDERS))
