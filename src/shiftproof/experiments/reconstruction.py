"""The experiment on reconstruction: how far estimates are from the truth, over N and ε.

Source: Geometric Noise for Locally Private Counting Queries, Section 4.
"""

from __future__ import annotations

import csv
import io
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from ..estimators.channels import Channel
from ..estimators.geometric_channel import TruncatedGeometric
from ..estimators.inversion import RandomisedResponse
from ..estimators.reconstruction import Method, reconstruct
from .point import above_zero, several, whole

Floats = NDArray[np.float64]

#: The defaults: N, ε in nats, and the shares of generated values, none of them rare.
USERS = tuple(10**3 * 4**k for k in range(6))
EPSILONS = (0.5, 1.0, 2.0)
TRUTH = (0.06, 0.10, 0.16, 0.18, 0.16, 0.12, 0.08, 0.06, 0.08)
MOST_USERS, MOST_RUNS, MOST_VALUES = 10**12, 10**6, 10**4

#: The channels that are compared, by name: of the number of values and ε.
CHANNELS: dict[str, Callable[[int, float], Channel]] = {
    "truncated geometric": lambda k, eps: TruncatedGeometric.of_epsilon(k - 1, eps),
    "randomised response": RandomisedResponse.of_epsilon,
}
#: The ways to estimate.
METHODS: dict[str, Method] = {"maximum likelihood": "interior-point", "inverse": "inverse"}


@dataclass(frozen=True, slots=True)
class Row:
    """One channel and one way to estimate, at one N and one ε.

    Attributes:
        channel: ``truncated geometric`` or ``randomised response``; both ε·d-private on [0, n].
        estimate: ``maximum likelihood`` or ``inverse``.
        users: N, how many report.
        eps: in nats, for values that are 1 apart.
        error: the root of the mean squared L2 distance from the truth.
        low: the quantile of 5 % of the distances.
        high: that of 95 %.
        theory: what the inverse has, exactly: √(V/N); the maximum likelihood tends to it.
        total_variation: the mean total variation distance; half of the L1 one.
        transport: the mean Wasserstein distance, in units of the values.
    """

    channel: str
    estimate: str
    users: int
    eps: float
    error: float
    low: float
    high: float
    theory: float
    total_variation: float
    transport: float


@dataclass(frozen=True, slots=True)
class ReconstructionExperiment:
    """The experiment on reconstruction.

    Attributes:
        truth: the shares of the values 0, 1, … that are looked for.
        runs: how often each point was run.
        seed: of everything.
        rows: what was found.
        interrupted: whether some rows are missing.
    """

    truth: tuple[float, ...]
    runs: int
    seed: int
    rows: tuple[Row, ...]
    interrupted: bool = False

    def as_csv(self) -> str:
        """One line a row."""
        text = io.StringIO()
        names = [field.name for field in fields(Row)]
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([getattr(row, name) for name in names] for row in self.rows)
        return text.getvalue()

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    def as_text(self, unicode: bool = True) -> str:
        """A table for each ε, and the slope of each error over N."""
        done = " (interrupted)" if self.interrupted else ""
        head = f"{len(self.truth)} values, {self.runs:,} runs, seed {self.seed}{done}"
        parts = [f"reconstruction of the shares of {head}; L2 distances"]
        parts += [
            "\n".join(self._table(eps)) for eps in dict.fromkeys(row.eps for row in self.rows)
        ]
        text = "\n\n".join(parts)
        return text if unicode else text.replace("ε", "eps").replace("√", "root of ")

    def _table(self, eps: float) -> Iterator[str]:
        rows = [row for row in self.rows if row.eps == eps]
        yield f"ε = {eps:g}"
        heads = f"{'error':>10}{'√(V/N)':>10}{'TV':>10}{'W1':>10}"
        yield f"  {'channel':<21}{'estimate':<20}{'N':>13}{heads}"
        for row in rows:
            yield (
                f"  {row.channel:<21}{row.estimate:<20}{row.users:>13,}{row.error:>10.4g}"
                f"{row.theory:>10.4g}{row.total_variation:>10.4g}{row.transport:>10.4g}"
            )
        for name in dict.fromkeys((row.channel, row.estimate) for row in rows):
            own = [row for row in rows if (row.channel, row.estimate) == name]
            if len(own) > 1:
                yield f"  slope of ln error over ln N, {', '.join(name)}: {slope(own):.3f}"


def slope(rows: Sequence[Row]) -> float:
    """The slope of ln error over ln N, by least squares; theory says −1/2 for large N."""
    users, errors = ([getattr(row, name) for row in rows] for name in ("users", "error"))
    return float(np.polyfit(np.log(users), np.log(errors), 1)[0])


