"""The experiments on users' own values as pictures: errors over N, and over ε."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..showing.plots.drawing import COLOURS, frame, new_figure, save
from .minimum_results import MinimumExperiment, Series
from .minimum_results import Row as Found
from .reconstruction import ReconstructionExperiment
from .reconstruction import Row as Rebuilt


def draw_minimum(found: MinimumExperiment, file: Path, data: str) -> None:
    """Draw mean errors, with bands from 5 % to 95 % of the runs, and the rates of theory dashed.

    A row of panels for each kind of values, and each end: over N at the middle ε, and over ε at
    the largest N.

    Raises:
        BadInput: the file cannot be written.
    """
    kinds = list(dict.fromkeys((series.data, series.end) for series in found.series))
    epsilons = sorted({row.eps for row in found.rows})
    eps, users = epsilons[len(epsilons) // 2], max(row.users for row in found.rows)
    figure = new_figure(11, 3.5 * len(kinds) + 0.4)
    axes = figure.subplots(len(kinds), 2, squeeze=False)
    for (values, end), (left, right) in zip(kinds, axes, strict=True):
        own = [series for series in found.series if (series.data, series.end) == (values, end)]
        for k, series in enumerate(own):
            at_eps = sorted(found.of(series=series, eps=eps), key=lambda row: row.users)
            at_users = sorted(found.of(series=series, users=users), key=lambda row: row.eps)
            _errors(left, series, at_eps, "users", COLOURS[k % len(COLOURS)])
            _errors(right, series, at_users, "eps", COLOURS[k % len(COLOURS)])
        label = f"distance from the {end}, units of the values"
        frame(left, f"{values}, {end}, ε = {eps:g}", "users N", label)
        frame(right, f"{values}, {end}, N = {users:,}", "ε, nats", label)
        left.legend(fontsize=8, frameon=False)
    _titled(figure, found, f"minimum finding on {data}")
    save(figure, file)


def _errors(ax: Any, series: Series, rows: Sequence[Found], over: str, colour: str) -> None:
    places = [getattr(row, over) for row in rows]
    errors = [row.error for row in rows]
    ax.plot(places, errors, "o-", color=colour, lw=1.3, ms=4, label=series.plan)
    _band(ax, places, rows, colour)
    if series.alpha is not None and all(errors):
        rates = [series.rate(row.users, row.eps) for row in rows]
        # A rate says nothing of the factor: the line is drawn at the mean height of the points.
        level = sum(map(math.log, errors)) - sum(map(math.log, rates))
        factor = math.exp(level / len(rows))
        ax.plot(places, [factor * rate for rate in rates], "--", color=colour, lw=1, alpha=0.7)
    _scaled(ax, over, places)


def draw_reconstruction(found: ReconstructionExperiment, file: Path, data: str) -> None:
    """Draw errors, with bands from 5 % to 95 % of the runs, and the theory of the inverse dashed.

    Over N at the middle ε, and over ε at the largest N.

    Raises:
        BadInput: the file cannot be written.
    """
    epsilons = sorted({row.eps for row in found.rows})
    eps, users = epsilons[len(epsilons) // 2], max(row.users for row in found.rows)
    figure = new_figure(11, 4)
    left, right = figure.subplots(1, 2)
    names = list(dict.fromkeys((row.channel, row.estimate) for row in found.rows))
    for k, name in enumerate(names):
        own = [row for row in found.rows if (row.channel, row.estimate) == name]
        style = "o-" if k % 2 == 0 else "x-"
        colour, label = COLOURS[k // 2], ", ".join(name)
        _distances(left, [r for r in own if r.eps == eps], "users", (style, colour, label))
        _distances(right, [r for r in own if r.users == users], "eps", (style, colour, label))
    frame(left, f"ε = {eps:g}", "users N", "L2 distance from the truth")
    frame(right, f"N = {users:,}", "ε, nats", "L2 distance from the truth")
    left.legend(fontsize=8, frameon=False)
    _titled(figure, found, f"reconstruction of {len(found.truth)} shares of {data}")
    save(figure, file)


def _distances(ax: Any, rows: Sequence[Rebuilt], over: str, look: tuple[str, str, str]) -> None:
    style, colour, label = look
    places = [getattr(row, over) for row in rows]
    ax.plot(places, [row.theory for row in rows], "--", color=colour, lw=1, alpha=0.7)
    ax.plot(places, [row.error for row in rows], style, color=colour, lw=1, ms=5, label=label)
    _band(ax, places, rows, colour)
    _scaled(ax, over, places)


def _scaled(ax: Any, over: str, places: Sequence[float]) -> None:
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    if over == "eps":
        ax.set_xticks(places, [f"{place:g}" for place in places])


def _band(
    ax: Any, places: Sequence[float], rows: Sequence[Found] | Sequence[Rebuilt], colour: str
) -> None:
    low, high = [row.low for row in rows], [row.high for row in rows]
    ax.fill_between(places, low, high, color=colour, alpha=0.12, lw=0)


def _titled(figure: Any, found: MinimumExperiment | ReconstructionExperiment, title: str) -> None:
    done = ", interrupted" if found.interrupted else ""
    runs = f"{found.runs:,} runs, seed {found.seed}{done}"
    figure.suptitle(f"{title}; {runs}; bands from 5 % to 95 %", fontsize=11)
