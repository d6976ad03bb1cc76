"""What the experiments on minimum finding have found: as rows, as a table, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..estimators.minimum_bounds import log_rate


@dataclass(frozen=True, slots=True)
class Series:
    """One way to search in one kind of data.

    Attributes:
        data: ``fixed`` or ``i.i.d.`` with the α of the values, or ``subsampled``.
        end: ``minimum`` or ``maximum``.
        alpha: what the search knows of α; ``None`` if nothing.
        once: whether each user is asked in one round only, with all of ε.
    """

    data: str
    end: str
    alpha: float | None
    once: bool

    @property
    def name(self) -> str:
        """What tells the series from all others."""
        return f"{self.data}, {self.end}, {self.plan}"

    @property
    def plan(self) -> str:
        """How is searched."""
        known = "unknown" if self.alpha is None else "known"
        return f"α {known}, asked {'once' if self.once else 'always'}"

    def log_rate(self, users: int, eps: float) -> float:
        """ln of the rate of theory, times 2α."""
        return log_rate(users, eps, self.alpha is not None, self.once)

    def rate(self, users: int, eps: float) -> float:
        """The rate, for the α that is known.

        Raises:
            ValueError: none is.
        """
        if self.alpha is None:
            raise ValueError("the rate depends on α, which is unknown")
        return math.exp(self.log_rate(users, eps) / (2 * self.alpha))


@dataclass(frozen=True, slots=True)
class Row:
    """A series at one number of users and one ε.

    Attributes:
        series: which one.
        users: N.
        eps: what a user spends in all, in nats.
        rounds: L, how often the interval is halved.
        threshold: τ, the share that is looked for.
        error: the mean distance from the end of all values.
        low: the quantile of 5 % of these distances.
        high: that of 95 %.
    """

    series: Series
    users: int
    eps: float
    rounds: int
    threshold: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The α with which the rate of theory has the slope of the mean errors.

    Attributes:
        series: of which series.
        over: ``users`` or ``eps``: over what the slope is taken.
        at: the ε, or the number of users, that stays.
        alpha: by least squares in logarithms; infinite where errors do not fall.
        low: the end of a bootstrapped band of 95 %.
        high: the other one.
    """

    series: Series
    over: str
    at: float
    alpha: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MinimumExperiment:
    """The experiments on minimum finding.

    Attributes:
        values: how many were given; ``None`` if they were generated.
        runs: how often each search was run at each point.
        seed: of everything.
        rows: what was found.
        fits: the α that fit them, where there are three points or more.
        interrupted: whether some rows are missing.
    """

    values: int | None
    runs: int
    seed: int
    rows: tuple[Row, ...]
    fits: tuple[Fit, ...]
    interrupted: bool = False

    @property
    def series(self) -> tuple[Series, ...]:
        """All of them."""
        return tuple(dict.fromkeys(row.series for row in self.rows))

    def of(self, **wanted: Any) -> tuple[Row, ...]:
        """The rows with these attributes, of the row or of its series: ``of(eps=1, once=True)``."""
        return tuple(
            row for row in self.rows
            if all(_attribute(row, name) == value for name, value in wanted.items())
        )  # fmt: skip

    def as_csv(self) -> str:
        """One line a row."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(_flat(row).values() for row in self.rows)
        return text.getvalue()

    def as_json(self) -> dict[str, Any]:
        """The same as plain values, and the fits; what is infinite is ``None``."""
        return {
            "values": self.values,
            "runs": self.runs,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "rows": [_flat(row) for row in self.rows],
            "fits": [
                {**_of_series(f.series), "over": f.over, "at": f.at}
                | {n: _finite(getattr(f, n)) for n in ("alpha", "low", "high")}
                for f in self.fits
            ],
        }

    def as_text(self, unicode: bool = True) -> str:
        """The mean errors of each series by N and ε, and the α that fit; more is in the CSV."""
        done = " (interrupted)" if self.interrupted else ""
        data = "generated values" if self.values is None else f"{self.values:,} values"
        parts = [f"minimum of {data}, {self.runs:,} runs, seed {self.seed}{done}"]
        if self.fits:
            parts[0] += "\nα is the one for which the rate of theory has the slope of the errors"
        parts += ["\n".join(self._table(series)) for series in self.series]
        text = "\n\n".join(parts)
        for sign, plain in (("ε", "eps"), ("α", "alpha"), ("τ", "tau")) if not unicode else ():
            text = text.replace(sign, plain)
        return text

    def _table(self, series: Series) -> Iterator[str]:
        """Mean errors by N and ε; below and beside them the α that fits a column or a row."""
        rows = {(row.users, row.eps): row for row in self.rows if row.series == series}
        users = sorted({n for n, _ in rows})
        epsilons = sorted({eps for _, eps in rows})
        fits = {(f.over, f.at): f"{f.alpha:.2f}" for f in self.fits if f.series == series}
        beside = any(over == "eps" for over, _ in fits)
        yield series.name
        heads = [f"ε = {eps:g}" for eps in epsilons]
        yield _line("N", [*heads, *["α over ε"] * beside])
        for n in users:
            errors = [f"{rows[n, e].error:.4g}" if (n, e) in rows else "" for e in epsilons]
            yield _line(f"{n:,}", [*errors, *[fits.get(("eps", n), "")] * beside])
        if any(over == "users" for over, _ in fits):
            yield _line("α over N", [fits.get(("users", e), "") for e in epsilons])


def _line(first: str, cells: Sequence[str]) -> str:
    return f"{first:>14}{''.join(f'{cell:>11}' for cell in cells)}".rstrip()


_COLUMNS = (
    "data", "end", "alpha_known", "once", "users", "eps", "rounds", "threshold", "error", "low",
    "high",
)  # fmt: skip


def _attribute(row: Row, name: str) -> Any:
    return getattr(row, name, None) if name in Row.__slots__ else getattr(row.series, name)


def _of_series(series: Series) -> dict[str, Any]:
    return {
        "data": series.data, "end": series.end, "alpha_known": series.alpha, "once": series.once,
    }  # fmt: skip


def _flat(row: Row) -> dict[str, Any]:
    return _of_series(row.series) | {name: getattr(row, name) for name in _COLUMNS[4:]}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
