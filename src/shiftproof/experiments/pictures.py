"""The experiments as pictures: monitors, and errors and accuracy of top-k mechanisms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..showing.plots.drawing import BLUE, COLOURS, RED, frame, new_figure, save
from .monitor_rates import Row
from .monitor_results import MonitorExperiment
from .results import Row as TopKRow
from .results import TopKExperiment

_COLOURS = (RED, BLUE, *COLOURS[2:])
#: Rates below are not drawn.
_LEAST = 1e-5


def draw_monitor(found: MonitorExperiment, file: Path, data: str) -> None:
    """Draw the experiment: lines are exact, dots with bands are simulated.

    With many thresholds, the counts are drawn for the smallest and the largest one.

    Raises:
        BadInput: the file cannot be written.
    """
    low, high = found.thresholds[0], found.thresholds[-1]
    figure = new_figure(12.6, 7.2)
    axes = list(figure.subplots(2, 3).flat)
    _crowd(axes[0], found)
    if low == high:
        axes[2].set_axis_off()
    for ax, threshold in zip(axes[1:], dict.fromkeys((low, high)), strict=False):
        rows = found.of(algorithm=3, update=1, rate="answer", threshold=threshold)
        _lines(ax, found, rows, "count", "-")
        _named(ax, f"one update, T = {threshold:g}", "true count")
    eps = found.epsilons[0]
    _over_updates(axes[3], found, eps, high)
    for rate, style in (("answer", "--"), ("cumulative", "-")):
        rows = found.of(place="town", rate=rate, threshold=high)
        _lines(axes[4], found, rows, "update", style)
    _named(axes[4], f"Algorithm 4, the town, T = {high:g}", "update")
    _styles(axes[4], ("-", "cumulative"), ("--", "per answer"))
    rows = found.of(place="town", rate="cumulative", update=found.crowd.updates)
    _lines(axes[5], found, rows, "threshold", "-")
    _named(axes[5], f"Algorithm 4, the town, update {found.crowd.updates}", "threshold")
    for ax in axes[3:5]:
        ax.set_xticks(range(1, found.crowd.updates + 1))
    axes[1].legend(fontsize=8, frameon=False)
    done = ", interrupted" if found.interrupted else ""
    title = f"safe places not said to be safe, {data}"
    figure.suptitle(f"{title}; bands of 95 %, seed {found.seed}{done}", fontsize=11)
    save(figure, file)


def _crowd(ax: Any, found: MonitorExperiment) -> None:
    """Figure 1: how many places have which count."""
    town = found.crowd
    for counts, colour, label in (
        (town.after_all, BLUE, f"after {town.updates} batches"),
        (town.after_one, RED, f"one batch of {town.batch:,}"),
    ):
        some = [(count, places) for count, places in enumerate(counts) if places]
        ax.plot(*zip(*some, strict=True), "o", ms=4, color=colour, alpha=0.8, label=label)
    ax.set_yscale("log")
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlim(-0.2, 1.5 * len(town.after_all))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.legend(fontsize=8, frameon=False)
    frame(ax, f"{town.places:,} places by count", "count of people at the place", "places")


def _over_updates(ax: Any, found: MonitorExperiment, eps: float, threshold: float) -> None:
    """The three ways to count, for the algorithm that is silent for a while."""
    for rate, colour in (("answer", BLUE), ("update", "#5a9e6f"), ("cumulative", RED)):
        rows = found.of(algorithm=3, count=0, rate=rate, threshold=threshold, eps=eps)
        label = {"answer": "per answer", "update": "at the update, silence included"}
        _line(ax, rows, "update", "-", colour, label.get(rate, rate))
    ax.legend(fontsize=8, frameon=False)
    ax.set_ylim(bottom=0)
    _named(ax, f"Algorithm 3, count 0, T = {threshold:g}, ε = {eps:g}", "update", log=False)


def _lines(ax: Any, found: MonitorExperiment, rows: Sequence[Row], over: str, style: str) -> None:
    for k, eps in enumerate(found.epsilons):
        line = [row for row in rows if row.eps == eps and row.exact >= _LEAST]
        _line(ax, line, over, style, _COLOURS[k % len(_COLOURS)], f"ε = {eps:g}")


def _line(ax: Any, rows: Sequence[Row], over: str, style: str, colour: str, label: str) -> None:
    places = [getattr(row, over) for row in rows]
    ax.plot(places, [row.exact for row in rows], style, color=colour, lw=1.3, label=label)
    seen = [(place, row.found) for place, row in zip(places, rows, strict=True) if row.found.mean]
    if seen:
        ends = [[b.mean - b.low for _, b in seen], [b.high - b.mean for _, b in seen]]
        ax.errorbar(
            [place for place, _ in seen], [b.mean for _, b in seen], yerr=ends,
            fmt="o", ms=3.5, lw=1, capsize=2, color=colour,
        )  # fmt: skip


def _named(ax: Any, title: str, label: str, log: bool = True) -> None:
    ax.axhline(0.01, color="#999999", lw=0.8, ls=":")
    if log:
        ax.set_yscale("log")
        ax.set_ylim(top=1.2)
    ax.xaxis.get_major_locator().set_params(integer=True)
    frame(ax, title, label, "false-negative rate")


def _styles(ax: Any, *styles: tuple[str, str]) -> None:
    handles = [ax.plot([], [], style, color="#444444", lw=1.3, label=n)[0] for style, n in styles]
    ax.legend(handles=handles, fontsize=8, frameon=False)


# The top-k experiment as a picture: errors and accuracy over ε, or over k, with their bands.

#: How lines are drawn, by calibration.
_STYLES = {
    "proved": "-", "measured again": "-.", "monotone": "-", "replacement": "--", "as coded": ":",
}  # fmt: skip

#: Each mechanism is drawn with its best estimate.
_DRAWN = ("debiased", "with gaps")


def draw(found: TopKExperiment, file: Path, data: str) -> None:
    """Draw the experiment; the file is written at once, or not at all.

    The axis is ε if there are as many ε as k, else k; the other one has a row of panels for
    each of its values and each kind of mechanism.

    Raises:
        BadInput: the file cannot be written.
    """
    ks = sorted({row.k for row in found.rows})
    epsilons = sorted({row.eps for row in found.rows})
    over_eps = len(epsilons) >= len(ks)
    kinds = tuple(dict.fromkeys(row.kind for row in found.rows))
    panels = [(kind, value) for value in (ks if over_eps else epsilons) for kind in kinds]
    figure = new_figure(11, 3.3 * len(panels) + 0.4)
    axes = figure.subplots(len(panels), 2, squeeze=False)
    for (kind, value), (left, right) in zip(panels, axes, strict=True):
        rows = [
            row for row in found.rows
            if row.kind == kind and value == (row.k if over_eps else row.eps)
            and row.estimate in _DRAWN
        ]  # fmt: skip
        fixed = f"k = {value}" if over_eps else f"ε = {value:g}"
        _panel(left, rows, over_eps, "mse", f"{kind}, {fixed}", "mean squared error")
        _panel(right, rows, over_eps, "accuracy", f"{kind}, {fixed}", "share of the true top k")
        left.set_yscale("log")
        right.set_ylim(0, 1.02)
        right.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    done = ", interrupted" if found.interrupted else ""
    items = f"{data}: {found.items:,} items"
    title = f"{items}, {found.runs:,} runs, seed {found.seed}{done}; bands of 95 %"
    figure.suptitle(title, fontsize=11)
    save(figure, file)


def _panel(ax: Any, rows: list[TopKRow], over_eps: bool, what: str, title: str, up: str) -> None:
    for name in dict.fromkeys(row.name for row in rows):
        line = [row for row in rows if row.name == name]
        line.sort(key=lambda row: row.eps if over_eps else row.k)
        places = [row.eps if over_eps else row.k for row in line]
        bands = [getattr(row, what) for row in line]
        color = BLUE if line[0].mechanism.startswith("asymmetric") else RED
        calibration, _, raised = line[0].calibration.partition(", ")
        label = f"{line[0].mechanism.partition(' ')[0]}, {line[0].calibration}"
        means = [band.mean for band in bands]
        style, marker = _STYLES[calibration], "^" if raised else "."
        ax.plot(places, means, style, color=color, lw=1.4, marker=marker, ms=5, label=label)
        low, high = [band.low for band in bands], [band.high for band in bands]
        ax.fill_between(places, low, high, color=color, alpha=0.2, lw=0)
    ax.set_xscale("log")
    places = sorted({row.eps if over_eps else row.k for row in rows})
    ax.set_xticks(places, [f"{place:g}" for place in places])
    ax.set_xticks([], minor=True)
    frame(ax, title, "ε, nats" if over_eps else "k", up)
