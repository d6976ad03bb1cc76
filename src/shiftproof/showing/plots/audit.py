"""The pictures of an audit and of brackets: what was found against what is claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...checkers.auditing.evidence.notions import PURE, Notion
from ...checkers.auditing.result import Audit, Tested
from ...checkers.bound import Bracket
from ...dsl.errors import BadInput
from ...estimators.bands import binomial_band
from ..formats.audits import bound_text, condition_text
from .drawing import BLUE, RED, frame, matplotlib, panels

# The picture of an audit: how likely events are on D and on D′, against what ε allows.

#: How many lines are drawn at most, where pairs have an ε of their own.
LINES = 4
_LONGEST = 72
#: How closely the line between what is allowed and what is not is drawn.
_HALVINGS = 30
Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Seen:
    """An event with 95 % intervals of single frequencies (Clopper–Pearson).

    Attributes:
        event: what it is, and how often it came.
        on_left, on_right: the intervals of its probability on D and on D′.
    """

    event: Tested
    on_left: tuple[float, float]
    on_right: tuple[float, float]

    @property
    def log_ratio(self) -> tuple[float, float]:
        """The log of the ratio, between the worst that both intervals allow."""
        low = math.log(self.on_left[0] / self.on_right[1]) if self.on_left[0] else -math.inf
        high = math.log(self.on_left[1] / self.on_right[0]) if self.on_right[0] else math.inf
        return low, high

    def amount(self, notion: Notion) -> tuple[float, float, float]:
        """What the event alone says of ε, or ρ: by its frequencies, and at the intervals' ends."""
        t = self.event
        if notion is PURE:
            return t.log_ratio, *self.log_ratio
        (a, b), (c, d) = self.on_left, self.on_right
        ends = (t.on_left / t.runs, t.on_right / t.runs), (a, d), (b, c)
        seen, low, high = (float(notion.worst(p, q)) if q else math.inf for p, q in ends)
        return seen, low, high


def plot_audit(audit: Audit, *, axes: Any = None) -> Any:
    """Draw the events on which an audit has bet.

    Above: how often each came on D and on D′; above the line p = e^ε q + δ, or what ρ allows, the
    claim is broken.  Below: the log ratio of each in nats, less the δ, or its ρ, beside what is
    claimed and what was shown.  Bars
    are 95 % intervals of single frequencies, for orientation; the verdict is that of the audit.

    Args:
        audit: what :func:`audit` found.
        axes: two axes of matplotlib; a new figure by default.

    Returns:
        The figure of matplotlib.

    Raises:
        BadInput: there are not two axes, or matplotlib is not installed.
    """
    found = [_seen(t) for t in audit.tested if t.runs and t.on_left]
    figure, grid = panels(axes, (2, 1), (5.4, 4.9 + 0.42 * len(found)), (4, 1 + 0.45 * len(found)))
    upper, lower = grid[:, 0]
    broken = audit.verdict == "violation found"
    _frequencies(upper, audit, found, broken)
    _log_ratios(lower, audit, found, broken)
    frame(upper, f"{audit.mechanism}: {audit.verdict}{condition_text(audit)}, {audit.runs:,} runs",
          "probability on D′", "probability on D")  # fmt: skip
    frame(lower, "", _axis(audit), "event")
    return figure


def _frequencies(ax: Any, audit: Audit, found: Sequence[Seen], broken: bool) -> None:
    low = _least(found)
    line = np.geomspace(low, 1, 200)
    for amount, style, name in _lines(audit):
        ax.plot(line, _most(audit.notion, line, amount), style, color="0.35", lw=1.2, label=name)
    labels: dict[tuple[float, float], list[str]] = {}
    for k, seen in reversed(list(enumerate(found))):  # the first one on top
        t, p, q = seen.event, seen.on_left, seen.on_right
        x, y = max(t.on_right / t.runs, low), t.on_left / t.runs
        sideways = [[max(x - max(q[0], low), 0)], [max(q[1] - x, 0)]]
        ax.errorbar(
            x, y, xerr=sideways, yerr=[[y - p[0]], [p[1] - y]], capsize=2, ms=5,
            fmt="o" if t.ideal else "D", color=_colour(k, broken),
        )  # fmt: skip
        near = next((at for at in labels if _close(at, (x, y))), (x, y))
        labels.setdefault(near, []).insert(0, str(k + 1))
    for place, numbers in labels.items():
        text = ", ".join(numbers)
        ax.annotate(text, place, (5, -9), textcoords="offset points", fontsize=8)
    ax.set(xscale="log", yscale="log", xlim=(low, 1.15), ylim=(low, 1.3))
    ax.legend(fontsize=7, loc="lower right", frameon=False)


