"""What the monitoring experiments have found, as rows, as CSV, as JSON and as tables."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import Any

from .monitor_rates import Row
from .trajectories import clock


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people and places of the town that was monitored.

    Attributes:
        people: how many there are in all.
        places: how many.
        listed: whether the list of places was given with the trajectories.
        time: the designated one, in minutes.
        updates: how many batches come.
        batch: how many people are in a batch.
        after_one: at index c, how many places have the count c after the first batch of the
            first run.
        after_all: the same after its last batch.
    """

    people: int
    places: int
    listed: bool
    time: float
    updates: int
    batch: int
    after_one: tuple[int, ...]
    after_all: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MonitorExperiment:
    """The monitoring experiments.

    Attributes:
        crowd: the town.
        epsilons: in nats, ascending.
        thresholds: ascending.
        runs: how many for each count.
        town_runs: how many for the town.
        seed: of everything.
        rows: the rates.
        interrupted: whether some rows are missing.
    """

    crowd: Crowd
    epsilons: tuple[float, ...]
    thresholds: tuple[float, ...]
    runs: int
    town_runs: int
    seed: int
    rows: tuple[Row, ...]
    interrupted: bool = False

    def of(self, **wanted: Any) -> tuple[Row, ...]:
        """The rows whose attributes are these, as in ``of(algorithm=3, update=1)``."""
        return tuple(r for r in self.rows if all(getattr(r, n) == v for n, v in wanted.items()))

    def as_csv(self) -> str:
        """One line a row; what does not apply is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows([row.flat()[column] for column in _COLUMNS] for row in self.rows)
        return text.getvalue()

    def as_json(self) -> dict[str, Any]:
        """The same as plain values, with what the town is like."""
        crowd = {name: getattr(self.crowd, name) for name in _CROWD}
        return {
            "town": {n: list(v) if isinstance(v, tuple) else v for n, v in crowd.items()},
            "eps": list(self.epsilons),
            "thresholds": list(self.thresholds),
            "runs": self.runs,
            "town_runs": self.town_runs,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "rows": [row.flat() for row in self.rows],
        }

    def as_text(self, unicode: bool = True) -> str:
        """Tables of false-negative rates: exact, and simulated ± the farther end of its band."""
        parts = ["\n".join(_head(self))]
        for t in self.thresholds:
            rows = self.of(algorithm=3, update=1, rate="answer", threshold=t)
            parts.append(_table(f"Algorithm 3, one update, T = {t:g}", "count", rows))
        # At a fixed count the rate per answer stays what it is at the first update.
        for algorithm, rates in ((3, ("update", "cumulative")), (4, ("cumulative",))):
            for t in self.thresholds:
                rows = self.of(algorithm=algorithm, count=0, threshold=t)
                title = f"Algorithm {algorithm}, over updates, count 0, T = {t:g}"
                parts += [_by_rate(title, rows, rate) for rate in rates]
        for t in self.thresholds:
            rows = self.of(place="town", threshold=t)
            title = f"Algorithm 4, all safe places of the town, T = {t:g}"
            parts += [_by_rate(title, rows, rate) for rate in ("answer", "cumulative")]
        last = self.of(place="town", rate="cumulative", update=self.crowd.updates)
        title = f"Algorithm 4, all safe places of the town, update {self.crowd.updates}, cumulative"
        parts.append(_table(title, "threshold", last))
        text = "\n\n".join(filter(None, parts))
        return text if unicode else text.replace("ε", "eps").replace("±", "+-")


_CROWD = (
    "people", "places", "listed", "time", "updates", "batch", "after_one", "after_all",
)  # fmt: skip
_COLUMNS = (
    "algorithm", "place", "eps", "threshold", "count", "update", "rate", "exact", "simulated",
    "low", "high", "runs",
)  # fmt: skip


def _head(found: MonitorExperiment) -> list[str]:
    town = found.crowd
    done = " (interrupted)" if found.interrupted else ""
    listed = "" if town.listed else ", those where somebody was"
    empty = town.after_one[0], town.after_all[0]
    return [
        f"monitors: false-negative rates, seed {found.seed}{done}",
        "  columns    ε: the exact rate; ±: the farther end of the simulated one's 95 % band",
        f"  one place  {found.runs:,} runs for each count",
        f"  town       {town.people:,} people, {town.places:,} places{listed}; at minute "
        f"{town.time:g} ({clock(town.time)})",
        f"             {found.town_runs:,} runs, {town.updates} batches of {town.batch:,} people",
        f"             places without a visitor: {empty[0]:,} after one batch, {empty[1]:,} after "
        f"all; largest count: {len(town.after_one) - 1:,}, {len(town.after_all) - 1:,}",
    ]


def _by_rate(title: str, rows: tuple[Row, ...], rate: str) -> str:
    return _table(f"{title}, {_WORDS[rate]}", "update", tuple(r for r in rows if r.rate == rate))


#: How rates are called in tables.
_WORDS = {
    "answer": "wrong alarms per answer",
    "update": "not said to be safe at the update",
    "cumulative": "cumulative",
}

#: How many ε stand side by side.
_SIDE_BY_SIDE = 3


def _table(title: str, label: str, rows: tuple[Row, ...]) -> str:
    """A line for each value of the attribute ``label``; three columns for each ε."""
    if not rows:
        return ""
    epsilons = sorted({row.eps for row in rows})
    lines = [title]
    for k in range(0, len(epsilons), _SIDE_BY_SIDE):
        lines += _block(label, rows, epsilons[k : k + _SIDE_BY_SIDE])
    return "\n".join(lines)


def _block(label: str, rows: tuple[Row, ...], epsilons: list[float]) -> list[str]:
    cells = {(getattr(row, label), row.eps): _cells(row) for row in rows}
    table = [[label, *(head for eps in epsilons for head in (f"ε = {eps:g}", "simulated", "±"))]]
    for value in dict.fromkeys(getattr(row, label) for row in rows):
        found = (cells.get((value, eps), ("", "", "")) for eps in epsilons)
        table.append([f"{value:g}", *(text for three in found for text in three)])
    wide = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
    return [
        "  " + "  ".join(f"{text:>{w}}" for text, w in zip(line, wide, strict=True)).rstrip()
        for line in table
    ]


def _cells(row: Row) -> tuple[str, str, str]:
    off = max(row.found.high - row.found.mean, row.found.mean - row.found.low)
    return _short(row.exact), _short(row.found.mean), _short(off, 2)


def _short(rate: float, digits: int = 3) -> str:
    """A rate with so many digits that count; powers of ten only for the very small."""
    if not rate:
        return "0"
    places = digits - 1 - math.floor(math.log10(rate))
    return f"{rate:.{min(places, 5)}f}" if rate >= 1e-4 else f"{rate:.1e}"