def reconstruction_experiment(
    values: Any = None,
    *,
    largest: int | None = None,
    users: Iterable[int] = USERS,
    epsilons: Iterable[float] = EPSILONS,
    runs: int = 100,
    seed: int = 0,
) -> ReconstructionExperiment:
    """Measure how far :func:`reconstruct` is from the truth, by channel, N and ε.

    In each run N users are drawn with replacement, each reports through the channel, and the
    shares of all values are estimated.

    Args:
        values: whole numbers from 0 on, one a user; without any, those of nine values with
            fixed shares.
        largest: n; greater values are counted as n.  By default the greatest value: to be
            private, it must be known without looking.
        users: N, each from 1 to 10^12.
        epsilons: in nats, each above 0.
        runs: how often each point is run, from 1 to a million.
        seed: of everything, not negative.

    Raises:
        BadInput: one of these is out of range, or a value is no whole number from 0 on.

    Source: Geometric Noise for Locally Private Counting Queries, Section 4 and Conjecture 4.6.
    """
    plan = planned(values, largest, users, epsilons, runs, seed)
    return plan.result(list(measured(plan)))


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is asked for, checked."""

    truth: tuple[float, ...]
    users: tuple[int, ...]
    epsilons: tuple[float, ...]
    runs: int
    seed: int

    @property
    def tasks(self) -> int:
        """How many points there are, each with a row for every estimate."""
        return len(self.epsilons) * len(CHANNELS) * len(self.users)

    def result(self, rows: Sequence[Row], interrupted: bool = False) -> ReconstructionExperiment:
        """The experiment with these rows."""
        return ReconstructionExperiment(self.truth, self.runs, self.seed, tuple(rows), interrupted)


def planned(
    values: Any,
    largest: int | None,
    users: Iterable[int],
    epsilons: Iterable[float],
    runs: int,
    seed: int,
) -> Plan:
    """Check what is asked for; see :func:`reconstruction_experiment`."""
    return Plan(
        TRUTH if values is None else _shares(values, largest),
        tuple(sorted({whole("users", n, 1, MOST_USERS) for n in several("users", users)})),
        tuple(sorted(above_zero("epsilons", e) for e in several("epsilons", epsilons))),
        whole("runs", runs, 1, MOST_RUNS),
        whole("seed", seed, 0),
    )


def _shares(values: Any, largest: int | None) -> tuple[float, ...]:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not found.size:
        raise BadInput("values: want a list of at least one whole number")
    wrong = np.flatnonzero(~((found >= 0) & (found == np.floor(found)) & np.isfinite(found)))
    if len(wrong):
        got = found[wrong[0]]
        raise BadInput(f"values[{wrong[0]}]: got {got:g}; want a whole number from 0 on")
    most = int(found.max()) if largest is None else whole("largest", largest, 1)
    if not 1 <= most <= MOST_VALUES:
        raise BadInput(
            f"values: their range is [0, {most}]; want one up to at least 1 and at most "
            f"{MOST_VALUES:,}: give largest="
        )
    counts = np.bincount(np.minimum(found, most).astype(np.int64), minlength=most + 1)
    return tuple(float(share) for share in counts / found.size)


def measured(
    plan: Plan, show: Callable[[int, str], None] = lambda done, what: None
) -> Iterator[Row]:
    """The rows in order, as soon as each is there; ``show`` is told of every point."""
    truth, done = np.array(plan.truth), 0
    for eps in plan.epsilons:
        for name, made in CHANNELS.items():
            channel = made(len(truth), eps)
            law, spread = channel.forward(truth), _inverse_error(channel, truth)
            for users in plan.users:
                key = zlib.crc32(f"{name} {users} {eps!r}".encode())
                sequence = np.random.SeedSequence(plan.seed, spawn_key=(key,))
                counts = np.random.default_rng(sequence).multinomial(users, law, size=plan.runs)
                for estimate, method in METHODS.items():
                    found = [
                        reconstruct(channel, counts=row, method=method).distribution
                        for row in counts
                    ]
                    yield _row(name, estimate, users, eps, np.array(found) - truth, spread)
                done += 1
                show(done, f"{name}, N = {users:,}, ε = {eps:g}")


def _inverse_error(channel: Channel, truth: Floats) -> float:
    """V = N E‖q C⁻¹ − p‖² of multinomial reports: Σ_j law_j ‖row j of C⁻¹‖² − ‖p‖²."""
    inverse = np.array([channel.inverse(row) for row in np.eye(channel.reports)])
    return float(channel.forward(truth) @ (inverse**2).sum(axis=1) - truth @ truth)


def _row(channel: str, estimate: str, users: int, eps: float, off: Floats, spread: float) -> Row:
    distances = np.sqrt((off**2).sum(axis=1))
    low, high = (float(q) for q in np.quantile(distances, (0.05, 0.95)))
    return Row(
        channel, estimate, users, eps,
        float(np.sqrt((distances**2).mean())), low, high, math.sqrt(spread / users),
        float(np.abs(off).sum(axis=1).mean() / 2),
        float(np.abs(np.cumsum(off, axis=1)).sum(axis=1).mean()),
    )  # fmt: skip
