"""A simulation as a picture: bars for the outcomes, a histogram for each position with numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..plots.drawing import BLUE, frame, new_figure, save
from .as_json import histogram
from .summary import Simulated, Summary

#: How many outcomes and how many positions are drawn, at most.
OUTCOMES, HISTOGRAMS = 12, 4


def draw(account: Simulated, file: Path) -> None:
    """Draw the simulation; the file is written at once, or not at all.

    Raises:
        BadInput: the file cannot be written.
    """
    s = account.summary
    numeric = [
        k for k, p in enumerate(s.positions) if p.numbers.count and s.bins_at(k) is not None
    ][:HISTOGRAMS]
    several = len(s.table.counts) > 1 and not s.table.others
    panels = len(numeric) + several or 1
    columns = min(panels, 2)
    rows = -(-panels // columns)
    figure = new_figure(5.2 * columns + 0.4, 3.4 * rows + 0.5)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for unused in axes[panels:]:
        unused.set_axis_off()
    if several or not numeric:
        _outcomes(axes.pop(0), s)
    for k, ax in zip(numeric, axes, strict=False):
        _histogram(ax, s, k, len(s.positions) > 1)
    runs = f"{s.runs:,} of {account.samples:,}" if account.interrupted else f"{s.runs:,}"
    figure.suptitle(f"{account.mechanism}: {runs} runs, seed {account.seed}", fontsize=11)
    save(figure, file)


def _outcomes(ax: Any, s: Summary) -> None:
    found = s.table.most_frequent(OUTCOMES)
    # A $ would begin a formula.
    names = [_short(str(outcome)).replace("$", r"\$") for outcome, _ in found]
    counts = [count for _, count in found]
    if sum(counts) < s.runs:
        names.append("all others")
        counts.append(s.runs - sum(counts))
    places = range(len(counts))
    ax.barh(places, [100 * count / s.runs for count in counts], color=BLUE)
    ax.set_yticks(places, names, fontsize=8)
    ax.invert_yaxis()
    frame(ax, "", "share of the runs, %", "outcome")


def _short(text: str) -> str:
    return text if len(text) <= 34 else f"{text[:33]}…"


def _histogram(ax: Any, s: Summary, k: int, several: bool) -> None:
    bins = s.bins_at(k)
    assert bins is not None
    numbers = s.positions[k].numbers
    found = histogram(numbers, bins)
    shares = [100 * count / s.runs for count in found["counts"]]
    shift = 0.5 if bins.whole and bins.width == 1 else 0.0
    lefts = [limit - shift for limit in found["limits"][:-1]]
    ax.bar(lefts, shares, width=bins.width, align="edge", color=BLUE, edgecolor="white", lw=0.5)
    if bins.whole:
        ax.xaxis.get_major_locator().set_params(integer=True)
    outside = found["below"] + found["above"]
    more = f" ({outside:,} outside)" if outside else ""
    title = f"number at position {k + 1}{more}" if several else f"number{more}"
    frame(ax, "", title, "share of the runs, %")
