"""The auditor beside StatDP and DP-Sniper: `python -m benchmarks.audit`.

Each mechanism of their benchmark is audited as a black box, a NumPy function, over the input
pairs that StatDP proposes in both directions, at ε = 0.5 and confidence 0.9.  The figures of the
others were measured once on a machine with two cores, DP-Sniper's bound on the same pairs.  What
is asked for: at least DP-Sniper's bound with no more runs and in less time.  `--dp-sniper PATH` and
`--statdp PATH` measure the checkout there in the same run instead, on the same functions and pairs,
and all times are then of a processor, in one process.

`--gallery` audits the incorrect mechanisms of the gallery instead, at what they claim, with
confidence 0.99 and at most 5 million runs, beside the outcome of the exact search.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from concurrent.futures import Executor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.peer_mechanisms import ROWS, Row
from benchmarks.peer_runs import STATDP_RUNS, Sniper, StatDP
from shiftproof import Audit, Mechanism, audit
from shiftproof.checkers.auditing.boxes.language import subject_of
from shiftproof.checkers.auditing.scoring.features import Vocabulary
from shiftproof.checkers.auditing.scoring.scores import scores_of
from shiftproof.checkers.refuting.judge import EFFORT
from shiftproof.checkers.refuting.search import hunt
from shiftproof.dsl.errors import BadInput
from shiftproof.workspace.executors import worker_processes
from shiftproof.workspace.targets import gallery

SEED = 20_201
#: Which part of DP-Sniper's runs is made; and where its bound is this far below the exact value.
SHARE, FAR, LESS = 1.0, 0.9, 0.25


def main() -> None:
    """Print one of the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gallery", action="store_true", help="the incorrect gallery mechanisms")
    parser.add_argument("--workers", type=int, default=2, help="how many processes make runs")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--share", type=float, default=1.0, help="of the runs (1)")
    parser.add_argument("names", nargs="*", help="only those whose names begin like this")
    parser.add_argument("--dp-sniper", type=Path, metavar="PATH", help="measure this checkout")
    parser.add_argument("--statdp", type=Path, metavar="PATH", help="measure this checkout, slowly")
    options = parser.parse_args()
    if options.dp_sniper or options.statdp:
        try:
            sniper = options.dp_sniper and Sniper(options.dp_sniper)
            statdp = options.statdp and StatDP(options.statdp)
        except BadInput as error:
            sys.exit(f"error: {error.message}")
        _in_the_same_run(sniper, statdp, options.seed, options.names, options.share)
        return
    with worker_processes(options.workers) as executor:
        list(executor.map(abs, range(options.workers)))  # they are there before the clock runs
        if options.gallery:
            _gallery(executor, options.seed, options.names, options.share)
        else:
            _peers(executor, options.seed, options.names, options.share)


def _peers(executor: Executor, seed: int, names: list[str], share: float) -> None:
    table = Table(
        "mechanism", "exact", "StatDP", "DP-Sniper", "s", "M runs", "ours", "s", "M runs", ""
    )
    for row in ROWS:
        if not names or row.name.startswith(tuple(names)):
            table.add_row(*_peer(row, executor, seed, share))
    Console(width=120).print(table)


def _in_the_same_run(
    sniper: Sniper | None, statdp: StatDP | None, seed: int, names: list[str], share: float
) -> None:
    peers = {"DP-Sniper": sniper, "StatDP": statdp}
    there = {name: peer for name, peer in peers.items() if peer is not None}
    columns = [column for name in there for column in (name, "CPU s", "M runs")]
    table = Table("mechanism", "exact", *columns, "ours", "CPU s", "M runs")
    for row in ROWS:
        if names and not row.name.startswith(tuple(names)):
            continue
        cells = [row.name, f"{row.exact:.4g}"]
        for name, peer in there.items():
            print(f"{row.name}: {name}", file=sys.stderr, flush=True)
            found = peer.on(row, int(row.sniper_runs if name == "DP-Sniper" else STATDP_RUNS))
            cells += [f"{found.bound:.3f}", f"{found.seconds:.1f}", f"{found.runs / 1e6:.1f}"]
        begun = time.process_time()
        ours, _ = audited(row, None, seed, share)
        seconds = time.process_time() - begun
        table.add_row(*cells, f"{ours.lower_bound:.3f}", f"{seconds:.1f}", f"{ours.runs / 1e6:.1f}")
    Console(width=130).print(table)


