"""The time and memory of large reconstructions: `python -m benchmarks.reconstruct`.

Process time of this process, one core if OMP_NUM_THREADS=1.  How far estimates are from the truth
is measured by ``shiftproof experiment reconstruct``.
"""

from __future__ import annotations

import argparse
import math
import time
import tracemalloc

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.reconstruction import Method, reconstruct

SEED = 4_600
#: n, ε and the method.
SETTINGS: list[tuple[int, float, Method]] = [
    (10_000, 1.0, "interior-point"),
    (10_000, 1.0, "em"),
    (10_000, 0.1, "interior-point"),
    (10_000, 0.1, "em"),
    (10_000, 0.01, "interior-point"),
    (100_000, 0.1, "interior-point"),
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=10**7, help="how many there are")
    parser.add_argument("--em-limit", type=int, default=3_000, help="iterations of EM")
    options = parser.parse_args()
    Console(width=110).print(_costs(options.reports, options.em_limit))


def _costs(reports: int, em_limit: int) -> Table:
    table = Table(
        "n", "ε", "method", "iterations", "gap (nats/report)", "s", "peak MB",
        title=f"truncated geometric, {reports:,} reports; counting them included",
    )  # fmt: skip
    for n, eps, method in SETTINGS:
        data = _reports(n, eps, reports)
        channel = TruncatedGeometric.of_epsilon(n, eps)
        limit = em_limit if method == "em" else None
        begun = time.process_time()
        found = reconstruct(channel, reports=data, method=method, limit=limit)
        seconds = time.process_time() - begun
        tracemalloc.start()  # slows it down, so another time
        reconstruct(channel, reports=data, method=method, limit=5)
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        gap = found.optimality.gap if found.optimality else math.inf
        table.add_row(
            f"{n:,}", f"{eps:g}", method, f"{found.iterations:,}",
            f"{gap:.1e}{'' if found.converged else ' (limit)'}", f"{seconds:.2f}", f"{peak:.0f}",
        )  # fmt: skip
    return table


def _reports(n: int, eps: float, size: int) -> NDArray[np.int64]:
    """Values from a mixture of two bumps, sanitised."""
    generator = np.random.default_rng(SEED)
    share = np.where(
        generator.random(size) < 0.6, generator.beta(8, 20, size), generator.beta(30, 12, size)
    )
    stay = 1 - math.exp(-eps)
    noise = generator.geometric(stay, size) - generator.geometric(stay, size)
    return np.clip(np.rint(share * n).astype(np.int64) + noise, 0, n)


if __name__ == "__main__":
    main()
