"""A map of safe places and hot spots, as they are and as a private monitor tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..drawing import BLUE, RED, new_figure, save
from .monitor_town import Town, first_alarms, runs_of_town
from .trajectories import Bools, Floats, Ints, Trajectories, clock

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


def draw_map(found: SafetyMap, file: Path) -> None:
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
    _panel(axes[0], found, ~hot, hot & False)
    axes[0].set_title(f"ground truth\n{(~hot).sum():,} safe, {hot.sum():,} hot", fontsize=10)
    for ax, (eps, alarmed) in zip(axes[1:], found.alarmed.items(), strict=False):
        wrong = alarmed & ~hot
        _panel(ax, found, ~alarmed, wrong)
        ax.set_title(
            f"ε = {eps:g}\n{(~alarmed).sum():,} told safe, {wrong.sum():,} wrongly not", fontsize=10
        )
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
        f"{len(found.x):,} places at {clock(found.time)}, {found.counts.sum():,} people there",
        fontsize=11,
    )
    save(figure, file)


def _panel(ax: Any, found: SafetyMap, safe: Bools, wrong: Bools) -> None:
    # Thousands of dots are one picture, in files of lines and curves too.
    for which, size, colour, marker in (
        (safe, 1.5, BLUE, "o"), (wrong, 14, ORANGE, "o"), (found.hot, 26, RED, "D"),
    ):  # fmt: skip
        ax.scatter(
            found.x[which], found.y[which], s=size, c=colour, marker=marker, lw=0, rasterized=True
        )
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
