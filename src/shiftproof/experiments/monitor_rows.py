"""One false-negative rate of a monitor, exact and simulated; and what the experiment is of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..dsl.errors import BadInput
from .arguments import is_number, whole
from .bands import Band

#: What a rate is a share of.
#:
#: * ``answer``: of the answers about a safe place at this update, those that are alarms.
#: * ``update``: of the safe places at this update, those that are not said to be safe: by an
#:   alarm, or by silence after an alarm.
#: * ``cumulative``: of the safe places, those not said to be safe at this update or at one before.
#:
#: The marks of Algorithm 4 persist, and counts only grow: there the last two are the same, and
#: only ``cumulative`` is told.
Rate: TypeAlias = Literal["answer", "update", "cumulative"]

RATES: tuple[Rate, ...] = ("answer", "update", "cumulative")

#: How many runs of a town are kept in memory, at most.
MOST_TOWN_RUNS = 100_000

#: The largest threshold, since each count below it is simulated; and the largest eps.
LARGEST = 100.0


@dataclass(frozen=True, slots=True)
class Row:
    """One false-negative rate.

    Attributes:
        algorithm: 3 (one place over time) or 4 (all places at a designated time).
        place: ``"count"`` for one place with a fixed count, ``"town"`` for all of a town.
        eps: the privacy parameter in nats.
        threshold: from this count on a place is not safe.
        count: how many are there at every update; ``None`` for a town.
        update: 1 for the first one.
        rate: what it is a share of, see :data:`Rate`.
        exact: the rate, by the formula; for a town given its batches (of ``answer``, expected
            alarms over expected answers).
        found: the simulated rate and its 95 % band.
        runs: how many runs it is of.
    """

    algorithm: int
    place: Literal["count", "town"]
    eps: float
    threshold: float
    count: int | None
    update: int
    rate: Rate
    exact: float
    found: Band
    runs: int

    def flat(self) -> dict[str, Any]:
        """The row as plain values."""
        return {
            "algorithm": self.algorithm, "place": self.place, "eps": self.eps,
            "threshold": self.threshold, "count": self.count, "update": self.update,
            "rate": self.rate, "exact": self.exact, "simulated": self.found.mean,
            "low": self.found.low, "high": self.found.high, "runs": self.runs,
        }  # fmt: skip


def alarm_probability(count: float, threshold: float, eps: float) -> float:
    """How likely count + noise is at the threshold or above, with noise of mean 1 / eps.

    Source: Asymmetric Differential Privacy, Theorem 11: for a safe count it is one minus the
    probability of a one-sided true positive, e^(-eps (T - count)).
    """
    return math.exp(-eps * max(threshold - count, 0.0))


def safe_counts(threshold: float) -> range:
    """The counts below the threshold."""
    return range(math.ceil(threshold))


def check_numbers(epsilons: Sequence[float], thresholds: Sequence[float], **wholes: Any) -> None:
    """Make sure that the numbers of an experiment are within their ranges.

    Raises:
        BadInput: one is not.
    """
    for name, values in (("eps", epsilons), ("threshold", thresholds)):
        for value in values:
            if not is_number(value) or not 0 < value <= LARGEST:
                raise BadInput(f"{name}: got {value!r}; want a number above 0, up to {LARGEST:g}")
    for name, value in wholes.items():
        least = 0 if name == "seed" else 1
        whole(name, value, least, MOST_TOWN_RUNS if name == "town_runs" else None)
