"""How fast mechanisms are simulated, on one core: `python -m benchmarks.simulate`.

The times are process time of this process, which runs no threads.  Machines differ and are
noisy: compare the ratio to the cost of the noise alone, which is drawn in turn with the runs.
For comparison (10 queries, sparse vectors a second, one core): DP-Sniper's vectorised sampler 2.4
to 3.0 million, DP-Auditorium 0.5 to 0.95 million, StatDP 0.09 to 0.40 million.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from shiftproof import Distribution, Mechanism
from shiftproof.dsl.language.runtime import drawing_from
from shiftproof.dsl.simulation.simulate import LARGEST_BLOCK, Simulation
from shiftproof.workspace.targets import one_mechanism

SEED = 20_200


@dataclass(frozen=True)
class Row:
    """One mechanism on one input; ``least`` is what it should reach, in millions a second."""

    title: str
    target: str
    inputs: Mapping[str, Any]
    least: float | None = None


NEAR = {"f": [10] * 10, "T": 10.0, "eps": 0.5}
ROWS = (
    Row("sparse vector, c = 1", "sparse_vector", {**NEAR, "c": 1}, 9),
    Row("sparse vector, c = 3", "sparse_vector", {**NEAR, "c": 3}, 6),
    Row("sparse vector, never stops", "sparse_vector", {**NEAR, "c": 11}, 4),
    Row("numeric sparse vector, c = 3", "numeric_sparse_vector", {**NEAR, "c": 3}),
    Row("noisy argmax of 10", "noisy_argmax", {"q": [10] * 10, "eps": 0.5}),
    Row("histogram of 10", "histogram", {"f": [10] * 10, "eps": 0.5}),
    Row("two-sided geometric", "geometric", {"f": 10, "eps": 0.5}),
)


def main() -> None:
    """Print a table of executions a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9, help="how often each row is timed")
    parser.add_argument("--samples", type=int, default=2_000_000, help="executions each time")
    options = parser.parse_args()
    table = Table("mechanism", "draws", "median M/s", "best M/s", "bar", "over noise", "native M/s")
    for row in ROWS:
        table.add_row(*_measured(row, options.samples, options.repeat))
    Console(width=110).print(table)


def rate(row: Row, samples: int, repeat: int) -> float:
    """Millions of executions a second, the median of several times."""
    simulation = Simulation(one_mechanism(row.target, run=True), **row.inputs)
    runs = (_seconds(partial(_consume, simulation, samples, SEED + k)) for k in range(repeat))
    return 1e-6 * samples / statistics.median(runs)


def _measured(row: Row, samples: int, repeat: int) -> tuple[str, ...]:
    mechanism = one_mechanism(row.target, run=True)
    simulation = Simulation(mechanism, **row.inputs)
    laws = _laws(mechanism, row.inputs)
    runs, noise = [], []
    for k in range(repeat):
        runs.append(_seconds(partial(_consume, simulation, samples, SEED + k)) / samples)
        noise.append(_seconds(partial(_draw, laws, samples, SEED + k)) / samples)
    rate = 1e-6 / statistics.median(runs)
    ratio = statistics.median(r / n for r, n in zip(runs, noise))
    native = 1e-6 / _seconds(lambda: [mechanism.run(dict(row.inputs)) for _ in range(300)]) * 300
    bar = "" if row.least is None else f"{row.least:g} {'met' if rate >= row.least else 'MISSED'}"
    return (
        row.title, f"{sum(share for _, share in laws):.2f}", f"{rate:.2f}",
        f"{1e-6 / min(runs):.2f}", bar, f"{ratio:.2f}", f"{native:.4f}",
    )  # fmt: skip


def _consume(simulation: Simulation, samples: int, seed: int) -> None:
    for _ in simulation.blocks(samples, seed=seed):
        pass


class _Counting:
    """Draws, and remembers from what."""

    def __init__(self) -> None:
        self.drawn: list[Distribution] = []
        self._source = np.random.default_rng(SEED)

    def draw(self, distribution: Distribution) -> Any:
        self.drawn.append(distribution)
        return distribution.draw_many(self._source, 1)[0].item()


def _laws(
    mechanism: Mechanism[..., Any], inputs: Mapping[str, Any]
) -> list[tuple[Distribution, float]]:
    """From what one run draws, and how often on average: the noise that is really needed."""
    source, runs = _Counting(), 2_000
    with drawing_from(source):
        for _ in range(runs):
            mechanism.run(dict(inputs))
    found: dict[str, tuple[Distribution, int]] = {}
    for law in source.drawn:
        first, times = found.get(repr(law), (law, 0))
        found[repr(law)] = (first, times + 1)
    return [(law, times / runs) for law, times in found.values()]


def _draw(laws: list[tuple[Distribution, float]], samples: int, seed: int) -> None:
    """That noise, and nothing else, in arrays of the size that the simulator uses at most."""
    generator = np.random.Generator(np.random.SFC64(seed))
    for law, share in laws:
        left = round(share * samples)
        while left:
            size = min(left, LARGEST_BLOCK)
            law.draw_many(generator, size)
            left -= size


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
