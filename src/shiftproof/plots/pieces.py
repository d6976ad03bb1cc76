"""A shift as a function of the draw: on the reals a step function, on the integers points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .aligned_run import AlignedDraw
from .densities import Floats, log_density, window

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
