"""A refutation in pictures: both probabilities and what the claim allows, and both densities."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb

from ....checkers.exact.outcomes import Outcome, Real
from ....checkers.exact.ties import OnBoundary
from ....checkers.refuting.comparison import Comparison, candidate_of
from ....checkers.refuting.judge import Judge, Spent
from ....dsl.errors import ShiftproofError
from ....dsl.relations.program import Program

#: At how many places the densities are computed, and how much work that may be.
POINTS, EFFORT = 120, 1500
_WIDTH, _HEIGHT = 340, 170
_LEFT, _BOTTOM = 8, 24

Points = list[tuple[float, float, float]]


def bars(found: Comparison) -> str:
    """How likely the outcome is on D and on D', and the most that the claim allows on D."""
    if found.order:
        return _amounts(found)
    left, right = (float(i.enclosure.low) for i in (found.on_left, found.on_right))
    allowed = right * _exp(float(found.budget.enclosure.low))
    noun = "density" if found.measure.startswith("density") else "probability"
    rows = [
        (f"{noun} on D", left, "one"),
        (f"{noun} on D′", right, "two"),
        ("the most that the claim allows on D", allowed, "limit"),
    ]
    return _rows(rows)


def _amounts(found: Comparison) -> str:
    """The ρ that a divergence takes, and the one that is claimed; empty if none is enough."""
    least = found.least_rho
    if least is None:
        return ""
    claimed = found.budget.enclosure.low / Fraction(found.order)
    return _rows([
        ("the ρ that this pair takes", float(least.low), "one"),
        ("the ρ that is claimed", float(claimed), "limit"),
    ])  # fmt: skip


def _rows(rows: Sequence[tuple[str, float, str]]) -> str:
    largest = max(value for _, value, _ in rows) or 1.0
    shown = "".join(_bar(label, value, value / largest, kind) for label, value, kind in rows)
    return f'<div class="plot bars">{shown}</div>'


def densities(found: Comparison, program: Program) -> str:
    """Both densities as one released number moves; empty if none is released, or it is long."""
    try:
        points, at, place = _curve(found, program)
    except ShiftproofError:
        return ""
    if len(points) < POINTS // 2:
        return ""
    allowed = _exp(float(found.budget.enclosure.low))
    return (
        f'<figure class="plot">{_drawing(points, at, place, allowed)}'
        '<figcaption><span class="key one">on D</span> <span class="key two">on D′</span> '
        '<span class="key limit">allowed on D</span> as released number '
        f"{place} moves and the others stay; the line is the outcome above.</figcaption></figure>"
    )


def _drawing(points: Points, at: float, place: int, allowed: float) -> str:
    """Three curves over one axis, and where the outcome is."""
    low, high = points[0][0], points[-1][0]
    top = 1.1 * max(max(one, two) for _, one, two in points) or 1.0
    base = _HEIGHT - _BOTTOM

    def across(x: float) -> str:
        return f"{_LEFT + (x - low) / (high - low) * (_WIDTH - 2 * _LEFT):.1f}"

    def curve(kind: str, column: int, factor: float) -> str:
        heights = (base * (1 - min(factor * point[column] / top, 1.0)) for point in points)
        spots = " ".join(f"{across(p[0])},{y:.1f}" for p, y in zip(points, heights, strict=True))
        return f'<polyline class="{kind}" points="{spots}"/>'

    ticks = "".join(
        f'<text x="{across(x)}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{x:.4g}</text>'
        for x, anchor in ((low, "start"), (at, "middle"), (high, "end"))
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Densities on D and D′ as released number {place} moves">'
        f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{base}" y2="{base}"/>'
        f'<line class="here" x1="{across(at)}" x2="{across(at)}" y1="0" y2="{base}"/>'
        + curve("limit", 2, allowed) + curve("two", 2, 1.0) + curve("one", 1, 1.0)
        + f"{ticks}</svg>"
    )  # fmt: skip


def _curve(found: Comparison, program: Program) -> tuple[Points, float, int]:
    """Densities around the outcome, along the first number that has one; and where that is."""
    instance, outcome = candidate_of(program, found)
    place = next((k for k, slot in enumerate(outcome.slots) if isinstance(slot, Real)), None)
    if place is None:
        return [], 0.0, 0
    slot = outcome.slots[place]
    assert isinstance(slot, Real)
    judge = Judge(program, effort=EFFORT)
    points: Points = []
    for x in _grid(Fraction(slot.value)):
        moved = replace(slot, value=x)
        there = Outcome(
            (*outcome.slots[:place], moved, *outcome.slots[place + 1 :]), outcome.ending
        )
        try:
            one, two = (
                float(arb(judge.likelihood(instance.base, instance.public, side, there)).mid())
                for side in (instance.left, instance.right)
            )
        except OnBoundary:
            continue  # right at a jump
        except Spent:
            break
        points.append((float(x), one, two))
    return points, float(slot.value), place + 1


def _grid(middle: Fraction) -> Iterator[Fraction]:
    """Places around the outcome, none of them round: densities jump at round ones."""
    reach = max(Fraction(4), abs(middle))
    for k in range(POINTS):
        yield middle - reach + (2 * reach * (2 * k + 1)) / (2 * POINTS) + Fraction(1, 9973)


def _bar(label: str, value: float, share: float, kind: str) -> str:
    return (
        f'<div class="bar"><span class="side">{html.escape(label)}</span>'
        f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{kind}" width="{100 * share:.2f}" height="10"/></svg>'
        f"<span>{value:.4g}</span></div>"
    )


def _exp(power: float) -> float:
    return math.exp(min(power, 700.0))
