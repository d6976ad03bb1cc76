"""The answers of ``simulate``: what was run, the outcomes, the numbers, a histogram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...dsl.simulation.outcomes import Ending
from ..account import Account, facts_of
from ..report import json_value
from ..summaries.as_json import as_json, atoms_at, histogram
from ..summaries.counts import quantile
from ..summaries.summary import POSITIONS, Simulated, Summary
from ..words import Block, Listing, Section, Table, plural

#: How many outcomes are listed.
LISTED = 15

#: How wide the longest bar is, in characters.
WIDTH = 40

_EIGHTHS = " ▏▎▍▌▋▊▉"
_HEIGHTS = "▁▂▃▄▅▆▇█"


def of_simulation(found: Simulated) -> Account:
    """Many runs of a mechanism on one input; of one run at least."""
    s = found.summary
    runs = plural(s.runs, "run")
    if found.interrupted:
        runs = f"interrupted after {s.runs:,} of {found.samples:,} runs"
    sections = [Section("", tuple(_outcomes(s)))]
    numeric = [k for k, position in enumerate(s.positions) if position.numbers.count]
    if numeric:
        sections.append(Section("", tuple(_positions(s, numeric))))
    if len(numeric) == 1 and s.bins_at(numeric[0]) is not None:
        sections.append(Section("", (Listing(_bars(s, numeric[0])),)))
    return Account(
        found.mechanism,
        runs,
        facts=facts_of(_facts(found)),
        sections=tuple(sections),
        seconds=found.seconds,
        plain=as_json(found),
    )


def _facts(found: Simulated) -> dict[str, str]:
    s = found.summary
    raised, endless = s.endings.get(Ending.RAISED, 0), s.endings.get(Ending.UNFINISHED, 0)
    endings = f"{_of(endless, s.runs)} never end, or took too many steps" if endless else ""
    mean = f"{s.released / s.runs:.6g} on average"
    return {
        "inputs": ", ".join(f"{name} = {_input(value)}" for name, value in found.inputs.items()),
        "seed": str(found.seed),
        "time": f"{found.seconds:.2f} s, {_rate(found.rate)}",
        "raised": f"{_of(raised, s.runs)} ended with an exception" if raised else "",
        "no end": endings,
        "ensure": f"{_of(s.wrong, s.runs)} released something that is wrong"
        if s.wrong is not None
        else "",
        "length": f"{s.shortest:,} to {s.longest:,} values, {mean}"
        if s.shortest != s.longest
        else "",
    }


def _rate(rate: float) -> str:
    return f"{rate / 1e6:.1f} M runs a second" if rate >= 1e5 else f"{rate:,.0f} runs a second"


def _of(count: int, runs: int) -> str:
    return f"{plural(count, 'run')} ({_share(count, runs)})"


def _share(count: int, runs: int) -> str:
    percent = 100 * count / runs
    return f"{percent:.2f} %" if percent >= 0.01 or not count else f"{percent:.1g} %"


def _input(value: Any) -> str:
    if isinstance(value, tuple | list):
        shown = [_input(v) for v in value[:5]]
        more = len(value) - len(shown)
        return f"({', '.join(shown)}{f', … {more:,} more' if more else ''})"
    return str(json_value(value))


def _outcomes(s: Summary) -> Iterator[Block]:
    found = s.table.most_frequent(LISTED)
    rest = len(s.table.counts) - len(found)
    texts = [str(outcome) for outcome, _ in found]
    counts = [count for _, count in found]
    if rest or s.table.others:
        counts.append(s.runs - sum(counts))
        texts.append(f"… {rest:,} other outcomes" if not s.table.others else "… all others")
    shares = [_share(count, s.runs) for count in counts]
    rows = tuple(zip((f"{c:,}" for c in counts), shares, texts, strict=True))
    yield Table(("runs", "share", "outcome"), rows)
    if s.table.others:
        more = f"more than {len(s.table.counts):,} different outcomes"
        yield Listing((f"({more}: the counts are at least these)",))


def _positions(s: Summary, numeric: Sequence[int]) -> Iterator[Block]:
    several = len(numeric) > 1
    shares = (0.5,) if several else (0.05, 0.5, 0.95)
    names = [f"{100 * share:g} %" for share in shares]
    last = "histogram" if several else ""
    head = ("position", "numbers", "mean", "std. dev.", "least", *names, "most", last)
    rows = []
    for k in numeric:
        numbers, bins = s.positions[k].numbers, s.bins_at(k)
        quantiles = [quantile(numbers, bins, share) for share in shares]
        found = (numbers.mean, numbers.deviation, numbers.least, *quantiles, numbers.most)
        shown = ["?" if v is None else f"{v:.6g}" for v in found]
        tail = "  ".join(filter(None, (_line(s, k) if several else "", _else(s, k))))
        rows.append((f"{k + 1}", f"{numbers.count:,}", *shown, tail))
    yield Table(head, tuple(rows))
    if s.longer:
        have = f"{_of(s.longer, s.runs)} {'has' if s.longer == 1 else 'have'}"
        yield Listing((f"(positions after {POSITIONS}, which {have}, are not shown)",))


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


def _line(s: Summary, k: int) -> str:
    """A histogram in one line."""
    numbers, bins = s.positions[k].numbers, s.bins_at(k)
    if bins is None or numbers.places is None:
        return ""
    counts = histogram(numbers, bins)["counts"]
    top = max(*counts, 1)
    return "".join(_HEIGHTS[min(c * 8 // top, 7)] if c else " " for c in counts)


def _bars(s: Summary, k: int) -> tuple[str, ...]:
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
        (label, f"{count:,}", _bar(count / top))
        for label, count in zip(labels, counts, strict=True)
    ]
    rows = rows[0 if counts[0] else 1 : None if counts[-1] else -1]
    wide = [max(len(row[n]) for row in rows) for n in range(2)]
    return tuple(f"{a:>{wide[0]}}  {b:>{wide[1]}}  {c}".rstrip() for a, b, c in rows)


def _bar(share: float) -> str:
    eighths = round(share * WIDTH * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
