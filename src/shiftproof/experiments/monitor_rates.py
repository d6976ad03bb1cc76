"""One false-negative rate of a monitor, exact and simulated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from ..dsl.simulation.outcomes import FIRST_ATOM, FLOAT, Outcomes
from ..dsl.simulation.simulate import Simulation
from ..estimators.bands import Band, binomial_band
from ..mechanisms.location_monitor import location_monitor
from ..mechanisms.stream_monitor import stream_monitor
from .point import is_number, whole

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


# Monitors of one place with a fixed true count: how often it is safe and not said to be.
#
# What is simulated are the mechanisms of the gallery, as they are proved.

#: Shape (runs, updates): what is released at an update.
States = NDArray[np.int8]
SAFE, ALARM, SILENT = 0, 1, 2

#: How many updates a record stays in the queue of Algorithm 3.
WINDOW = 3

#: Shape (updates, rates, 2).
Tallies = NDArray[np.int64]


def rows_of_stream(
    count: int, threshold: float, eps: float, updates: int, runs: int, seed: int
) -> Iterator[Row]:
    """The rates of Algorithm 3 at a count that never changes, at each update.

    After an alarm it is silent for WINDOW - 1 updates: no answer, so none is counted in
    ``answer``; the place is not said to be safe, so ``update`` counts it.

    Source: Asymmetric Differential Privacy, Algorithm 3 (repaired), section 6.3.1.
    """
    simulation = Simulation(stream_monitor, f=[count] * updates, W=WINDOW, T=threshold, eps=eps)
    parts = [_tallied(stream_states(b, updates)) for b in simulation.blocks(runs, seed=seed)]
    alarm = alarm_probability(count, threshold, eps)
    yield from _rows(3, sum(parts), _exact_stream(alarm, updates), count, threshold, eps)


def rows_of_location(
    count: int, threshold: float, eps: float, updates: int, runs: int, seed: int
) -> Iterator[Row]:
    """The rates of Algorithm 4 for a place where nobody joins after the first batch.

    After an alarm its mark persists: it is never again said to be safe.

    Source: Asymmetric Differential Privacy, Algorithm 4 (repaired), section 6.3.2.
    """
    simulation = Simulation(
        location_monitor, f=[count] * updates, place=[0] * updates, places=1, T=threshold, eps=eps
    )
    parts = [_tallied(location_states(b, updates)) for b in simulation.blocks(runs, seed=seed)]
    alarm = alarm_probability(count, threshold, eps)
    exact: dict[Rate, list[float]] = {
        "answer": [alarm] * updates,
        "cumulative": _ever(alarm, updates),
    }
    yield from _rows(4, sum(parts), exact, count, threshold, eps)


def stream_states(outcomes: Outcomes, updates: int) -> States:
    """What each run of the stream monitor said at each update, silence included.

    Silence releases nothing, so a release stands later than it comes: after each alarm by
    WINDOW - 1 updates.
    """
    states = np.full((len(outcomes), updates), SILENT, np.int8)
    time = np.zeros(len(outcomes), np.int64)
    for position in range(int(outcomes.lengths.max())):
        run = np.flatnonzero(outcomes.lengths > position)
        alarm = outcomes.codes[outcomes.starts[run] + position] == FLOAT
        states[run, time[run]] = np.where(alarm, ALARM, SAFE)
        time[run] += np.where(alarm, WINDOW, 1)
    return states


def location_states(outcomes: Outcomes, updates: int) -> States:
    """What each run of the monitor of one location said at each update."""
    codes = outcomes.codes.reshape(len(outcomes), updates)
    states = np.where(codes == FLOAT, ALARM, SILENT).astype(np.int8)
    states[codes == FIRST_ATOM + outcomes.atoms.index("safe")] = SAFE
    return states


def _exact_stream(alarm: float, updates: int) -> dict[Rate, list[float]]:
    """The rates of a place that alarms with this probability whenever it answers."""
    alarms: list[float] = []
    silent: list[float] = []
    for u in range(updates):
        silent.append(sum(alarms[max(0, u - WINDOW + 1) :]))
        alarms.append(alarm * (1 - silent[u]))
    return {
        "answer": [alarm] * updates,
        "update": [a + s for a, s in zip(alarms, silent, strict=True)],
        "cumulative": _ever(alarm, updates),
    }


def _ever(alarm: float, updates: int) -> list[float]:
    """How likely there was an alarm, by update, if there is one in each with this probability."""
    found = [alarm]
    while len(found) < updates:
        found.append(found[-1] + (1 - found[-1]) * alarm)
    return found


def _tallied(states: States) -> Tallies:
    """At each update: how many of how many, for each rate in the order of RATES."""
    unsafe = states != SAFE
    ever = np.logical_or.accumulate(unsafe, axis=1)
    all_of_them = np.full(states.shape[1], len(states))
    hits = ((states == ALARM).sum(axis=0), unsafe.sum(axis=0), ever.sum(axis=0))
    return np.array([hits, ((states != SILENT).sum(axis=0), all_of_them, all_of_them)]).T


def _rows(
    algorithm: Literal[3, 4],
    tallies: Any,
    exact: dict[Rate, list[float]],
    count: int,
    threshold: float,
    eps: float,
) -> Iterator[Row]:
    for u, at_update in enumerate(tallies):
        for rate, (hits, of) in zip(RATES, at_update.tolist(), strict=True):
            if rate in exact and of:  # all may be silent
                band, mean = binomial_band(hits, of), exact[rate][u]
                yield Row(algorithm, "count", eps, threshold, count, u + 1, rate, mean, band, of)