def _log_ratios(ax: Any, audit: Audit, found: Sequence[Seen], broken: bool) -> None:
    """A bar for each event, open where it never came on D′, and what is allowed."""
    amounts = [seen.amount(audit.notion) for seen in found]
    marks = [0.0, *(epsilon for epsilon, _, _ in _lines(audit))]
    finite = [e for _, *ends in amounts for e in ends if math.isfinite(e)] + marks
    room = 0.08 * (max(finite) - min(finite) or 1.0)
    left, right = min(finite) - room, max(finite) + room
    for k, (seen, (middle, low, high)) in enumerate(zip(found, amounts, strict=True)):
        colour = _colour(k, broken)
        ax.plot([max(low, left), min(high, right)], [k, k], color=colour, lw=2.2,
                solid_capstyle="butt")  # fmt: skip
        if math.isfinite(middle):
            ax.plot([middle], [k], "o" if seen.event.ideal else "D", ms=5,
                    color=colour)  # fmt: skip
        else:
            ax.plot([right], [k], ">", ms=6, color=colour, clip_on=False)
        ax.annotate(
            _short(seen.event), (0, k), (3, 5), xycoords=("axes fraction", "data"),
            textcoords="offset points", fontsize=6.5, parse_math=False, color="#333333",
            bbox={"fc": "white", "ec": "none", "pad": 0.8},
        )  # fmt: skip
        if audit.unit and seen.event.owed is not None:
            ax.plot([seen.event.owed], [k], "|", ms=12, mew=1.5, color="0.35")
    if not audit.unit:
        for epsilon, style, _ in _lines(audit):
            ax.axvline(epsilon, color="0.35", ls=style, lw=1.2, zorder=0)
    ax.set_xlim(left, right)
    ax.set_ylim(len(found) - 0.6, -0.75)
    ax.set_yticks(range(len(found)), [str(k + 1) for k in range(len(found))])


def _close(one: tuple[float, float], two: tuple[float, float]) -> bool:
    """Whether two labels would lie on each other."""
    return all(abs(math.log(a / b)) < 0.3 for a, b in zip(one, two, strict=True))


def _lines(audit: Audit) -> list[tuple[float, str, str]]:
    """Each ε (or ρ) to compare with, its style and its name."""
    if audit.unit:
        owed = dict.fromkeys(t.owed for t in audit.tested if t.owed is not None)
        return [(e, "-", f"owed: ε = {e:.4g}") for e in owed][:LINES] or [(0.0, "-", "ε = 0")]
    found, symbol = [], audit.notion.symbol
    if audit.claim is not None:
        found.append((audit.claim, "-", f"claim: {symbol} = {audit.claim:.4g}"))
    if audit.lower_bound > 0:
        shown = f"shown: {bound_text(audit, audit.lower_bound)}"
        found.append((audit.lower_bound, ":", shown))
    return found or [(0.0, "-", f"{symbol} = 0")]


def _axis(audit: Audit) -> str:
    """What the amounts of events are."""
    if audit.measure == "rho":
        return "ρ of the event alone"
    return "log((P on D − δ) / P on D′), nats" if audit.delta else "log ratio, nats"


def _most(notion: Notion, q: Numbers, amount: float) -> Numbers:
    """The largest probabilities on D that are allowed beside those on D′."""
    low, high = q.copy(), np.ones_like(q)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        kept = notion.worst(middle, q) <= amount
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return low


def _seen(event: Tested) -> Seen:
    left, right = (binomial_band(n, event.runs) for n in (event.on_left, event.on_right))
    return Seen(event, (left.low, left.high), (right.low, right.high))


def _least(found: Sequence[Seen]) -> float:
    """Where the axes of probabilities begin."""
    lowest = min((s.on_right[0] or s.on_right[1] / 10 for s in found), default=2e-3)
    return max(min([lowest, 0.1, *(s.on_left[0] for s in found)]) / 2, 1e-9)


def _colour(k: int, broken: bool) -> str:
    return RED if broken and not k else BLUE


def _short(tested: Tested) -> str:
    text = tested.event
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# The picture of brackets: the proved ε and the found one over a parameter.


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
    across = f"{over}, nats" if over == "eps" else over
    frame(upper, f"{names[0]} (claims {next(iter(found.values())).claimed})", across, "ε, nats")
    frame(lower, "", across, "found / upper, %")
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
