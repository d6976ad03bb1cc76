"""How often the auditor raises a false alarm, and how often it finds what is slightly wrong.

``python -m benchmarks.calibrate [--audits N] [--workers W ...] [--confidence C] [--seed S]`` makes
N audits of mechanisms whose exact ε is known, with the exact ε as the claim, and N with a claim
that they break by a factor of 1.2.  Audits of the first kind by turns stop as soon as the claim
is refused and go on.  With several W the results must be the same for each.  It ends with status
1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import math
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.calibrated_mechanisms import Case, Instance, cases
from shiftproof.checkers.auditing.audit import audit
from shiftproof.checkers.auditing.evidence.pure import divergence
from shiftproof.workspace.executors import worker_processes

#: By which factor the true ε is above the claim that is to be refused.
FACTOR = 1.2
#: Which part of such claims must be refused, of each mechanism and of all.
BAR = 0.9

NOTES = """\
alarms: audits that refuse the exact ε; above: those whose lower bound is above it.  Both are OK if
the 95 % Clopper-Pearson interval begins at no more than {allowed:.3g} %.  found: audits that refuse
the exact ε / {factor}, of as many; the bar is {bar:.0f} %.  ideal: how often a test finds it that
knows the event and both probabilities and shares the runs between the pairs.\
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What one audit came to; ``exact`` tells different results apart."""

    violation: bool
    above: bool
    exact: bytes


@dataclass(slots=True)
class Row:
    """All audits of one mechanism under one judge: at its exact ε, and below it."""

    case: Case
    judge: Any
    boundary: list[Found]
    below: list[Found]


def rows_of(chosen: Iterable[Case]) -> list[Row]:
    """One row for each mechanism and judge."""
    return [
        Row(case, judge, [], [])
        for case in chosen
        for judge in (("ideal", "code") if case.discrete else ("ideal",))
    ]


def measure(
    rows: Sequence[Row], audits: int, confidence: float, seed: int, executor: Executor | None
) -> None:
    """So many audits of each kind, of the mechanisms by turns."""
    for number in range(audits):
        row = rows[number % len(rows)]
        own = int(np.random.SeedSequence((seed, number)).generate_state(1)[0])
        for into, factor in ((row.boundary, 1.0), (row.below, FACTOR)):
            stop = factor > 1 or number // len(rows) % 2 == 0
            into.append(audited(row, own, factor, stop, confidence, executor))


def audited(
    row: Row, seed: int, factor: float, stop: bool, confidence: float, executor: Executor | None
) -> Found:
    """One audit against the exact ε, divided by a factor."""
    made = row.case.make(seed)
    found = audit(
        made.target, epsilon=made.loss / factor, samples=row.case.samples, confidence=confidence,
        judge=row.judge, stop=stop, seed=seed, executor=executor, **made.settings,
    )  # fmt: skip
    exact = hashlib.sha256(repr(dataclasses.replace(found, seconds=0.0)).encode()).digest()
    return Found(found.verdict == "violation found", found.lower_bound > made.loss, exact)


def limits(count: int, of: int) -> tuple[float, float]:
    """The Clopper-Pearson interval of 95 % for a probability."""
    low = stats.beta.ppf(0.025, count, of - count + 1) if count else 0.0
    high = stats.beta.ppf(0.975, count + 1, of - count) if count < of else 1.0
    return float(low), float(high)


def ideal_power(made: Instance, samples: int, confidence: float) -> float:
    """How often the claim is refused by a test that knows all but the pair."""
    gain = divergence(made.likely, made.likely / math.exp(made.loss), made.loss / FACTOR)
    nats = float(gain) * samples / (2 * made.among)
    return float(stats.norm.cdf((nats + math.log1p(-confidence)) / math.sqrt(2 * nats)))


def print_table(rows: Sequence[Row], confidence: float) -> bool:
    """Print what came of all; whether no bar is missed."""
    print(
        f"\n{'mechanism':<36}{'judge':<7}{'ε':>6}{'runs':>9}{'audits':>8}{'alarms':>7}"
        f"{'interval, %':>13}{'above':>6}      {'found':>6}{'ideal':>6}"
    )
    kept = True
    for row in rows:
        made = row.case.make(0)
        ideal = ideal_power(made, row.case.samples, confidence)
        title = f"{row.case.name:<36}{row.judge:<7}{made.loss:>6.3f}{row.case.samples:>9}"
        kept &= _print_row(title, row.boundary, row.below, confidence, f"{100 * ideal:>6.1f}")
    boundary, below = ([f for row in rows for f in getattr(row, n)] for n in ("boundary", "below"))
    kept &= _print_row(f"{'all':<58}", boundary, below, confidence)
    print(NOTES.format(allowed=100 * (1 - confidence), factor=FACTOR, bar=100 * BAR))
    return kept


def _print_row(
    title: str, boundary: Sequence[Found], below: Sequence[Found], confidence: float, end: str = ""
) -> bool:
    n = len(boundary)
    alarms, above = sum(f.violation for f in boundary), sum(f.above for f in boundary)
    low, high = limits(alarms, n)
    calm = max(low, limits(above, n)[0]) <= 1 - confidence
    power = sum(f.violation for f in below) / len(below)
    interval = f"{100 * low:.2f}-{100 * high:.2f}"
    print(
        f"{title}{n:>8}{alarms:>7}{interval:>13}{above:>6}  {'OK' if calm else 'BAD':<4}"
        f"{100 * power:>6.1f}{end}{'' if power >= BAR else '  MISSED'}"
    )
    return calm and power >= BAR


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.calibrate", description="False alarms and power of the auditor."
    )
    parser.add_argument("--audits", type=int, default=2_000, help="of each of the two kinds")
    parser.add_argument("--workers", type=int, nargs="+", default=[1], help="such as 1 2 32")
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kept, first = True, b""
    for count in options.workers:
        rows = rows_of(cases())
        if options.audits < len(rows):
            parser.error(f"--audits: there are {len(rows)} mechanisms and judges")
        begun = time.monotonic()
        with worker_processes(count) as executor:
            measure(rows, options.audits, options.confidence, options.seed, executor)
        seconds = time.monotonic() - begun
        kept &= print_table(rows, options.confidence)
        found = b"".join(f.exact for row in rows for f in (*row.boundary, *row.below))
        digest = hashlib.sha256(found).hexdigest()[:16]
        print(f"{count} workers, {seconds:.0f} s; all results together: {digest}", flush=True)
        first = first or found
        if found != first:
            kept = False
            print(f"DIFFERENT from those of {options.workers[0]} workers")
    sys.exit(not kept)


if __name__ == "__main__":
    main()
