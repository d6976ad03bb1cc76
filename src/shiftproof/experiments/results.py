"""What the top-k experiment has found, as rows, as a table, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..dsl.errors import BadInput
from ..estimators.bands import Band


@dataclass(frozen=True, slots=True)
class Row:
    """One mechanism at one point, its counts estimated in one way.

    Attributes:
        mechanism: its name.
        calibration: how its noise was chosen.
        guarantee: the privacy that it keeps, without what the choice of a threshold tells.
        estimate: how counts were estimated.
        k: how many items were asked for.
        eps: the budget in nats.
        mse: the mean over the runs of the mean squared error of what a run answered; NaN if none
            answered.
        accuracy: the share of the true top k that was released.
        answers: how many items were released, on average.
        silent: how many runs released none; they have no part in ``mse``.
    """

    mechanism: str
    calibration: str
    guarantee: str
    estimate: str
    k: int
    eps: float
    mse: Band
    accuracy: Band
    answers: float
    silent: int

    @property
    def name(self) -> str:
        """What tells the row from the others of its point."""
        return f"{self.mechanism}, {self.calibration}, {self.estimate}"

    @property
    def kind(self) -> str:
        """``top-k`` or ``sparse vector``: what the name says after its first word."""
        return self.mechanism.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class TopKExperiment:
    """The top-k experiment.

    Attributes:
        items: how many counts there were.
        runs: how often each mechanism was run at each point.
        seed: of the noise.
        rows: what was found, by point.
        interrupted: whether some rows are missing.
    """

    items: int
    runs: int
    seed: int
    rows: tuple[Row, ...]
    interrupted: bool = False

    @property
    def points(self) -> tuple[tuple[int, float], ...]:
        """The (k, ε) at which something was measured."""
        return tuple(dict.fromkeys((row.k, row.eps) for row in self.rows))

    def at(self, k: int, eps: float) -> tuple[Row, ...]:
        """The rows of one point."""
        return tuple(row for row in self.rows if (row.k, row.eps) == (k, eps))

    def ratios(self, baseline: str) -> dict[tuple[int, float], dict[str, float]]:
        """By point and row: its MSE over that of the row named ``baseline`` at the same point.

        Args:
            baseline: as in ``"asymmetric top-k, proved, debiased"``; see :attr:`Row.name`.

        Raises:
            BadInput: no row is called that.
        """
        names = tuple(dict.fromkeys(row.name for row in self.rows))
        if baseline not in names:
            raise BadInput(f"baseline: got {baseline!r}; want one of {'; '.join(names)}")
        found = {}
        for point in self.points:
            errors = {row.name: row.mse.mean for row in self.at(*point)}
            if baseline in errors:
                found[point] = {n: _over(error, errors[baseline]) for n, error in errors.items()}
        return found

    def as_csv(self) -> str:
        """One line a row; bands are three columns each, and what is not a number is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        flat = [_flat(row) for row in self.rows]
        writer.writerow(_COLUMNS)
        writer.writerows(["" if row[c] is None else row[c] for c in _COLUMNS] for row in flat)
        return text.getvalue()

    def as_json(self) -> dict[str, Any]:
        """The same as plain values; what is not a number is ``None``."""
        return {
            "items": self.items,
            "runs": self.runs,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "rows": [_flat(row) for row in self.rows],
        }

    def as_text(self, unicode: bool = True) -> str:
        """A table for each point, in lines of at most 110 characters.

        ± is the distance to the farther end of a band.  The last column says how many times as
        large an error is as that of the proved asymmetric mechanism of the same kind, debiased.
        """
        done = " (interrupted)" if self.interrupted else ""
        head = f"top-k of {self.items:,} items, {self.runs:,} runs, seed {self.seed}{done}"
        parts = ["\n".join([head, *_legend(self.rows)])]
        parts += ["\n".join(_table(k, eps, self.at(k, eps))) for k, eps in self.points]
        text = "\n\n".join(parts)
        return text if unicode else text.replace("ε", "eps").replace("±", "+-").replace("×", "x")


_COLUMNS = (
    "mechanism", "calibration", "guarantee", "estimate", "k", "eps", "mse", "mse_low", "mse_high",
    "accuracy", "accuracy_low", "accuracy_high", "answers", "silent",
)  # fmt: skip


def _flat(row: Row) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name in ("mechanism", "calibration", "guarantee", "estimate", "k", "eps"):
        flat[name] = getattr(row, name)
    for name, band in (("mse", row.mse), ("accuracy", row.accuracy)):
        ends = {name: band.mean, f"{name}_low": band.low, f"{name}_high": band.high}
        flat |= {end: value if math.isfinite(value) else None for end, value in ends.items()}
    return {**flat, "answers": row.answers, "silent": row.silent}


def _over(error: float, baseline: float) -> float:
    return error / baseline if baseline else math.nan


def _legend(rows: tuple[Row, ...]) -> Iterator[str]:
    """What each mechanism keeps to."""
    kept = dict.fromkeys((f"{row.mechanism}, {row.calibration}", row.guarantee) for row in rows)
    wide = max((len(name) for name, _ in kept), default=0)
    for name, guarantee in kept:
        yield f"  {name:<{wide}}  {guarantee}"


def _table(k: int, eps: float, rows: tuple[Row, ...]) -> list[str]:
    plain = {
        row.kind: row.mse.mean
        for row in rows
        if (row.calibration, row.estimate) == ("proved", "debiased")
    }
    lines = [("mechanism", "estimate", "MSE", "±", "accuracy", "±", "answers", "MSE ratio")]
    for row in rows:
        ratio = _over(row.mse.mean, plain.get(row.kind, math.nan))
        off = 100 * _over(_width(row.mse), row.mse.mean)
        lines.append(
            (
                f"{row.mechanism}, {row.calibration}", row.estimate,
                _shown(row.mse.mean, ".3g"), _shown(off, ".1f", " %"),
                f"{row.accuracy.mean:.3f}", f"{_width(row.accuracy):.3f}",
                f"{row.answers:.1f}", _shown(ratio, ".2f"),
            )
        )  # fmt: skip
    wide = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
    found = [f"k = {k}, ε = {eps:g}"]
    for line in lines:
        left = [f"{text:<{w}}" for text, w in zip(line[:2], wide[:2], strict=True)]
        right = [f"{text:>{w}}" for text, w in zip(line[2:], wide[2:], strict=True)]
        found.append("  ".join(left + right).rstrip())
    silent = dict.fromkeys((r.mechanism, r.calibration, r.silent) for r in rows if r.silent)
    found += [f"  {m}, {c}: {n:,} runs without an answer" for m, c, n in silent]
    return found


def _width(band: Band) -> float:
    """The larger one of the distances to both ends."""
    return max(band.high - band.mean, band.mean - band.low)


def _shown(value: float, form: str, unit: str = "") -> str:
    return "" if math.isnan(value) else f"{value:{form}}{unit}"
