"""The picture of an alignment: every draw, where it moves, and what that costs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ...checkers.verdicts import Report
from ...dsl.errors import BadInput
from ...dsl.relations.program import Program
from ...dsl.terms.values import exact
from ...workspace.importing import AnyMechanism
from .aligned_run import AlignedDraw, AlignedRun
from .choosing import alignment_of, chosen_run
from .densities import Floats, log_density, window
from .drawing import BLUE, RED, frame, matplotlib, panels

#: How many draws are drawn if nobody says which.
MOST = 4
#: More integers than these are dots without stems.
_STEMS = 60
_DRAWN, _MOVED = "drawn on D", "moved, for D′"


def plot_alignment(
    subject: AnyMechanism | Report,
    inputs: Mapping[str, Any] | None = None,
    other: Mapping[str, Any] | None = None,
    *,
    noise: Sequence[int | float | Fraction | bool] = (),
    draws: Sequence[int] | None = None,
    seed: int = 0,
    axes: Any = None,
) -> Any:
    """Draw how a proof moves the noise of one run on D to that of the run on D′.

    Above, of each draw: its density (on the integers its probabilities), where the shift takes
    it, and the draw itself with its arrow.  Below: what the shift costs in nats, for every value
    that might have been drawn in its place.

    Args:
        subject: a mechanism, which is verified first, or the report of ``verify``.
        inputs: of D.  With public ones only, or none, two neighbours are chosen on which the
            alignment costs as much of the budget as can be found.
        other: the private inputs that are others on D′.
        noise: the first draws on D; further ones are drawn from their laws, to three digits.
        draws: which ones are drawn, from 1 on; by default those that move, at most :data:`MOST`.
        seed: of what is drawn.
        axes: two rows of axes of matplotlib, a column for each draw; a new figure by default.

    Returns:
        The figure of matplotlib.

    Raises:
        BadInput: the mechanism is not proved by an alignment, D and D′ are no neighbours, the
            noise is not in its support, or matplotlib is not installed.
        LimitReached: the run is too long.
    """
    matplotlib()
    aligned = alignment_of(subject)
    values = [value if isinstance(value, bool) else exact(value) for value in noise]
    run = chosen_run(aligned, inputs or {}, other or {}, values, seed)
    places = _places(run, draws)
    figure, grid = panels(axes, (2, len(places)), (0.6 + 3.1 * len(places), 4.6), (3, 2))
    for k, (upper, lower) in zip(places, grid.T, strict=True):
        draw = run.draws[k]
        found = pieces_of(draw)
        _density(upper, draw, found, f"draw {k + 1} of {len(run.draws)}")
        _cost(lower, draw, found, run.budget)
        upper.sharex(lower)
        upper.tick_params(labelbottom=False)
    grid[0, 0].legend(fontsize=7, frameon=False)
    if axes is None:
        figure.suptitle(_heading(aligned.program, run, 34 + 42 * len(places)), fontsize=9.5,
                        parse_math=False)  # fmt: skip
    return figure


def _places(run: AlignedRun, draws: Sequence[int] | None) -> list[int]:
    count = len(run.draws)
    if draws is not None:
        for k in draws:
            if not 1 <= k <= count:
                raise BadInput(f"draws: got {k}; this run has {count}, counted from 1")
        if draws:
            return [k - 1 for k in draws]
    if not count:
        raise BadInput("this run draws no noise; choose other inputs")
    if count <= MOST:
        return list(range(count))
    moved = [k for k, draw in enumerate(run.draws) if draw.moved != draw.value]
    return (moved or list(range(count)))[:MOST]


def _density(ax: Any, draw: AlignedDraw, found: Sequence[Piece], which: str) -> None:
    """The law, where it moves, and the draw with its arrow."""
    if draw.law.lattice == "reals":
        _curves(ax, draw, found)
    else:
        _points(ax, found)
    place = int(np.argmin([np.abs(p.at - float(draw.value)).min() for p in found]))
    here = np.interp(float(draw.value), found[place].at, found[place].density)
    there = here * np.exp(-draw.log_ratio)
    x, y = float(draw.value), float(draw.moved)
    ax.plot([x], [here], "o", ms=6, color=BLUE, zorder=5)
    if x != y:
        ax.plot([y, y], [here, there], ":", color="#444444", lw=1, zorder=4)
        ax.plot([y], [there], "o", ms=6, color=RED, zorder=5)
        ax.annotate(
            "", (y, here), (x, here), zorder=6,
            arrowprops={"arrowstyle": "-|>", "color": "#222222", "lw": 1.4, "shrinkA": 3},
        )  # fmt: skip
    ax.set_ylim(bottom=0)
    law = f"{draw.name} = {_law(draw)}, {which}"
    up = "density" if draw.law.lattice == "reals" else "probability"
    ends: list[object] = [draw.value, draw.moved]
    if draw.law.lattice == "booleans":
        ends = [bool(end) for end in ends]
    moves = " → ".join(map(shown, ends))
    frame(ax, f"{law}\n{moves}, cost {shown(draw.log_ratio)}", "value drawn", up, 8.5)


def _curves(ax: Any, draw: AlignedDraw, found: Sequence[Piece]) -> None:
    """The density, and its pieces where they move to, each with its edges."""
    first, last = found[0].at[0], found[-1].at[-1]
    goes_on = {end for end in (first, last) if _ends_not(draw, end, first, last)}

    def edged(at: Floats, density: Floats) -> tuple[Floats, Floats]:
        left, right = at[0] not in goes_on, at[-1] not in goes_on
        xs = np.r_[at[:1] if left else [], at, at[-1:] if right else []]
        return xs, np.r_[[0.0] if left else [], density, [0.0] if right else []]

    xs, ys = edged(*(np.concatenate(part) for part in zip(
        *((piece.at, piece.density) for piece in found), strict=True
    )))  # fmt: skip
    ax.fill_between(xs, ys, color=BLUE, alpha=0.14, lw=0)
    ax.plot(xs, ys, color=BLUE, lw=1.5, label=_DRAWN)
    for k, piece in enumerate(found):
        xs, ys = edged(piece.at, piece.density)
        ax.plot(xs + piece.shift, ys, "--", color=RED, lw=1.3, label=None if k else _MOVED)


def _ends_not(draw: AlignedDraw, end: float, first: float, last: float) -> bool:
    """Whether the law goes on beyond an end of what is drawn."""
    beyond = end + (1e-6 if end == last else -1e-6) * (last - first)
    return bool(np.isfinite(log_density(draw.law, beyond)))


def _points(ax: Any, found: Sequence[Piece]) -> None:
    at = np.concatenate([piece.at for piece in found])
    moved = at + [piece.shift for piece in found]
    mass = np.concatenate([piece.density for piece in found])
    stems = len(at) <= _STEMS
    if stems:
        ax.vlines(at, 0, mass, color=BLUE, lw=4, alpha=0.3)
        ax.vlines(moved, 0, mass, color=RED, lw=1.1, ls="--")
    size = 4.5 if stems else 1.5
    ax.plot(at, mass, "o", ms=size, color=BLUE, label=_DRAWN)
    ax.plot(moved, mass, "D", ms=size, mfc="white", color=RED, label=_MOVED)


def _cost(ax: Any, draw: AlignedDraw, found: Sequence[Piece], budget: float) -> None:
    """What the shift costs, for each draw that might have been."""
    whole = draw.law.lattice != "reals"
    for piece in found:
        ax.plot(piece.at, piece.log_ratio, "." if whole else "-", color=BLUE, lw=1.5, ms=5)
    for before, after in pairwise(found):
        if not whole:
            ends = [before.log_ratio[-1], after.log_ratio[0]]
            ax.plot([after.at[0]] * 2, ends, ":", color=BLUE, lw=1)
    ax.axhline(budget, color="#777777", lw=1, ls="--")
    ax.annotate(
        f"budget {shown(budget)}", (1, budget), (0, 2), fontsize=7, color="#555555", ha="right",
        xycoords=("axes fraction", "data"), textcoords="offset points",
    )  # fmt: skip
    ax.axhline(0, color="#bbbbbb", lw=0.8)
    ax.plot([float(draw.value)], [draw.log_ratio], "o", ms=6, color=BLUE, zorder=5)
    ax.margins(y=0.15)
    frame(ax, "", "value drawn", "cost, nats")
    if draw.law.lattice == "booleans":
        ax.set_xticks([0, 1], ["False", "True"])
        ax.set_xlim(-0.5, 1.6)
    elif whole:
        ax.xaxis.get_major_locator().set_params(integer=True)


def _law(draw: AlignedDraw) -> str:
    values = (shown(draw.law.as_fraction(k)) for k in range(len(draw.law.values)))
    return f"{type(draw.law).__name__}({', '.join(values)})"


def _heading(program: Program, run: AlignedRun, width: int) -> str:
    """What was run, what both released, and what it cost."""
    left, right = run.example.left, run.example.right
    kinds = program.inputs
    public = ", ".join(f"{n} = {shown(left[n])}" for n in left if kinds[n].public)
    sides = (
        f"{name}: {', '.join(f'{n} = {shown(side[n])}' for n in side if not kinds[n].public)}"
        for name, side in (("D", left), ("D′", right))
    )
    lines = [
        f"{program.name}: cost {shown(run.cost)} of {shown(run.budget)} nats",
        "  ·  ".join([*sides, *([public] if public else [])]),
        f"both release {shown(run.released[0] if len(run.released) == 1 else run.released)}",
    ]
    return "\n".join(textwrap.shorten(line, width, placeholder=" …") for line in lines)


def shown(value: object) -> str:
    """A value as short as it can be: 1.5 for 3/2."""
    if isinstance(value, tuple):
        return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
    text = f"{float(value):.4g}" if isinstance(value, Fraction | float) else str(value)
    return text if isinstance(value, str) else text.replace("-", "−")


# A shift as a function of the draw: on the reals a step function, on the integers points.

#: In how many places a shift is looked at, on the reals and on the integers.
_PLACES = 240
#: How often the place of a jump is halved.
_HALVINGS = 24
#: From how many points a curve is drawn.
_POINTS = 800


@dataclass(frozen=True, slots=True)
class Piece:
    """Draws that are shifted by the same: an interval, or one integer.

    Attributes:
        at: the draws, ascending; shape (n,).
        shift: by how much each moves.
        density: how dense they are drawn; shape (n,).
        log_ratio: what the shift costs there in nats, NaN outside of the support; shape (n,).
    """

    at: Floats
    shift: float
    density: Floats
    log_ratio: Floats


def span_of(draw: AlignedDraw) -> tuple[float, float]:
    """The interval that is drawn: most of the law, the draw, and where it moves."""
    low, high = window(draw.law)
    ends = [float(draw.value), float(draw.moved)]
    low, high = min(low, *ends), max(high, *ends)
    whole = draw.law.lattice != "reals"
    return (math.floor(low), math.ceil(high)) if whole else (low, high)


def pieces_of(draw: AlignedDraw) -> list[Piece]:
    """All that moves alike, from left to right."""
    low, high = map(Fraction, span_of(draw))
    if draw.law.lattice != "reals":
        step = math.ceil((high - low + 1) / (2 * _PLACES))
        places = sorted({*range(int(low), int(high) + 1, step), int(draw.value)})
        points = [(np.array([float(x)]), float(draw.shift(Fraction(x)))) for x in places]
        return [_piece(draw, at, shift) for at, shift in points if _drawn(draw, at)]
    grid = [low + (high - low) * k / _PLACES for k in range(_PLACES + 1)]
    shifts = [draw.shift(x) for x in grid]
    found, begun = [], float(low)
    for k, shift in enumerate(shifts):
        last = k == _PLACES
        if last or shift != shifts[k + 1]:
            end = float(high) if last else _jump(draw, grid[k], grid[k + 1])
            at = _within(draw, np.linspace(begun, end, _POINTS))
            if len(at):
                found.append(_piece(draw, at, float(shift)))
            begun = end
    return found


def _jump(draw: AlignedDraw, low: Fraction, high: Fraction) -> float:
    """Where between two draws the shift changes."""
    here = draw.shift(low)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if draw.shift(middle) == here:
            low = middle
        else:
            high = middle
    return float(high)


def _within(draw: AlignedDraw, at: Floats) -> Floats:
    """Those that can be drawn, up to the ends of the support."""
    low, high = window(draw.law)
    if _drawn(draw, np.array([low - 1.0])):
        low = -math.inf
    if _drawn(draw, np.array([high + 1.0])):
        high = math.inf
    return np.unique(np.clip(at, low, high)) if at[-1] > low and at[0] < high else at[:0]


def _drawn(draw: AlignedDraw, at: Floats) -> bool:
    return bool(np.isfinite(log_density(draw.law, at)).all())


def _piece(draw: AlignedDraw, at: Floats, shift: float) -> Piece:
    here, there = log_density(draw.law, at), log_density(draw.law, at + shift)
    ratio = np.where(np.isfinite(here) & np.isfinite(there), here, np.nan) - np.where(
        np.isfinite(there), there, 0.0
    )
    return Piece(at, shift, np.exp(here), ratio)
