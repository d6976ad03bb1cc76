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
_WIDTH, _HEIGHT = 340, 200
#: What is left free for the numbers and names of the axes.
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 12, 26, 34
#: About how many ticks an axis has.
_TICKS = 6

Points = list[tuple[float, float, float]]


def bars(found: Comparison) -> str:
    """How likely the outcome is on D and on D', and the most that the claim allows on D."""
    if found.order:
        return _amounts(found)
    left, right = (float(i.enclosure.low) for i in (found.on_left, found.on_right))
    allowed = right * _exp(float(found.budget.enclosure.low))
    rows = [
        (f"{found.measure} on D", left, "one"),
        (f"{found.measure} on D′", right, "two"),
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
        f'<figure class="plot">{_drawing(points, at, place, allowed, found.measure)}'
        '<figcaption><span class="key one">on D</span> <span class="key two">on D′</span> '
        '<span class="key limit">allowed on D</span> as released number '
        f"{place} moves and the others stay.</figcaption></figure>"
    )


def _drawing(points: Points, at: float, place: int, allowed: float, measure: str) -> str:
    """Three curves over one axis, and where the outcome is."""
    low, high = points[0][0], points[-1][0]
    top = 1.1 * max(max(one, two) for _, one, two in points) or 1.0
    base = _HEIGHT - _BOTTOM

    def across(x: float) -> str:
        return f"{_LEFT + (x - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT):.1f}"

    def up(y: float) -> str:
        return f"{base - min(y / top, 9.0) * (base - _TOP):.1f}"

    def curve(kind: str, column: int, factor: float) -> str:
        spots = " ".join(f"{across(p[0])},{up(factor * p[column])}" for p in points)
        return f'<polyline class="{kind}" points="{spots}"/>'

    below = "".join(
        f'<line class="axis" x1="{across(x)}" x2="{across(x)}" y1="{base}" y2="{base + 3}"/>'
        f'<text x="{across(x)}" y="{base + 13}" text-anchor="middle">{_tick(x)}</text>'
        for x in round_numbers(low, high)
    )
    beside = "".join(
        f'<line class="axis" x1="{_LEFT - 3}" x2="{_LEFT}" y1="{up(y)}" y2="{up(y)}"/>'
        f'<text x="{_LEFT - 5}" y="{up(y)}" text-anchor="end" dy="3">{_tick(y)}</text>'
        for y in round_numbers(0.0, top)
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Densities on D and D′ as released number {place} moves">'
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{base}" y2="{base}"/>'
        f'<line class="axis" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{base}"/>'
        f'<line class="here" x1="{across(at)}" x2="{across(at)}" y1="{_TOP}" y2="{base}"/>'
        f'<text x="{across(at)}" y="{_TOP - 4}" text-anchor="middle">outcome {_tick(at)}</text>'
        f'<text x="2" y="9">{html.escape(measure)}</text>'
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">'
        f"released number {place}</text>"
        # A drawing in the drawing: what is allowed may go on above it.
        f'<svg y="{_TOP}" width="{_WIDTH}" height="{base - _TOP + 1}" '
        f'viewBox="0 {_TOP} {_WIDTH} {base - _TOP + 1}">'
        + curve("limit", 2, allowed) + curve("two", 2, 1.0) + curve("one", 1, 1.0)
        + f"</svg>{below}{beside}</svg>"
    )  # fmt: skip


def round_numbers(low: float, high: float) -> list[float]:
    """Where an axis has ticks: multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= rough * (1 - 1e-9))
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _tick(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


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
