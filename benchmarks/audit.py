"""The auditor beside StatDP and DP-Sniper: `python -m benchmarks.audit`.

Each mechanism of their benchmark is audited as a black box, a NumPy function, over the input
pairs that StatDP proposes in both directions, at ε = 0.5 and confidence 0.9.  The figures of the
others were measured once on a machine with two cores, DP-Sniper's bound on the same pairs.  What
is asked for: at least DP-Sniper's bound with no more runs and in less time.

`--gallery` audits the incorrect mechanisms of the gallery instead, at what they claim, with
confidence 0.99: beside what was found stands the counterexample of the exact search.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from concurrent.futures import Executor

from rich.console import Console
from rich.table import Table

from benchmarks.peer_mechanisms import ROWS, Row
from shiftproof import Mechanism, audit, refute
from shiftproof.targets import gallery
from shiftproof.worker_processes import worker_processes

SEED = 20_201
#: Which part of DP-Sniper's runs is made; and where its bound is this far below the exact value.
SHARE, FAR, LESS = 0.98, 0.9, 0.25


def main() -> None:
    """Print one of the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gallery", action="store_true", help="the incorrect gallery mechanisms")
    parser.add_argument("--workers", type=int, default=2, help="how many processes make runs")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("names", nargs="*", help="only those whose names begin like this")
    options = parser.parse_args()
    with worker_processes(options.workers) as executor:
        list(executor.map(abs, range(options.workers)))  # they are there before the clock runs
        if options.gallery:
            _gallery(executor, options.seed, options.names)
        else:
            _peers(executor, options.seed, options.names)


def _peers(executor: Executor, seed: int, names: list[str]) -> None:
    table = Table(
        "mechanism", "exact", "StatDP", "DP-Sniper", "s", "M runs", "ours", "s", "M runs", ""
    )
    for row in ROWS:
        if not names or row.name.startswith(tuple(names)):
            table.add_row(*_peer(row, executor, seed))
    Console(width=120).print(table)


def _peer(row: Row, executor: Executor, seed: int) -> tuple[str, ...]:
    share = SHARE if row.sniper >= FAR * row.exact else LESS
    begun = time.perf_counter()
    found = audit(
        row.function, pairs=row.pairs, samples=int(share * row.sniper_runs), confidence=0.9,
        judge="ideal", seed=seed, executor=executor,
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    better = found.lower_bound >= row.sniper and seconds < row.sniper_seconds
    return (
        row.name, f"{row.exact:.4g}", "-" if row.statdp is None else f"{row.statdp:g}",
        f"{row.sniper:g}", f"{row.sniper_seconds:g}", f"{row.sniper_runs / 1e6:.0f}",
        f"{found.lower_bound:.3f}", f"{seconds:.1f}", f"{found.runs / 1e6:.1f}",
        "better" if better else "WORSE",
    )  # fmt: skip


def _gallery(executor: Executor, seed: int, names: list[str]) -> None:
    table = Table("mechanism", "ε", "log ratio / ε", "P(event)", "found", "ε >=", "M runs", "s")
    times = []
    for mechanism in gallery():
        name = mechanism.function.__name__
        if mechanism.expect == "refuted" and (not names or name.startswith(tuple(names))):
            row, seconds = _incorrect(mechanism, executor, seed)
            table.add_row(name, *row)
            times.append(seconds)
    Console(width=120).print(table)
    print(f"median {statistics.median(times):.2f} s")


def _incorrect(
    mechanism: Mechanism[..., object], executor: Executor, seed: int
) -> tuple[tuple[str, ...], float]:
    counterexample = refute(mechanism)
    ratio = likely = "-"
    if counterexample is not None:
        loss = counterexample.log_ratio
        budget = float(counterexample.budget.enclosure.low)
        ratio = "inf" if loss is None else f"{float(loss.enclosure.low) / budget:.3g}"
        if counterexample.measure == "probability":
            likely = f"{float(counterexample.on_left.enclosure.low):.2g}"
        else:
            likely = "density"
    begun = time.perf_counter()
    found = audit(mechanism, samples=5_000_000, confidence=0.99, seed=seed, executor=executor)
    seconds = time.perf_counter() - begun
    claim = math.nan if found.claim is None else found.claim
    return (
        f"{claim:.3g}", ratio, likely, "yes" if found.verdict == "violation found" else "NO",
        f"{found.lower_bound:.3f}", f"{found.runs / 1e6:.2f}", f"{seconds:.1f}",
    ), seconds  # fmt: skip


if __name__ == "__main__":
    main()
