"""A simulation for people: what was run, the outcomes, the numbers, a histogram."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ...dsl.simulation.outcomes import Ending
from ..report import json_value
from .as_json import atoms_at, histogram
from .counts import CountedOutcome, quantile
from .summary import POSITIONS, Simulated, Summary

#: How many outcomes are listed, and how many values of one.
LISTED, VALUES = 15, 6

#: How wide the longest bar is, in characters.
WIDTH = 40

_EIGHTHS = " ▏▎▍▌▋▊▉"
_HEIGHTS = {True: "▁▂▃▄▅▆▇█", False: "_.:-=+*#"}


def as_text(account: Simulated, unicode: bool = True) -> str:
    """The simulation, in lines of at most about 100 characters.

    Args:
        account: of one run at least.
        unicode: whether the output can hold more than ASCII; the inputs and what is released may
            hold more all the same.
    """
    s = account.summary
    parts = [_head(account), _outcomes(s)]
    numeric = [k for k, position in enumerate(s.positions) if position.numbers.count]
    if numeric:
        parts.append(_positions(s, numeric, unicode))
    if len(numeric) == 1 and s.bins_at(numeric[0]) is not None:
        parts.append(_bars(s, numeric[0], unicode))
    text = "\n\n".join("\n".join(lines) for lines in parts)
    return text if unicode else text.replace("…", "...").replace("×", "x").replace("≥", ">=")


def _head(account: Simulated) -> list[str]:
    s = account.summary
    if account.interrupted:
        done = f"interrupted after {s.runs:,} of {account.samples:,} runs"
    else:
        done = f"{s.runs:,} {'run' if s.runs == 1 else 'runs'}"
    inputs = ", ".join(f"{name} = {_input(value)}" for name, value in account.inputs.items())
    lines = [
        f"{account.mechanism}: {done}",
        f"  inputs  {inputs}",
        f"  seed    {account.seed}",
        f"  time    {account.seconds:.2f} s, {rate_text(account.rate)}",
    ]
    raised, endless = s.endings.get(Ending.RAISED, 0), s.endings.get(Ending.UNFINISHED, 0)
    if raised:
        lines.append(f"  raised  {_of(raised, s.runs)} ended with an exception")
    if endless:
        lines.append(f"  endless {_of(endless, s.runs)} never end, or took too many steps")
    if s.wrong is not None:
        lines.append(f"  ensure  {_of(s.wrong, s.runs)} released something that is wrong")
    if s.shortest != s.longest:
        mean = s.released / s.runs
        lines.append(f"  length  {s.shortest:,} to {s.longest:,} values, {mean:.6g} on average")
    return lines


def rate_text(rate: float) -> str:
    """Runs a second, for people."""
    return f"{rate / 1e6:.1f} M runs a second" if rate >= 1e5 else f"{rate:,.0f} runs a second"


def _of(count: int, runs: int) -> str:
    return f"{count:,} {'run' if count == 1 else 'runs'} ({_share(count, runs)})"


def _share(count: int, runs: int) -> str:
    percent = 100 * count / runs
    return f"{percent:.2f} %" if percent >= 0.01 or not count else f"{percent:.1g} %"


def _input(value: Any) -> str:
    if isinstance(value, tuple | list):
        shown = [_input(v) for v in value[:5]]
        more = len(value) - len(shown)
        return f"({', '.join(shown)}{f', … {more:,} more' if more else ''})"
    return str(json_value(value))


def _outcomes(s: Summary) -> list[str]:
    found = s.table.most_frequent(LISTED)
    rest = len(s.table.counts) - len(found)
    texts = [outcome_text(outcome) for outcome, _ in found]
    counts = [count for _, count in found]
    if rest or s.table.others:
        counts.append(s.runs - sum(counts))
        texts.append(f"… {rest:,} other outcomes" if not s.table.others else "… all others")
    shares = [_share(count, s.runs) for count in counts]
    rows = [("runs", "share", "outcome")]
    rows += list(zip((f"{c:,}" for c in counts), shares, texts, strict=True))
    wide = [max(len(row[k]) for row in rows) for k in range(2)]
    lines = [f"{a:>{wide[0]}}  {b:>{wide[1]}}  {c}" for a, b, c in rows]
    if s.table.others:
        lines.append(
            f"(more than {len(s.table.counts):,} different outcomes: the counts are at least these)"
        )
    return lines


def outcome_text(outcome: CountedOutcome) -> str:
    """An outcome for people."""
    values: list[str] = []
    shown = 0
    for text, same in groupby(map(repr, outcome.values)):
        if len(values) == VALUES:
            break
        times = len(list(same))
        values.append(f"{times} × {text}" if times > 3 else ", ".join([text] * times))
        shown += times
    if outcome.length > shown:
        values.append(f"… {outcome.length - shown:,} more")
    text = ", ".join(values) or "(nothing)"
    how = {Ending.RAISED: "then an exception", Ending.UNFINISHED: "then no end"}
    return f"{text}, {how[outcome.ending]}" if outcome.ending in how else text


def _positions(s: Summary, numeric: Sequence[int], unicode: bool) -> list[str]:
    several = len(numeric) > 1
    shares = (0.5,) if several else (0.05, 0.5, 0.95)
    names = [f"{100 * share:g} %" for share in shares]
    rows = [["position", "numbers", "mean", "std. dev.", "least", *names, "most"]]
    tails = ["histogram" if several else ""]
    for k in numeric:
        numbers, bins = s.positions[k].numbers, s.bins_at(k)
        quantiles = [quantile(numbers, bins, share) for share in shares]
        found = (numbers.mean, numbers.deviation, numbers.least, *quantiles, numbers.most)
        shown = ["?" if v is None else f"{v:.6g}" for v in found]
        rows.append([f"{k + 1}", f"{numbers.count:,}", *shown])
        tails.append(
            "  ".join(filter(None, (_line(s, k, unicode) if several else "", _else(s, k))))
        )
    wide = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join([*(f"{text:>{w}}" for text, w in zip(row, wide, strict=True)), tail]).rstrip()
        for row, tail in zip(rows, tails, strict=True)
    ]
    if s.longer:
        have = "has" if s.longer == 1 else "have"
        lines.append(
            f"(positions after {POSITIONS}, which {_of(s.longer, s.runs)} {have}, are not shown)"
        )
    return lines


def _else(s: Summary, k: int) -> str:
    """What else the runs released at a position."""
    position = s.positions[k]
    runs = sum(position.codes.values())
    parts = [
        f"{_share(count, runs)} {value!r}" for value, count in atoms_at(position, s.table.atoms)[:3]
    ]
    if position.numbers.special:
        parts.append(f"{_share(position.numbers.special, runs)} not finite")
    return ", ".join(parts)


def _line(s: Summary, k: int, unicode: bool) -> str:
    """A histogram in one line."""
    numbers, bins = s.positions[k].numbers, s.bins_at(k)
    if bins is None or numbers.places is None:
        return ""
    counts = histogram(numbers, bins)["counts"]
    heights = _HEIGHTS[unicode]
    top = max(*counts, 1)
    return "".join(heights[min(c * len(heights) // top, 7)] if c else " " for c in counts)


def _bars(s: Summary, k: int, unicode: bool) -> list[str]:
    """A histogram with a bar a line."""
    bins = s.bins_at(k)
    assert bins is not None
    found = histogram(s.positions[k].numbers, bins)
    digits = max(bins.digits, 0)
    limits = [f"{limit:.{digits}f}" for limit in found["limits"]]
    # A bar of whole numbers is called by the first and the last of them.
    last = [
        limit if not bins.whole else f"{high - 1:.0f}"
        for limit, high in zip(limits, found["limits"], strict=True)
    ]
    labels = [
        low if low == high else f"{low} to {high}"
        for low, high in zip(limits[:-1], last[1:], strict=True)
    ]
    counts = [found["below"], *found["counts"], found["above"]]
    labels = [f"< {limits[0]}", *labels, f"≥ {limits[-1]}"]
    top = max(counts)
    rows = [
        (label, f"{count:,}", _bar(count / top, unicode))
        for label, count in zip(labels, counts, strict=True)
    ]
    rows = rows[0 if counts[0] else 1 : None if counts[-1] else -1]
    wide = [max(len(row[n]) for row in rows) for n in range(2)]
    return [f"{a:>{wide[0]}}  {b:>{wide[1]}}  {c}".rstrip() for a, b, c in rows]


def _bar(share: float, unicode: bool) -> str:
    if not unicode:
        return "#" * round(share * WIDTH)
    eighths = round(share * WIDTH * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
