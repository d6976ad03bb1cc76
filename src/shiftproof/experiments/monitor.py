"""The location-monitoring experiments: how often a safe place is not said to be safe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..dsl.errors import BadInput
from ..showing.plots.drawing import BLUE, RED, frame, new_figure, save
from .monitor_rates import Row, check_numbers, rows_of_location, rows_of_stream, safe_counts
from .monitor_results import Crowd, MonitorExperiment
from .monitor_town import Town, first_alarms, rows_of_town, runs_of_town, town_of
from .point import is_number, several
from .trajectories import LARGEST, Bools, Floats, Ints, Trajectories, clock
from .trajectories_town import generate_trajectories

#: The thresholds over which the rates of a town are told, besides those that are asked for.
TOWN_THRESHOLDS = (2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0)


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """What is to be measured, checked."""

    trajectories: Trajectories
    town: Town
    time: float
    epsilons: tuple[float, ...]
    thresholds: tuple[float, ...]
    runs: int
    town_runs: int
    seed: int

    @property
    def tasks(self) -> int:
        """How many steps it takes."""
        counts = sum(len(safe_counts(threshold)) for threshold in self.thresholds)
        return 2 * counts * len(self.epsilons) + self.town_runs

    def result(self, rows: Sequence[Row], interrupted: bool = False) -> MonitorExperiment:
        """What was found."""
        counts = self.town.counts(_rng_of_first_run(self.seed))
        crowd = Crowd(
            len(self.trajectories.people), self.town.places, self.trajectories.listed, self.time,
            self.town.updates, self.town.batch, tuple(np.bincount(counts[0]).tolist()),
            tuple(np.bincount(counts[-1]).tolist()),
        )  # fmt: skip
        return MonitorExperiment(
            crowd, self.epsilons, self.thresholds, self.runs, self.town_runs, self.seed,
            tuple(rows), interrupted,
        )  # fmt: skip

    def draw_map(self, file: Path, data: str) -> None:
        """Draw the map of :meth:`safety_map`; ``data`` is what its title calls the town.

        Raises:
            BadInput: the file cannot be written.
        """
        draw_map(self.safety_map(), file, data)

    def safety_map(self) -> SafetyMap:
        """The map of the town after the last update of one run, at the largest threshold."""
        return map_of(
            self.trajectories,
            self.town,
            self.time,
            max(self.thresholds),
            self.epsilons,
            self.seed,
        )


def _rng_of_first_run(seed: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])


def planned(
    trajectories: Trajectories | None,
    time: float | None,
    epsilons: Sequence[float],
    thresholds: Sequence[float],
    updates: int,
    batch: int,
    runs: int,
    town_runs: int,
    seed: int,
) -> Plan:
    """Check everything, and find the town; see :func:`monitor_experiment`."""
    epsilons, thresholds = several("eps", epsilons), several("thresholds", thresholds)
    check_numbers(
        epsilons, thresholds,
        updates=updates, batch=batch, runs=runs, town_runs=town_runs, seed=seed,
    )  # fmt: skip
    epsilons, thresholds = (tuple(sorted({*map(float, v)})) for v in (epsilons, thresholds))
    # Those of numpy would be no numbers for JSON.
    updates, batch, runs, town_runs, seed = map(int, (updates, batch, runs, town_runs, seed))
    if trajectories is None:
        trajectories = generate_trajectories(seed=seed)
    if not isinstance(trajectories, Trajectories):
        raise BadInput(
            f"trajectories: got {trajectories!r:.80}; want what read_trajectories(file) or "
            "generate_trajectories() gives"
        )
    time = trajectories.busiest() if time is None else time
    if not is_number(time) or not 0 <= time <= LARGEST:
        raise BadInput(f"time: got {time!r}; want minutes from 0 to {LARGEST:g}")
    town = town_of(trajectories, time, updates, batch)
    return Plan(trajectories, town, float(time), epsilons, thresholds, runs, town_runs, seed)


def measured(
    plan: Plan, show: Callable[[int, str], None] = lambda done, name: None
) -> Iterator[Row]:
    """The rows, one after the other; ``show`` is told how many steps are done and what is next."""
    cases = [
        (count, threshold, eps)
        for threshold in plan.thresholds
        for count in safe_counts(threshold)
        for eps in plan.epsilons
    ]
    seeds = iter(np.random.SeedSequence(plan.seed).generate_state(2 * len(cases), np.uint64))
    updates, done = plan.town.updates, 0
    for name, rows_of in (("Algorithm 3", rows_of_stream), ("Algorithm 4", rows_of_location)):
        for case in cases:
            show(done, name)
            yield from rows_of(*case, updates, plan.runs, int(next(seeds)))
            done += 1

    def after_a_run() -> None:
        nonlocal done
        done += 1
        show(done, "town")

    thresholds = sorted({*TOWN_THRESHOLDS, *plan.thresholds})
    yield from rows_of_town(
        plan.town, thresholds, plan.epsilons, plan.town_runs, plan.seed, after_a_run
    )


def monitor_experiment(
    trajectories: Trajectories | None = None,
    *,
    time: float | None = None,
    eps: Sequence[float] = (0.5, 1.0, 2.0),
    thresholds: Sequence[float] = (5.0, 10.0),
    updates: int = 5,
    batch: int = 500,
    runs: int = 100_000,
    town_runs: int = 200,
    seed: int = 0,
) -> MonitorExperiment:
    """How often monitors of the gallery do not say of a safe place that it is safe.

    Simulated are Algorithm 3 (``stream_monitor``) and Algorithm 4 (``location_monitor``) for one
    place, at every count below the threshold; and Algorithm 4 on a town.

    Args:
        trajectories: the town; by default one that is generated from ``seed``.
        time: the designated one, in minutes; by default when the most people are at some place.
        eps: in nats, above 0.
        thresholds: above 0, up to 100; from a threshold on a place is not safe.
        updates: how many batches come, at least 1.
        batch: how many people are in a batch, at least 1.
        runs: how many runs there are for each count, at least 1.
        town_runs: how many runs there are for the town, each with new batches; 1 to 100,000.
        seed: not negative; the same seed gives the same rows, with the same release of numpy.

    Raises:
        BadInput: a number is out of range, or there are too few people for the batches.

    Source: Asymmetric Differential Privacy, section 6.3.
    """
    plan = planned(
        trajectories, time, eps, thresholds, updates, batch, runs, town_runs, seed
    )  # fmt: skip
    return plan.result(tuple(measured(plan)))


# A map of safe places and hot spots, as they are and as a private monitor tells them.

ORANGE = "#e58a1f"


@dataclass(frozen=True, eq=False, slots=True)
class SafetyMap:
    """What one run of Algorithm 4 tells of each place, up to the last update.

    Attributes:
        x: shape (places,); where they are.
        y: shape (places,).
        counts: shape (places,); how many of those in the array are there.
        threshold: from here on a place is a hot spot.
        time: the designated one, in minutes.
        alarmed: by ε, shape (places,): whether a place is marked, and so not said to be safe.
    """

    x: Floats
    y: Floats
    counts: Ints
    threshold: float
    time: float
    alarmed: Mapping[float, Bools]

    @property
    def hot(self) -> Bools:
        """Which places are hot spots in truth."""
        return self.counts >= self.threshold


def map_of(
    trajectories: Trajectories,
    town: Town,
    time: float,
    threshold: float,
    epsilons: Sequence[float],
    seed: int,
) -> SafetyMap:
    """The first run of the town's experiment with the same seed, as a map.

    Source: Asymmetric Differential Privacy, section 6.3.2, figure 5.
    """
    counts, noise = next(runs_of_town(town, 1, seed))
    alarmed = {eps: first_alarms(counts, noise / eps, threshold) < len(counts) for eps in epsilons}
    return SafetyMap(
        trajectories.place_x, trajectories.place_y, counts[-1], threshold, time, alarmed
    )


def draw_map(found: SafetyMap, file: Path, data: str) -> None:
    """Draw the truth and, for each ε, what is told; written at once, or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    panels = 1 + len(found.alarmed)
    columns = min(panels, 4)
    rows = -(-panels // columns)
    figure = new_figure(3.6 * columns + 0.4, 3.9 * rows + 0.7)
    axes = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for unused in axes[panels:]:
        unused.set_axis_off()
    hot = found.hot
    truth = f"ground truth\n{(~hot).sum():,} safe, {hot.sum():,} hot"
    _panel(axes[0], found, ~hot, hot & False, truth)
    for ax, (eps, alarmed) in zip(axes[1:], found.alarmed.items(), strict=False):
        wrong = alarmed & ~hot
        told = f"ε = {eps:g} nats\n{(~alarmed).sum():,} told safe, {wrong.sum():,} wrongly not"
        _panel(ax, found, ~alarmed, wrong, told)
    for ax in axes[:panels]:
        ax.label_outer()
    handles = [
        axes[0].scatter([], [], s=size, c=colour, marker=marker, label=label)
        for size, colour, marker, label in (
            (12, BLUE, "o", "safe"),
            (40, RED, "D", f"hot spot: count ≥ {found.threshold:g}"),
            (24, ORANGE, "o", "safe, but not said to be"),
        )
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=10)
    figure.suptitle(
        f"{data}: {len(found.x):,} places at {clock(found.time)}, "
        f"{found.counts.sum():,} people there",
        fontsize=11,
    )
    save(figure, file)


def _panel(ax: Any, found: SafetyMap, safe: Bools, wrong: Bools, title: str) -> None:
    # Thousands of dots are one picture, in files of lines and curves too.
    for which, size, colour, marker in (
        (safe, 1.5, BLUE, "o"), (wrong, 14, ORANGE, "o"), (found.hot, 26, RED, "D"),
    ):  # fmt: skip
        ax.scatter(
            found.x[which], found.y[which], s=size, c=colour, marker=marker, lw=0, rasterized=True
        )
    ax.set_aspect("equal")
    frame(ax, title, "x, as in the data", "y, as in the data")
