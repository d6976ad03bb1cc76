"""How fast the top-k experiment is: `python -m benchmarks.experiments [FILE]`.

Without a basket file one of the size of the retail data is made: 88,162 baskets, 16,470 items of
which few are frequent.  One point, k = 100 and ε = 0.1, all mechanisms; all seeds are fixed.  It
should take 60 seconds for 10,000 repetitions on two cores.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from shiftproof.estimators.bands import bootstrapped_columns
from shiftproof.experiments.contenders import CONTENDERS
from shiftproof.experiments.top_k import measured, planned, top_k_experiment
from shiftproof.workspace.data.baskets import read_item_counts
from shiftproof.workspace.executors import cores, worker_processes

BASKETS, ITEMS, OCCURRENCES, SEED = 88_162, 16_470, 908_576, 20_220
K, EPS = 100, 0.1


def main() -> None:
    """Print seconds, and repetitions a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a basket file")
    parser.add_argument("--runs", type=int, default=10_000, help="repetitions of the whole point")
    parser.add_argument("--each", type=int, default=500, help="repetitions of each mechanism alone")
    parser.add_argument("--workers", type=int, default=cores(), help="processes")
    options = parser.parse_args()
    if options.file:
        measure(options.file, options.runs, options.each, options.workers)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "made.dat")
        write_baskets(file)
        measure(file, options.runs, options.each, options.workers)


def measure(file: Path, runs: int, each: int, workers: int) -> None:
    """Time the parts, and then the whole."""
    begun = time.perf_counter()
    counts = read_item_counts(file).counts
    print(f"{'reading':<40}{time.perf_counter() - begun:8.2f} s  {len(counts):,} items")
    values = np.random.default_rng(SEED).exponential(size=(10_000, 3))
    begun = time.process_time()
    bootstrapped_columns(values, SEED)
    print(f"{'three bands of 10,000':<40}{time.process_time() - begun:8.2f} s")
    for contender in CONTENDERS:
        whole = planned(counts, [K], [EPS], each, SEED, [contender.mechanism])
        plan = replace(whole, contenders=(contender,))
        begun = time.process_time()
        for _ in measured(plan, None):
            pass
        seconds = time.process_time() - begun
        print(
            f"{contender.name:<40}{seconds:8.2f} s  {each / seconds:10,.0f} runs a second, one core"
        )
    begun = time.perf_counter()
    with worker_processes(workers) as executor:
        top_k_experiment(file, ks=[K], epsilons=[EPS], runs=runs, seed=SEED, executor=executor)
    seconds = time.perf_counter() - begun
    what = f"all of them, {workers} processes"
    print(
        f"{what:<40}{seconds:8.2f} s  {runs / seconds:10,.0f} repetitions a second, {runs:,} done"
    )


def write_baskets(file: Path) -> None:
    """Baskets of items whose frequency falls as 1/rank, each item at least once."""
    rng = np.random.default_rng(SEED)
    weights = 1 / np.arange(1, ITEMS + 1)
    drawn = rng.choice(ITEMS, OCCURRENCES - ITEMS, p=weights / weights.sum())
    items = rng.permutation(np.concatenate([drawn, np.arange(ITEMS)]))
    ends = np.sort(rng.choice(np.arange(1, OCCURRENCES), BASKETS - 1, replace=False))
    lines = (" ".join(map(str, part.tolist())) for part in np.split(items, ends))
    file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
