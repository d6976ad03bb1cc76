"""An audit as a picture: how likely events are on D and on D', against the line of the claim."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from ..checkers.auditing.result import Audit, Tested
from ..drawing import BLUE, RED, new_figure, save

#: How many lines are drawn at most, where pairs have an ε of their own.
LINES = 4


def draw(audit: Audit, file: Path) -> None:
    """Draw the events: above the line p = e^ε q of its pair the claim is broken.

    Bars are 95 % intervals of single frequencies (Clopper-Pearson); they are for orientation,
    the verdict is that of the whole audit.

    Raises:
        BadInput: the file cannot be written.
    """
    figure = new_figure(6.4, 5.4)
    ax = figure.subplots()
    tested = [t for t in audit.tested if t.runs and t.on_left]
    intervals = [(_interval(t.on_right, t.runs), _interval(t.on_left, t.runs)) for t in tested]
    lowest = min((q[0] or q[1] / 10 for q, _ in intervals), default=1e-3)
    low = max(min(lowest, *(p[0] for _, p in intervals), 0.1) / 2, 1e-9) if tested else 1e-3
    line: Any = importlib.import_module("numpy").geomspace(low, 1, 200)
    for slope, style, name in _lines(audit):
        ax.plot(line, (line * slope).clip(max=1), style, color="0.35", lw=1.2, label=name)
    for k, (t, (q, p)) in enumerate(zip(tested, intervals, strict=True)):
        color = RED if not k and audit.verdict == "violation found" else BLUE
        x = max(t.on_right / t.runs, low)
        y = t.on_left / t.runs
        sideways = [[max(x - max(q[0], low), 0)], [max(q[1] - x, 0)]]
        upright, mark = [[y - p[0]], [p[1] - y]], "o" if t.ideal else "D"
        ax.errorbar(
            x, y, xerr=sideways, yerr=upright, fmt=mark, color=color, ms=5, capsize=2,
            label=_short(t),
        )  # fmt: skip
    ax.set(xscale="log", yscale="log", xlim=(low, 1.15), ylim=(low, 1.3))
    ax.set_xlabel("probability on D′")
    ax.set_ylabel("probability on D")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=7, loc="lower right", frameon=False)
    ax.set_title(f"{audit.mechanism}: {audit.verdict}, {audit.runs:,} runs", fontsize=10)
    save(figure, file)


def _lines(audit: Audit) -> list[tuple[float, str, str]]:
    numpy: Any = importlib.import_module("numpy")
    found = []
    if audit.unit:
        owed = dict.fromkeys(t.owed for t in audit.tested if t.owed is not None)
        return [(float(numpy.exp(min(e, 600))), "-", f"owed: ε = {e:.4g}") for e in owed][:LINES]
    if audit.claim is not None:
        found.append((float(numpy.exp(audit.claim)), "-", f"claim: ε = {audit.claim:.4g}"))
    if audit.lower_bound > 0:
        bound = f"shown: ε ≥ {audit.lower_bound:.3f}"
        found.append((float(numpy.exp(audit.lower_bound)), ":", bound))
    return found or [(1.0, "-", "ε = 0")]


def _interval(count: int, runs: int) -> tuple[float, float]:
    binomial: Any = importlib.import_module("scipy.stats").binomtest(count, runs)
    found = binomial.proportion_ci(0.95, "exact")
    return float(found.low), float(found.high)


def _short(tested: Tested) -> str:
    text = tested.event.replace("$", r"\$")
    return text if len(text) <= 60 else f"{text[:59]}…"