def audited(row: Row, executor: Executor | None, seed: int, share: float) -> tuple[Audit, float]:
    """An audit with a share of the runs that are made of a mechanism; and its seconds."""
    share *= SHARE if row.sniper >= FAR * row.exact else LESS
    begun = time.perf_counter()
    found = audit(
        row.function, pairs=row.pairs, samples=int(share * row.sniper_runs), confidence=0.9,
        judge="ideal", seed=seed, executor=executor,
    )  # fmt: skip
    return found, time.perf_counter() - begun


def _peer(row: Row, executor: Executor, seed: int, share: float) -> tuple[str, ...]:
    found, seconds = audited(row, executor, seed, share)
    better = found.lower_bound >= row.sniper and seconds < row.sniper_seconds
    return (
        row.name, f"{row.exact:.4g}", "-" if row.statdp is None else f"{row.statdp:g}",
        f"{row.sniper:g}", f"{row.sniper_seconds:g}", f"{row.sniper_runs / 1e6:.0f}",
        f"{found.lower_bound:.3f}", f"{seconds:.1f}", f"{found.runs / 1e6:.1f}",
        "better" if better else "WORSE",
    )  # fmt: skip


def _gallery(executor: Executor, seed: int, names: list[str], share: float) -> None:
    table = Table("mechanism", "ε", "log ratio", "P", "found", "ε >=", "M runs", "s", "seen from")
    times = []
    for mechanism in gallery():
        name = mechanism.function.__name__
        if mechanism.expect == "refuted" and (not names or name.startswith(tuple(names))):
            row, seconds = _incorrect(mechanism, executor, seed, share)
            table.add_row(name, *row)
            times.append(seconds)
    Console(width=130).print(table)
    print(f"median {statistics.median(times):.2f} s")
    print("log ratio, P: of the exact search's outcome; P of a density: of its tail on D")
    print("seen from: the ε from which on events of P = 0.1 and 0.001 would have been seen")


def _incorrect(
    mechanism: Mechanism[..., object], executor: Executor, seed: int, share: float
) -> tuple[tuple[str, ...], float]:
    begun = time.perf_counter()
    samples = int(share * 5_000_000)
    found = audit(mechanism, samples=samples, confidence=0.99, seed=seed, executor=executor)
    seconds = time.perf_counter() - begun
    ratio, likely = _of_the_search(mechanism, found.claim or 0.0)
    amounts = {v.probability: v.epsilon for v in found.visible}
    missing = "  ".join("-" if (e := amounts[p]) is None else f"{e:.3g}" for p in (0.1, 0.001))
    success = found.verdict == "violation found"
    return (
        f"{found.claim:.3g}", ratio, likely, "yes" if success else "NO",
        f"{found.lower_bound:.3f}", f"{found.runs / 1e6:.2f}", f"{seconds:.1f}",
        "" if success else missing,
    ), seconds  # fmt: skip


def _of_the_search(mechanism: Mechanism[..., object], claim: float) -> tuple[str, str]:
    """Log ratio and probability of the outcome that exact likelihoods choose."""
    subject = subject_of(mechanism, {})
    best = hunt(mechanism.program, effort=EFFORT).best
    if best is None:
        return "-", "-"
    ratio = "inf" if math.isinf(best.loss) else f"{best.loss * claim:.3g}"
    left = next(pair.left for pair in subject.pairs if pair.scores)
    sample = subject.box.on(left)(200_000, (SEED,))
    reading = Vocabulary.of(sample).read(sample)
    shares = [float((s(reading) >= 0).mean()) for s in scores_of(best.outcome) if s.side or
              not best.outcome.reals]  # fmt: skip
    return ratio, f"{min(shares):.2g}"


if __name__ == "__main__":
    main()
