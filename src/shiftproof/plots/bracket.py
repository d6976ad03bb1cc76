"""The picture of brackets: the proved ε and the found one over a parameter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..checkers.bound import Bracket
from ..drawing import BLUE, RED, frame, matplotlib, panels
from ..dsl.errors import BadInput


def plot_bracket(brackets: Mapping[float, Bracket], over: str = "eps", *, axes: Any = None) -> Any:
    """Draw between which numbers the true ε lies, for several values of a parameter.

    Above: the proved upper bound, the largest log ratio found, and the band between them; in
    nats.  Below: the lower bound as a share of the upper one; at 100 % the proof is tight.
    Without a proof the upper line is the claimed ε, and no band is drawn.  A log ratio without
    limit is a triangle at the upper line.

    Args:
        brackets: by value of the parameter what :func:`bound` found there, of one mechanism; as
            in ``{eps: bound(m, {"eps": eps}) for eps in (0.5, 1, 2)}``.
        over: what the parameter is called, with its unit.
        axes: two axes of matplotlib; a new figure by default.

    Returns:
        The figure of matplotlib.

    Raises:
        BadInput: there is no bracket, or none with a pair of inputs, they are of several
            mechanisms, or matplotlib is not installed.
    """
    names = sorted({bracket.mechanism for bracket in brackets.values()})
    if len(names) != 1:
        raise BadInput(f"brackets: of {', '.join(names) or 'nothing'}; want those of one mechanism")
    found = {v: b for v, b in sorted(brackets.items()) if b.comparison is not None}
    if not found:
        raise BadInput(f"{names[0]}: no pair of inputs was compared, so there is no bracket")
    figure, grid = panels(axes, (2, 1), (4.4, 4.4), (2, 1))
    upper, lower = grid[:, 0]
    _bounds(upper, found)
    _shares(lower, found)
    upper.sharex(lower)
    if all(isinstance(_value(bracket, over), int) for bracket in found.values()):
        lower.xaxis.set_major_locator(matplotlib("ticker").MaxNLocator(integer=True))
    upper.tick_params(labelbottom=False)
    frame(upper, f"{names[0]} (claims {next(iter(found.values())).claimed})", "", "ε, nats")
    frame(lower, "", f"{over}, nats" if over == "eps" else over, "found / upper, %")
    return figure


def _bounds(ax: Any, found: Mapping[float, Bracket]) -> None:
    """Both bounds, the band between them, and what has no limit."""
    values, upper = list(found), [_upper(b) for b in found.values()]
    proved = all(b.upper is not None for b in found.values())
    label = "proved: ε is at most this" if proved else "claimed, not proved"
    ax.plot(values, upper, "-" if proved else "--", color=BLUE, lw=1.5, marker="o", ms=4,
            label=label)  # fmt: skip
    lower = [_lower(b) for b in found.values()]
    if proved:
        ax.fill_between(values, lower, upper, color=BLUE, alpha=0.15, lw=0)
    ax.plot(values, lower, ":", color=RED, lw=1.5, marker="s", mfc="none", ms=6,
            label="found: ε is at least this")  # fmt: skip
    endless = [(v, _upper(b)) for v, b in found.items() if b.share == math.inf]
    if endless:
        ax.plot(*zip(*endless, strict=True), "^", color=RED, ms=8, label="found: no ε at all")
    ax.set_ylim(bottom=0)
    ax.legend(fontsize=7, frameon=False)


def _shares(ax: Any, found: Mapping[float, Bracket]) -> None:
    """How much of the upper bound is reached."""
    shares = [100 * b.share if math.isfinite(b.share) else math.nan for b in found.values()]
    ax.axhline(100, color="#777777", lw=1, ls="--")
    ax.plot(list(found), shares, ":", color=RED, lw=1.5, marker="s", mfc="none", ms=6)
    for value, bracket in found.items():
        if bracket.tight:
            ax.plot([value], [100], "s", color=RED, ms=6)
    high = max([100.0, *(s for s in shares if math.isfinite(s))])
    ax.set_ylim(0, 1.15 * high)


def _value(bracket: Bracket, name: str) -> object:
    """A public input at which a bracket was computed; ``None`` of an ε, which is a text."""
    assert bracket.comparison is not None
    return bracket.comparison.public.get(name)


def _upper(bracket: Bracket) -> float:
    assert bracket.comparison is not None
    return float(bracket.comparison.budget.enclosure.high)


def _lower(bracket: Bracket) -> float:
    """The log ratio found, at least 0; NaN where it has no limit."""
    found = bracket.epsilon_lower
    if found is None:
        return math.nan
    return max(0.0, float(found.enclosure.low))
