"""The top-k experiment as a picture: errors and accuracy over ε, or over k, with their bands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..drawing import BLUE, RED, frame, new_figure, save
from .results import Row, TopKExperiment

#: How lines are drawn, by calibration.
_STYLES = {
    "proved": "-", "measured again": "-.", "monotone": "-", "replacement": "--", "as coded": ":",
}  # fmt: skip

#: Each mechanism is drawn with its best estimate.
_DRAWN = ("debiased", "with gaps")


def draw(found: TopKExperiment, file: Path) -> None:
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
        _panel(left, rows, over_eps, "mse", f"{kind}, {fixed}: mean squared error")
        _panel(right, rows, over_eps, "accuracy", f"{kind}, {fixed}: share of the true top k")
        left.set_yscale("log")
        right.set_ylim(0, 1.02)
        right.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    done = ", interrupted" if found.interrupted else ""
    title = f"{found.items:,} items, {found.runs:,} runs, seed {found.seed}{done}; bands of 95 %"
    figure.suptitle(title, fontsize=11)
    save(figure, file)


def _panel(ax: Any, rows: list[Row], over_eps: bool, what: str, title: str) -> None:
    for name in dict.fromkeys(row.name for row in rows):
        line = [row for row in rows if row.name == name]
        line.sort(key=lambda row: row.eps if over_eps else row.k)
        places = [row.eps if over_eps else row.k for row in line]
        bands = [getattr(row, what) for row in line]
        color = BLUE if line[0].mechanism.startswith("asymmetric") else RED
        style = _STYLES[line[0].calibration]
        label = f"{line[0].mechanism.partition(' ')[0]}, {line[0].calibration}"
        means = [band.mean for band in bands]
        ax.plot(places, means, style, color=color, lw=1.4, marker=".", ms=5, label=label)
        low, high = [band.low for band in bands], [band.high for band in bands]
        ax.fill_between(places, low, high, color=color, alpha=0.2, lw=0)
    ax.set_xscale("log")
    places = sorted({row.eps if over_eps else row.k for row in rows})
    ax.set_xticks(places, [f"{place:g}" for place in places])
    ax.set_xticks([], minor=True)
    frame(ax, title, "ε" if over_eps else "k", "")
